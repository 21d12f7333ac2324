#pragma once
// Conformance check of pair potentials.

#include <string>

#include "gsim/md/pair_potentials/potential_kind.hpp"

namespace gsim::md {

/// Checks that the force is minus the derivative of the energy, with and without smoothing, for
/// parameters and cutoffs near those of the example of `kind` (or near 1), at distances from the
/// closest allowed one to the cutoff. Returns a description of the first difference, or an empty
/// text.
std::string pair_slope_problem(const PotentialKind& kind);

}  // namespace gsim::md
