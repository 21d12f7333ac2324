#pragma once
// What a geometry must obey before anything is tracked in it.

#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

/// Names of materials, universes and lattices share one room: `fill` must mean one of them.
void check_fill_names(const GeometryConfig& config, const Geometry& geometry);

/// Nesting, periodic partners, boundary conditions; adds warnings. Throws ConfigError.
void check_geometry(const GeometryConfig& config, Geometry& geometry);

}  // namespace gsim::transport
