#pragma once
// The recursive-descent parser of scripts. It finds what each name means and checks types, so that
// what it returns can be compiled for any trade.

#include <span>
#include <utility>

#include "src/modules/pricing/scripts/script.hpp"
#include "src/modules/pricing/scripts/script_lexer.hpp"

namespace gsim::pricing {

class ScriptParser {
 public:
  explicit ScriptParser(Script& script)
      : script_(script), tokens_(split_script(script.text)), next_(tokens_.data()) {}

  void run();

 private:
  using Expression = ScriptExpression;
  using Kind = ScriptExpression::Kind;

  // script_parser.cpp: declarations and statements
  void add_schedule_block();
  void add_parameter();
  void add_state();
  std::size_t schedule_named(const std::string& name);
  std::vector<ScriptStatement> statements_in_braces(bool may_be_skipped);
  void statement(std::vector<ScriptStatement>& list);
  ScriptStatement let_statement();
  ScriptStatement assignment();
  ScriptStatement pay_statement();
  ScriptStatement if_statement();
  ScriptStatement loop_statement();
  std::size_t declare(ScriptSymbol symbol);
  void end_statement();
  void hide_locals();
  void check_use() const;

  // script_expressions.cpp
  Expression number_expression(const char* what);
  Expression condition_expression(const char* what);
  Expression expression();
  Expression conjunction();
  Expression negation();
  Expression comparison();
  Expression sum();
  Expression product();
  Expression unary();
  Expression primary();
  Expression named(const ScriptToken& name);
  Expression call_of(const ScriptToken& name);
  Expression reduction_of(const ScriptToken& name, AssetReduction reduction, bool of_condition);
  Expression function_of(const ScriptToken& name);
  Expression spot_of(const ScriptToken& name);
  Expression symbol_named(const ScriptToken& name);
  Expression date_quantity(const ScriptToken& name, DateQuantity quantity);
  std::vector<Expression> arguments();
  Expression node(Kind kind, const ScriptPlace& at, bool is_condition,
                  std::vector<Expression> operands = {});
  void require_type(const Expression& e, bool is_condition, const std::string& what) const;

  // tokens
  const ScriptToken& peek() const { return *next_; }
  const ScriptToken& take() { return next_->kind == ScriptToken::Kind::end ? *next_ : *next_++; }
  bool accept(std::string_view sign_or_word) {
    if (!next_->is(sign_or_word)) return false;
    ++next_;
    return true;
  }
  void expect(std::string_view sign_or_word, const std::string& after);
  void skip_line_ends() {
    while (next_->kind == ScriptToken::Kind::line_end) ++next_;
  }
  std::string new_name(const std::string& what);
  [[noreturn]] void fail_at(const ScriptToken& token, const std::string& expected) const;
  std::vector<std::string> visible_names() const;

  /// Counts the nesting of a recursive function.
  class Nesting {
   public:
    explicit Nesting(ScriptParser& parser);
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ScriptParser& parser_;
  };

  Script& script_;
  std::vector<ScriptToken> tokens_;
  const ScriptToken* next_;
  std::vector<std::size_t> visible_;  ///< symbols in scope
  ScriptBlock* block_ = nullptr;      ///< being read; null: a constant expression is
  int depth_ = 0, asset_loops_ = 0;
};

/// The words that cannot be names.
std::span<const std::string_view> script_words();

}  // namespace gsim::pricing
