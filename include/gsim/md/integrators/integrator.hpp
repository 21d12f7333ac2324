#pragma once
// Integrators of the equations of motion, with their thermostats and barostat, and minimisers. In
// every step Simulation calls move(), computes new forces, and calls finish(). gsim's own
// integrators and those of plugins are registered in the same way,
//
//   registry.extend(gsim::md::IntegratorKind{"my_name", "…", describe_mine, example});
//
// and configurations choose them: [motion] kind = "my_name". gsim's own are in
// src/modules/md/integrators and minimizers, one source each, which the build finds.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/io/dataset.hpp"
#include "gsim/md/forces/force_quanta.hpp"
#include "gsim/md/particles.hpp"
#include "gsim/md/units.hpp"

namespace gsim {
class Section;
}

namespace gsim::md {

struct MotionConfig;
struct DeviceBox;
struct DeviceForces;

/// Atoms that are integrated in the same way: those of one type in the same groups.
struct AtomClass {
  std::int32_t type = 0;
  std::uint32_t groups = 0;  ///< bit g: whether they are in the g-th [[group]]
  double mass = 1;
  Index atoms = 0;  ///< number of atoms in the whole system
};

/// The run for which an integrator is made.
struct IntegratorSetup {
  Executor executor;
  Communicator communicator;
  const Units* units = nullptr;
  std::uint64_t seed = 0;
  double time_step = 0;
  Index steps = 0;  ///< steps of the whole run, over which ramps extend
  std::vector<AtomClass> classes;
  ForceQuanta quanta;
  /// Whether the forces add up to zero (no walls, no external fields).
  bool is_momentum_kept = true;
  /// Ids of the atoms in the input, by index; null or empty: index + 1.
  const std::vector<Index>* given_ids = nullptr;
};

/// Kinetic sums over all ranks, for thermostats, barostats and thermo tables.
struct KineticSums {
  double mvv[6] = {};       ///< sum of m v_a v_b in energy units: xx, yy, zz, xy, xz, yz
  double momentum[3] = {};  ///< sum of m v_a
};

/// The state that an integrator changes during a step.
struct IntegratorContext {
  Particles& particles;
  /// The current box. An integrator with a barostat assigns a new one; the simulation then passes
  /// it to all force terms.
  Box& box;
  Index step = 0;  ///< index of the current step, the same in move() and finish()
  /// Sum of r_a F_b of the whole system in energy units, at the positions of the last force
  /// computation; valid if needs_virial().
  const double* virial = nullptr;
  /// Potential energy at the same positions; valid if needs_virial().
  double potential = 0;
  /// Whether finish() must advance the velocities to the end of the step. Otherwise the last half
  /// kick may be deferred to the next move(), which then applies both half kicks. These remain two
  /// additions, so that results have the same bits.
  bool is_observed = true;
  /// Whether the box and the virial are in device memory (Integrator::enter_device).
  bool is_on_device = false;
};

/// An error of single atoms: a message with their ids and a suggestion, and the step at whose end
/// it occurred.
struct Fault {
  Index step = -1;
  std::string message;
};

/// A column that an integrator adds to the thermo table.
struct IntegratorColumn {
  std::string name, unit, description;
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Whether move() or finish() read virial and potential at every step.
  virtual bool needs_virial() const { return false; }
  /// Degrees of freedom in the definition of temperatures.
  virtual double degrees_of_freedom() const = 0;

  /// Called before the first step of a new or a resumed run, after the particles have been filled
  /// and before the first measurement: sets the velocities of frozen atoms to zero. Collective.
  virtual void start(const IntegratorContext& /*context*/) {}
  /// Advances positions by one step, from positions, velocities and forces at its beginning.
  /// Positions are wrapped into the box; image flags count the crossings of its faces. Collective.
  virtual void move(const IntegratorContext& context) = 0;
  /// Advances velocities to the end of the step, with the forces at the new positions.
  /// Collective.
  virtual void finish(const IntegratorContext& context) = 0;

