// The shape of every message about the configuration:
//
//   bad.toml:14:3: unknown key `voltaility` in [market.assets.SPX]
//      14 |   voltaility = 0.2
//         |   ^^^^^^^^^^ did you mean `volatility`?

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/utf8.hpp"

namespace gsim {
namespace {

constexpr int widest_excerpt = 90;  // characters of the line that are shown
constexpr int shown_before_caret =
    30;  // of these, characters before the caret if the line is longer

// `count` characters of `text` (UTF-8) from character number `first` on.
std::string characters(std::string_view text, int first, int count) {
  const auto bytes_of = [](std::string_view rest, int n) {
    std::size_t bytes = 0;
    for (; n > 0 && bytes < rest.size(); --n)
      bytes += static_cast<std::size_t>(decode_utf8(rest.substr(bytes)).bytes);
    return bytes;
  };
  text.remove_prefix(bytes_of(text, first));
  return std::string(text.substr(0, bytes_of(text, count)));
}

// The line of the location, with carets and the suggestion below.
std::string line_with_carets(const SourceLocation& where, const std::string& suggestion) {
  std::string line = replace_controls(where.text);
  while (line.ends_with(' ')) line.pop_back();
  const int size = count_characters(line);
  int before = std::clamp(where.column - 1, 0, size);
  int carets = std::clamp(where.length, 1, std::max(1, size - before));
  if (size > widest_excerpt) {
    const int first = std::clamp(before - shown_before_caret, 0, size - widest_excerpt);
    const bool cut_after = first + widest_excerpt < size;
    line =
        (first > 0 ? "…" : "") + characters(line, first, widest_excerpt) + (cut_after ? "…" : "");
    before -= first;
    carets = std::min(carets, std::max(1, widest_excerpt - before));
    before += first > 0 ? 1 : 0;
  }
  return fmt::format("\n{:>5} | {}\n      | {:{}}{:^>{}}{}{}", where.line, line, "", before, "",
                     carets, suggestion.empty() ? "" : " ", suggestion);
}

std::string message(const SourceLocation& where, const std::string& problem,
                    const std::string& suggestion) {
  std::string head = where.file;
  if (where.line > 0) head += fmt::format(":{}:{}", where.line, where.column);
  if (!head.empty()) head += ": ";
  head += problem;
  if (where.line > 0 && !where.text.empty()) return head + line_with_carets(where, suggestion);
  return suggestion.empty() ? head : head + "; " + suggestion;
}

}  // namespace

std::string to_string(const SourceLocation& where) {
  return where.line > 0 ? fmt::format("{}:{}", where.file, where.line) : where.file;
}

ConfigError::ConfigError(const SourceLocation& where, const std::string& problem,
                         const std::string& suggestion)
    : ConfigError(message(where, problem, suggestion)) {}

}  // namespace gsim
