#pragma once
// Velocity Verlet integration of Newton's equations of motion, with thermostats and a barostat.
//
// A step consists of kick, drift, new forces and kick, with these operations by operator splitting:
// - Langevin friction and noise act in the middle of the drift: BAOAB (B. Leimkuhler and C.
//   Matthews, J. Chem. Phys. 138 (2013) 174102; Appl. Math. Res. Express (2013) 34).
// - Thermostats that scale velocities act for a whole time step after the last kick, which is the
//   same operation as half a time step after it and half a time step before the next kick.
// - A barostat changes the box and the kicks (barostat.hpp).
//
// Kernels are fused so that few passes over the atoms are needed. A step that is not observed needs
// one pass without thermostat and barostat, and with Langevin dynamics (two half kicks, drift), and
// two with other thermostats or a barostat (kick and kinetic sums; scaling, kick, drift). On a
// device and on one rank gsim's own thermostats and barostats are computed there, without a wait.
// Observing a step does not change any bit, because the deferred operations are the same.

#include <memory>
#include <vector>

#include "gsim/exec/array.hpp"
#include "gsim/md/barostats/barostat.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "gsim/md/thermostats/thermostat.hpp"
#include "kernels/md/integrators/advance.hpp"
#include "src/modules/md/integrators/barostat_on_device.hpp"
#include "src/modules/md/integrators/coupling_groups.hpp"
#include "src/modules/md/integrators/faults.hpp"
#include "src/modules/md/integrators/kinetic.hpp"
#include "src/modules/md/integrators/motion_config.hpp"
#include "src/modules/md/integrators/thermostats_on_device.hpp"

namespace gsim::md {

class VelocityVerlet final : public Integrator {
 public:
  VelocityVerlet(const MotionConfig& config, const IntegratorSetup& setup);
  VelocityVerlet(const VelocityVerlet&) = delete;  // coupling_groups_ points into config_
  VelocityVerlet& operator=(const VelocityVerlet&) = delete;

  bool needs_virial() const override { return barostat_ != nullptr; }
  double degrees_of_freedom() const override { return coupling_groups_.freedom; }
  void start(const IntegratorContext& context) override;
  void move(const IntegratorContext& context) override;
  void finish(const IntegratorContext& context) override;
  bool can_step_on_device(Index step) const override;
  void enter_device(const IntegratorContext& context, const DeviceForces& forces) override;
  const DeviceBox* device_box() const override { return box_on_device_->box(); }
  Fault leave_device(const IntegratorContext& context) override;
  Index steps_to_batch(Index first, Index count) const override;
  void begin_batch() override;
  void undo_batch(Index first) override;
  double conserved_part() const override;
  Fault fault() const override { return faults_.first(); }
  Fault recent_fault() override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;

 private:
  /// kB T of a thermostat in a step.
  double thermal(const ThermostatConfig& thermostat, Index step) const;
  PressureState pressure_state(const Box& box, Index step) const;
  PressureTargets pressure_targets(Index step) const;
  /// The change of the box in a step. NumericalError if it is too large.
  BoxStep begin_box_step(const Box& box, Index step);
  /// Whether the host needs kinetic sums after a step: for thermostats that no device computes, a
  /// barostat, removal of momentum.
  bool needs_host_sums(Index step) const;
  bool removes_momentum(Index step) const;
  void remove_momentum(std::vector<KineticSums>& sums, std::vector<VelocityScale>& by_class);
  void apply_thermostats(std::vector<KineticSums>& sums, Index step,
                         std::vector<VelocityScale>& by_class);
  void finish_with_sums(const IntegratorContext& context);
  /// As finish_with_sums(), for thermostats on a device alone.
  void finish_on_device(const IntegratorContext& context);
  /// Copies the states of thermostats on a device to thermostats_. NumericalError if a factor was
  /// invalid before an atom had a fault.
  void fetch_thermostats();
  /// Applies the second half kick and the scaling of velocities that are otherwise deferred to the
  /// next step.
  void complete_half_kick(const IntegratorContext& context);
  /// First step of a new run with a barostat: computes the sums that the end of a step provides
  /// later.
  void measure_pressure(const IntegratorContext& context);
  AdvanceArgs advance_args(const IntegratorContext& context, const BoxStep& step);
  void advance_with_noise(const IntegratorContext& context, const BoxStep& step);
  /// The Langevin part of a step, by class.
  std::vector<LangevinClass> langevin_at(Index step) const;
  /// Sets langevin_ for a step.
  void set_langevin(Index step);
  /// Thermostat::energy() of the coupling group with index `coupling`.
  double thermostat_energy(std::size_t coupling) const;

  MotionConfig config_;
  IntegratorSetup setup_;
  CouplingGroups coupling_groups_;
  KineticSummation kinetic_;
  // By coupling group; null: none, or Langevin.
  std::vector<std::unique_ptr<Thermostat>> thermostats_;
  std::unique_ptr<ThermostatsOnDevice> on_device_;  // null: the host computes them
  std::unique_ptr<Barostat> barostat_;
  std::unique_ptr<BarostatOnDevice> box_on_device_;  // null: the host computes barostat_
  // Whether a thermostat adds Langevin noise, and whether one scales velocities.
  bool has_langevin_ = false, has_scaling_ = false;

  Array<double> kick_;  // by class: change of velocity by one force quantum in half a step
  FaultRecords faults_;
  Array<VelocityScale> scale_;           // by class
  std::vector<LangevinClass> langevin_;  // by class
  Array<LangevinClass> device_langevin_;
  Array<double> mass_in_quanta_;  // by class; the factor of kinetic sums (KineticSumsArgs)
  bool is_kick_deferred_ = false, is_scale_deferred_ = false;  // to the kernel of the next step
  std::array<bool, 2> deferred_before_{};                      // both at begin_batch()

  bool is_pressure_known_ = false;
  Vector3 twice_kinetic_{}, virial_{};  // at the end of the last step, where there is a barostat
  double volume_ = 0;
  double removed_energy_ = 0;  // kinetic energy of the removed momentum
  // Twice the energy that friction and noise gave to the atoms: of this rank since the last
  // reduction (one number), and of all ranks before.
  Array<WideInteger> heat_, heat_before_;  // the latter at begin_batch()
  ExactSum all_heat_;
};

}  // namespace gsim::md
