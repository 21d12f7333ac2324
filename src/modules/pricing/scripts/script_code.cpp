#include "src/modules/pricing/scripts/script_code.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "src/modules/pricing/scripts/join_instructions.hpp"
#include "src/modules/pricing/scripts/script_evaluation.hpp"

namespace gsim::pricing {
namespace {

constexpr std::size_t max_instructions = 4000;  ///< of a segment

bool is_one(const ScriptValue& v) { return v.is_constant && v.constant == 1; }
bool is_zero(const ScriptValue& v) { return v.is_constant && v.constant == 0; }

}  // namespace

ScriptValue constant_value(double x) { return {true, x, 0}; }

std::int32_t ScriptCode::operand_of(const ScriptPlace& at, const ScriptValue& value) {
  if (!value.is_constant) return value.operand;
  auto& constants = program_.constants;
  const auto found = std::find_if(constants.begin(), constants.end(), [&](double x) {
    return x == value.constant && std::signbit(x) == std::signbit(value.constant);
  });
  if (found == constants.end()) {
    if (constants.size() >= std::size_t{script_max_constants})
      text_.fail(
          at,
          fmt::format("the script has more than {} constants for this trade", script_max_constants),
          "use fewer assets, or split the trade");
    constants.push_back(value.constant);
    return script_first_constant + static_cast<std::int32_t>(constants.size()) - 1;
  }
  return script_first_constant + static_cast<std::int32_t>(found - constants.begin());
}

void ScriptCode::append(const ScriptPlace& at, const ScriptInstruction& instruction) {
  if (code_.size() >= max_instructions)
    text_.fail(
        at, fmt::format("the script needs more than {} instructions at one date", max_instructions),
        "use fewer assets, or split the trade");
  code_.push_back(instruction);
  places_.push_back(at);
}

ScriptValue ScriptCode::operate(const ScriptPlace& at, ScriptOperation operation,
                                const ScriptValue& a, const ScriptValue& b, const ScriptValue& c) {
  const int n = operand_count(operation);
  if (a.is_constant && (n < 2 || b.is_constant) && (n < 3 || c.is_constant)) {
    const double result = evaluate(operation, a.constant, b.constant, c.constant, 0);
    if (!std::isfinite(result))
      text_.fail(at, fmt::format("this expression of constants is {}", result));
    return constant_value(result);
  }
  ScriptInstruction i;
  i.operation = operation;
  i.a = operand_of(at, a);
  if (n >= 2) i.b = operand_of(at, b);
  if (n >= 3) i.c = operand_of(at, c);
  i.result = script_first_temporary + temporaries_++;
  append(at, i);
  return {false, 0, i.result};
}

ScriptValue ScriptCode::smaller(const ScriptPlace& at, const ScriptValue& a, const ScriptValue& b) {
  if (b.is_constant) return operate(at, ScriptOperation::at_most, a, b);
  if (a.is_constant) return operate(at, ScriptOperation::at_most, b, a);
  return operate(at, ScriptOperation::minimum, a, b);
}

ScriptValue ScriptCode::larger(const ScriptPlace& at, const ScriptValue& a, const ScriptValue& b) {
  if (b.is_constant) return operate(at, ScriptOperation::at_least, a, b);
  if (a.is_constant) return operate(at, ScriptOperation::at_least, b, a);
  return operate(at, ScriptOperation::maximum, a, b);
}

ScriptValue ScriptCode::both(const ScriptPlace& at, const ScriptValue& a, const ScriptValue& b) {
  if (is_one(a) || is_zero(b)) return b;
  if (is_one(b) || is_zero(a)) return a;
  return operate(at, ScriptOperation::multiply, a, b);
}

ScriptValue ScriptCode::either(const ScriptPlace& at, const ScriptValue& a, const ScriptValue& b) {
  if (is_zero(a) || is_one(b)) return b;
  if (is_zero(b) || is_one(a)) return a;
  return operate(at, ScriptOperation::at_least, a, b);
}

ScriptValue ScriptCode::complement(const ScriptPlace& at, const ScriptValue& a) {
  const ScriptValue result = operate(at, ScriptOperation::complement, a);
  // A variable may get another value before the complement is used.
  if (!result.is_constant && a.operand >= script_first_temporary && !is_variable(a))
    complement_of_[result.operand] = a.operand;
  return result;
}

ScriptValue ScriptCode::chosen(const ScriptPlace& at, const ScriptValue& condition,
                               const ScriptValue& a, const ScriptValue& b) {
  if (condition.is_constant) return condition.constant != 0 ? a : b;
  return operate(at, ScriptOperation::select, a, b, condition);
}

ScriptValue ScriptCode::from_table(const ScriptPlace& at, ScriptTable table) {
  auto& tables = program_.tables;
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const ScriptTable& t) {
    return t.values == table.values && t.lag == table.lag;
  });
  if (found == tables.end()) {
    if (tables.size() >= std::size_t{script_max_tables})
      text_.fail(at, fmt::format("the script reads more than {} quantities that depend on the date",
                                 script_max_tables));
    tables.push_back(std::move(table));
    return {false, 0, script_first_table + static_cast<std::int32_t>(tables.size()) - 1};
  }
  return {false, 0, script_first_table + static_cast<std::int32_t>(found - tables.begin())};
}

