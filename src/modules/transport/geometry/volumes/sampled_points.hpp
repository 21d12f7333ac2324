#pragma once
// Checks a geometry at random points: overlapping cells, undefined regions, and volumes with
// standard errors. Point i depends on i alone and all counts are integers, so results are the same
// for any number of threads and of ranks that share the points.

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
/// The common part of two boxes; lower above upper where there is none.
SampleBox intersection(SampleBox a, const SampleBox& b);

/// An overlap of two cells, or an undefined region of a universe, at `count` points.
struct GeometryFault {
  std::int32_t universe = -1;        ///< -1: outside a lattice without outer universe
  std::int32_t cells[2] = {-1, -1};  ///< the overlapping cells, ascending; {-1, -1}: no cell
  std::int32_t parent = -1;          ///< the cell around the universe; -1: none
  Index count = 0;
  Index first = -1;  ///< the first such point, with its position
  Vector3 position;
  Vector3 local_position;  ///< in the coordinates of the universe
};

struct PointCounts {
  Index points = 0, outside = 0, overlapping = 0, undefined = 0;
  /// Points by cell, at any level, and by material, void last.
  std::vector<Index> in_cell, in_material;
  std::vector<GeometryFault> faults;  ///< in the order of universe and cells

  /// Adds the counts of other points.
  void add(const PointCounts& other);
};

/// Examines the points `range` of the stream, uniform in `box`. Points beyond a boundary condition
/// of the root universe count as outside, which is not a fault.
PointCounts sample_points(const Geometry& geometry, ThreadPool& pool, const SampleBox& box,
                          IndexRange range, StreamId stream);

/// One instance of a cell in space: a box in the coordinates of its universe, and the
/// transformation to those of space, x -> rotation x + translation.
struct CellInstance {
  std::int32_t cell = -1;
  SampleBox box;
  std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vector3 translation;
};

/// Up to four instances of each cell that intersect the finite `box`, in the order of a descent
/// through fills and lattices. The elements of a lattice are visited from its middle to its end,
/// then from its beginning.
std::vector<CellInstance> instances_of_cells(const Geometry& geometry, const SampleBox& box);

/// Examines `each` points of the stream, from number `first` on, within the box of each instance,
/// so that small cells are sampled too. These counts do not give volumes.
PointCounts sample_cells(const Geometry& geometry, ThreadPool& pool,
                         const std::vector<CellInstance>& instances, Index each, Index first,
                         StreamId stream);

/// The cell and material at a point.
struct PointState {
  enum class Kind {
    defined,
    outside,     ///< beyond a boundary condition
    undefined,   ///< in no cell of some universe
    overlapping  ///< in several cells of some universe
  };
  Kind kind = Kind::undefined;
  std::int32_t cell = -1, material = -1;  ///< at the innermost level; -1: none
  std::int32_t overlapping[2] = {-1, -1};
};
PointState state_at(const GeometryView& geometry, const Vector3& x);

/// Whether x is in a cell that a path along the unit vector d never leaves.
bool is_unbounded(const GeometryView& geometry, const Vector3& x, const Vector3& d);

/// A volume in cm^3 with its standard error.
struct VolumeEstimate {
  double mean = 0, error = 0;
};
/// The volume of a part of `box` that contains `hits` of `points` uniform points.
VolumeEstimate volume_of(Index hits, Index points, const SampleBox& box);

/// The bounding box of all cells of the root universe, from planes, tori and surfaces of second
/// order. Throws InputError where these do not bound it.
SampleBox bounding_box(const Geometry& geometry);

/// The message for a fault: "cells `a` and `b` of universe `u` overlap at (x, y, z)" or "universe
/// `u` is undefined at …".
std::string describe_fault(const Geometry& geometry, const GeometryFault& fault);

/// The cell to correct for a fault: the second one of an overlap; for an undefined region the
/// nearest cell of the universe along some straight lines, or the cell that the universe fills. -1:
/// none.
std::int32_t cell_of_fault(const Geometry& geometry, const GeometryFault& fault);

}  // namespace gsim::transport
