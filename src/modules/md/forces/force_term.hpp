#pragma once
// A contribution to the potential energy besides the short-range forces: bonded interactions, the
// long-range part of Coulomb's law, walls. A term owns its tables and lists. It adds integer
// multiples of the force quantum to the forces on atoms, so that results do not depend on how atoms
// are distributed over ranks.

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/exact_sum.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/md/forces/force_quanta.hpp"
#include "gsim/md/particles.hpp"

namespace gsim::md {

/// The largest force and energy of one interaction of a term while no atoms overlap. Sums can hold
/// 2^12 such interactions for each atom; a term reports an overlap of atoms long before that.
struct LargestForce {
  double force = 0, energy = 0;
};

/// Twice the energies and the virial (sum of r_a F_b: xx, yy, zz, xy, xz, yz) of a term on this
/// rank, in energy quanta. A pair contributes half of its values for each of its atoms that the
/// rank owns, so that the sum over ranks is exact. An interaction of more atoms is counted by the
/// rank that owns its first atom.
struct ForceSums {
  std::vector<ExactSum> energy;  ///< in the order of energy_names()
  ExactSum virial[6];
  /// Sets all sums to zero.
  void clear() {
    std::fill(energy.begin(), energy.end(), ExactSum());
    std::fill(virial, virial + 6, ExactSum());
  }
};

/// The arguments of terms. Positions, types and charges of ghosts are up to date.
struct ForceContext {
  Particles& particles;
  const Box& box;
  const HaloPlan& plan;
  const Communicator& communicator;
  bool with_sums = false;  ///< energies and virial are computed at this step
};

/// The interface of force terms.
class ForceTerm {
 public:
  virtual ~ForceTerm() = default;

  /// The names of the energies of the term, which are columns of the thermo table: {"bond"}.
  virtual std::vector<std::string> energy_names() const = 0;
  /// The name of the term in the timing table of the run.
  virtual std::string_view region() const { return "bonded"; }
  /// The largest distance of interacting atoms; the halo of ghosts is at least as wide. 0: no
  /// ghosts are needed.
  virtual double reach() const = 0;
  virtual LargestForce largest() const = 0;
  /// Sets the quanta of the run, in place of those chosen from largest(). Called before compute().
  virtual void set_quanta(const ForceQuanta& quanta) = 0;

  /// Fills the columns that the constructor of the term added to the store, for the locals of this
  /// rank by their ids. Called once, after atoms were created or restored and before they migrate.
  /// Collective.
  virtual void fill(Particles& /*particles*/) {}
  /// Updates the exclusions (forces/exclusions.hpp) after rows have changed, before pair lists are
  /// built. rebuild() is called afterwards.
  virtual void exclude(const ForceContext& /*context*/) {}
  /// Updates the lists after atoms have migrated and rows have changed. Collective.
  virtual void rebuild(const ForceContext& context) = 0;
  /// Sets the box after its shape has changed (by a barostat); rows are the same.
  virtual void box_changed(const Box& /*box*/) {}
  /// Adds to the forces on locals and, if context.with_sums, to `sums`. Collective. NumericalError
  /// with ids if an interaction is out of range (for example a bond that is too long).
  virtual void compute(const ForceContext& context, ForceSums& sums) = 0;

  /// Whether compute() without sums only launches kernels on a device, so that it can be part of a
  /// batch of steps (ShortRange::can_batch_steps). begin_batch() is called before such a batch, and
  /// undo_batch() if it was invalid: faults found since begin_batch() are forgotten.
  virtual bool can_batch_steps() const { return false; }
  virtual void begin_batch() {}
  virtual void undo_batch() {}
};

}  // namespace gsim::md
