#pragma once
// Search grids: voxels over universes with many cells, each with the list of cells that may
// intersect it, so that the search for a cell tests only a few.

#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

/// Adds grids to the universes with more than a few cells. Searches find the same cells: only cells
/// that cannot intersect a voxel are left out of its list.
void add_search_grids(Geometry& geometry);

}  // namespace gsim::transport
