#pragma once
// The part of the tallies' sums that a rank holds: all sums or, with domain decomposition, those of
// the mesh bins that intersect the rank's brick and of all tallies without a mesh.

#include <vector>

#include "src/modules/transport/geometry/volumes/sampled_points.hpp"
#include "src/modules/transport/tallies/tally_plan.hpp"

namespace gsim::transport {

/// A run of values that are adjacent both in the part and among all values.
struct ValueRun {
  Index in_part = 0, in_all = 0, count = 0;
};

struct TallyPart {
  Index values = 0;
  std::vector<ValueRun> runs;  ///< ascending in both
  /// These replace the arrays of TallyArrays: strides, bins and indices are those of the part.
  std::vector<Tally> tallies;
  std::vector<TallyFilter> filters;
  std::vector<TallyMesh> meshes;
};

/// All values, for ranks that follow particles everywhere.
TallyPart whole_part(const TallyPlan& plan);

/// The values to which tracks and events within `brick` can contribute: the bins of rectilinear
/// meshes, and along the axis of cylindrical ones, that intersect the brick enlarged by `margin` cm
/// against rounding.
TallyPart part_in(const TallyPlan& plan, const SampleBox& brick, double margin);

/// The number of values of part_in().
Index values_in(const TallyPlan& plan, const SampleBox& brick, double margin);

}  // namespace gsim::transport
