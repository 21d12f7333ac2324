#pragma once
// Thermostats whose steps a device computes, so that the host does not wait for kinetic energies.

#include <memory>
#include <span>
#include <vector>

#include "gsim/exec/array.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "gsim/md/thermostats/thermostat.hpp"
#include "kernels/md/thermostats/scale_groups.hpp"
#include "src/modules/md/integrators/coupling_groups.hpp"
#include "src/modules/md/integrators/kinetic.hpp"

namespace gsim::md {

/// The states of thermostats on a device. They are copied there before the first step, and back
/// where the host needs them.
class ThermostatsOnDevice {
 public:
  /// `thermostats`: by coupling group; null: none.
  ThermostatsOnDevice(const IntegratorSetup& setup, const CouplingGroups& coupling_groups,
                      const std::vector<std::unique_ptr<Thermostat>>& thermostats);

  /// Whether the device of a single rank can compute all thermostats.
  bool are_usable() const { return are_usable_; }
  /// Whether a step was computed, so that later ones allocate no memory.
  bool have_run() const { return has_run_; }

  /// Ends step `step`: the second half kick (`kick`: KickArgs::factor), and factors for velocities
  /// in `scale`, by class. `thermal`: kB T by group.
  void end_step(Particles& particles, const KineticSummation& kinetic, View<const double> kick,
                View<VelocityScale> scale, std::span<const double> thermal, Index step);
  /// Copies the states to the thermostats of the host, which are changed only there afterwards.
  /// Returns the state of each group; the first fault of each is in it.
  std::vector<ThermostatState> fetch();

  /// Keeps the states, and the factors in `scale`, for undo_batch().
  void begin_batch(View<const VelocityScale> scale);
  void undo_batch(View<VelocityScale> scale);

 private:
  void send();

  Executor executor_;
  const std::vector<std::unique_ptr<Thermostat>>& thermostats_;
  std::vector<char> may_reverse_;  // by group
  double energy_quantum_;
  Array<std::int32_t> group_of_class_;
  Array<WideInteger> sums_;  // 9 by group
  Array<ThermostatState> states_, states_before_;
  Array<VelocityScale> scale_before_;
  bool are_usable_ = false, are_sent_ = false, has_run_ = false;
};

}  // namespace gsim::md
