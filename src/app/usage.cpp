#include "usage.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/text.hpp"

namespace gsim::app {
namespace {

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = did_you_mean(word, known);
  return nearest.empty() ? "" : fmt::format("; did you mean `{}`?", nearest);
}

std::string unknown_command(const CLI::App& top, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* command : top.get_subcommands({})) known.push_back(command->get_name());
  return fmt::format("there is no command `{}`{}", excerpt(word), suggestion(word, known));
}

std::string unknown_option(const CLI::App& app, const std::string& name, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
  }
  const std::string typed = word.substr(0, word.find('='));
  return fmt::format("`{}` has no option `{}`{}", name, excerpt(typed), suggestion(typed, known));
}

/// The arguments that belong to no option and no positional.
std::string extra_arguments(const CLI::App& app, const std::string& name,
                            const std::vector<std::string>& words) {
  const auto option =
      std::find_if(words.begin(), words.end(), [](const auto& w) { return w.starts_with('-'); });
  if (option != words.end()) return unknown_option(app, name, *option);
  const auto positionals =
      app.get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (words.front() == "auto" && app.get_option_no_throw("--resume") != nullptr)
    return "`auto` is a separate argument; did you mean `--resume=auto`?";
  if (positionals.empty()) return fmt::format("`{}` takes no `{}`", name, excerpt(words.front()));
  return fmt::format("`{}` takes one {}; `{}` is one too many", name,
                     positionals.front()->get_name(true), excerpt(words.front()));
}

std::string parse_error_text(const CLI::App& app, const std::string& name,
                             const CLI::ParseError& error) {
  std::string message = error.what();
  const std::string option = message.substr(0, message.find_first_of(": "));
  if (error.get_name() == "RequiredError")
    return fmt::format("{} is missing; write {} {}", option, name, option);
  const CLI::Option* known = app.get_option_no_throw(option);
  if (error.get_name() == "ArgumentMismatch" && known != nullptr)
    return fmt::format("{} needs a value: {} {}", option, option, known->get_type_name());
  if (error.get_name() == "ValidationError" && message.size() > option.size() + 2)
    return fmt::format("{} {}", option, message.substr(option.size() + 2));
  return message;
}

std::string usage_problem(const CLI::App& app, const std::string& name,
                          const CLI::ParseError* error) {
  if (const auto words = app.remaining(); !words.empty()) return extra_arguments(app, name, words);
  return error != nullptr ? parse_error_text(app, name, *error) : "";
}

/// What is wrong with the words after `gsim batch`, if no action was found among them.
std::string action_problem(const CLI::App& command) {
  std::vector<std::string> known;
  for (const CLI::App* action : command.get_subcommands({})) known.push_back(action->get_name());
  for (const std::string& word : command.remaining())
    if (!word.starts_with('-'))
      return fmt::format("`gsim {}` has no action `{}`{}", command.get_name(), excerpt(word),
                         suggestion(word, known));
  return fmt::format("an action is missing; write `gsim {} ACTION`, where ACTION is one of {}",
                     command.get_name(), fmt::join(known, ", "));
}

}  // namespace

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
  const std::string name = CLI::Formatter::make_option_name(option, is_positional);
  return name.substr(0, name.find('{'));  // without the default value of a flag
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (!option->get_option_text().empty()) return option->get_option_text();
  if (option->get_positional() || option->get_type_size() == 0) return {};
  return " " + option->get_type_name();
}

void add_example(CLI::App* command, const std::string& text) {
  command->footer("Example:\n  " + text);
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return {[words](const std::string& word) -> std::string {
            if (std::find(words.begin(), words.end(), word) != words.end()) return {};
            return fmt::format("takes {} or {}, not `{}`",
                               fmt::join(words.begin(), words.end() - 1, ", "), words.back(),
                               excerpt(word));
          },
          ""};
}

CLI::Validator whole_number(Index max_value, Index min_value) {
  return {[max_value, min_value](const std::string& word) -> std::string {
            const bool digits = !word.empty() && word.size() < 10 &&
                                word.find_first_not_of("0123456789") == std::string::npos;
            if (!digits) return fmt::format("takes a whole number, not `{}`", excerpt(word));
            const Index value = std::stoll(word);
            if (min_value <= value && value <= max_value) return "";
            return min_value > 0
                       ? fmt::format("takes a whole number from {} to {}, not {}", min_value,
                                     max_value, word)
                       : fmt::format("takes a whole number up to {}, not {}", max_value, word);
          },
          ""};
}

CLI::Validator not_empty() {
  return {[](const std::string& word) -> std::string { return word.empty() ? "is empty" : ""; },
          ""};
}

CLI::Validator number_between(int low, int high) {
  return {[low, high](const std::string& word) -> std::string {
            char* end = nullptr;
            const double value = std::strtod(word.c_str(), &end);
            if (!word.empty() && *end == '\0' && value >= low && value <= high) return {};
            return fmt::format("takes a number from {} to {}, not `{}`", low, high, excerpt(word));
          },
          ""};
}

std::string describe_usage_error(const CLI::App& top, const CLI::ParseError* error) {
  const auto commands = top.get_subcommands();
  std::string name = "gsim", problem;
  if (commands.empty()) {
    const auto words = top.remaining();
    if (!words.empty() && !words.front().starts_with('-')) {
      problem = unknown_command(top, words.front());
    } else {
      problem = usage_problem(top, name, nullptr);
      if (problem.empty()) problem = "no command is given";
    }
  } else if (!top.remaining().empty()) {
    problem = usage_problem(top, name, nullptr);
  } else {
    const CLI::App* command = commands.front();
    name += " " + command->get_name();
    const auto actions = command->get_subcommands();
    if (!actions.empty()) {
      command = actions.front();
      name += " " + command->get_name();
    }
    const bool lacks_action = actions.empty() && !command->get_subcommands({}).empty();
    problem = lacks_action && error != nullptr ? action_problem(*command)
                                               : usage_problem(*command, name, error);
  }
  return problem.empty() ? "" : fmt::format("{}\n       see `{} --help`", problem, name);
}

}  // namespace gsim::app
