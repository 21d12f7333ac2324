#pragma once
// Execution of all blocks of a launch.

#include "exec/block.hpp"

namespace ptxemu {

/// Executes a launch and returns its statistics. Blocks start in ascending order, or in a random
/// order derived from launch.seed. If all started blocks wait, further ones are started, so that a
/// block may wait for any other block. Throws Fault with kernel, instruction and thread.
Counts run_grid(const Launch& launch);

}  // namespace ptxemu
