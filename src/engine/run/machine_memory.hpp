#pragma once
// Whether a run's forecast of memory fits the machine.

#include "gsim/engine/module.hpp"

namespace gsim::engine {

/// Bytes that this process could get: the machine's memory and swap space, or what its control
/// group (cgroup, version 2) allows where that is less. Infinite where the system does not say.
double machine_memory();

/// Judges WorkPlan::bytes_per_rank by `available` bytes: InputError where a rank alone needs more
/// than twice as much, which no error of a forecast explains; a warning to context.warn where it
/// needs more. With context.forecast_ranks, which plans for other machines, and on a device, whose
/// memory is its own, nothing is refused.
void check_memory(const Context& context, const WorkPlan& plan, double available);

}  // namespace gsim::engine
