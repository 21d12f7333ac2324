#include "gsim/core/json.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gsim/core/utf8.hpp"

namespace gsim {

std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const Utf8Character character = decode_utf8(text.substr(i));
    const auto n = static_cast<std::size_t>(character.bytes);
    if (!character.valid) {
      out += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (n == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += text.substr(i, n);
    }
    i += n;
  }
  return out + "\"";
}

std::string json_array(const std::vector<std::string>& elements) {
  return fmt::format("[{}]", fmt::join(elements, ","));
}

JsonLine::JsonLine(std::string_view event) {
  if (!event.empty()) field("event", event);
}
void JsonLine::key(std::string_view name) {
  if (text_.size() > 1) text_ += ",";
  text_ += json_quote(name) + ":";
}
JsonLine& JsonLine::field(std::string_view name, std::string_view value) {
  return raw(name, json_quote(value));
}
JsonLine& JsonLine::field(std::string_view name, double value) {
  return raw(name, std::isfinite(value) ? fmt::format("{}", value) : "null");
}
JsonLine& JsonLine::field(std::string_view name, std::int64_t value) {
  return raw(name, fmt::format("{}", value));
}
JsonLine& JsonLine::field(std::string_view name, bool value) {
  return raw(name, value ? "true" : "false");
}
JsonLine& JsonLine::raw(std::string_view name, std::string_view json) {
  key(name);
  text_ += json;
  return *this;
}

}  // namespace gsim
