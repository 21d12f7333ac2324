#pragma once
// Translation of one function into executable form.

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exec/code.hpp"
#include "program/control_flow.hpp"
#include "reader/module.hpp"

namespace ptxemu {

/// Addresses of the symbols of a module.
struct Symbol {
  Space space = Space::global;
  std::uint64_t address = 0;  ///< in its state space
  int function = -1;          ///< number of the function, if the symbol is a function
};
using Symbols = std::unordered_map<std::string, Symbol>;

/// Translates one instruction: access to its operands and suffixes for the selection of handlers. A
/// suffix that has not been parsed is an error at the end, so that no part of an instruction is
/// ignored.
class Lowering {
 public:
  Lowering(Code& code, const Symbols& symbols) : code_(code), symbols_(symbols) {}

  /// Starts with instruction `index` of the function.
  void begin(std::uint32_t index);
  /// Finishes the instruction: throws PtxError if a suffix remains or no handler was selected.
  void end();

  const Instruction& instruction() const { return *in_; }
  std::size_t operand_count() const { return in_->operands.size(); }
  const Operand& operand(std::size_t n) const;

  /// Returns whether the suffix is present, and marks it as parsed.
  bool take(std::string_view suffix);
  /// Parses the next suffix that is a type; Type::none if there is none.
  Type parse_type();
  /// Throws PtxError with the instruction and the kernel.
  [[noreturn]] void unsupported(const std::string& why = "") const;

  /// The slot of source operand `n`, whose register must have `size` bytes; constants get a slot of
  /// their own.
  Slot source(std::size_t n, int size) { return source(operand(n), size); }
  Slot source(const Operand& operand, int size);
  /// The slot of a source whose register may have any size, which is returned in `size`; a
  /// constant gets `size` bytes.
  Slot wide_source(const Operand& operand, int& size);
  /// The slot of result operand `n`; an unused slot for the sink "_".
  Slot result(std::size_t n, int size) { return result(operand(n), size); }
  Slot result(const Operand& operand, int size);
  /// The slot of a result whose register may have any size, which is returned in `size`.
  Slot wide_result(const Operand& operand, int& size);
  /// The slot of a predicate, and whether it is negated.
  Slot predicate(const Operand& operand, bool& negated);
  Slot predicate_register(int reg) const { return slot_of(reg); }
  /// The slot of a constant of `size` bytes, stored once for each lane.
  Slot constant(std::uint64_t bits, int size);
  /// The slot for results of `size` bytes that are not used.
  Slot scratch(int size);
  /// The slot of the carry flag, one bit for each lane.
  Slot carry();

  /// A memory operand: a slot with 32-bit or 64-bit addresses or none, plus an offset.
  struct Address {
    Space space = Space::generic;
    bool indexed = false;  ///< whether there is a slot
    Slot slot = 0;
    int size = 8;  ///< bytes of an address in the slot
    std::int64_t offset = 0;
    bool in_frame = false;  ///< relative to the local variables of the function
  };
  Address address(const Operand& operand, Space space);
  const Symbols& symbols() const { return symbols_; }
  /// Offset of a .param or .local variable of the function in its local memory; -1 for other names.
  std::int64_t local_offset(const std::string& name) const;

  Code& code() { return code_; }
  Op op;

 private:
  friend class FunctionLowering;
  Slot slot_of(int reg) const { return register_slots_[static_cast<unsigned>(reg)]; }
  Slot reserve(int bytes);
  void prepare(const ControlFlow& flow);

  Code& code_;
  const Symbols& symbols_;
  const Instruction* in_ = nullptr;
  std::vector<bool> taken_;
  std::vector<Slot> register_slots_;
  std::map<std::pair<std::uint64_t, int>, Slot> constants_;
  std::unordered_map<std::string, std::uint32_t> local_offsets_, parameter_offsets_;
  std::map<int, Slot> scratch_;
  Slot carry_ = 0;
  bool has_carry_ = false;
};

/// Selects the handler of the instruction of `lowering` and writes lowering.op. Leaves op.run null
/// for an opcode that is not implemented.
void select_handler(Lowering& lowering);

/// Translates `function` to `code`; with `checks_registers` together with operations that find
/// reads of uninitialised registers (checks/register_check.hpp).
void lower(const Function& function, const Symbols& symbols, Code& code, bool checks_registers);

}  // namespace ptxemu
