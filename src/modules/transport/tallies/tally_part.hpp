#pragma once
// The part of the tallies' sums that a rank holds: all of them, or, where space is divided among
// ranks, of tallies with a mesh those in the bins of its own brick.

#include <vector>

#include "src/modules/transport/geometry/volumes/sampled_points.hpp"
#include "src/modules/transport/tallies/tally_plan.hpp"

namespace gsim::transport {

/// Values that are adjacent both in the part and among all values.
struct ValueRun {
  Index in_part = 0, in_all = 0, count = 0;
};

struct TallyPart {
  Index values = 0;
  std::vector<ValueRun> runs;  ///< rising in both
  /// In place of those of TallyArrays: with strides, bins and places of the part.
  std::vector<Tally> tallies;
  std::vector<TallyFilter> filters;
  std::vector<TallyMesh> meshes;
};

/// All values. A rank that follows particles anywhere needs them.
TallyPart whole_part(const TallyPlan& plan);

/// Those that tracks and events within `brick` can add to: the bins of rectilinear meshes, and
/// along the axis of cylindrical ones, that reach into it, or to within `margin` cm of it, as
/// rounding may.
TallyPart part_in(const TallyPlan& plan, const SampleBox& brick, double margin);

/// Values of part_in() alone.
Index values_in(const TallyPlan& plan, const SampleBox& brick, double margin);

}  // namespace gsim::transport
