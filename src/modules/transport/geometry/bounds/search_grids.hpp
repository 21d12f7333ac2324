#pragma once
// Voxels over universes of many cells, each with the cells that may reach into it: the search for a
// cell then tries a few, whatever their number.

#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

/// Adds grids to the universes of more than a handful of cells. What a search finds stays the same:
/// only cells that a voxel cannot touch are left out.
void add_search_grids(Geometry& geometry);

}  // namespace gsim::transport
