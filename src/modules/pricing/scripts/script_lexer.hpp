#pragma once
// Splits a script into words, numbers and signs.

#include <string>
#include <vector>

#include "src/modules/pricing/scripts/script_text.hpp"

namespace gsim::pricing {

struct ScriptToken {
  enum class Kind { name, number, text, sign, line_end, end };
  Kind kind = Kind::end;
  std::string text;   ///< of a quoted text without its quotes
  double number = 0;  ///< Kind::number
  ScriptPlace at;

  bool is(std::string_view sign_or_word) const {
    return (kind == Kind::sign || kind == Kind::name) && text == sign_or_word;
  }
};

/// The tokens of a script, the last of which is Kind::end. The end of a line is a token unless it
/// is in parentheses or brackets, or follows a sign that needs an operand; a
/// semicolon always is one. ConfigError at a
/// character that the language does not have.
std::vector<ScriptToken> split_script(const ScriptText& script);

}  // namespace gsim::pricing
