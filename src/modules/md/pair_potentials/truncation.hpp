#pragma once
// Keys of [[pair.potential]] that most kinds have: where the potential ends, and below which
// distance two atoms count as overlapping.

#include "gsim/config/section.hpp"
#include "gsim/md/pair_potentials/potential_kind.hpp"

namespace gsim::md {

/// Describes `cutoff`, whose default is that of [pair], `smoothing`, `inner` and `closest`.
void describe_truncation(Section& section, double default_cutoff, PairPotential& potential);
/// ConfigError where there is no cutoff, `inner` does not fit the smoothing, or validate_closest()
/// fails.
void validate_truncation(const Section& section, const PairPotential& potential);

/// Describes `closest` alone.
void describe_closest(Section& section, PairPotential& potential);
/// ConfigError where `closest` is not below the cutoff.
void validate_closest(const Section& section, const PairPotential& potential);

}  // namespace gsim::md
