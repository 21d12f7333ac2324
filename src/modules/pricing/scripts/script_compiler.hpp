#pragma once
// Generation of the instructions of one segment: the statements of the blocks whose schedules have
// the date.

#include <optional>
#include <vector>

#include "src/modules/pricing/scripts/script_code.hpp"

namespace gsim::pricing {

/// The registers of states: register 0 is the sum of payments.
struct ScriptRegisters {
  std::vector<std::int32_t> of_symbol;  ///< first register of a state, else -1
};

class SegmentCompiler {
 public:
  /// Compiles for the event number `event`, and the events of the same segment.
  SegmentCompiler(const Script& script, const ScriptTerms& terms, const ScriptRegisters& registers,
                  std::size_t event, ScriptProgram& program)
      : script_(script),
        terms_(terms),
        registers_(registers),
        event_(event),
        program_(program),
        code_(script.text, program),
        value_of_(script.symbols.size()),
        level_of_(script.symbols.size(), 0) {}

  std::vector<ScriptInstruction> run();
  /// Whether a statement at the event gives a right to exercise.
  bool is_exercisable() const;

  /// The value of an expression of constants, in which names with values of each asset have those
  /// of asset number `asset`. Without it they are errors if the trade has several assets.
  double constant(const ScriptExpression& e, std::optional<std::size_t> asset);

 private:
  /// Where the statements of a block in braces have an effect. States are also set on paths on
  /// which the trade has ended, since nothing reads them there.
  struct Level {
    std::optional<ScriptValue> condition;  ///< none: everywhere
    /// The same, where the trade has not ended; nothing: not computed since the last call.
    std::optional<ScriptValue> alive;
  };

  void statements(const std::vector<ScriptStatement>& list);
  void statement(const ScriptStatement& s);
  void let(const ScriptStatement& s);
  void assign(const ScriptStatement& s);
  void pay(const ScriptStatement& s);
  void call(const ScriptStatement& s);
  void exercise(const ScriptStatement& s);
  void branch(const ScriptStatement& s);
  void part(const ScriptPlace& at, const ScriptValue& holds,
            const std::vector<ScriptStatement>& list);
  /// Where a payment or call has an effect; nothing: everywhere.
  std::optional<ScriptValue> alive_here();

  ScriptValue value(const ScriptExpression& e);
  ScriptValue symbol_value(const ScriptExpression& e);
  ScriptValue date_value(const ScriptExpression& e);
  ScriptValue function_value(const ScriptExpression& e);
  ScriptValue clipped(const ScriptExpression& e, const ScriptValue& x);
  ScriptValue reduced(const ScriptExpression& e);
  std::size_t asset_of(const ScriptExpression& e) const;
  std::size_t current_asset(const ScriptPlace& at, const std::string& what) const;
  std::int32_t register_of(const ScriptPlace& at, std::size_t symbol) const;
  ScriptTable table_of(std::vector<double> values) const;

  const Script& script_;
  const ScriptTerms& terms_;
  const ScriptRegisters& registers_;
  std::size_t event_;
  ScriptProgram& program_;
  ScriptCode code_;
  std::vector<ScriptValue> value_of_;  ///< of local variables
  std::vector<std::size_t> level_of_;  ///< number of levels around the definition of a variable
  std::vector<Level> levels_;
  const ScriptBlock* block_ = nullptr;
  std::optional<std::size_t> asset_;  ///< of the loop
  std::size_t evaluated_ = 0;         ///< number of expressions
};

/// Position of a date among those of a schedule, or -1.
Index position_in(const std::vector<double>& schedule, double date);

}  // namespace gsim::pricing
