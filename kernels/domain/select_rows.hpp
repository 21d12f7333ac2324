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

/// A particle outside a region.
struct OutsideRow {
  FixedPosition position;
  std::int64_t row;
};

/// Writes the rows of the positions outside `region`, and these positions, to found[0], found[1], …
/// in any order, as far as there is room. `counter` counts all of them, from `before` on.
struct CollectRowsArgs {
  View<const FixedPosition> positions;
  CutRegion region;
  View<OutsideRow> found;  ///< in memory of the host that the device can write
  std::int64_t* counter;
  std::int64_t before;
};

/// Lists the rows of the positions in each region, ascending, one region after the other: first
/// domain_count_rows, which sets the counts and ends[r], the number of rows in regions 0 to r, then
/// domain_list_rows, which writes the rows, as far as there is room.
struct ListRowsArgs {
  static constexpr int block = 256;  ///< rows of a thread block
  static constexpr int most_regions = 24;
  View<const FixedPosition> positions;
  CutRegion region[most_regions];
  int regions;
  std::int32_t* counts;  ///< one for each region and thread block
  std::int32_t* ends;    ///< in memory of the host that the device can write
  View<std::int32_t> rows;
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_collect_rows, domain::CollectRowsArgs)
GSIM_DECLARE_LAUNCHER(domain_count_rows, domain::ListRowsArgs)
GSIM_DECLARE_LAUNCHER(domain_list_rows, domain::ListRowsArgs)
