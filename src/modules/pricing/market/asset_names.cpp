#include "src/modules/pricing/market/asset_names.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::pricing {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_quote(char c) { return c == '"' || c == '\''; }

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Position after the quoted text at the start of `text`. A quote inside it is doubled.
std::size_t end_of_quoted(std::string_view text) {
  const char quote = text.front();
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != quote) continue;
    if (i + 1 == text.size() || text[i + 1] != quote) return i + 1;
    ++i;
  }
  throw InputError(
      fmt::format("the quote before `{}` is not closed", excerpt(std::string(text.substr(1)))));
}

std::string unquoted(std::string_view part) {
  const char quote = part.front();
  std::string name;
  for (std::size_t i = 1; i + 1 < part.size(); ++i) {
    name += part[i];
    if (part[i] == quote) ++i;
  }
  return name;
}

/// Splits `text` at the characters of `separators` that are outside quotes. A quote opens only at
/// the start of a part: "D'Ieteren" is an unquoted name.
std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  std::size_t first = 0, i = 0;
  while (i <= text.size()) {
    const bool at_start = trimmed(text.substr(first, i - first)).empty();
    if (i < text.size() && at_start && is_quote(text[i])) {
      i += end_of_quoted(text.substr(i));
      continue;
    }
    if (i == text.size() || separators.find(text[i]) != std::string_view::npos) {
      parts.push_back(trimmed(text.substr(first, i - first)));
      first = i + 1;
    }
    ++i;
  }
  return parts;
}

std::string name_of(std::string_view part) {
  const bool is_quoted =
      part.size() > 1 && is_quote(part.front()) && end_of_quoted(part) == part.size();
  std::string name = is_quoted ? unquoted(part) : std::string(part);
  if (name.empty()) throw InputError("a name in the list is empty");
  return name;
}

}  // namespace

std::vector<std::string> split_asset_names(std::string_view cell,
                                           const std::function<bool(std::string_view)>& is_asset) {
  const std::string_view text = trimmed(cell);
  if (text.empty() || is_asset(text)) return {std::string(text)};
  std::vector<std::string_view> parts = split(text, ";");
  const bool has_semicolon = parts.size() > 1;
  if (!has_semicolon) parts = split(text, blanks);
  std::vector<std::string> names;
  names.reserve(parts.size());
  for (const std::string_view part : parts)
    if (has_semicolon || !part.empty()) names.push_back(name_of(part));  // skips repeated blanks
  return names;
}

}  // namespace gsim::pricing
