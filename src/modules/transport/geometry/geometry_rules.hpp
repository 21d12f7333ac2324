#pragma once
// Checks of a geometry before tracking.

#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

/// Checks that no two materials, universes and lattices have the same name, so that names in `fill`
/// are unambiguous. ConfigError.
void check_fill_names(const GeometryConfig& config, const Geometry& geometry);

/// Checks nesting, periodic planes and boundary conditions, sets Geometry::levels, and adds
/// warnings. Throws ConfigError.
void check_geometry(const GeometryConfig& config, Geometry& geometry);

}  // namespace gsim::transport
