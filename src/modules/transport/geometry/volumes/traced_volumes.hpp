#pragma once
// Volumes of cells from the chords of parallel rays through a box, found by tracking. They are
// independent of sampled points, which use cell searches alone, and much more precise. Sums are
// integers, so results are the same for any number of threads and of ranks that share the rays.

#include <vector>

#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {

struct ChordSums {
  Index rays = 0;
  Index lost = 0;  ///< lost rays: each shows a fault of the geometry
  /// Sums over rays of chords and of their squares, by innermost cell, in units of 2^-30 of the
  /// length of the box along the rays, and of the square of it.
  std::vector<Index> chord, chord_squared;

  void add(const ChordSums& other);
};

/// The largest number of rays in a set of sums.
inline constexpr Index max_rays = Index{1} << 32;

/// Follows the rays `range` along `axis` (0, 1, 2) from random points of the lower side of `box`.
/// Boundary conditions are ignored.
ChordSums trace_rays(const Geometry& geometry, ThreadPool& pool, const SampleBox& box, int axis,
                     IndexRange range, StreamId stream);

/// For each cell, the volume in which it is the innermost cell.
std::vector<VolumeEstimate> volumes_of(const ChordSums& sums, const SampleBox& box);

}  // namespace gsim::transport
