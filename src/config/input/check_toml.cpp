// Checks the text before toml++ parses it. TOML 1.0 allows characters outside ASCII in strings and
// comments only; a common mistake is text pasted from a word processor, for which this check has
// clearer messages than toml++. It also limits the depth of dotted keys, which toml++ 3.3.0
// processes by recursion.

#include "check_toml.hpp"

#include <fmt/format.h>

#include "gsim/core/utf8.hpp"

namespace gsim::config_detail {
namespace {

class Checker {
 public:
  explicit Checker(const Source& source) : source_(source) {}

  void run() {
    std::string_view rest = skip_byte_order_mark(source_.text());
    while (!rest.empty()) {
      const Utf8Character c = decode_utf8(rest);
      check(c, rest);
      const int consumed = in_syntax() ? consume_syntax(rest, c) : consume_text(rest, c);
      if (c.code == '\n') {
        ++line_;
        column_ = 1;
      } else {
        // More than one character is consumed at once only if all of them are ASCII.
        column_ += consumed == c.bytes ? 1 : consumed;
      }
      rest.remove_prefix(static_cast<std::size_t>(consumed));
    }
  }

 private:
  /// `syntax` is everything outside comments and strings.
  enum class State { syntax, comment, basic, literal, long_basic, long_literal };
  static constexpr int max_key_parts = 32;

  bool in_syntax() const { return state_ == State::syntax; }
  bool in_long_string() const {
    return state_ == State::long_basic || state_ == State::long_literal;
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& suggestion) const {
    throw ConfigError(Place{&source_, line_, column_, 1}.location(), problem, suggestion);
  }

  void check(const Utf8Character& c, std::string_view rest) const {
    if (!c.valid) fail("this byte is not UTF-8 text", "save the file as UTF-8");
    const bool line_end = c.code == '\n' || (c.code == '\r' && rest.substr(1).starts_with('\n'));
    if ((c.code < 0x20 && c.code != '\t' && !line_end) || c.code == 0x7F)
      fail(fmt::format("control character U+{:04X} is not allowed", static_cast<int>(c.code)),
           "remove it");
    if (c.code < 0x80 || !in_syntax()) return;
    const std::string_view shown = rest.substr(0, static_cast<std::size_t>(c.bytes));
    if (c.code >= 0x2018 && c.code <= 0x201F)  // typographic quotation marks
      fail(fmt::format("`{}` is not a quotation mark of TOML", shown), "write a plain \" or '");
    // C1 controls and the no-break space; spaces of other widths and direction marks; ideographic
    // space.
    if (c.code < 0xA1 || (c.code >= 0x2000 && c.code <= 0x200F) || c.code == 0x3000)
      fail(fmt::format("invisible character U+{:04X} outside strings and comments",
                       static_cast<int>(c.code)),
           "remove it, or write a plain space");
    if (c.code == 0x2212 || c.code == 0x2013 || c.code == 0x2014)  // minus sign, en and em dash
      fail(fmt::format("`{}` is not a minus sign of TOML", shown), "write a plain -");
    fail(fmt::format("`{}` is not allowed outside strings and comments", shown),
         "put keys and words with such letters in \" \"");
  }

  // Processes the start of `rest`, whose first character is `c`, outside comments and strings.
  // Returns the number of bytes that were consumed.
  int consume_syntax(std::string_view rest, const Utf8Character& c) {
    const auto open = [&](State single, State triple, std::string_view triple_quotes) {
      const bool is_long = rest.starts_with(triple_quotes);
      state_ = is_long ? triple : single;
      return is_long ? 3 : 1;
    };
    if (c.code == '"') return open(State::basic, State::long_basic, "\"\"\"");
    if (c.code == '\'') return open(State::literal, State::long_literal, "'''");
    if (c.code == '#') state_ = State::comment;
    if (c.code == '.') {
      if (++dots_ > max_key_parts)
        fail(fmt::format("a key of more than {} parts", max_key_parts), "shorten it");
    } else if (std::string_view("=,[]{}\n").find(static_cast<char>(c.code)) !=
               std::string_view::npos) {
      dots_ = 0;
    }
    return c.bytes;
  }

  // As consume_syntax(), but inside a comment or a string.
  int consume_text(std::string_view rest, const Utf8Character& c) {
    const bool escapes = state_ == State::basic || state_ == State::long_basic;
    // An escaped backslash or quotation mark is consumed whole, since the mark would otherwise end
    // the string. Of other escapes only the backslash is consumed here.
    if (escapes && (rest.starts_with("\\\\") || rest.starts_with("\\\""))) return 2;
    if (in_long_string()) {
      const char quote = state_ == State::long_basic ? '"' : '\'';
      if (c.code != static_cast<char32_t>(quote)) return c.bytes;
      std::size_t run = 0;
      while (run < rest.size() && rest[run] == quote) ++run;
      if (run < 3) return static_cast<int>(run);
      state_ = State::syntax;
      return static_cast<int>(run < 5 ? run : 5);  // up to two quotes may precede the closing three
    }
    const bool closes = (state_ == State::basic && c.code == '"') ||
                        (state_ == State::literal && c.code == '\'') || c.code == '\n';
    // A line end closes an unterminated string, too; toml++ reports it.
    if (closes) state_ = State::syntax;
    return c.bytes;
  }

  const Source& source_;
  State state_ = State::syntax;
  int line_ = 1;
  int column_ = 1;
  int dots_ = 0;
};

}  // namespace

void check_toml(const Source& source) { Checker(source).run(); }

}  // namespace gsim::config_detail
