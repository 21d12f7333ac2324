#pragma once
// Boxes around cells and universes.

#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {

/// Around a cell, as far as planes, tori and surfaces of second order show it, however they are
/// turned; infinite elsewhere, and with lower above upper for an empty one.
SampleBox box_of_cell(const Geometry& geometry, std::size_t cell);
/// Around all cells of the root universe.
SampleBox box_of_root(const Geometry& geometry);

}  // namespace gsim::transport
