#pragma once
// A barostat, and the thermostat of the atoms beside it, whose steps a device computes, so that the
// host does not wait for kinetic energies and virials.

#include <memory>

#include "gsim/exec/array.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "kernels/md/barostats/box_on_device.hpp"
#include "src/modules/md/barostats/device_barostat.hpp"
#include "src/modules/md/integrators/kinetic.hpp"
#include "src/modules/md/thermostats/device_thermostat.hpp"

namespace gsim::md {

/// Targets of a barostat and its thermostat at the beginning of a step.
struct PressureTargets {
  double thermal = 0, pressure = 0;  ///< kB T; energy per volume
};

/// The state of a barostat on a device, between send() and fetch().
class BarostatOnDevice {
 public:
  /// `thermostat`: null, or one that scales the velocities of all atoms.
  BarostatOnDevice(const IntegratorSetup& setup, Barostat& barostat, Thermostat* thermostat,
                   bool may_reverse);

  /// Whether the device of a single rank can compute both.
  bool is_usable() const { return is_usable_; }
  /// Whether a step was computed, so that later ones allocate no memory.
  bool has_run() const { return has_run_; }

  void send(const Box& box, const Vector3& kinetic, const Vector3& virial,
            const DeviceForces& forces);
  const DeviceBox* box() const { return &memory_.view().data->box; }
  const ChangingBox* step() const { return &memory_.view().data->step; }
  /// Begins step `step`, at whose beginning the targets are `targets`.
  void begin_step(const PressureTargets& targets, View<VelocityScale> scale, Index step);
  /// Ends step `step`, after the forces: the second half kick (`kick`: KickArgs::factor), and,
  /// before the next step or fetch(), the factor of the thermostat in `scale`, by class. `targets`:
  /// at the end of the step.
  void end_step(Particles& particles, const KineticSummation& kinetic, View<const double> kick,
                const PressureTargets& targets, Index step);
  /// Copies the states to the barostat and the thermostat of the host. Returns all that is in
  /// device memory, if anything was sent.
  BoxMemory fetch(View<VelocityScale> scale);

  /// Keeps the state, and the factors in `scale`, for undo_batch(), after which fetch() must be
  /// called.
  void begin_batch(View<VelocityScale> scale);
  void undo_batch(View<VelocityScale> scale);

 private:
  /// Ends the last step if that has been left to the beginning of the next one.
  void end_pending(View<VelocityScale> scale);

  Executor executor_;
  DeviceBarostat* barostat_;
  DeviceThermostat* thermostat_;
  bool may_reverse_;
  BoxStepArgs args_{};  // of the end of the last step; `ends`: it is pending
  Array<WideInteger> kinetic_;
  Array<BoxMemory> memory_, memory_before_;
  Array<VelocityScale> scale_before_;
  bool is_usable_ = false, has_run_ = false;
};

}  // namespace gsim::md
