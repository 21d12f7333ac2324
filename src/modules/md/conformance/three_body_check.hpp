#pragma once
// What a three-body potential must satisfy (conformance check).

#include <string>

#include "gsim/md/many_body/triplet_kind.hpp"

namespace gsim::md {

/// Whether the derivatives are those of the energies, the three-body energy is symmetric in the two
/// neighbours, and energies vanish at the cutoff, for parameters near those of the kind's example,
/// their defaults or 1: a description of the first fault, or an empty text.
std::string three_body_problem(const TripletKind& kind);

}  // namespace gsim::md
