#pragma once
// Conformance check of three-body potentials.

#include <string>

#include "gsim/md/many_body/three_body_kind.hpp"

namespace gsim::md {

/// Checks that the derivatives are those of the energies, that the three-body energy is symmetric
/// in the two neighbours, and that energies vanish at the cutoff, for parameters near those of the
/// example of `kind` (or their defaults, or 1). Returns a description of the first fault, or an
/// empty text.
std::string three_body_problem(const ThreeBodyKind& kind);

}  // namespace gsim::md
