#pragma once
// The integrator of the equations of motion with its thermostats and barostat, or a minimiser. In
// every step Simulation calls move(), computes new forces, and calls finish().

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/io/dataset.hpp"
#include "gsim/md/particles.hpp"
#include "gsim/md/units.hpp"
#include "src/modules/md/forces/force_term.hpp"

namespace gsim::md {

/// Atoms that are integrated in the same way: those of one type in the same groups.
struct MotionClass {
  std::int32_t type = 0;
  std::uint32_t groups = 0;  ///< bit g: in the g-th group of the configuration
  double mass = 1;
  Index atoms = 0;  ///< in the whole system
};

/// The run that a motion is made for.
struct MotionSetup {
  Executor executor;
  Communicator communicator;
  const Units* units = nullptr;
  std::uint64_t seed = 0;
  double time_step = 0;
  Index steps = 0;  ///< of the whole run: ramps end there
  std::vector<MotionClass> classes;
  ForceQuanta quanta;
  /// Forces add up to zero: no walls, no outer fields.
  bool is_momentum_kept = true;
  /// Ids of the atoms in the input, by index; null or empty: index + 1.
  const std::vector<Index>* given_ids = nullptr;
};

/// Kinetic sums over all ranks, for thermostats, barostats and thermo tables.
struct KineticSums {
  double mvv[6] = {};       ///< sum of m v_a v_b in energy units: xx, yy, zz, xy, xz, yz
  double momentum[3] = {};  ///< sum of m v_a
};

/// The state that a motion changes during a step.
struct MotionContext {
  Particles& particles;
  /// A barostat replaces it; the simulation then passes the new box to all force terms.
  Box& box;
  Index step = 0;  ///< move(): the step that begins; finish(): the same step, which ends
  /// Sum of r_a F_b of the whole system in energy units, at the positions that forces belong to;
  /// valid where needs_virial().
  const double* virial = nullptr;
  /// Potential energy at the same positions, valid where needs_virial() (FIRE, enthalpies).
  double potential = 0;
  /// finish(): whether velocities must be those of the end of the step afterwards. Otherwise the
  /// last half kick may be deferred to the next move(), which then applies two: two additions in
  /// either case, so that bits stay the same.
  bool is_observed = true;
};

/// An error of single atoms: a message with their ids and a suggestion, and the step at whose end
/// it occurred.
struct Fault {
  Index step = -1;
  std::string message;
};

/// A column that a motion adds to the thermo table.
struct MotionColumn {
  std::string name, unit, description;
};

class Motion {
 public:
  virtual ~Motion() = default;

  /// Whether move() or finish() read virial and potential at every step.
  virtual bool needs_virial() const { return false; }
  /// Degrees of freedom in the definition of temperatures.
  virtual double degrees_of_freedom() const = 0;

  /// Called before the first step of a new or a resumed run, when atoms are filled in and before
  /// anything is measured: sets the velocities of frozen atoms to zero. Collective.
  virtual void start(const MotionContext& /*context*/) {}
  /// Advances positions by one step, from positions, velocities and forces at its beginning.
  /// Positions stay in the box; images count crossings of its faces. Collective.
  virtual void move(const MotionContext& context) = 0;
  /// Advances velocities to the end of the step, with the forces at the new positions.
  /// Collective.
  virtual void finish(const MotionContext& context) = 0;

  /// Contribution of thermostats and barostats to the conserved quantity, beside kinetic and
  /// potential energy, in energy units, at the end of the last step.
  virtual double conserved_part() const { return 0; }
  /// Columns that the thermo table shows in addition; the same throughout a run.
  virtual std::vector<MotionColumn> columns() const { return {}; }
  /// Their values at the end of a step, when forces are those at its positions. Collective; the
  /// same on every rank.
  virtual std::vector<double> column_values(const MotionContext& /*context*/) { return {}; }

  /// Whether the run may end here (a minimiser that converged). The same on every rank.
  virtual bool is_done() const { return false; }
  /// The first fault of this rank's atoms (lost, or too fast) during the last fault_memory steps,
  /// so that it must be called at least as often. Without a message where there is none.
  virtual Fault fault() const { return {}; }
  static constexpr Index fault_memory = 32;

  /// State beside that of atoms, under "motion/", replicated on every rank. May be called only
  /// after a finish() with MotionContext::is_observed.
  virtual void save(DatasetWriter& writer) const = 0;
  virtual void restore(DatasetReader& reader) = 0;
};

}  // namespace gsim::md