  /// Whether the device can compute the change of the box in step `step`, so that the host need not
  /// wait for the virial: between enter_device() and leave_device(), move() and finish() of such
  /// steps only launch kernels. Steps that are observed are not among them.
  virtual bool can_step_on_device(Index /*step*/) const { return false; }
  /// Copies the box and the state that belongs to it to device memory. `forces`: the sums that the
  /// kernels of forces leave there.
  virtual void enter_device(const IntegratorContext& /*context*/, const DeviceForces& /*forces*/) {}
  /// The box in device memory.
  virtual const DeviceBox* device_box() const { return nullptr; }
  /// Copies the box and the state back to the host, after move() or finish(). Returns the error of
  /// a step in which the box could not be changed.
  virtual Fault leave_device(const IntegratorContext& /*context*/) { return {}; }

  /// The number of steps from step `first` on, at most `count`, in which move() and finish() only
  /// launch kernels: they neither wait for these, nor communicate, nor allocate device memory.
  /// Simulation may launch such steps as a batch, before the host reads any of their results:
  /// begin_batch(), then move() and finish() of each step. It calls undo_batch() afterwards if the
  /// steps are invalid, and nothing else if they are valid.
  virtual Index steps_to_batch(Index /*first*/, Index /*count*/) const { return 0; }
  /// Keeps what undo_batch() restores.
  virtual void begin_batch() {}
  /// Restores the state at begin_batch(), at the beginning of step `first`, and clears the faults
  /// of the steps since then. Simulation restores the atoms.
  virtual void undo_batch(Index /*first*/) {}

  /// Contribution of thermostats and barostats to the conserved quantity, beside kinetic and
  /// potential energy, in energy units, at the end of the last step.
  virtual double conserved_part() const { return 0; }
  /// Additional columns of the thermo table; the same throughout a run.
  virtual std::vector<IntegratorColumn> columns() const { return {}; }
  /// The values of columns() at the end of a step, at which forces are up to date. Collective; the
  /// same on every rank.
  virtual std::vector<double> column_values(const IntegratorContext& /*context*/) { return {}; }

  /// Whether the run may end here (a minimiser that has converged). The same on every rank.
  virtual bool is_done() const { return false; }
  /// The first fault of an atom of this rank (lost, or too fast) during the last fault_memory
  /// steps; must be called at least once in that many steps. An empty message: no fault.
  virtual Fault fault() const { return {}; }
  /// As fault(), but faults of the steps since the last call may be reported by the next one, so
  /// that the host need not wait for the kernels of these steps.
  virtual Fault recent_fault() { return fault(); }
  static constexpr Index fault_memory = 32;

  /// Writes the state other than that of the atoms, the same on every rank, under "motion/". May be
  /// called only after a finish() with IntegratorContext::is_observed.
  virtual void save(DatasetWriter& writer) const = 0;
  virtual void restore(DatasetReader& reader) = 0;
};

/// Makes an integrator of the atoms of `setup` with the thermostats, the barostat and the groups of
/// `config`; atoms of frozen groups (is_frozen()) must not move. `config` may be a temporary.
/// Throws InputError for impossible settings.
using MakeIntegrator = std::function<std::unique_ptr<Integrator>(const MotionConfig& config,
                                                                 const IntegratorSetup& setup)>;

/// The properties of an integrator that follow from its keys.
struct IntegratorPlan {
  MakeIntegrator make = {};
  /// Whether the integrator applies thermostats (of [thermostat] and of groups), a barostat, and
  /// the removal of the total momentum. A configuration with a part that the integrator does not
  /// apply is refused.
  bool has_thermostats = false, has_barostat = false, removes_momentum = false;
  /// > 0: a minimiser, whose run ends when the force on every atom is at most this.
  double force_tolerance = 0;

  bool is_minimiser() const { return force_tolerance > 0; }
};

/// The integrator of a configuration without [motion]: velocity Verlet with all thermostats and
/// barostats.
IntegratorPlan velocity_verlet();

struct IntegratorKind {
  static constexpr char extends[] = "integrator", module[] = "md";  // Registry::extend
  std::string_view name, doc;
  /// Describes the keys of [motion] beside `kind` and `momentum_removal`
  /// (gsim/config/section.hpp); returns the plan that follows from what was read.
  IntegratorPlan (*describe)(Section& section) = nullptr;
  /// A whole configuration of module md with this integrator, which runs within seconds.
  std::string_view example = {};

  /// The function that is missing, or null (Registry::Extension).
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

}  // namespace gsim::md
