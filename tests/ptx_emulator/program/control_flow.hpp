#pragma once
// The control flow graph of a function and its reconvergence points.

#include <cstdint>
#include <vector>

#include "reader/module.hpp"

namespace ptxemu {

struct BasicBlock {
  std::uint32_t first = 0, end = 0;  ///< range of instructions
  std::vector<int> successors;       ///< numbers of blocks; -1 for the end of the function
  int post_dominator = -1;           ///< immediate; -1 for the end of the function, or none
};

struct ControlFlow {
  std::vector<BasicBlock> blocks;
  std::vector<int> block_of;  ///< by instruction
};

/// The basic blocks of a function with their immediate post-dominators, by the algorithm of Cooper,
/// Harvey and Kennedy on the reversed graph. Throws PtxError for a branch to an unknown label.
ControlFlow analyse(const Function& function);

/// The instructions that an instruction may branch to, other than the next one.
std::vector<std::uint32_t> branch_targets(const Function& function, const Instruction& instruction);

/// Whether the guard of an instruction is executed as a branch around it, because the instruction
/// changes the control flow or waits.
bool guarded_by_branch(const Instruction& instruction);

}  // namespace ptxemu
