#pragma once
// Live ranges of the registers of a function.

#include <cstdint>
#include <vector>

#include "program/control_flow.hpp"
#include "reader/module.hpp"

namespace ptxemu {

/// A range of instructions, from `first` to `last` inclusive.
struct InstructionRange {
  std::uint32_t first = 0, last = 0;
};

/// Where each register of a function is busy. A register is busy at an instruction that reads or
/// writes it, and at each instruction before which it is live: a path leads from there to a read of
/// the register without an unguarded write in between.
struct LiveRanges {
  /// [register]: the instructions at which it is busy, in ascending order
  std::vector<std::vector<InstructionRange>> busy;
  /// registers that are live before the first instruction, because they may be read before they are
  /// written
  std::vector<int> live_at_entry;
};

/// The live ranges of the registers of `function`, by backward data flow over the basic blocks.
LiveRanges find_live_ranges(const Function& function, const ControlFlow& flow);

}  // namespace ptxemu