ScriptValue ScriptCode::copy(const ScriptPlace& at, const ScriptValue& value) {
  ScriptInstruction i;
  i.a = operand_of(at, value);
  i.result = script_first_temporary + temporaries_++;
  append(at, i);
  return {false, 0, i.result};
}

void ScriptCode::bind(const ScriptValue& value) {
  if (!value.is_constant) bound_.push_back(value.operand);
}

bool ScriptCode::is_variable(const ScriptValue& value) const {
  if (value.is_constant) return false;
  return value.operand < script_first_constant ||
         std::find(bound_.begin(), bound_.end(), value.operand) != bound_.end();
}

void ScriptCode::set(const ScriptPlace& at, std::int32_t target, const ScriptValue& value) {
  const bool is_last_result = !value.is_constant && value.operand >= script_first_temporary &&
                              !code_.empty() && code_.back().result == value.operand &&
                              !is_variable(value);
  if (is_last_result) {
    code_.back().result = target;
    return;
  }
  ScriptInstruction i;
  i.a = operand_of(at, value);
  i.result = target;
  append(at, i);
}

void ScriptCode::set_where(const ScriptPlace& at, std::int32_t target, const ScriptValue& condition,
                           const ScriptValue& value) {
  if (condition.is_constant) {
    if (condition.constant != 0) set(at, target, value);
    return;
  }
  ScriptInstruction i;
  i.operation = ScriptOperation::select;
  i.a = operand_of(at, value);
  i.b = target;
  i.c = condition.operand;
  i.result = target;
  const auto complement = complement_of_.find(i.c);
  if (complement != complement_of_.end()) {
    std::swap(i.a, i.b);
    i.c = complement->second;
  }
  append(at, i);
}

std::size_t ScriptCode::begin_part(const ScriptValue& condition) {
  ScriptInstruction i;
  i.operation = ScriptOperation::skip_if_none;
  i.c = condition.operand;
  i.result = 0;
  append(places_.empty() ? ScriptPlace{} : places_.back(), i);
  return code_.size() - 1;
}

void ScriptCode::end_part(std::size_t begin, std::size_t least) {
  if (code_.size() - begin - 1 >= least) {
    code_[begin].a = static_cast<std::int32_t>(code_.size());
    return;
  }
  code_.erase(code_.begin() + static_cast<Index>(begin));
  places_.erase(places_.begin() + static_cast<Index>(begin));
  for (std::size_t k = begin; k < code_.size(); ++k)
    if (code_[k].operation == ScriptOperation::skip_if_none) --code_[k].a;
}

std::vector<ScriptInstruction> ScriptCode::finish() {
  join_instructions(code_, places_);
  const auto states = static_cast<std::int32_t>(program_.initial.size());
  const std::int32_t used = allocate_registers(code_, states, temporaries_, [&](std::size_t k) {
    text_.fail(places_[k],
               fmt::format("the script needs more than {} numbers at a time for this trade",
                           script_max_registers),
               "use fewer states, variables or assets");
  });
  program_.registers = std::max(program_.registers, static_cast<int>(used));
  return std::move(code_);
}

}  // namespace gsim::pricing
