#pragma once
// Volumes by parallel rays through a box: chords of cells, found by tracking. Independent of
// sampled points, which only look cells up, and much more precise. Integers are summed, so results
// are the same for any threads, and for any ranks that share the rays.

#include <vector>

#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {

struct ChordSums {
  Index rays = 0;
  Index lost = 0;  ///< places where tracking found no way on: each is a fault of the geometry
  /// Sums of chords and of their squares over rays, by innermost cell; chords are in 2^-30 of the
  /// box's length along the rays, squares in 2^-30 of its square.
  std::vector<Index> chord, chord_squared;

  void add(const ChordSums& other);
};

/// Most rays that a set of sums can hold.
inline constexpr Index most_rays = Index{1} << 32;

/// Follows the rays `range` along `axis` (0, 1, 2) from the stream's places on the lower side of
/// `box`. Boundary conditions are passed by.
ChordSums trace_rays(const Geometry& geometry, ThreadPool& pool, const SampleBox& box, int axis,
                     IndexRange range, StreamId stream);

/// Volumes by cell, as an innermost one.
std::vector<VolumeEstimate> volumes_of(const ChordSums& sums, const SampleBox& box);

}  // namespace gsim::transport
