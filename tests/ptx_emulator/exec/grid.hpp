#pragma once
// Execution of all blocks of a launch.

#include "exec/block.hpp"

namespace ptxemu {

/// Runs a launch to its end and returns what it executed. Blocks start in ascending order, or in an
/// order drawn from launch.seed. When all blocks that have started only wait, further ones start,
/// so that a block may wait for any other. Throws Fault, with the kernel, instruction and thread.
Counts run_grid(const Launch& launch);

}  // namespace ptxemu
