#pragma once
// What a pair potential must satisfy (conformance check).

#include <string>

#include "gsim/md/pair_potentials/potential_kind.hpp"

namespace gsim::md {

/// Whether the force is minus the derivative of the energy, bare and smoothed, for parameters and
/// cutoffs near those of the kind's example (or near 1), at distances from the closest allowed one
/// to the cutoff: a description of the first difference, or an empty text.
std::string pair_slope_problem(const PotentialKind& kind);

}  // namespace gsim::md
