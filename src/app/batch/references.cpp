#include "references.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/toml_string.hpp"

namespace gsim::app {
namespace {

bool is_name_character(unsigned char c) {
  return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
}

}  // namespace

std::vector<Reference> references_in(std::string_view text) {
  std::vector<Reference> found;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find('}', at);
    if (end == text.npos) break;
    std::string_view inside = text.substr(at + 1, end - at - 1);
    Reference r{at, end + 1, {}, {}, {}};
    const std::size_t colon = inside.find(':');
    r.task = std::string(inside.substr(0, colon));
    if (r.task.empty() || !std::all_of(r.task.begin(), r.task.end(), is_name_character)) continue;
    if (colon != inside.npos) {
      inside.remove_prefix(colon + 1);
      const std::size_t bracket = inside.find('[');
      if (bracket == inside.npos || !inside.ends_with(']')) continue;
      r.dataset = std::string(inside.substr(0, bracket));
      r.row = std::string(inside.substr(bracket + 1, inside.size() - bracket - 2));
      if (r.dataset.empty()) continue;
    }
    found.push_back(std::move(r));
  }
  return found;
}

std::string replace_references(const std::string& text,
                               const std::function<std::string(const Reference&)>& value) {
  std::string result;
  std::size_t copied = 0;
  for (const Reference& r : references_in(text)) {
    const std::string replacement = value(r);
    if (replacement.empty()) continue;
    result += text.substr(copied, r.begin - copied) + replacement;
    copied = r.end;
  }
  return result + text.substr(copied);
}

std::string number_for(const std::string& name) {
  return fmt::format("{}", Digest().add(name).value() >> 16);
}

std::string path_in_toml(std::string_view text, std::size_t at, const std::string& path) {
  char quote = 0;  // of the string around the current place
  for (std::size_t i = 0; i < at; ++i) {
    if (quote == 0 && (text[i] == '"' || text[i] == '\''))
      quote = text[i];
    else if (quote == '"' && text[i] == '\\')
      ++i;
    else if (text[i] == quote)
      quote = 0;
  }
  return quote == '"' ? toml_escaped(path) : path;
}

}  // namespace gsim::app
