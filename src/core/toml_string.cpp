#include "gsim/core/toml_string.hpp"

#include <fmt/format.h>

namespace gsim {

std::string toml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\u{:04X}", byte);
    else
      out += c;
  }
  return out;
}

std::string toml_string(std::string_view text) { return '"' + toml_escaped(text) + '"'; }

}  // namespace gsim
