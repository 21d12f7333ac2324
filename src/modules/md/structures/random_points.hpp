#pragma once
// Atoms at random positions: uniform in the box, with random numbers addressed by the index of the
// atom, so that every rank can generate every part. They overlap; a minimiser or [push_off] removes
// overlaps.

#include <cstdint>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/domain/box.hpp"

namespace gsim::md {

/// Positions of the atoms [range.first, range.last), uniform between the faces of the box. Each
/// value of `attempt` gives other positions.
std::vector<FixedPosition> random_points(std::uint64_t seed, const Box& box, IndexRange range,
                                         Index attempt = 0);

}  // namespace gsim::md
