#pragma once
// Pair potentials over full neighbour lists, on any executor; runs on a GPU use them.
//
// Forces are added to the atoms' sums at once. Overlaps of atoms are noted in executor memory,
// which is read with the next load_locals(), so that a step waits for the device once.

#include <cstdint>
#include <memory>
#include <vector>

#include "src/modules/md/neighbour_lists/list_limits.hpp"
#include "src/modules/md/pair_forces/pair_forces.hpp"

namespace gsim::md {

/// Energies and virials of single atoms.
struct AtomPairTerms {
  /// Seven a local: the energies of all its pairs, and the sums of r_a F_b over them (xx, yy, zz,
  /// xy, xz, yz; r from the neighbour, F on the local). An atom's own share is half of each.
  std::vector<std::int64_t> values;
  double quantum;  ///< the energy that values are multiples of
};

class FullListPairForces : public PairForces {
 public:
  /// Terms of atoms whose ghosts reach as far as the cutoff, wherever they were before.
  /// NumericalError as check().
  virtual AtomPairTerms atom_terms(const PairAtoms& atoms,
                                   const Exclusions* exclusions = nullptr) = 0;
  /// Neighbours that a row of the list has room for.
  virtual int capacity() const = 0;

 protected:
  using PairForces::PairForces;
};

/// As make_pair_forces(). Rows have room for `capacity` neighbours at first, and grow.
std::unique_ptr<FullListPairForces> make_full_list_pair_forces(const Executor& executor,
                                                               const Box& box,
                                                               const PairTable& table,
                                                               const PairForceOptions& options,
                                                               int capacity = full_list_capacity);

}  // namespace gsim::md
