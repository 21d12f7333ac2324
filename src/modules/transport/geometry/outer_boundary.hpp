#pragma once
// Finds the surfaces with a boundary condition that enclose the whole root universe.

#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

/// Sets OuterSurface::inside, and moves the half-spaces of enclosing surfaces to the end of each
/// cell's list (Cell::outer_half_spaces). To be called after the lists of cells and universes are
/// made and before the lists of neighbours are.
void find_outer_boundary(Geometry& geometry);

}  // namespace gsim::transport
