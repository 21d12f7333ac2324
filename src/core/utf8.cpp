#include "gsim/core/utf8.hpp"

namespace gsim {

Utf8Character decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char head = byte(0);
  if (head < 0x80) return {head, 1, true};
  const Utf8Character invalid{0xFFFD, 1, false};  // the replacement character
  const int bytes = head >= 0xF0 ? 4 : head >= 0xE0 ? 3 : 2;
  // No character begins with 0x80 … 0xC1 or with a byte above 0xF4.
  if (head < 0xC2 || head > 0xF4 || text.size() < static_cast<std::size_t>(bytes)) return invalid;
  char32_t code = head & (0x7F >> bytes);
  for (int i = 1; i < bytes; ++i) {
    const unsigned char next = byte(static_cast<std::size_t>(i));
    if ((next & 0xC0) != 0x80) return invalid;
    code = (code << 6) | (next & 0x3F);
  }
  const char32_t smallest = bytes == 4 ? 0x10000 : bytes == 3 ? 0x800 : 0x80;
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest || code > 0x10FFFF || surrogate) return invalid;
  return {code, bytes, true};
}

int count_characters(std::string_view text) {
  int count = 0;
  for (; !text.empty(); ++count)
    text.remove_prefix(static_cast<std::size_t>(decode_utf8(text).bytes));
  return count;
}

std::string replace_controls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character c = decode_utf8(text);
    const bool control = c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0);
    if (c.code == '\t')
      out += ' ';
    else if (control || !c.valid)
      out += '?';
    else
      out += text.substr(0, static_cast<std::size_t>(c.bytes));
    text.remove_prefix(static_cast<std::size_t>(c.bytes));
  }
  return out;
}

std::string_view skip_byte_order_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace gsim
