#pragma once
// Pair potentials over full neighbour lists, on any executor; runs on a GPU use them.
//
// Kernels add forces directly to the sums of the atoms. They record overlaps of atoms in executor
// memory, which the next load_locals() reads, so that each step waits for the device only once.

#include <cstdint>
#include <memory>
#include <vector>

#include "src/modules/md/neighbour_lists/list_limits.hpp"
#include "src/modules/md/pair_forces/pair_forces.hpp"

namespace gsim::md {

/// Pair energies and virials of single atoms.
struct AtomPairTerms {
  /// Seven for each local: the sum of the energies of its pairs, and the sums of r_a F_b over its
  /// pairs (xx, yy, zz, xy, xz, yz; r from the neighbour, F on the local). Half of each is
  /// attributed to the atom, the other half to its neighbours.
  std::vector<std::int64_t> values;
  double quantum;  ///< the unit of `values`, an energy
};

class FullListPairForces : public PairForces {
 public:
  /// The terms of `atoms`, whose ghosts must include all atoms within the cutoff; builds new lists.
  /// NumericalError as check().
  virtual AtomPairTerms atom_terms(const PairAtoms& atoms,
                                   const Exclusions* exclusions = nullptr) = 0;
  /// The capacity of a row of the list, in neighbours.
  virtual int capacity() const = 0;

 protected:
  using PairForces::PairForces;
};

/// As make_pair_forces(). `capacity`: the initial capacity of a row; it grows if needed.
std::unique_ptr<FullListPairForces> make_full_list_pair_forces(const Executor& executor,
                                                               const Box& box,
                                                               const PairTable& table,
                                                               const PairForceOptions& options,
                                                               int capacity = full_list_capacity);

}  // namespace gsim::md
