#pragma once
// The format of --help and the messages for usage errors. Only this file and arguments.cpp use
// CLI11.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::app {

/// Help with names and values as they are typed, without CLI11's annotations.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

/// Accepts the words of a list, two at least.
CLI::Validator one_of(const std::vector<std::string>& words);
/// Accepts 0, 1, 2, … `most`.
CLI::Validator whole_number(Index most, Index least = 0);
/// Accepts anything but "".
CLI::Validator not_empty();

/// The usage error of a command line: extra arguments (`top` allows extras), a missing command, or
/// CLI11's `error`. Ends with a reference to the help; empty when there is no error.
std::string usage_complaint(const CLI::App& top, const CLI::ParseError* error);

}  // namespace gsim::app
