#pragma once
// A position in a list of tokens, with the errors of a parser.

#include <string>
#include <string_view>
#include <vector>

#include "reader/error.hpp"
#include "reader/lexer.hpp"

namespace ptxemu {

class Cursor {
 public:
  explicit Cursor(const std::vector<Token>& tokens) : tokens_(tokens) {}

  /// The token `ahead` positions after the current one; at the end the last one.
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  /// Returns the current token and moves to the next one.
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool at_end() const { return peek().kind == Token::Kind::end; }
  /// Whether the token, which is no string literal, is `text`.
  bool is(std::string_view text, std::size_t ahead = 0) const {
    const Token& token = peek(ahead);
    return token.text == text && token.kind != Token::Kind::string && !token.text.empty();
  }
  /// Consumes the token if it is `text`.
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    take();
    return true;
  }
  /// Consumes the token, which must be `text`; word() and integer() return what they consume. All
  /// throw PtxError for another token.
  void expect(std::string_view text) {
    if (!accept(text)) fail("expected '" + std::string(text) + "'");
  }
  std::string_view word() {
    if (peek().kind != Token::Kind::word) fail("expected a name");
    return take().text;
  }
  std::uint64_t integer() {
    const bool negative = accept("-");
    if (peek().kind != Token::Kind::integer) fail("expected an integer");
    const std::uint64_t value = take().bits;
    return negative ? 0 - value : value;
  }
  /// Consumes everything up to and including the token `text`.
  void skip_past(std::string_view text) {
    while (!at_end() && !is(text)) take();
    expect(text);
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw PtxError("PTX line " + std::to_string(peek().line) + ": " + what + " at '" +
                   std::string(peek().text) + "'");
  }

 private:
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
};

}  // namespace ptxemu
