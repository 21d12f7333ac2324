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
/// Program counter of no instruction.
constexpr std::uint32_t no_pc = 0xffffffffu;

/// Executes one instruction for the lanes of Warp::mask.
using Handler = void (*)(Warp&, const Op&);

/// Where an operand lies: an offset into the registers of the frame, or with the top bit set into
/// the constants of the function. Either holds one value for each of 32 lanes, one after the other;
/// a predicate is one word with a bit for each lane.
using Slot = std::uint32_t;
constexpr Slot constant_slot = 0x80000000u;

/// One instruction in executable form. What the fields hold depends on the handler.
struct Op {
  Handler run = nullptr;
  Slot d = 0, a = 0, b = 0, c = 0;
  Slot guard = 0;  ///< slot of the guard predicate when `guarded`
  bool guarded = false, guard_negated = false;
  std::uint8_t small = 0;            ///< a number of the handler's own
  std::uint8_t unit = 0;             ///< functional unit, for counts: see Unit
  std::uint32_t target = no_pc;      ///< of branches and calls
  std::uint32_t reconverge = no_pc;  ///< where the paths of a branch meet again
  std::int64_t immediate = 0;
  std::uint32_t extra = 0;   ///< index into Code::slots of further operands
  std::uint32_t source = 0;  ///< index of the instruction in Function::body
};

/// Functional units by which instructions are counted.
enum class Unit : std::uint8_t { integer, fp32, fp64, special, memory, control, warp, count };

/// An argument or result of a call: bytes in the local memory of caller and callee.
struct CallCopy {
  std::uint32_t caller = 0, callee = 0, size = 0;
};
struct CallSite {
  const Code* callee = nullptr;                   ///< null for an indirect call
  std::vector<std::uint32_t> arguments, results;  ///< offsets in the caller's local memory
};

/// One function in executable form.
struct Code {
  const Function* function = nullptr;
  std::vector<Op> ops;
  std::vector<std::uint64_t> constants;  ///< 8-byte words, 64-byte blocks for each constant
  std::vector<Slot> slots;
  std::vector<std::uint32_t> targets;
  std::vector<CallSite> calls;
  std::uint32_t register_bytes = 0;
  std::uint32_t local_bytes = 0;  ///< of one thread: .local and .param variables of the function
  std::vector<CallCopy> parameters, results;  ///< offset in `callee`, and size
  std::uint32_t parameter_bytes = 0;          ///< of a kernel
  std::uint32_t shared_bytes = 0;             ///< static, of a kernel and all that it may call
  bool approximate = false;                   ///< holds .approx instructions
};

}  // namespace ptxemu
