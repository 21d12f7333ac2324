// Statements of scripts as instructions.

#include "src/modules/pricing/scripts/script_compiler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/text.hpp"

namespace gsim::pricing {
namespace {

constexpr std::int32_t sum_of_payments = 0;
constexpr double longest_payment_lag = 10;  ///< years
// Fewer instructions are not worth a test whether a condition holds on any path of a block. Paths
// on which the trade has ended are seldom all paths of a block.
constexpr std::size_t least_skipped = 3, least_skipped_after_call = 12;

bool has_exercise(const std::vector<ScriptStatement>& list) {
  return std::any_of(list.begin(), list.end(), [](const ScriptStatement& s) {
    return s.kind == ScriptStatement::Kind::exercise || has_exercise(s.body) ||
           has_exercise(s.other);
  });
}

/// Whether statements contain a payment, a right to exercise or a call.
bool has_payments(const std::vector<ScriptStatement>& list) {
  return has_exercise(list) || std::any_of(list.begin(), list.end(), [](const ScriptStatement& s) {
           return s.kind == ScriptStatement::Kind::pay || s.kind == ScriptStatement::Kind::call ||
                  has_payments(s.body) || has_payments(s.other);
         });
}

}  // namespace

bool SegmentCompiler::is_exercisable() const {
  return std::any_of(script_.blocks.begin(), script_.blocks.end(), [&](const ScriptBlock& block) {
    return position_in(terms_.schedules[block.schedule], terms_.events[event_]) >= 0 &&
           has_exercise(block.statements);
  });
}

std::vector<ScriptInstruction> SegmentCompiler::run() {
  levels_ = {Level{}};
  if (is_exercisable())  // without a right to exercise
    code_.set({}, program_.exercise, constant_value(-std::numeric_limits<double>::infinity()));
  const std::size_t begin =
      script_.calls ? code_.begin_part({false, 0, program_.alive}) : std::size_t{0};
  for (const ScriptBlock& block : script_.blocks) {
    if (position_in(terms_.schedules[block.schedule], terms_.events[event_]) < 0) continue;
    block_ = &block;
    statements(block.statements);
  }
  if (script_.calls) code_.end_part(begin, least_skipped_after_call);
  return code_.finish();
}

std::optional<ScriptValue> SegmentCompiler::alive_here() {
  Level& level = levels_.back();
  if (!script_.calls) return level.condition;
  const ScriptValue alive{false, 0, program_.alive};
  if (!level.condition) return alive;
  if (!level.alive) level.alive = code_.both({}, alive, *level.condition);
  return level.alive;
}

void SegmentCompiler::statements(const std::vector<ScriptStatement>& list) {
  for (const ScriptStatement& s : list) statement(s);
}

void SegmentCompiler::statement(const ScriptStatement& s) {
  switch (s.kind) {
    case ScriptStatement::Kind::let:
      return let(s);
    case ScriptStatement::Kind::assign:
      return assign(s);
    case ScriptStatement::Kind::pay:
      return pay(s);
    case ScriptStatement::Kind::call:
      return call(s);
    case ScriptStatement::Kind::exercise:
      return exercise(s);
    case ScriptStatement::Kind::condition:
      return branch(s);
    case ScriptStatement::Kind::each_asset:
      for (std::size_t a = 0; a < terms_.assets.size(); ++a) {
        asset_ = a;
        statements(s.body);
      }
      asset_.reset();
      return;
  }
}

void SegmentCompiler::let(const ScriptStatement& s) {
  ScriptValue v = value(s.expressions.front());
  if (script_.symbols[s.symbol].is_assigned || code_.is_variable(v)) v = code_.copy(s.at, v);
  code_.bind(v);
  value_of_[s.symbol] = v;
  level_of_[s.symbol] = levels_.size();
}

std::int32_t SegmentCompiler::register_of(const ScriptPlace& at, std::size_t symbol) const {
  const ScriptSymbol& s = script_.symbols[symbol];
  const std::int32_t first = registers_.of_symbol[symbol];
  return s.shape == ScriptSymbol::Shape::per_asset
             ? first + static_cast<std::int32_t>(current_asset(at, s.name))
             : first;
}

void SegmentCompiler::assign(const ScriptStatement& s) {
  const ScriptValue v = value(s.expressions.front());
  const bool is_local = script_.symbols[s.symbol].kind == ScriptSymbol::Kind::local;
  const std::int32_t target = is_local ? value_of_[s.symbol].operand : register_of(s.at, s.symbol);
  // A variable of this block is not read on other paths, and after the end of a trade nothing is: a
  // condition that payments need anyway serves both.
  const Level& level = levels_.back();
  std::optional<ScriptValue> condition = level.alive ? level.alive : level.condition;
  if (is_local && level_of_[s.symbol] == levels_.size()) condition.reset();
  if (condition)
    code_.set_where(s.at, target, *condition, v);
  else
    code_.set(s.at, target, v);
}

void SegmentCompiler::pay(const ScriptStatement& s) {
  const ScriptValue amount = value(s.expressions.front());
  const ScriptValue sum{false, 0, sum_of_payments};
  ScriptValue paid;
  if (s.payment == ScriptStatement::Payment::at_maturity) {
    paid = code_.operate(s.at, ScriptOperation::add, sum, amount);
  } else {
    ScriptTable growth;
    growth.lag = terms_.payment_lag;
    if (s.payment == ScriptStatement::Payment::after) {
      growth.lag = constant(s.expressions[1], asset_);
      if (!(growth.lag >= 0 && growth.lag <= longest_payment_lag))
        script_.text.fail(s.expressions[1].at,
                          fmt::format("a payment {} years after its date, which must be 0 to {}",
                                      growth.lag, longest_payment_lag));
    }
    paid = code_.operate(s.at, ScriptOperation::multiply_add, amount,
                         code_.from_table(s.at, growth), sum);
  }
  const std::optional<ScriptValue> condition = alive_here();
  if (condition)
    code_.set_where(s.at, sum_of_payments, *condition, paid);
  else
    code_.set(s.at, sum_of_payments, paid);
}

void SegmentCompiler::call(const ScriptStatement& s) {
  // Without the product with `alive`, so that the result is linear in it, also where it is neither
  // 0 nor 1 (Greeks: script_ramps.hpp).
  const std::optional<ScriptValue>& condition = levels_.back().condition;
  code_.set_where(s.at, program_.alive, condition.value_or(constant_value(1)), constant_value(0));
  for (Level& level : levels_) level.alive.reset();
}

// The holder has the best of the rights that the statements of a date give.
void SegmentCompiler::exercise(const ScriptStatement& s) {
  const ScriptValue amount = value(s.expressions.front());
  ScriptTable growth;
  growth.lag = terms_.payment_lag;
  const ScriptValue computed =
      code_.operate(s.at, ScriptOperation::multiply_add, amount, code_.from_table(s.at, growth),
                    ScriptValue{false, 0, sum_of_payments});
  // Minus infinity, which stands for no right, and plus infinity become NaN, which is reported.
  const ScriptValue received =
      code_.operate(s.at, ScriptOperation::multiply_add, computed, constant_value(0), computed);
  const ScriptValue best = code_.larger(s.at, received, ScriptValue{false, 0, program_.exercise});
  code_.set_where(s.at, program_.exercise, alive_here().value_or(constant_value(1)), best);
}

void SegmentCompiler::part(const ScriptPlace& at, const ScriptValue& holds,
                           const std::vector<ScriptStatement>& list) {
  const std::optional<ScriptValue> outer = levels_.back().condition;
  levels_.push_back({outer ? code_.both(at, *outer, holds) : holds, std::nullopt});
  const std::size_t begin =
      code_.begin_part(has_payments(list) ? *alive_here() : *levels_.back().condition);
  statements(list);
  levels_.pop_back();
  code_.end_part(begin, least_skipped);
}

void SegmentCompiler::branch(const ScriptStatement& s) {
  ScriptValue holds = value(s.expressions.front());
  if (holds.is_constant) {
    statements(holds.constant != 0 ? s.body : s.other);
    return;
  }
  // The statements may change a state or variable that the condition is.
  if (code_.is_variable(holds)) holds = code_.copy(s.at, holds);
  part(s.at, holds, s.body);
  if (!s.other.empty()) part(s.at, code_.complement(s.at, holds), s.other);
}

double SegmentCompiler::constant(const ScriptExpression& e, std::optional<std::size_t> asset) {
  const std::optional<std::size_t> before = asset_;
  asset_ = asset;
  const ScriptValue v = value(e);
  asset_ = before;
  return v.constant;
}

}  // namespace gsim::pricing
