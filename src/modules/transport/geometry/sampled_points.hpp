#pragma once
// A geometry examined at random points: cells that overlap, regions that no cell holds, and volumes
// with their standard errors. Point i is addressed by i alone and everything that is counted is an
// integer, so results are the same for any threads, and for any ranks that share the points.

#include <array>
#include <vector>

#include "gsim/exec/thread_pool.hpp"
#include "gsim/random/stream.hpp"
#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

struct SampleBox {
  std::array<double, 3> lower{}, upper{};
  double volume() const;  ///< cm^3
};

/// Overlaps of the same two cells, or undefined places of the same universe.
struct GeometryFault {
  std::int32_t universe = -1;  ///< in which; -1: outside of a lattice that has no outer universe
  std::int32_t cells[2] = {-1, -1};  ///< that overlap; {-1, -1}: undefined. Else by index
  std::int32_t parent = -1;          ///< the cell around the universe; -1: none
  Index count = 0;
  Index first = -1;  ///< the first such point, and where it is
  Vector3 position;
};

struct PointCounts {
  Index points = 0, outside = 0, overlapping = 0, undefined = 0;
  /// By cell, at any level; by material, void last.
  std::vector<Index> in_cell, in_material;
  std::vector<GeometryFault> faults;  ///< in the order of universe and cells

  /// Adds what other points gave.
  void add(const PointCounts& other);
};

/// Examines the points `range` of the stream, uniform in `box`. Points beyond a boundary condition
/// of the root universe are outside, which is no fault.
PointCounts sample_points(const Geometry& geometry, ThreadPool& pool, const SampleBox& box,
                          IndexRange range, StreamId stream);

/// A volume in cm^3 with its standard error.
struct VolumeEstimate {
  double mean = 0, error = 0;
};
/// That of a part which `hits` of the `points` points of `box` fell into.
VolumeEstimate volume_of(Index hits, Index points, const SampleBox& box);

/// The box around all cells of the root universe, as far as planes, spheres, cylinders and tori
/// show it. Throws InputError for a geometry that they do not close.
SampleBox bounding_box(const Geometry& geometry);

/// "cells `a` and `b` of universe `u` overlap at (x, y, z)"; "universe `u` is undefined at …".
std::string describe_fault(const Geometry& geometry, const GeometryFault& fault);

}  // namespace gsim::transport
