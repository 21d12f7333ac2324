#include "src/modules/pricing/scripts/script_parser.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/text.hpp"

namespace gsim::pricing {
namespace {

constexpr int max_nesting = 100;
constexpr std::size_t max_symbols = 1000;

std::string text_of(const ScriptToken& token) {
  switch (token.kind) {
    case ScriptToken::Kind::line_end:
      return token.text.empty() ? "the end of the line" : "`;`";
    case ScriptToken::Kind::end:
      return "the end of the script";
    default:
      return fmt::format("`{}`", excerpt(token.text));
  }
}

bool ends_with_call(const std::vector<ScriptStatement>& list) {
  return !list.empty() && list.back().kind == ScriptStatement::Kind::call;
}

}  // namespace

ScriptParser::Nesting::Nesting(ScriptParser& parser) : parser_(parser) {
  if (++parser.depth_ > max_nesting)
    parser.script_.text.fail(parser.peek().at,
                             fmt::format("nested more than {} levels deep", max_nesting));
}

void ScriptParser::fail_at(const ScriptToken& token, const std::string& expected) const {
  script_.text.fail(token.at, fmt::format("expected {}, not {}", expected, text_of(token)));
}

void ScriptParser::expect(std::string_view sign_or_word, const std::string& after) {
  if (!accept(sign_or_word)) fail_at(peek(), fmt::format("`{}` {}", sign_or_word, after));
}

void ScriptParser::end_statement() {
  if (peek().is("}") || peek().kind == ScriptToken::Kind::end) return;
  if (peek().kind != ScriptToken::Kind::line_end) fail_at(peek(), "the end of the statement");
  skip_line_ends();
}

std::string ScriptParser::new_name(const std::string& what) {
  const ScriptToken& token = take();
  if (token.kind != ScriptToken::Kind::name) fail_at(token, "the name of " + what);
  const auto words = script_words();
  if (std::find(words.begin(), words.end(), token.text) != words.end())
    script_.text.fail(token.at, fmt::format("`{}` is a word of the language", token.text),
                      "choose another name");
  for (const std::size_t s : visible_) {
    const ScriptSymbol& symbol = script_.symbols[s];
    if (symbol.name == token.text)
      script_.text.fail(token.at, fmt::format("`{}` is already defined in line {}", token.text,
                                              script_.text.shown_line(symbol.at)));
  }
  return token.text;
}

std::size_t ScriptParser::declare(ScriptSymbol symbol) {
  if (script_.symbols.size() >= max_symbols)
    script_.text.fail(symbol.at, fmt::format("the script defines more than {} names", max_symbols));
  script_.symbols.push_back(std::move(symbol));
  visible_.push_back(script_.symbols.size() - 1);
  return script_.symbols.size() - 1;
}

std::vector<std::string> ScriptParser::visible_names() const {
  std::vector<std::string> names;
  for (const std::size_t s : visible_) names.push_back(script_.symbols[s].name);
  return names;
}

std::size_t ScriptParser::schedule_named(const std::string& name) {
  const auto found = std::find(script_.schedules.begin(), script_.schedules.end(), name);
  if (found == script_.schedules.end()) {
    script_.schedules.push_back(name);
    return script_.schedules.size() - 1;
  }
  return static_cast<std::size_t>(found - script_.schedules.begin());
}

void ScriptParser::hide_locals() {
  std::erase_if(visible_, [&](std::size_t s) {
    return script_.symbols[s].kind == ScriptSymbol::Kind::local;
  });
}

void ScriptParser::run() {
  script_.schedules = {"fixings", "maturity"};
  skip_line_ends();
  while (peek().kind != ScriptToken::Kind::end) {
    if (accept("parameter")) {
      add_parameter();
    } else if (accept("state")) {
      add_state();
    } else if (peek().is("schedule")) {
      add_schedule_block();
    } else {
      // Statements outside of blocks are those of the schedule `fixings`.
      if (script_.blocks.empty() || script_.blocks.back().schedule != Script::fixings) {
        script_.blocks.push_back({});
        hide_locals();
      }
      block_ = &script_.blocks.back();
      std::vector<ScriptStatement> list = std::move(block_->statements);
      statement(list);
      block_->statements = std::move(list);
      block_ = nullptr;
    }
    skip_line_ends();
  }
  check_use();
}

void ScriptParser::add_schedule_block() {
  const ScriptToken& word = take();
  const ScriptToken& name = take();
  if (name.kind != ScriptToken::Kind::name) fail_at(name, "the name of a schedule");
  ScriptBlock block;
  block.schedule = schedule_named(name.text);
  block_ = &block;
  hide_locals();
  block.statements = statements_in_braces(false);
  block_ = nullptr;
  if (block.statements.empty()) script_.text.fail(word.at, "a schedule without statements");
  script_.blocks.push_back(std::move(block));
}

void ScriptParser::add_parameter() {
  ScriptSymbol symbol;
  symbol.at = peek().at;
  symbol.name = new_name("a parameter");
  symbol.kind = ScriptSymbol::Kind::parameter;
  if (accept("[")) {
    const ScriptToken& shape = take();
    if (shape.kind != ScriptToken::Kind::name) fail_at(shape, "`assets` or the name of a schedule");
    symbol.shape =
        shape.text == "assets" ? ScriptSymbol::Shape::per_asset : ScriptSymbol::Shape::per_date;
    if (symbol.shape == ScriptSymbol::Shape::per_date) symbol.schedule = schedule_named(shape.text);
    expect("]", "after the shape of the parameter");
  }
  if (accept("=")) {
    if (symbol.shape != ScriptSymbol::Shape::single)
      script_.text.fail(symbol.at, fmt::format("the parameter `{}` has several values, and no "
                                               "default",
                                               symbol.name));
    const double sign = accept("-") ? -1 : 1;
    const ScriptToken& value = take();
    if (value.kind != ScriptToken::Kind::number) fail_at(value, "a number as default value");
    symbol.default_value = sign * value.number;
  }
  declare(std::move(symbol));
  end_statement();
}

void ScriptParser::add_state() {
  ScriptSymbol symbol;
  symbol.at = peek().at;
  symbol.name = new_name("a state");
  symbol.kind = ScriptSymbol::Kind::state;
  if (accept("[")) {
    expect("assets", "in the brackets: a state has one value, or one for each of the assets");
    expect("]", "after `assets`");
    symbol.shape = ScriptSymbol::Shape::per_asset;
  }
  expect("=", "and the value at the start");
  if (symbol.shape == ScriptSymbol::Shape::per_asset) ++asset_loops_;
  symbol.initial.push_back(expression());
  if (symbol.shape == ScriptSymbol::Shape::per_asset) --asset_loops_;
  symbol.is_condition = symbol.initial.front().is_condition;
  declare(std::move(symbol));
  end_statement();
}

std::vector<ScriptStatement> ScriptParser::statements_in_braces(bool may_be_skipped) {
  const Nesting nesting(*this);
  expect("{", "before the statements");
  const std::size_t visible = visible_.size();
  std::vector<ScriptStatement> list;
  skip_line_ends();
  while (!accept("}")) {
    if (peek().kind == ScriptToken::Kind::end) fail_at(peek(), "`}`");
    statement(list);
    skip_line_ends();
  }
  visible_.resize(visible);
  if (may_be_skipped && list.empty()) script_.text.fail(peek().at, "braces without statements");
  return list;
}

void ScriptParser::statement(std::vector<ScriptStatement>& list) {
  const ScriptToken& first = peek();
  if (ends_with_call(list))
    script_.text.fail(first.at, "this statement is never executed, since `call` ends the trade");
  if (first.kind != ScriptToken::Kind::name) fail_at(first, "a statement");
  if (first.is("parameter") || first.is("state") || first.is("schedule"))
    script_.text.fail(first.at, fmt::format("`{}` within statements", first.text),
                      "write it at the top of the script");
  ScriptStatement s;
  if (accept("let")) {
    s = let_statement();
  } else if (accept("pay")) {
    s = pay_statement();
  } else if (accept("call")) {
    s.kind = ScriptStatement::Kind::call;
    script_.calls = true;
  } else if (accept("exercise")) {
    s.kind = ScriptStatement::Kind::exercise;
    s.expressions.push_back(number_expression("what exercise pays"));
    script_.exercises = true;
  } else if (accept("if")) {
    s = if_statement();
  } else if (accept("for")) {
    s = loop_statement();
  } else {
    s = assignment();
  }
  s.at = first.at;
  const bool has_braces =
      s.kind == ScriptStatement::Kind::condition || s.kind == ScriptStatement::Kind::each_asset;
  list.push_back(std::move(s));
  if (!has_braces) end_statement();
}

ScriptStatement ScriptParser::let_statement() {
  ScriptStatement s;
  s.kind = ScriptStatement::Kind::let;
  ScriptSymbol symbol;
  symbol.at = peek().at;
  symbol.name = new_name("a variable");
  expect("=", "after the name");
  s.expressions.push_back(expression());
  symbol.is_condition = s.expressions.front().is_condition;
  s.symbol = declare(std::move(symbol));
  return s;
}

ScriptStatement ScriptParser::assignment() {
  const ScriptToken& name = take();
  ScriptStatement s;
  s.kind = ScriptStatement::Kind::assign;
  if (!peek().is("=")) {
    const std::vector<std::string> words{"pay", "call", "exercise", "if",
                                         "for", "let",  "schedule", "state"};
    script_.text.fail(name.at, fmt::format("`{}` begins no statement", excerpt(name.text)),
                      suggest_known(name.text, words, "statements begin with"));
  }
  const bool is_read = [&] {
    for (const std::size_t v : visible_)
      if (script_.symbols[v].name == name.text) return script_.symbols[v].is_read;
    return false;
  }();
  const Expression target = symbol_named(name);
  s.symbol = target.symbol;
  ScriptSymbol& symbol = script_.symbols[s.symbol];
  symbol.is_read = is_read;
  symbol.is_assigned = true;
  if (symbol.kind == ScriptSymbol::Kind::parameter)
    script_.text.fail(name.at, fmt::format("the parameter `{}` cannot be set", symbol.name),
                      "declare a state");
  take();  // =
  s.expressions.push_back(expression());
  require_type(s.expressions.front(), script_.symbols[s.symbol].is_condition,
               fmt::format("the value of `{}`", name.text));
  return s;
}

ScriptStatement ScriptParser::pay_statement() {
  ScriptStatement s;
  s.kind = ScriptStatement::Kind::pay;
  s.expressions.push_back(number_expression("what is paid"));
  if (accept("at")) {
    expect("maturity", "after `at`");
    s.payment = ScriptStatement::Payment::at_maturity;
  } else if (accept("after")) {
    s.payment = ScriptStatement::Payment::after;
    ScriptBlock* const block = std::exchange(block_, nullptr);
    s.expressions.push_back(number_expression("the time until the payment"));
    block_ = block;
  }
  return s;
}

ScriptStatement ScriptParser::if_statement() {
  const Nesting nesting(*this);
  ScriptStatement s;
  s.kind = ScriptStatement::Kind::condition;
  s.expressions.push_back(condition_expression("what follows `if`"));
  s.body = statements_in_braces(true);
  const ScriptToken* const end = next_;
  skip_line_ends();
  if (!accept("else")) {
    next_ = end;
    return s;
  }
  if (accept("if")) {
    const ScriptPlace at = (next_ - 1)->at;
    s.other.push_back(if_statement());
    s.other.back().at = at;
  } else {
    s.other = statements_in_braces(true);
  }
  return s;
}

ScriptStatement ScriptParser::loop_statement() {
  expect("each", "after `for`");
  expect("asset", "after `for each`");
  if (asset_loops_ > 0) script_.text.fail(peek().at, "a loop over the assets within another one");
  ScriptStatement s;
  s.kind = ScriptStatement::Kind::each_asset;
  ++asset_loops_;
  s.body = statements_in_braces(true);
  --asset_loops_;
  return s;
}

void ScriptParser::check_use() const {
  bool pays = false;
  const auto look = [&](const auto& self, const std::vector<ScriptStatement>& list) -> void {
    for (const ScriptStatement& s : list) {
      pays =
          pays || s.kind == ScriptStatement::Kind::pay || s.kind == ScriptStatement::Kind::exercise;
      self(self, s.body);
      self(self, s.other);
    }
  };
  for (const ScriptBlock& b : script_.blocks) look(look, b.statements);
  if (!pays) script_.text.fail({}, "the script pays nothing", "add a statement `pay`");
  for (const ScriptSymbol& s : script_.symbols)
    if (!s.is_read)
      script_.text.fail(s.at, fmt::format("`{}` is never used", s.name), "leave it out");
}

std::shared_ptr<const Script> parse_script(ScriptText text, std::string name) {
  auto script = std::make_shared<Script>();
  script->text = std::move(text);
  script->name = std::move(name);
  ScriptParser(*script).run();
  return script;
}

}  // namespace gsim::pricing
