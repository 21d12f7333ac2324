#pragma once
// Selection of particles by position, on a device: the rows of a halo, and of particles that leave
// a brick. Hosts loop over the positions where they need them (src/domain/particles).

#include <cstdint>

#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::domain {

/// A region in cut coordinates, which are the upper 32 bits of positions: x is inside if on every
/// axis x - lo, with wrap-around, is less than span; a span of 2^32 is the whole axis.
struct CutRegion {
  std::uint32_t lo[3] = {};
  std::uint64_t span[3] = {};

  GSIM_HD bool contains(const FixedPosition& p) const {
    bool inside = true;
    for (int a = 0; a < 3; ++a)
      inside = inside && static_cast<std::uint32_t>(static_cast<std::uint32_t>(p.x[a] >> 32) -
                                                    lo[a]) < span[a];
    return inside;
  }
};

/// Adds to counts[r] the number of positions in regions[r].
struct CountRowsArgs {
  View<const FixedPosition> positions;
  View<const CutRegion> regions;
  View<std::int64_t> counts;
};

/// Writes to rows[0], rows[1], … in ascending order the rows of the positions inside the region, or
/// outside it where `inside` is false. `rows` has the capacity for all of them.
struct SelectRowsArgs {
  View<const FixedPosition> positions;
  CutRegion region;
  bool inside = true;
  std::int32_t* rows = nullptr;
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_count_rows, domain::CountRowsArgs)
GSIM_DECLARE_LAUNCHER(domain_select_rows, domain::SelectRowsArgs)
