#pragma once
// Atoms at random places that keep a distance from each other: random sequential addition (Feder,
// J. Theor. Biol. 87, 237 (1980)), one after the other, each until it finds room.

#include <cstdint>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/domain/box.hpp"

namespace gsim::md {

/// Places of `count` atoms between the faces of the box, each at least `distance` from all others
/// (0: anywhere). The same on every machine. InputError when atom after atom finds no room, as
/// beyond a share of the volume of about 0.38 (spheres of diameter `distance`).
std::vector<FixedPosition> random_packing(std::uint64_t seed, const Box& box, Index count,
                                          double distance);

}  // namespace gsim::md
