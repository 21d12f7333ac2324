#pragma once
// What a pair potential must keep: gsim plugin check.

#include <string>

#include "gsim/md/pair_potentials/potential_kind.hpp"

namespace gsim::app {

/// What is wrong with its force, which must be the slope of its energy, bare and smoothed, for
/// parameters and cutoffs near those of the kind's example (or near 1), at distances from the
/// closest that is allowed to the cutoff; empty: nothing.
std::string slope_problem(const md::PotentialKind& kind);

}  // namespace gsim::app
