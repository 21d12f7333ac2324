#pragma once
// Programs of scripted payoffs: their parts, and the functions of their operations.

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/payoffs/script_program.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The parts of a program of `fixings` fixings.
template <class T>
struct ScriptView {
  const T *initial, *constant, *segment_of_fixing, *segment_start, *table, *code;
  std::int32_t registers, states, constants, segments, fixings;

  GSIM_HD ScriptView(const T* number, std::int32_t fixing_count)
      : registers(static_cast<std::int32_t>(number[script_registers])),
        states(static_cast<std::int32_t>(number[script_states])),
        constants(static_cast<std::int32_t>(number[script_constants])),
        segments(static_cast<std::int32_t>(number[script_segments])),
        fixings(fixing_count) {
    const auto tables = static_cast<Index>(number[script_tables]);
    initial = number + script_header_size;
    constant = initial + states;
    segment_of_fixing = constant + constants;
    segment_start = segment_of_fixing + fixings;
    table = segment_start + segments + 1;
    code = table + tables * fixings;
  }

  GSIM_HD std::int32_t first_instruction(std::int32_t segment) const {
    return static_cast<std::int32_t>(segment_start[segment]);
  }
  GSIM_HD std::int32_t segment_at(std::int32_t fixing) const {
    return static_cast<std::int32_t>(segment_of_fixing[fixing]);
  }
  /// The value at a fixing of the table that an operand names.
  GSIM_HD T table_value(std::int32_t operand, std::int32_t fixing) const {
    return table[Index{operand - script_first_table} * fixings + fixing];
  }
  GSIM_HD ScriptInstruction instruction(std::int32_t k) const {
    const auto first = static_cast<std::int32_t>(code[2 * k]);
    const auto second = static_cast<std::int32_t>(code[2 * k + 1]);
    constexpr std::int32_t operands = script_operand_limit;
    return {static_cast<ScriptOperation>(first / (operands * script_result_limit)),
            first / operands % script_result_limit, second / operands, second % operands,
            first % operands};
  }
};

/// Calls use.unary(f), use.binary(f) or use.ternary(f) with the function of an operation of
/// arithmetic, or use.update(f) if it also reads the result's value; P is the type of the values.
template <class Policy, class P, class Use>
GSIM_HD void with_operation(ScriptOperation operation, const Use& use) {
  using T = scalar_of<P>;
  const auto truth = [](auto mask) { return select(mask, P(T(1)), P(T(0))); };
  switch (operation) {
    case ScriptOperation::copy:
      return use.unary([](P a) { return a; });
    case ScriptOperation::add:
      return use.binary([](P a, P b) { return a + b; });
    case ScriptOperation::subtract:
      return use.binary([](P a, P b) { return a - b; });
    case ScriptOperation::multiply:
      return use.binary([](P a, P b) { return a * b; });
    case ScriptOperation::divide:
      return use.binary([](P a, P b) { return a / b; });
    case ScriptOperation::multiply_add:
      return use.ternary([](P a, P b, P c) { return fma(a, b, c); });
    case ScriptOperation::negate:
      return use.unary([](P a) { return -a; });
    case ScriptOperation::minimum:
      return use.binary([](P a, P b) { return min(a, b); });
    case ScriptOperation::maximum:
      return use.binary([](P a, P b) { return max(a, b); });
    case ScriptOperation::at_least:
      return use.binary([](P a, P b) { return at_least(a, b); });
    case ScriptOperation::at_most:
      return use.binary([](P a, P b) { return at_most(a, b); });
    case ScriptOperation::absolute:
      return use.unary([](P a) { return abs(a); });
    case ScriptOperation::exponential:
      return use.unary([](P a) { return exp<Policy>(a); });
    case ScriptOperation::logarithm:
      return use.unary([](P a) { return log<Policy>(a); });
    case ScriptOperation::square_root:
      return use.unary([](P a) { return sqrt(a); });
    case ScriptOperation::less:
      return use.binary([&](P a, P b) { return truth(a < b); });
    case ScriptOperation::less_equal:
      return use.binary([&](P a, P b) { return truth(a <= b); });
    case ScriptOperation::equal:
      return use.binary([&](P a, P b) { return truth(a == b); });
    case ScriptOperation::not_equal:
      return use.binary([&](P a, P b) { return truth(a != b); });
    case ScriptOperation::complement:
      return use.unary([](P a) { return P(T(1)) - a; });
    case ScriptOperation::select:
      return use.ternary([](P a, P b, P c) { return select(c != P(T(0)), a, b); });
    case ScriptOperation::difference_at_least:
      return use.ternary([](P a, P b, P c) { return at_least(a - b, c); });
    case ScriptOperation::quotient_difference:
      return use.ternary([](P a, P b, P c) { return a / b - c; });
    case ScriptOperation::clip:
      return use.ternary([](P a, P b, P c) { return at_most(at_least(a, b), c); });
    case ScriptOperation::add_product:
      return use.ternary([](P a, P b, P c) { return c + a * b; });
    case ScriptOperation::minimum_product:
      return use.ternary([](P a, P b, P c) { return min(c, a * b); });
    case ScriptOperation::maximum_product:
      return use.ternary([](P a, P b, P c) { return max(c, a * b); });
    case ScriptOperation::less_and:
      return use.ternary([](P a, P b, P c) { return select(a < b, c, P(T(0))); });
    case ScriptOperation::less_equal_and:
      return use.ternary([](P a, P b, P c) { return select(a <= b, c, P(T(0))); });
    case ScriptOperation::set_where_less:
      return use.update([](P a, P b, P c, P r) { return select(a < b, c, r); });
    case ScriptOperation::set_where_less_equal:
      return use.update([](P a, P b, P c, P r) { return select(a <= b, c, r); });
    case ScriptOperation::add_where:
      return use.update([](P a, P b, P c, P r) { return select(c != P(T(0)), fma(a, b, r), r); });
    case ScriptOperation::skip_if_none:
      return;
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
