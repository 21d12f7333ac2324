#pragma once
// The text of a script (configs/pricing/payoff_language.md), and errors that show places in it.

#include <string>
#include <string_view>

#include "gsim/config/location.hpp"

namespace gsim::pricing {

inline constexpr std::size_t longest_script = 1 << 16;  ///< bytes

/// A place in a script; lines and columns start with 1.
struct ScriptPlace {
  int line = 1, column = 1;
  int length = 1;  ///< characters
};

class ScriptText {
 public:
  ScriptText() = default;
  /// The text of a file.
  ScriptText(std::string text, const std::string& file);
  /// The value of a key, whose location is `at`. In a string of several lines in """ each line of
  /// the script is one of the configuration, so that errors show that line.
  ScriptText(std::string text, const SourceLocation& at);

  const std::string& text() const { return text_; }
  /// The number of a place's line as errors show it: in the file or, where the lines of the script
  /// are not lines of a file, in the script.
  int shown_line(const ScriptPlace& at) const {
    return shows_lines_ ? first_line_ + at.line - 1 : at.line;
  }
  /// Throws a ConfigError at a place of the script.
  [[noreturn]] void fail(const ScriptPlace& at, const std::string& problem,
                         const std::string& suggestion = {}) const;

 private:
  std::string line(int number) const;

  std::string text_;
  SourceLocation at_;
  bool shows_lines_ = false;               ///< whether lines of the script are lines of a file
  int first_line_ = 1, first_column_ = 1;  /// place in the file of the script's first character
};

}  // namespace gsim::pricing
