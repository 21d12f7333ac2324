#pragma once
// What a triplet potential must keep: gsim plugin check.

#include <string>

#include "gsim/md/many_body/triplet_kind.hpp"

namespace gsim::app {

/// What is wrong with the slopes that it gives, which must be those of its energies, with the
/// symmetry of its triplets, or with its end at the cutoff, for parameters near those of the
/// kind's example, their defaults or 1; empty: nothing.
std::string triplet_problem(const md::TripletKind& kind);

}  // namespace gsim::app
