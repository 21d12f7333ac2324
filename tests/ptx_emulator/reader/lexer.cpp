#include "reader/lexer.hpp"

#include <bit>
#include <cctype>
#include <cstdlib>

#include "reader/error.hpp"

namespace ptxemu {
namespace {

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' ||
         c == '.';
}
bool continues_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.';
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 5);
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) tokens.push_back(next());
    tokens.push_back({Token::Kind::end, {}, 0, line_});
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw PtxError("PTX line " + std::to_string(line_) + ": " + what);
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == '\n') ++line_;
      if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\0') {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        while (at_ < text_.size() && peek() != '\n') ++at_;
      } else if (c == '/' && peek(1) == '*') {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    for (at_ += 2; at_ < text_.size(); ++at_) {
      if (peek() == '\n') ++line_;
      if (peek() == '*' && peek(1) == '/') {
        at_ += 2;
        return;
      }
    }
    fail("a comment has no end");
  }

  Token next() {
    const std::size_t from = at_;
    const char c = peek();
    const bool fraction = c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))) != 0;
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || fraction) return number();
    if (starts_word(c)) {
      ++at_;
      while (continues_word(peek()) || (peek() == ':' && peek(1) == ':'))
        at_ += peek() == ':' ? 2u : 1u;
      return {Token::Kind::word, text_.substr(from, at_ - from), 0, line_};
    }
    if (c == '"') return string();
    if (std::string_view("{}[]()<>,;:@!|+-=*&~").find(c) == std::string_view::npos)
      fail(std::string("the character '") + c + "' is not part of PTX");
    ++at_;
    return {Token::Kind::punctuation, text_.substr(from, 1), 0, line_};
  }

  Token string() {
    const std::size_t from = ++at_;
    while (at_ < text_.size() && peek() != '"') {
      if (peek() == '\n') fail("a string has no end");
      ++at_;
    }
    return {Token::Kind::string, text_.substr(from, at_++ - from), 0, line_};
  }

  Token hexadecimal_float(Token::Kind kind, std::size_t digits) {
    const std::size_t from = at_;
    at_ += 2;
    std::uint64_t bits = 0;
    for (std::size_t n = 0; n < digits; ++n, ++at_) {
      if (std::isxdigit(static_cast<unsigned char>(peek())) == 0)
        fail("a floating-point constant has too few hexadecimal digits");
      const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(peek())));
      bits = bits * 16 + static_cast<std::uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return {kind, text_.substr(from, at_ - from), bits, line_};
  }

  Token number() {
    if (peek() == '0' && (peek(1) == 'f' || peek(1) == 'F'))
      return hexadecimal_float(Token::Kind::f32, 8);
    if (peek() == '0' && (peek(1) == 'd' || peek(1) == 'D'))
      return hexadecimal_float(Token::Kind::f64, 16);
    const std::size_t from = at_;
    const bool hexadecimal = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    const bool binary = peek() == '0' && (peek(1) == 'b' || peek(1) == 'B');
    if (hexadecimal || binary) at_ += 2;
    while (std::isxdigit(static_cast<unsigned char>(peek())) != 0 &&
           (hexadecimal || (peek() != 'e' && peek() != 'E')))
      ++at_;
    const bool decimal = !hexadecimal && !binary;
    if (decimal && (peek() == '.' || peek() == 'e' || peek() == 'E')) return decimal_float(from);
    const std::string digits(text_.substr(from, at_ - from));
    if (peek() == 'U') ++at_;
    const std::uint64_t value = binary ? std::strtoull(digits.c_str() + 2, nullptr, 2)
                                       : std::strtoull(digits.c_str(), nullptr, 0);
    return {Token::Kind::integer, text_.substr(from, at_ - from), value, line_};
  }

  Token decimal_float(std::size_t from) {
    char* end = nullptr;
    const std::string text(text_.substr(from, 64));
    const double value = std::strtod(text.c_str(), &end);
    at_ = from + static_cast<std::size_t>(end - text.c_str());
    return {Token::Kind::f64, text_.substr(from, at_ - from), std::bit_cast<std::uint64_t>(value),
            line_};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

}  // namespace ptxemu
