#pragma once
// Atoms at random positions with a minimum distance: random sequential addition (Feder, J. Theor.
// Biol. 87, 237 (1980)), in which random positions of an atom are tried until it overlaps with no
// earlier atom.

#include <cstdint>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/domain/box.hpp"

namespace gsim::md {

/// Positions of `count` atoms between the faces of the box, each at least `distance` from all
/// others (0: no limit). Results are the same on every machine. InputError if no free position is
/// found for an atom, as above a packing fraction of about 0.38 (spheres of diameter `distance`).
std::vector<FixedPosition> random_packing(std::uint64_t seed, const Box& box, Index count,
                                          double distance);

}  // namespace gsim::md
