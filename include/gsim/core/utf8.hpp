#pragma once
// UTF-8 (RFC 3629): decoding, counting of characters, and text that is safe to print.

#include <string>
#include <string_view>

namespace gsim {

struct Utf8Character {
  char32_t code = 0;  ///< U+FFFD where the bytes are not valid UTF-8
  int bytes = 0;      ///< length in the text; 1 for an invalid byte
  bool valid = true;
};

/// Decodes the first character of `text`, which must not be empty. Overlong forms, surrogates and
/// code points beyond U+10FFFF are invalid.
Utf8Character decode_utf8(std::string_view text);

/// Number of characters; an invalid byte counts as one.
int count_characters(std::string_view text);

/// Replaces control characters and invalid bytes by `?`, and tabs by spaces, so that `text` is safe
/// to print on a terminal and keeps its number of columns.
std::string replace_controls(std::string_view text);

/// Removes the byte order mark that some editors write at the beginning of a file.
std::string_view skip_byte_order_mark(std::string_view text);

}  // namespace gsim
