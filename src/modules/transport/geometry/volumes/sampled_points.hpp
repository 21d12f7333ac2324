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
  Vector3 place;  ///< the same in the coordinates of the universe
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

/// Where one of the places is that a cell takes in space: a box in the coordinates of its universe,
/// and the way from these to those of space, x -> rotation x + translation.
struct CellPlace {
  std::int32_t cell = -1;
  SampleBox box;
  std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vector3 translation;
};

/// Up to four places of each cell that `box`, finite, reaches: those that are met first going down
/// through fills and lattices, these from their middle on.
std::vector<CellPlace> places_of_cells(const Geometry& geometry, const SampleBox& box);

/// Examines `each` points within the box of each place, so that cells are met however small they
/// are. They are the points from number `first` on of the stream. What it counts by cell and
/// material are no volumes.
PointCounts sample_cells(const Geometry& geometry, ThreadPool& pool,
                         const std::vector<CellPlace>& places, Index each, Index first,
                         StreamId stream);

/// What is at a place.
struct PlaceState {
  enum class Kind {
    defined,
    outside,     ///< beyond a boundary condition
    undefined,   ///< no cell, in some universe
    overlapping  ///< two cells or more, in some universe
  };
  Kind kind = Kind::undefined;
  std::int32_t cell = -1, material = -1;  ///< the innermost ones, where there is a cell
  std::int32_t overlapping[2] = {-1, -1};
};
PlaceState state_at(const GeometryView& geometry, const Vector3& x);

/// Whether a cell holds x, and a path from there along d, a unit vector, never leaves it.
bool is_unbounded(const GeometryView& geometry, const Vector3& x, const Vector3& d);

/// A volume in cm^3 with its standard error.
struct VolumeEstimate {
  double mean = 0, error = 0;
};
/// That of a part which `hits` of the `points` points of `box` fell into.
VolumeEstimate volume_of(Index hits, Index points, const SampleBox& box);

/// The box around all cells of the root universe, as far as planes, tori and surfaces of second
/// order show it. Throws InputError for a geometry that they do not close.
SampleBox bounding_box(const Geometry& geometry);

/// "cells `a` and `b` of universe `u` overlap at (x, y, z)"; "universe `u` is undefined at …".
std::string describe_fault(const Geometry& geometry, const GeometryFault& fault);

/// The cell that a fault is to be mended in: the second one that overlaps; where no cell is, the
/// nearest one of the same universe along some straight lines, or that which the universe fills.
/// -1: none.
std::int32_t cell_of_fault(const Geometry& geometry, const GeometryFault& fault);

}  // namespace gsim::transport
