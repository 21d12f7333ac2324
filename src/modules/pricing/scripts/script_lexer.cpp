#include "src/modules/pricing/scripts/script_lexer.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"

namespace gsim::pricing {
namespace {

constexpr std::size_t max_tokens = 20000;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
/// Whether the byte belongs to the character of the byte before, in UTF-8.
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(const ScriptText& script) : script_(script), text_(script.text()) {}

  std::vector<ScriptToken> run() {
    if (text_.size() > longest_script)
      script_.fail({}, fmt::format("the script has {} bytes, and at most {} are allowed",
                                   text_.size(), longest_script));
    while (at_ < text_.size()) {
      if (tokens_.size() > max_tokens)
        script_.fail(place(1), fmt::format("the script has more than {} words, numbers and signs",
                                           max_tokens));
      read();
    }
    end_line();
    add(ScriptToken::Kind::end, 0);
    return std::move(tokens_);
  }

 private:
  ScriptPlace place(std::size_t length) const {
    return {line_, static_cast<int>(at_ - line_start_) + 1, static_cast<int>(length)};
  }

  ScriptToken& add(ScriptToken::Kind kind, std::size_t length) {
    tokens_.push_back({kind, std::string(text_.substr(at_, length)), 0, place(length)});
    at_ += length;
    return tokens_.back();
  }

  void read() {
    const char c = text_[at_];
    if (c == '\n') {
      if (depth_ == 0) end_line();
      ++at_;
      ++line_;
      line_start_ = at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == ';') {
      end_statement();
    } else if (is_letter(c)) {
      std::size_t length = 1;
      while (at_ + length < text_.size() &&
             (is_letter(text_[at_ + length]) || is_digit(text_[at_ + length])))
        ++length;
      add(ScriptToken::Kind::name, length);
    } else if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      read_number();
    } else if (c == '"' || c == '\'') {
      read_text(c);
    } else {
      read_sign();
    }
  }

  /// Ends the statement at the end of a line, unless it ends with an operator, a comma or `{`.
  void end_line() {
    if (tokens_.empty()) return;
    const ScriptToken& last = tokens_.back();
    if (last.kind == ScriptToken::Kind::line_end) return;
    for (const std::string_view sign :
         {"+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", "=", ",", "{", "and", "or", "not"})
      if (last.is(sign)) return;
    add(ScriptToken::Kind::line_end, 0);
  }

  /// Reads a semicolon, which ends a statement wherever it is.
  void end_statement() {
    if (tokens_.empty() || tokens_.back().kind == ScriptToken::Kind::line_end)
      ++at_;
    else
      add(ScriptToken::Kind::line_end, 1);
  }

  void read_number() {
    const char* const first = text_.data() + at_;
    double value = 0;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    const auto length = static_cast<std::size_t>(end - first);
    if (error != std::errc() || !std::isfinite(value))
      script_.fail(place(std::max<std::size_t>(length, 1)), "a number out of range");
    if (end != text_.data() + text_.size() && (is_letter(*end) || *end == '.'))
      script_.fail(place(length + 1), "a number that is followed by a letter or a point");
    add(ScriptToken::Kind::number, length).number = value;
  }

  void read_text(char quote) {
    const std::size_t close = text_.find_first_of(std::string{quote, '\n'}, at_ + 1);
    if (close == std::string_view::npos || text_[close] == '\n')
      script_.fail(place(1), "a quoted name that does not end on its line");
    const std::size_t length = close - at_ + 1;
    ScriptToken& token = add(ScriptToken::Kind::text, length);
    token.text = token.text.substr(1, length - 2);
  }

  void read_sign() {
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view sign : {"<=", ">=", "==", "!=", "<", ">", "=", "+", "-", "*", "/",
                                        "(", ")", "{", "}", "[", "]", ","}) {
      if (!rest.starts_with(sign)) continue;
      if (sign == "(" || sign == "[") ++depth_;
      if ((sign == ")" || sign == "]") && depth_ > 0) --depth_;
      if (sign == "}") {
        depth_ = 0;
        end_line();
      }
      add(ScriptToken::Kind::sign, sign.size());
      return;
    }
    const bool is_power = rest.starts_with('^');
    std::size_t bytes = 1;  // of the character in UTF-8
    while (bytes < rest.size() && is_continuation(rest[bytes])) ++bytes;
    script_.fail(place(1),
                 fmt::format("`{}` is no sign of the language", excerpt(rest.substr(0, bytes))),
                 is_power ? "write x * x, or exp(y * log(x))" : "");
  }

  const ScriptText& script_;
  std::string_view text_;
  std::vector<ScriptToken> tokens_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1, depth_ = 0;  ///< depth of parentheses and brackets
};

}  // namespace

std::vector<ScriptToken> split_script(const ScriptText& script) { return Lexer(script).run(); }

}  // namespace gsim::pricing
