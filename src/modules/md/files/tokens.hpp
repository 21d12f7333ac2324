#pragma once
// Lines and blank-separated words of input files. Errors are InputErrors of the form
// "FILE:LINE: problem; suggestion".

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::md {

[[noreturn]] void fail_at(const std::string& file, Index line, const std::string& problem,
                          const std::string& suggestion);

/// The words of a line, which are separated by blanks.
std::vector<std::string_view> words_of(std::string_view line);

/// Reads a text line by line. The text must outlive the reader.
class LineReader {
 public:
  LineReader(std::string_view text, std::string file) : unread_(text), file_(std::move(file)) {}

  /// Advances to the next line (without its end, LF or CR LF); false after the last one.
  bool next();
  std::string_view line() const { return line_; }
  Index number() const { return number_; }  ///< number of the current line, from 1
  const std::string& file() const { return file_; }
  /// Sets the line number that errors report, for words of an earlier line.
  void set_line_number(Index number) { number_ = number; }

  [[noreturn]] void fail(const std::string& problem, const std::string& suggestion) const {
    fail_at(file_, number_, problem, suggestion);
  }
  /// A finite number, also with a Fortran exponent (1.5D-3). `field` names it in the message.
  double real(std::string_view word, std::string_view field) const;
  /// An integer from `minimum` to `maximum`.
  Index integer(std::string_view word, std::string_view field, Index minimum, Index maximum) const;

 private:
  std::string_view unread_, line_;
  std::string file_;
  Index number_ = 0;
};

}  // namespace gsim::md
