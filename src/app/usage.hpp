#pragma once
// How the command line explains itself: the look of --help, and words for what was typed wrong.
// Beside arguments.cpp the only place that knows CLI11.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::app {

/// Help that shows names and values as they are typed, without CLI11's remarks about them.
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

/// What is wrong with a command line: words that nothing took (`top` allows extras), no command, or
/// what CLI11 refused with `error`. Ends with where to read on; empty when nothing is wrong.
std::string usage_complaint(const CLI::App& top, const CLI::ParseError* error);

}  // namespace gsim::app
