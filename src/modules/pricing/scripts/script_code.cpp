#include "src/modules/pricing/scripts/script_code.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/math/policy.hpp"
#include "kernels/pricing/payoffs/run_script.hpp"

namespace gsim::pricing {
namespace {

constexpr std::size_t max_instructions = 4000;  ///< of a segment
constexpr std::size_t max_tables = 100;
constexpr std::size_t least_skipped = 6;  ///< fewer instructions are not worth a test

/// Computes an operation of constants, by the kernels' functions.
struct Folding {
  double a, b, c;
  double* result;
  template <class F>
  void unary(const F& f) const {
    *result = f(a);
  }
  template <class F>
  void binary(const F& f) const {
    *result = f(a, b);
  }
  template <class F>
  void ternary(const F& f) const {
    *result = f(a, b, c);
  }
};

int operand_count(ScriptOperation operation) {
  switch (operation) {
    case ScriptOperation::copy:
    case ScriptOperation::negate:
    case ScriptOperation::absolute:
    case ScriptOperation::exponential:
    case ScriptOperation::logarithm:
    case ScriptOperation::square_root:
    case ScriptOperation::complement:
      return 1;
    case ScriptOperation::table:
    case ScriptOperation::skip_if_none:
      return 0;
    case ScriptOperation::multiply_add:
    case ScriptOperation::select:
      return 3;
    default:
      return 2;
  }
}

bool is_one(const ScriptValue& v) { return v.is_constant && v.constant == 1; }
bool is_zero(const ScriptValue& v) { return v.is_constant && v.constant == 0; }

/// Gives registers to temporaries: each keeps its register from the instruction that first sets it
/// to the last one that reads or sets it.
class RegisterAllocation {
 public:
  RegisterAllocation(std::vector<ScriptInstruction>& code, std::int32_t states, std::int32_t count)
      : code_(code),
        last_use_(static_cast<std::size_t>(count), 0),
        register_(static_cast<std::size_t>(count), -1) {
    for (std::int32_t r = script_max_registers - 1; r >= states; --r) free_.push_back(r);
    for (std::size_t k = 0; k < code.size(); ++k)
      for_each_operand(code[k], [&](std::int32_t& operand) {
        if (operand >= ScriptCode::first_temporary) last_use_[index(operand)] = k;
      });
  }

  /// Returns the largest number of registers; calls fail(k) where the k-th instruction finds none.
  template <class Fail>
  std::int32_t run(std::int32_t states, const Fail& fail) {
    std::int32_t used = states;
    for (std::size_t k = 0; k < code_.size(); ++k) {
      ScriptInstruction& i = code_[k];
      const std::int32_t result = i.result;
      const bool sets = i.operation != ScriptOperation::skip_if_none;
      for_each_source(i, [&](std::int32_t& operand) { replace(operand, k, result); });
      if (!sets || result < ScriptCode::first_temporary) continue;
      std::int32_t& assigned = register_[index(result)];
      if (assigned < 0) {
        if (free_.empty()) fail(k);
        assigned = free_.back();
        free_.pop_back();
      }
      i.result = assigned;
      used = std::max(used, assigned + 1);
      if (last_use_[index(result)] == k) release(result);
    }
    return used;
  }

 private:
  static std::size_t index(std::int32_t temporary) {
    return static_cast<std::size_t>(temporary - ScriptCode::first_temporary);
  }
  template <class F>
  static void for_each_source(ScriptInstruction& i, const F& f) {
    const int n = operand_count(i.operation);
    if (n >= 1) f(i.a);
    if (n >= 2) f(i.b);
    if (n == 3 || i.operation == ScriptOperation::skip_if_none) f(i.c);
  }
  template <class F>
  static void for_each_operand(ScriptInstruction& i, const F& f) {
    for_each_source(i, f);
    if (i.operation != ScriptOperation::skip_if_none) f(i.result);
  }

  void replace(std::int32_t& operand, std::size_t k, std::int32_t result) {
    if (operand < ScriptCode::first_temporary) return;
    const std::int32_t temporary = operand;
    operand = register_[index(temporary)];
    if (last_use_[index(temporary)] == k && temporary != result) release(temporary);
  }
  void release(std::int32_t temporary) {
    std::int32_t& assigned = register_[index(temporary)];
    if (std::find(free_.begin(), free_.end(), assigned) == free_.end()) free_.push_back(assigned);
  }

  std::vector<ScriptInstruction>& code_;
  std::vector<std::size_t> last_use_;
  std::vector<std::int32_t> register_;
  std::vector<std::int32_t> free_;
};

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
    double result = 0;
    pricing_kernels::with_operation<Strict, double>(
        operation, Folding{a.constant, b.constant, c.constant, &result});
    if (!std::isfinite(result))
      text_.fail(at, fmt::format("this expression of constants is {}", result));
    return constant_value(result);
  }
  ScriptInstruction i;
  i.operation = operation;
  i.a = operand_of(at, a);
  if (n >= 2) i.b = operand_of(at, b);
  if (n >= 3) i.c = operand_of(at, c);
  i.result = first_temporary + temporaries_++;
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
  return operate(at, ScriptOperation::complement, a);
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
  ScriptInstruction i;
  i.operation = ScriptOperation::table;
  i.a = static_cast<std::int32_t>(found - tables.begin());
  if (found == tables.end()) {
    if (tables.size() >= max_tables)
      text_.fail(at, fmt::format("the script reads more than {} quantities that depend on the date",
                                 max_tables));
    tables.push_back(std::move(table));
  }
  i.result = first_temporary + temporaries_++;
  append(at, i);
  return {false, 0, i.result};
}

ScriptValue ScriptCode::copy(const ScriptPlace& at, const ScriptValue& value) {
  ScriptInstruction i;
  i.a = operand_of(at, value);
  i.result = first_temporary + temporaries_++;
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
  const bool is_last_result = !value.is_constant && value.operand >= first_temporary &&
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

void ScriptCode::end_part(std::size_t begin) {
  if (code_.size() - begin - 1 >= least_skipped) {
    code_[begin].a = static_cast<std::int32_t>(code_.size());
    return;
  }
  code_.erase(code_.begin() + static_cast<Index>(begin));
  places_.erase(places_.begin() + static_cast<Index>(begin));
  for (std::size_t k = begin; k < code_.size(); ++k)
    if (code_[k].operation == ScriptOperation::skip_if_none) --code_[k].a;
}

std::vector<ScriptInstruction> ScriptCode::finish() {
  const auto states = static_cast<std::int32_t>(program_.initial.size());
  RegisterAllocation allocation(code_, states, temporaries_);
  const std::int32_t used = allocation.run(states, [&](std::size_t k) {
    text_.fail(places_[k],
               fmt::format("the script needs more than {} numbers at a time for this trade",
                           script_max_registers),
               "use fewer states, variables or assets");
  });
  program_.registers = std::max(program_.registers, static_cast<int>(used));
  return std::move(code_);
}

}  // namespace gsim::pricing
