#pragma once
// Functions in executable form.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "reader/module.hpp"

namespace ptxemu {

class Warp;
struct Code;
struct Op;

constexpr int warp_size = 32;
constexpr std::uint32_t all_lanes = 0xffffffffu;
/// A program counter that refers to no instruction.
constexpr std::uint32_t no_pc = 0xffffffffu;

/// Executes one instruction for the lanes of Warp::mask.
using Handler = void (*)(Warp&, const Op&);

/// Location of an operand: an offset into the registers of the frame, or with the top bit set into
/// the constants of the function. Both hold 32 consecutive values, one per lane; a predicate is one
/// 32-bit word with one bit per lane.
using Slot = std::uint32_t;
constexpr Slot constant_slot = 0x80000000u;

/// Bytes of the registers of a frame.
struct SlotRange {
  Slot slot = 0;
  std::uint32_t bytes = 0;
};

/// One instruction in executable form. The meaning of the members depends on the handler.
struct Op {
  Handler run = nullptr;
  Slot d = 0, a = 0, b = 0, c = 0;
  Slot guard = 0;  ///< slot of the guard predicate when `guarded`
  bool guarded = false, guard_negated = false;
  std::uint8_t option = 0;           ///< modifiers, comparison, size or flags, as the handler needs
  std::uint8_t unit = 0;             ///< functional unit, for statistics: see Unit
  std::uint32_t target = no_pc;      ///< target of branches and calls
  std::uint32_t reconverge = no_pc;  ///< reconvergence point of a branch
  std::int64_t immediate = 0;
  /// a further slot, or the first index of further operands in Code::slots, Code::targets or
  /// Code::calls
  std::uint32_t extra = 0;
  std::uint32_t source = 0;  ///< index of the instruction in Function::body
};

/// Functional units, for instruction statistics. `special` executes approximate functions and
/// conversions, `warp` barriers and exchanges between lanes; `count` is the number of units.
enum class Unit : std::uint8_t { integer, fp32, fp64, special, memory, control, warp, count };

/// A parameter or result of a function: its place in the local memory of the function or, for the
/// parameters of a kernel, among those parameters.
struct ParameterSlot {
  std::uint32_t offset = 0, size = 0;
};
/// The callee and the operands of a call instruction.
struct CallSite {
  const Code* callee = nullptr;                   ///< null for an indirect call
  std::vector<std::uint32_t> arguments, results;  ///< offsets in the caller's local memory
};

enum class AccessKind : std::uint8_t { load, store, atomic, count };

/// One instruction of a program that counts executions and memory traffic: see exec/profile.hpp.
struct CountedInstruction {
  Handler run = nullptr;  ///< the handler that executes it
  bool access = false;    ///< whether it accesses memory other than parameters
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 0;  ///< of each lane
  bool skips_l1 = false;   ///< volatile, relaxed or acquire loads, and those with .cg or .cv
  /// It reads the result of a load that no earlier instruction reads: it waits for memory, with
  /// all loads before it.
  bool waits_for_load = false;
  /// It reads the result of the instruction before it.
  bool depends_on_previous = false;
};

/// What the check for uninitialised registers does before an instruction
/// (checks/register_check.hpp). Registers are numbers among Code::tracked.
struct RegisterCheck {
  /// How a result depends on sources: it is uninitialised if one of the sources is (any) or all of
  /// them are (all), if the one that a predicate selects is (select), or unless a source that is
  /// initialised determines it (conjunction, disjunction of predicates).
  enum class Rule : std::uint8_t { any, all, select, conjunction, disjunction };
  Rule rule = Rule::any;
  int guard = -1;             ///< tracked number of the guard, or -1
  std::vector<int> used;      ///< a fault if one of them is uninitialised
  std::vector<int> sources;   ///< -1: a constant or a register that is always written first
  std::vector<int> results;   ///< -1: not tracked
  std::vector<Slot> values;   ///< of the predicates, for all rules but any and all
  std::vector<bool> negated;  ///< by predicate
};

/// What the checks need of an instruction that accesses memory or synchronises threads.
struct CheckedInstruction {
  Handler run = nullptr;  ///< the handler that executes it after the check
  std::uint8_t bytes = 0, element_bytes = 0;
  bool reads = false, writes = false;
  bool strong = false;  ///< atomic, relaxed, acquire, release or volatile
  bool acquire = false, release = false;
  bool device_wide = false;  ///< the scope is more than the block
  /// by element: the tracked number of the register that is loaded or stored, if it may be
  /// uninitialised, or -1; empty if there is none
  std::vector<int> values;
  bool waits = false;  ///< of a barrier: bar.sync or bar.red, not bar.arrive
};

/// One function in executable form.
struct Code {
  const Function* function = nullptr;
  std::vector<Op> ops;
  /// 8-byte elements, 64-byte aligned blocks for each constant
  std::vector<std::uint64_t> constants;
  std::vector<Slot> slots;             ///< operands of instructions with vectors
  std::vector<std::uint32_t> targets;  ///< program counters, targets of indexed branches
  std::vector<CallSite> calls;
  std::uint32_t register_bytes = 0;  ///< per warp
  /// registers that may be read before they are written; they are zero at first
  std::vector<SlotRange> initial_zeros;
  std::vector<int> live_at_entry;  ///< the numbers of these registers
  std::uint32_t local_bytes = 0;   ///< per thread: .local and .param variables of the function
  std::vector<ParameterSlot> parameters, results;
  std::uint32_t parameter_bytes = 0;  ///< size of the parameters of a kernel
  /// static shared memory of a kernel and all functions that it may call
  std::uint32_t shared_bytes = 0;
  /// by program counter, if the code is instrumented with checks
  std::vector<CheckedInstruction> checked;
  /// registers that may be uninitialised, if the code is instrumented: first those of
  /// live_at_entry and what is computed from them, then those of copies
  std::vector<int> tracked;
  std::uint32_t unwritten = 0;      ///< number of tracked registers that are not of copies
  std::vector<int> tracked_number;  ///< [register]: its number among the tracked ones, or -1
  std::vector<RegisterCheck> register_checks;
  bool approximate = false;  ///< whether it contains .approx instructions
  /// [instruction] of programs that count; empty for others
  std::vector<CountedInstruction> counted;
};

}  // namespace ptxemu
