#pragma once
// Atoms at random places: uniform in the box, each addressed by its index, so that any rank can
// make any part. They overlap; the engine's minimiser pushes them apart.

#include <cstdint>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/domain/box.hpp"

namespace gsim::md {

/// Places of the atoms [range.first, range.last), uniform between the faces of the box. Further
/// attempts give other places.
std::vector<FixedPosition> random_points(std::uint64_t seed, const Box& box, IndexRange range,
                                         Index attempt = 0);

}  // namespace gsim::md
