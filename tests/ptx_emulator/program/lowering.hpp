#pragma once
// Translation of one function into executable form.

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exec/code.hpp"
#include "reader/module.hpp"

namespace ptxemu {

/// Addresses that names of the module stand for.
struct Symbol {
  Space space = Space::global;
  std::uint64_t address = 0;  ///< in its state space
  int function = -1;          ///< number of the function, for names of functions
};
using Symbols = std::unordered_map<std::string, Symbol>;

/// Translates one instruction: what handlers' tables need to read operands and suffixes. A suffix
/// that nothing has taken is an error at the end, so that no part of an instruction is passed over.
class Lowering {
 public:
  Lowering(Code& code, const Symbols& symbols) : code_(code), symbols_(symbols) {}

  /// Begins with instruction `index` of the function.
  void begin(std::uint32_t index);
  /// Ends it: throws PtxError when a suffix is left over or no handler was chosen.
  void end();

  const Instruction& instruction() const { return *in_; }
  std::size_t operand_count() const { return in_->operands.size(); }
  const Operand& operand(std::size_t n) const;

  /// True if the suffix is there; marks it as taken.
  bool take(std::string_view suffix);
  /// The next suffix that is a type; Type::none where there is none.
  Type take_type();
  /// Throws PtxError with the instruction and the kernel.
  [[noreturn]] void unsupported(const std::string& why = "") const;

  /// The slot of source operand `n`, whose register must hold `size` bytes; constants get a slot of
  /// their own.
  Slot source(std::size_t n, int size) { return source(operand(n), size); }
  Slot source(const Operand& operand, int size);
  /// The slot of a source of any size, which is written to `size`.
  Slot wide_source(const Operand& operand, int& size);
  /// The slot of result operand `n`; a slot that nothing reads for a result that is not wanted.
  Slot result(std::size_t n, int size) { return result(operand(n), size); }
  Slot result(const Operand& operand, int size);
  Slot wide_result(const Operand& operand, int& size);
  /// The slot of a predicate, and whether its negation is meant.
  Slot predicate(const Operand& operand, bool& negated);
  Slot predicate_register(int reg) const { return slot_of(reg); }
  Slot constant(std::uint64_t bits, int size);
  Slot scratch(int size);
  /// The slot of the carry flag, one bit for each lane.
  Slot carry();

  /// What a memory operand means: a slot with 32-bit or 64-bit addresses or none, plus an offset.
  struct Address {
    Space space = Space::generic;
    bool indexed = false;
    Slot slot = 0;
    int size = 8;
    std::int64_t offset = 0;
    bool in_frame = false;  ///< local memory, relative to the variables of the function
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
  void prepare();

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

/// Chooses the handler of the instruction of `lowering`, writing lowering.op. Leaves op.run null
/// for an opcode that is not implemented.
void select_handler(Lowering& lowering);

/// Fills `code` from `function`.
void lower(const Function& function, const Symbols& symbols, Code& code);

}  // namespace ptxemu
