#pragma once
// Subtracts the terms of the sum over k-vectors for pairs of atoms that are excluded from the pair
// lists (kernels/md/long_range/excluded_pairs.hpp). The Coulomb energy of these pairs is then zero,
// or the scaled Coulomb energy that a bonded term adds.

#include "gsim/exec/array.hpp"
#include "src/modules/md/forces/exclusions.hpp"
#include "src/modules/md/forces/force_term.hpp"

namespace gsim::md {

/// The excluded pairs of this rank.
class ExcludedCorrection {
 public:
  ExcludedCorrection(Executor executor, double alpha, double coulomb);

  /// Finds the rows of both atoms of every excluded pair. NumericalError with their ids where one
  /// of them is not on this rank, because they are farther apart than the width of the halo. The
  /// exclusions must not change until the next rebuild().
  void rebuild(const ForceContext& context, const Exclusions& exclusions);
  /// Adds the correction to the forces on local atoms and, if context.with_sums, twice its energy
  /// to `energy` and its virial to `virial`.
  void compute(const ForceContext& context, const ForceQuanta& quanta, ExactSum& energy,
               ExactSum* virial);

 private:
  /// The error for the first excluded partner of the local atom `id` that has no row.
  [[noreturn]] static void throw_missing(Particles& particles, const Exclusions& exclusions,
                                         std::int64_t id);

  Executor executor_;
  double alpha_, coulomb_;
  Index pairs_ = 0;
  View<const std::int32_t> begin_;      // first pair of each local, then the number of pairs
  Array<std::int32_t> first_, second_;  // rows of the two atoms of each pair
  Array<std::uint64_t> missing_;        // the lowest id of a local whose partner has no row
  Array<std::int64_t> terms_;           // workspace: excluded_terms numbers for each pair
};

}  // namespace gsim::md
