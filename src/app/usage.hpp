#pragma once
// The format of --help and the messages for usage errors. Only this file and those of arguments
// use CLI11.

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

/// Ends the help of a command with `text`, which begins with an example.
void add_example(CLI::App* command, const std::string& text);

/// Accepts any of `words`, of which there must be at least two.
CLI::Validator one_of(const std::vector<std::string>& words);
/// Accepts whole numbers from `min_value` to `max_value`.
CLI::Validator whole_number(Index max_value, Index min_value = 0);
/// Accepts anything but "".
CLI::Validator not_empty();
/// Accepts numbers from `low` to `high`.
CLI::Validator number_between(int low, int high);

/// The usage error of a command line: extra arguments (`top` allows extras), a missing command, or
/// CLI11's `error`. Ends with a reference to the help; empty when there is no error.
std::string describe_usage_error(const CLI::App& top, const CLI::ParseError* error);

}  // namespace gsim::app
