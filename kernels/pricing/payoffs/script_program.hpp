#pragma once
// The program of a scripted payoff (configs/pricing/payoff_language.md), as the numbers of its
// PayoffTerms: what the compiler in src/modules/pricing/scripts writes and the kernels read.
//
// A program computes on registers, each one number per path. Registers 0 … states - 1 keep their
// values from fixing to fixing; register 0 is the sum of the payments, compounded to the trade's
// payment date. At each fixing the instructions of the fixing's segment are executed in order.
// Whole numbers below 2^24 are exact in float, so that the same words serve both precisions.

#include <cstdint>

#include "gsim/core/types.hpp"

namespace gsim::pricing {

/// What an instruction computes from its operands a, b and c. Conditions are 1 or 0. The operations
/// after skip_if_none join two others with the same roundings; r is the result's value before.
enum class ScriptOperation : std::int32_t {
  copy,                  ///< a
  add,                   ///< a + b
  subtract,              ///< a - b
  multiply,              ///< a b
  divide,                ///< a / b
  multiply_add,          ///< a b + c, rounded once
  negate,                ///< -a
  minimum,               ///< the smaller of a and b; NaN if one is
  maximum,               ///< the larger
  at_least,              ///< the larger of a and b, where b is not NaN
  at_most,               ///< the smaller of a and b, where b is not NaN
  absolute,              ///< |a|
  exponential,           ///< e^a
  logarithm,             ///< ln a
  square_root,           ///< the square root of a
  less,                  ///< a < b
  less_equal,            ///< a <= b
  equal,                 ///< a == b
  not_equal,             ///< a != b
  complement,            ///< not a
  select,                ///< a where c holds, else b
  skip_if_none,          ///< continues at instruction a of the segment where c holds on no path
  difference_at_least,   ///< the larger of a - b and c, where c is not NaN
  quotient_difference,   ///< a / b - c
  clip,                  ///< the smaller of c and the larger of a and b, where these are not NaN
  add_product,           ///< c + a b, rounded twice
  minimum_product,       ///< the smaller of c and a b; NaN if one is
  maximum_product,       ///< the larger
  less_and,              ///< a < b and c
  less_equal_and,        ///< a <= b and c
  set_where_less,        ///< c where a < b, else r
  set_where_less_equal,  ///< c where a <= b, else r
  add_where              ///< r + a b, rounded once, where c holds, else r
};

/// Number of operands that an operation reads. The last three also read the result's register.
constexpr int operand_count(ScriptOperation operation) {
  switch (operation) {
    case ScriptOperation::copy:
    case ScriptOperation::negate:
    case ScriptOperation::absolute:
    case ScriptOperation::exponential:
    case ScriptOperation::logarithm:
    case ScriptOperation::square_root:
    case ScriptOperation::complement:
      return 1;
    case ScriptOperation::skip_if_none:
      return 0;
    case ScriptOperation::multiply_add:
    case ScriptOperation::select:
      return 3;
    default:
      return operation > ScriptOperation::skip_if_none ? 3 : 2;
  }
}
constexpr bool reads_result(ScriptOperation operation) {
  return operation >= ScriptOperation::set_where_less;
}

/// The layout of the numbers: a header, then initial values [states], constants [constants], the
/// segment of each fixing [fixings], the first instruction of each segment [segments + 1], tables
/// [tables][fixings], and instructions of two words each.
enum ScriptHeader : int {
  script_registers,  ///< registers, states included
  script_states,
  script_constants,
  script_segments,
  script_tables,
  script_header_size
};

/// An operand is a register, a constant, or at the fixing the spot of one of the trade's assets or
/// the value of a table, which is the same on all paths.
inline constexpr int script_max_registers = 64, script_max_constants = 128, script_max_assets = 200,
                     script_max_tables = 100;
inline constexpr int script_first_constant = script_max_registers,
                     script_first_asset = script_first_constant + script_max_constants,
                     script_first_table = script_first_asset + script_max_assets;

/// The first word of an instruction holds operation, result and c, the second one a and b; every
/// operand has 12 bits.
struct ScriptInstruction {
  ScriptOperation operation = ScriptOperation::copy;
  std::int32_t result = 0, a = 0, b = 0, c = 0;
};
inline constexpr std::int32_t script_operand_limit = 1 << 12, script_result_limit = 1 << 6;

inline std::int32_t first_word(const ScriptInstruction& i) {
  return (static_cast<std::int32_t>(i.operation) * script_result_limit + i.result) *
             script_operand_limit +
         i.c;
}
inline std::int32_t second_word(const ScriptInstruction& i) {
  return i.a * script_operand_limit + i.b;
}

}  // namespace gsim::pricing
