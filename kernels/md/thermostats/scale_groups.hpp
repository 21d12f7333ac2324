#pragma once
// The time step of all thermostats of a run on a device, from kinetic sums in its memory: the host
// need not wait for these.

#include "gsim/core/exact_sum.hpp"
#include "kernels/md/integrators/advance.hpp"
#include "kernels/md/thermostats/thermostat_state.hpp"

namespace gsim::md {

struct ScaleGroupsArgs {
  static constexpr int max_groups = 8;
  int groups = 0;  ///< number of coupling groups, at most max_groups
  /// The sums of KineticSumsArgs, 9 by group, in executor memory; the kernel sets them to zero.
  WideInteger* sums = nullptr;
  ThermostatState* states = nullptr;        ///< by group, in executor memory
  View<VelocityScale> scale;                ///< by class; receives the factors
  View<const std::int32_t> group_of_class;  ///< -1: none
  double energy_quantum = 1;                ///< of the sums of m v v
  double thermal[max_groups] = {};          ///< kB T by group
  Index step = 0;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_scale_groups, md::ScaleGroupsArgs)
