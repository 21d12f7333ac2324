#pragma once
// Instructions of a segment while they are generated: values, folding of constants, registers.

#include <map>
#include <vector>

#include "src/modules/pricing/scripts/script_program.hpp"
#include "src/modules/pricing/scripts/script_registers.hpp"

namespace gsim::pricing {

/// A constant, or the result of an instruction, a state or a spot.
struct ScriptValue {
  bool is_constant = false;
  double constant = 0;
  std::int32_t operand = 0;  ///< as in ScriptInstruction, or a temporary
};

ScriptValue constant_value(double x);

class ScriptCode {
 public:
  /// `constants` and `tables` are those of the program, to which new ones are added.
  ScriptCode(const ScriptText& text, ScriptProgram& program) : text_(text), program_(program) {}

  /// The result of an operation; a constant if its operands are. Refuses results that are not
  /// finite, at `at`.
  ScriptValue operate(const ScriptPlace& at, ScriptOperation operation, const ScriptValue& a,
                      const ScriptValue& b = {}, const ScriptValue& c = {});
  ScriptValue smaller(const ScriptPlace& at, const ScriptValue& a, const ScriptValue& b);
  ScriptValue larger(const ScriptPlace& at, const ScriptValue& a, const ScriptValue& b);
  ScriptValue both(const ScriptPlace& at, const ScriptValue& a, const ScriptValue& b);
  ScriptValue either(const ScriptPlace& at, const ScriptValue& a, const ScriptValue& b);
  ScriptValue complement(const ScriptPlace& at, const ScriptValue& a);
  ScriptValue chosen(const ScriptPlace& at, const ScriptValue& condition, const ScriptValue& a,
                     const ScriptValue& b);
  /// The value of a table at the event.
  ScriptValue from_table(const ScriptPlace& at, ScriptTable table);
  /// A copy in a temporary of its own, which later assignments do not change.
  ScriptValue copy(const ScriptPlace& at, const ScriptValue& value);
  /// The value is a variable's from now on, so that no instruction may be changed to compute it
  /// into another register.
  void bind(const ScriptValue& value);
  /// Whether the value is that of a state or variable, which assignments change.
  bool is_variable(const ScriptValue& value) const;
  /// Sets the register of a state or variable.
  void set(const ScriptPlace& at, std::int32_t target, const ScriptValue& value);
  /// Sets it where the condition holds.
  void set_where(const ScriptPlace& at, std::int32_t target, const ScriptValue& condition,
                 const ScriptValue& value);

  /// Begins instructions that have no effect unless the condition holds; end_part() lets them be
  /// skipped if they are at least `least`.
  std::size_t begin_part(const ScriptValue& condition);
  void end_part(std::size_t begin, std::size_t least);

  /// The instructions, with registers in place of temporaries.
  std::vector<ScriptInstruction> finish();

 private:
  std::int32_t operand_of(const ScriptPlace& at, const ScriptValue& value);
  void append(const ScriptPlace& at, const ScriptInstruction& instruction);

  const ScriptText& text_;
  ScriptProgram& program_;
  std::vector<ScriptInstruction> code_;
  std::vector<ScriptPlace> places_;  ///< of the instructions
  std::vector<std::int32_t> bound_;
  std::map<std::int32_t, std::int32_t> complement_of_;  ///< of temporaries, temporaries
  std::int32_t temporaries_ = 0;
};

}  // namespace gsim::pricing
