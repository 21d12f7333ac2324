#pragma once
// Bounding boxes of cells and universes.

#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {

/// The bounding box of a cell, from its planes, tori and surfaces of second order in any
/// orientation. Infinite where these give no bound; lower above upper for an empty cell.
SampleBox box_of_cell(const Geometry& geometry, std::size_t cell);
/// The bounding box of all cells of the root universe.
SampleBox box_of_root(const Geometry& geometry);

}  // namespace gsim::transport
