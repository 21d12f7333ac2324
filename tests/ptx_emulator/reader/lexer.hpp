#pragma once
// Splits PTX text into tokens.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxemu {

/// One token: an identifier, register, directive or opcode with its dotted suffixes, a number, a
/// string literal without its quotes, or one punctuation character.
struct Token {
  enum class Kind : std::uint8_t { word, integer, f32, f64, string, punctuation, end };
  Kind kind = Kind::end;
  std::string_view text;
  std::uint64_t bits = 0;  ///< value of an integer, or the bit pattern of a floating-point number
  int line = 0;
};

/// The tokens of `text`, terminated by one of kind `end`. They refer to `text`, which must outlive
/// them. Throws PtxError with the line of an invalid character or number.
std::vector<Token> tokenize(std::string_view text);

}  // namespace ptxemu
