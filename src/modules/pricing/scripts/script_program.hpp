#pragma once
// Compilation of a script for one trade: loops over assets are unrolled, conditions become choices
// between values, constants are computed, and registers are allocated.

#include <span>
#include <string>
#include <vector>

#include "kernels/pricing/payoffs/script_program.hpp"
#include "src/modules/pricing/scripts/script.hpp"

namespace gsim::pricing {

/// What a script needs to know of a trade. Times are in years from today, negative before today.
struct ScriptTerms {
  std::vector<std::string> assets;             ///< their names
  std::vector<double> events;                  ///< the dates of all schedules, increasing
  std::vector<std::vector<double>> schedules;  ///< of each of Script::schedules
  /// Of each of Script::symbols: of a parameter its value, or its values.
  std::vector<std::vector<double>> parameters;
  double payment_lag = 0;
};

/// Numbers of a program that differ from event to event, and are the same on all paths.
struct ScriptTable {
  std::vector<double> values;  ///< [events], or empty: the growth of payments `lag` later
  double lag = 0;              ///< years
  bool is_growth() const { return values.empty(); }
};

struct ScriptProgram {
  /// Register 0 is the sum of payments, and register `alive` is 1 until a call, then 0; -1: the
  /// script has no call.
  int registers = 1, alive = -1;
  /// Register `exercise` holds what the holder receives, with the payments already made, who
  /// exercises at the last event that allows it; minus infinity without the right. -1: the script
  /// has no such event.
  int exercise = -1;
  std::vector<double> initial;  ///< of the states
  std::vector<double> constants;
  std::vector<ScriptTable> tables;
  std::vector<std::vector<ScriptInstruction>> segments;
  std::vector<std::size_t> segment_of_event;
  std::vector<bool>
      is_exercisable;  ///< [segments] whether some path may have the right to exercise
};

/// ConfigError at the place of the script that does not fit the trade.
ScriptProgram compile_script(const Script& script, const ScriptTerms& terms);

/// What register 0 is after the last event of a run of a program.
enum class ScriptEnd {
  payments,           ///< the sum of payments
  exercise,           ///< what the holder receives who exercises then
  better_of_the_two,  ///< the larger of both
};

/// The PayoffTerms::number of a program that runs from event `first` for `count` events.
/// `growth[t]` holds the values of table t for these events if it is_growth().
std::vector<double> encode_program(const ScriptProgram& program, std::size_t first,
                                   std::size_t count, std::span<const double> initial,
                                   const std::vector<std::vector<double>>& growth,
                                   ScriptEnd end = ScriptEnd::payments);

}  // namespace gsim::pricing
