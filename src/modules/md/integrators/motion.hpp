#pragma once
// How atoms move: an integrator, with what keeps temperature or pressure. Simulation calls, for
// every step: move(), new forces, finish().

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

/// Atoms that are moved alike: one type, and the groups that its atoms belong to.
struct MotionClass {
  std::int32_t type = 0;
  std::uint32_t groups = 0;  ///< bit g: in the g-th group of the configuration
  double mass = 1;
  Index atoms = 0;  ///< in the whole system
};

/// What a motion knows before the run.
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
  /// What people call the atoms, by index; null or empty: the index and 1.
  const std::vector<Index>* given_ids = nullptr;
};

/// Kinetic sums of all ranks: what thermostats, barostats and thermo tables share.
struct KineticSums {
  double mvv[6] = {};       ///< sum of m v_a v_b in energy units: xx, yy, zz, xy, xz, yz
  double momentum[3] = {};  ///< sum of m v_a
};

/// What a motion works on during a step.
struct MotionContext {
  Particles& particles;
  /// A barostat replaces it; the simulation sees that and tells everybody.
  Box& box;
  Index step = 0;  ///< move(): the step that begins; finish(): the same step, which ends
  /// Sum of r_a F_b of the whole system in energy units, at the positions that forces belong to;
  /// valid where needs_virial().
  const double* virial = nullptr;
  /// Potential energy likewise (FIRE, enthalpies).
  double potential = 0;
  /// finish(): whether velocities must be whole afterwards. Where they need not be, the last kick
  /// may be left to the next move(), which then kicks twice: two additions either way, so bits
  /// stay the same.
  bool is_observed = true;
};

/// What went wrong with atoms, for people, with ids and what to try; and the step at whose end.
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
  /// Degrees of freedom that temperatures are reckoned with.
  virtual double degrees_of_freedom() const = 0;

  /// Before the first step, of a fresh or a resumed run, when atoms are filled in and before
  /// anything is measured: atoms that must rest come to rest. Collective.
  virtual void start(const MotionContext& /*context*/) {}
  /// From positions, velocities and forces at the beginning of a step to new positions (integers
  /// do not leave the box: images count). Collective.
  virtual void move(const MotionContext& context) = 0;
  /// With the forces at the new positions: velocities at the end of the step. Collective.
  virtual void finish(const MotionContext& context) = 0;

  /// What the conserved quantity holds besides kinetic and potential energy, in energy units, at
  /// the end of the last step: work done by thermostats and barostats.
  virtual double conserved_part() const { return 0; }
  /// What the thermo table shows of it besides the conserved quantity: the same columns in all of a
  /// run.
  virtual std::vector<MotionColumn> columns() const { return {}; }
  /// Their values at the end of a step, when forces are those at its positions. Collective; the
  /// same on every rank.
  virtual std::vector<double> column_values(const MotionContext& /*context*/) { return {}; }

  /// Whether the run may end here (a minimiser that converged). The same on every rank.
  virtual bool is_done() const { return false; }
  /// Lost or runaway atoms of this rank, and at the end of which step: the first one of the last
  /// fault_memory steps, after which it must have been asked. No message: none.
  virtual Fault fault() const { return {}; }
  static constexpr Index fault_memory = 32;

  /// State besides that of atoms, under "motion/". Replicated: the same on every rank. Only where
  /// velocities are whole: after a finish() that is observed.
  virtual void save(DatasetWriter& writer) const = 0;
  virtual void restore(DatasetReader& reader) = 0;
};

}  // namespace gsim::md
