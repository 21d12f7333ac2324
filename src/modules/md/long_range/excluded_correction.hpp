#pragma once
// Subtracts the terms of the sum over k-vectors for pairs of atoms that are excluded from the pair
// lists (kernels/md/long_range/excluded_pairs.hpp). Their Coulomb energy is then zero, or that of a
// bonded term, which adds Coulomb's law itself, scaled.

#include "gsim/exec/array.hpp"
#include "src/modules/md/forces/exclusions.hpp"
#include "src/modules/md/forces/force_term.hpp"

namespace gsim::md {

class ExcludedCorrection {
 public:
  ExcludedCorrection(Executor executor, double alpha, double coulomb);

  /// Finds the rows of all partners. NumericalError with ids for one that is not here: bonded atoms
  /// are farther from each other than ghosts reach.
  void rebuild(const ForceContext& context, const Exclusions& exclusions);
  /// Adds to the locals' forces, and where context.with_sums twice the energy to `energy`, and the
  /// virial to `virial`.
  void compute(const ForceContext& context, const ForceQuanta& quanta, ExactSum& energy,
               ExactSum* virial);

 private:
  Executor executor_;
  double alpha_, coulomb_;
  Index pairs_ = 0;
  Array<std::int32_t> first_, second_, begin_;
  Array<std::int64_t> terms_;
};

}  // namespace gsim::md
