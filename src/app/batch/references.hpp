#pragma once
// References of a task to the files and results of other tasks: {minimise},
// {calibrate:trades/price[A]}.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gsim::app {

/// {TASK} or {TASK:DATASET[ROW]} in a text.
struct Reference {
  std::size_t begin = 0, end = 0;  ///< its place, with the braces
  std::string task;
  std::string dataset, row;  ///< of a value: "trades/price", "A"; empty: the path of the files
};

/// All texts in braces of `text` that have the form of a reference; braces of TOML, which hold `=`,
/// blanks or quotation marks, have not.
std::vector<Reference> references_in(std::string_view text);

/// `text` with each reference replaced by value(reference); where that returns an empty text, the
/// reference stays.
std::string replace_references(const std::string& text,
                               const std::function<std::string(const Reference&)>& value);

/// A whole number that stands for a value which is not known yet, the same for the same `name`.
std::string number_for(const std::string& name);

/// `path` at the place `at` of a text with TOML: escaped in a string in double quotation marks.
std::string path_in_toml(std::string_view text, std::size_t at, const std::string& path);

}  // namespace gsim::app
