#pragma once
// The little of UTF-8 that messages need: columns are counted in characters, excerpts are printed.

#include <string>
#include <string_view>

namespace gsim::config_detail {

struct Character {
  char32_t code = 0;  ///< U+FFFD where the bytes are no UTF-8
  int bytes = 0;      ///< taken from the text; 1 for an invalid byte
  bool valid = true;
};

/// The first character of `text`, which must not be empty.
Character first_character(std::string_view text);

/// Number of characters; an invalid byte counts as one.
int count_characters(std::string_view text);

/// `text` safe for a terminal: control characters and invalid bytes become `?`, tabs spaces.
std::string printable(std::string_view text);

/// Removes the byte order mark that some editors write at the head of a file.
std::string_view without_mark(std::string_view text);

}  // namespace gsim::config_detail
