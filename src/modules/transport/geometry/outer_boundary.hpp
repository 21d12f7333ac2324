#pragma once
// Which outer surfaces are walls (OuterSurface).

#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

/// Sets OuterSurface::inside, and puts the walls behind a cell's other half-spaces (Cell::walls).
/// Cells and universes are listed; neighbours are not yet.
void find_walls(Geometry& geometry);

}  // namespace gsim::transport
