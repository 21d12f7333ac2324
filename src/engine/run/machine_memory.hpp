#pragma once
// Compares the memory forecast of a run with the memory of the machine.

#include "gsim/engine/module.hpp"

namespace gsim::engine {

/// Bytes that this process could get: the machine's memory and swap space, or what its control
/// group (cgroup, version 2) allows where that is less. Infinite where it is unknown.
double machine_memory();

/// Compares WorkPlan::bytes_per_rank with `available` bytes: InputError where one rank needs more
/// than twice as much, which is beyond the inaccuracy of forecasts; a warning to context.warn where
/// it needs more. Does nothing with context.forecast_ranks, a forecast for other machines, and on a
/// device, which has its own memory.
void check_memory(const Context& context, const WorkPlan& plan, double available);

}  // namespace gsim::engine
