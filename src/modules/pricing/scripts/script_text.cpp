#include "src/modules/pricing/scripts/script_text.hpp"

#include <utility>

#include <fmt/format.h>

namespace gsim::pricing {

ScriptText::ScriptText(std::string text, const std::string& file)
    : text_(std::move(text)), shows_lines_(true) {
  at_.file = file;
}

ScriptText::ScriptText(std::string text, const SourceLocation& at)
    : text_(std::move(text)), at_(at) {
  if (at.line <= 0 || at.column <= 0) return;
  const std::string_view value =
      std::string_view(at.text).substr(std::min(at.text.size(), std::size_t(at.column - 1)));
  const bool is_long = value.starts_with("\"\"\"") || value.starts_with("'''");
  if (is_long) {
    const bool starts_below = value.find_first_not_of(" \t\r\n", 3) == std::string_view::npos;
    first_line_ = starts_below ? at.line + 1 : at.line;
    first_column_ = starts_below ? 1 : at.column + 3;
  } else {
    first_line_ = at.line;
    first_column_ = at.column + 1;
  }
  const bool is_quoted = value.starts_with('"') || value.starts_with('\'');
  shows_lines_ = is_long || (is_quoted && text_.find('\n') == std::string::npos);
}

std::string ScriptText::line(int number) const {
  std::string_view rest = text_;
  for (int i = 1; i < number; ++i) rest.remove_prefix(std::min(rest.size(), rest.find('\n') + 1));
  return std::string(rest.substr(0, rest.find_first_of("\r\n")));
}

void ScriptText::fail(const ScriptPlace& at, const std::string& problem,
                      const std::string& suggestion) const {
  if (!shows_lines_)
    throw ConfigError(
        at_, fmt::format("line {}, column {} of the script: {}", at.line, at.column, problem),
        suggestion);
  SourceLocation where = at_;
  where.line = shown_line(at);
  where.column = at.column + (at.line == 1 ? first_column_ - 1 : 0);
  where.length = at.length;
  // The first line may follow other text on its line of the configuration.
  if (at.line > 1 || first_column_ == 1) where.text = line(at.line);
  throw ConfigError(where, problem, suggestion);
}

}  // namespace gsim::pricing
