// Expressions of scripts: names, functions and operators, and their types.

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/scripts/script_parser.hpp"

namespace gsim::pricing {
namespace {

constexpr int max_depth = 200;

constexpr std::string_view words[] = {
    "parameter", "state",   "schedule", "let",   "pay",   "call",     "if",    "else",  "for",
    "each",      "asset",   "assets",   "at",    "after", "maturity", "and",   "or",    "not",
    "true",      "false",   "spot",     "first", "last",  "index",    "dates", "time",  "min",
    "max",       "abs",     "exp",      "log",   "sqrt",  "clip",     "where", "worst", "best",
    "sum",       "average", "any",      "all",   "count", "exercise"};

std::vector<ScriptExpression> list_of(ScriptExpression e) {
  std::vector<ScriptExpression> list;
  list.push_back(std::move(e));
  return list;
}

std::vector<ScriptExpression> pair_of(ScriptExpression first, ScriptExpression second) {
  std::vector<ScriptExpression> list = list_of(std::move(first));
  list.push_back(std::move(second));
  return list;
}

std::string kind_of(bool is_condition) { return is_condition ? "a condition" : "a number"; }

}  // namespace

std::span<const std::string_view> script_words() { return words; }

ScriptExpression ScriptParser::node(Kind kind, const ScriptPlace& at, bool is_condition,
                                    std::vector<Expression> operands) {
  Expression e;
  e.kind = kind;
  e.at = at;
  e.is_condition = is_condition;
  for (const Expression& operand : operands) e.depth = std::max(e.depth, operand.depth + 1);
  if (e.depth > max_depth)
    script_.text.fail(at, fmt::format("an expression nested more than {} levels deep", max_depth),
                      "use `let` for parts of it");
  e.operands = std::move(operands);
  return e;
}

void ScriptParser::require_type(const Expression& e, bool is_condition,
                                const std::string& what) const {
  if (e.is_condition != is_condition)
    script_.text.fail(e.at, fmt::format("{} must be {}, not {}", what, kind_of(is_condition),
                                        kind_of(e.is_condition)));
}

ScriptExpression ScriptParser::number_expression(const char* what) {
  Expression e = expression();
  require_type(e, false, what);
  return e;
}

ScriptExpression ScriptParser::condition_expression(const char* what) {
  Expression e = expression();
  require_type(e, true, what);
  return e;
}

ScriptExpression ScriptParser::expression() {
  const Nesting nesting(*this);
  Expression left = conjunction();
  while (peek().is("or")) {
    const ScriptPlace at = take().at;
    Expression right = conjunction();
    require_type(left, true, "what precedes `or`");
    require_type(right, true, "what follows `or`");
    left = node(Kind::either, at, true, pair_of(std::move(left), std::move(right)));
  }
  return left;
}

ScriptExpression ScriptParser::conjunction() {
  Expression left = negation();
  while (peek().is("and")) {
    const ScriptPlace at = take().at;
    Expression right = negation();
    require_type(left, true, "what precedes `and`");
    require_type(right, true, "what follows `and`");
    left = node(Kind::both, at, true, pair_of(std::move(left), std::move(right)));
  }
  return left;
}

ScriptExpression ScriptParser::negation() {
  if (!peek().is("not")) return comparison();
  const Nesting nesting(*this);
  const ScriptPlace at = take().at;
  Expression operand = negation();
  require_type(operand, true, "what follows `not`");
  return node(Kind::complement, at, true, list_of(std::move(operand)));
}

ScriptExpression ScriptParser::comparison() {
  struct Comparison {
    std::string_view sign;
    Kind kind;
    bool is_swapped;
  };
  static constexpr Comparison comparisons[] = {
      {"<", Kind::less, false},   {"<=", Kind::less_equal, false},
      {">", Kind::less, true},    {">=", Kind::less_equal, true},
      {"==", Kind::equal, false}, {"!=", Kind::not_equal, false}};
  Expression left = sum();
  for (const Comparison& c : comparisons) {
    if (!peek().is(c.sign)) continue;
    const ScriptPlace at = take().at;
    Expression right = sum();
    require_type(left, false, fmt::format("what precedes `{}`", c.sign));
    require_type(right, false, fmt::format("what follows `{}`", c.sign));
    for (const Comparison& next : comparisons)
      if (peek().is(next.sign))
        script_.text.fail(peek().at, "a comparison of a comparison", "join comparisons by `and`");
    if (c.is_swapped) std::swap(left, right);
    return node(c.kind, at, true, pair_of(std::move(left), std::move(right)));
  }
  return left;
}

ScriptExpression ScriptParser::sum() {
  Expression left = product();
  while (peek().is("+") || peek().is("-")) {
    const ScriptToken& sign = take();
    Expression right = product();
    require_type(left, false, fmt::format("what precedes `{}`", sign.text));
    require_type(right, false, fmt::format("what follows `{}`", sign.text));
    left = node(sign.is("+") ? Kind::add : Kind::subtract, sign.at, false,
                pair_of(std::move(left), std::move(right)));
  }
  return left;
}

ScriptExpression ScriptParser::product() {
  Expression left = unary();
  while (peek().is("*") || peek().is("/")) {
    const ScriptToken& sign = take();
    Expression right = unary();
    require_type(left, false, fmt::format("what precedes `{}`", sign.text));
    require_type(right, false, fmt::format("what follows `{}`", sign.text));
    left = node(sign.is("*") ? Kind::multiply : Kind::divide, sign.at, false,
                pair_of(std::move(left), std::move(right)));
  }
  return left;
}

ScriptExpression ScriptParser::unary() {
  if (!peek().is("-")) return primary();
  const Nesting nesting(*this);
  const ScriptPlace at = take().at;
  Expression operand = unary();
  require_type(operand, false, "what follows `-`");
  return node(Kind::negate, at, false, list_of(std::move(operand)));
}

ScriptExpression ScriptParser::primary() {
  const ScriptToken& token = take();
  if (token.kind == ScriptToken::Kind::number) {
    Expression e = node(Kind::number, token.at, false);
    e.number = token.number;
    return e;
  }
  if (token.is("(")) {
    Expression e = expression();
    expect(")", "after the expression");
    return e;
  }
  if (token.kind != ScriptToken::Kind::name) fail_at(token, "a number, a name or `(`");
  return named(token);
}

ScriptExpression ScriptParser::named(const ScriptToken& name) {
  if (name.is("true") || name.is("false")) {
    Expression e = node(Kind::number, name.at, true);
    e.number = name.is("true") ? 1 : 0;
    return e;
  }
  static constexpr std::pair<std::string_view, DateQuantity> quantities[] = {
      {"first", DateQuantity::first},
      {"last", DateQuantity::last},
      {"index", DateQuantity::index},
      {"dates", DateQuantity::dates},
      {"time", DateQuantity::time}};
  for (const auto& [word, quantity] : quantities)
    if (name.is(word)) return date_quantity(name, quantity);
  if (name.is("assets")) return node(Kind::asset_count, name.at, false);
  if (name.is("spot")) return spot_of(name);
  if (peek().is("(")) return call_of(name);
  return symbol_named(name);
}

ScriptExpression ScriptParser::date_quantity(const ScriptToken& name, DateQuantity quantity) {
  if (block_ == nullptr)
    script_.text.fail(
        name.at, fmt::format("`{}` depends on the date, and a constant is needed here", name.text));
  const bool is_condition = quantity == DateQuantity::first || quantity == DateQuantity::last;
  block_->reads_first = block_->reads_first || quantity == DateQuantity::first;
  block_->reads_last = block_->reads_last || quantity == DateQuantity::last;
  Expression e = node(Kind::date, name.at, is_condition);
  e.quantity = quantity;
  return e;
}

ScriptExpression ScriptParser::spot_of(const ScriptToken& name) {
  if (block_ == nullptr)
    script_.text.fail(name.at, "a spot depends on the path, and a constant is needed here");
  Expression e = node(Kind::spot, name.at, false);
  if (!accept("(")) return e;
  const ScriptToken& asset = take();
  const bool is_position = asset.kind == ScriptToken::Kind::number;
  if (!is_position && asset.kind != ScriptToken::Kind::name &&
      asset.kind != ScriptToken::Kind::text)
    fail_at(asset, "the name or the number of an asset");
  if (asset.text.empty()) script_.text.fail(asset.at, "an empty name of an asset");
  e.name = asset.text;
  e.number = is_position ? asset.number : 0;
  e.at = asset.at;
  expect(")", "after the asset");
  return e;
}

ScriptExpression ScriptParser::symbol_named(const ScriptToken& name) {
  for (const std::size_t s : visible_) {
    ScriptSymbol& symbol = script_.symbols[s];
    if (symbol.name != name.text) continue;
    if (block_ == nullptr && symbol.kind != ScriptSymbol::Kind::parameter)
      script_.text.fail(name.at, fmt::format("`{}` depends on the path, and a constant is needed "
                                             "here",
                                             name.text));
    if (symbol.shape == ScriptSymbol::Shape::per_date &&
        (block_ == nullptr || block_->schedule != symbol.schedule))
      script_.text.fail(name.at,
                        fmt::format("`{}` has one value for each date of the schedule `{}`, and is "
                                    "used outside of its block",
                                    name.text, script_.schedules[symbol.schedule]));
    symbol.is_read = true;
    Expression e = node(Kind::symbol, name.at, symbol.is_condition);
    e.symbol = s;
    return e;
  }
  const auto used = std::find(std::begin(words), std::end(words), name.text);
  if (used != std::end(words))
    script_.text.fail(name.at, fmt::format("`{}` cannot stand here", name.text));
  const std::vector<std::string> known = visible_names();
  script_.text.fail(name.at, fmt::format("`{}` is not defined", excerpt(name.text)),
                    known.empty() ? "declare it as a parameter, state or variable"
                                  : suggest_known(name.text, known, "defined here are"));
}

std::vector<ScriptExpression> ScriptParser::arguments() {
  expect("(", "after the name of a function");
  std::vector<Expression> list;
  do {
    list.push_back(expression());
  } while (accept(","));
  expect(")", "after the arguments");
  return list;
}

ScriptExpression ScriptParser::call_of(const ScriptToken& name) {
  struct Reduction {
    std::string_view word;
    AssetReduction reduction;
    bool of_condition;
  };
  static constexpr Reduction reductions[] = {
      {"worst", AssetReduction::worst, false}, {"best", AssetReduction::best, false},
      {"sum", AssetReduction::sum, false},     {"average", AssetReduction::average, false},
      {"any", AssetReduction::any, true},      {"all", AssetReduction::all, true},
      {"count", AssetReduction::count, true}};
  for (const Reduction& r : reductions)
    if (name.is(r.word)) return reduction_of(name, r.reduction, r.of_condition);
  return function_of(name);
}

ScriptExpression ScriptParser::reduction_of(const ScriptToken& name, AssetReduction reduction,
                                            bool of_condition) {
  ++asset_loops_;
  std::vector<Expression> list = arguments();
  --asset_loops_;
  if (list.size() != 1)
    script_.text.fail(name.at, fmt::format("`{}` takes one expression, which it evaluates for each "
                                           "asset",
                                           name.text));
  require_type(list.front(), of_condition, fmt::format("the argument of `{}`", name.text));
  const bool is_condition = reduction == AssetReduction::any || reduction == AssetReduction::all;
  Expression e = node(Kind::reduction, name.at, is_condition, std::move(list));
  e.reduction = reduction;
  return e;
}

ScriptExpression ScriptParser::function_of(const ScriptToken& name) {
  struct Function {
    std::string_view word;
    ScriptFunction function;
    std::size_t least, most;
  };
  static constexpr Function functions[] = {
      {"min", ScriptFunction::minimum, 2, 100}, {"max", ScriptFunction::maximum, 2, 100},
      {"abs", ScriptFunction::absolute, 1, 1},  {"exp", ScriptFunction::exponential, 1, 1},
      {"log", ScriptFunction::logarithm, 1, 1}, {"sqrt", ScriptFunction::square_root, 1, 1},
      {"where", ScriptFunction::where, 3, 3},   {"clip", ScriptFunction::clip, 3, 3}};
  const auto* const f = std::find_if(std::begin(functions), std::end(functions),
                                     [&](const Function& g) { return name.is(g.word); });
  if (f == std::end(functions)) {
    std::vector<std::string> known;
    for (const Function& g : functions) known.emplace_back(g.word);
    script_.text.fail(name.at, fmt::format("there is no function `{}`", excerpt(name.text)),
                      suggest_known(name.text, known, "the functions are"));
  }
  std::vector<Expression> list = arguments();
  if (list.size() < f->least || list.size() > f->most)
    script_.text.fail(name.at, fmt::format("`{}` takes {}{} argument{}, not {}", f->word,
                                           f->least == f->most ? "" : "at least ", f->least,
                                           f->least == 1 ? "" : "s", list.size()));
  const bool is_where = f->function == ScriptFunction::where;
  if (is_where) require_type(list[0], true, "the first argument of `where`");
  const bool is_condition = is_where && list[1].is_condition;
  for (std::size_t i = is_where ? 1 : 0; i < list.size(); ++i)
    require_type(list[i], is_condition, fmt::format("argument {} of `{}`", i + 1, f->word));
  const auto apply = [&](ScriptFunction function, std::vector<Expression> operands) {
    Expression e = node(Kind::function, name.at, is_condition, std::move(operands));
    e.function = function;
    return e;
  };
  if (f->most <= 3) return apply(f->function, std::move(list));
  Expression e = apply(f->function, pair_of(std::move(list[0]), std::move(list[1])));
  for (std::size_t i = 2; i < list.size(); ++i)
    e = apply(f->function, pair_of(std::move(e), std::move(list[i])));
  return e;
}

}  // namespace gsim::pricing
