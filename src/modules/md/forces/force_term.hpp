#pragma once
// One part of the potential energy besides the pairs of nonbonded/: bonds, the long-range part of
// Coulomb's law, walls. A term owns its tables and lists, adds whole numbers of quanta to the
// atoms' forces, and so changes no bit however atoms are spread over ranks.

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/exact_sum.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/md/particles.hpp"

namespace gsim::md {

/// The quanta that forces, and energies and virials, are counted in: powers of two, one pair for
/// the whole run, chosen before the first step from what all terms expect (ForceTerm::largest).
struct ForceQuanta {
  double force = 0, energy = 0;
  friend bool operator==(const ForceQuanta&, const ForceQuanta&) = default;
};

/// What a term's forces and energies of one interaction may come to in a sound run. Sums have room
/// for 2^12 of them an atom; far above it a term reports an overlap.
struct LargestForce {
  double force = 0, energy = 0;
};

/// Twice a term's energies and virial (sum of r_a F_b: xx, yy, zz, xy, xz, yz), in energy quanta,
/// of this rank: an interaction counts for each rank by the share of its atoms that the rank owns,
/// so that the sum over ranks is exact. (An interaction of n atoms adds n-ths: a term counts it
/// whole on the rank that owns its first atom instead.)
struct ForceSums {
  std::vector<ExactSum> energy;  ///< by energy_names()
  ExactSum virial[6];
  /// Zeros, in the same places.
  void clear() {
    std::fill(energy.begin(), energy.end(), ExactSum());
    std::fill(virial, virial + 6, ExactSum());
  }
};

/// What terms work on. Ghosts have positions, types and charges of the same moment as locals.
struct ForceContext {
  Particles& particles;
  const Box& box;
  const HaloPlan& plan;
  const Communicator& communicator;
  bool with_sums = false;  ///< energies and virial are asked for at this step
};

class ForceTerm {
 public:
  virtual ~ForceTerm() = default;

  /// The energies that it knows apart, as columns of the thermo table: {"bond"}.
  virtual std::vector<std::string> energy_names() const = 0;
  /// Under which name the run's profile counts its time.
  virtual std::string_view region() const { return "bonded"; }
  /// Atoms that interact are at most this far apart; ghosts reach at least as far. 0: no ghosts.
  virtual double reach() const = 0;
  virtual LargestForce largest() const = 0;
  virtual void set_quanta(const ForceQuanta& quanta) = 0;

  /// Fills the term's own columns (which its constructor added to the store) for this rank's locals
  /// by their ids: once, when atoms were made or read back, before they migrate. Collective.
  virtual void fill(Particles& /*particles*/) {}
  /// Rows are other ones now, and pair lists are built next: time to say what these leave out
  /// (forces/exclusions.hpp). rebuild() follows.
  virtual void exclude(const ForceContext& /*context*/) {}
  /// Atoms have migrated and the halo is planned anew: rows are other ones now. Collective.
  virtual void rebuild(const ForceContext& context) = 0;
  /// The box has another shape since the last call (a barostat); rows are the same.
  virtual void box_changed(const Box& /*box*/) {}
  /// Adds to the locals' forces, and where context.with_sums to `sums`. Collective; NumericalError
  /// with ids for what cannot go on (a bond that is too long).
  virtual void compute(const ForceContext& context, ForceSums& sums) = 0;
};

}  // namespace gsim::md
