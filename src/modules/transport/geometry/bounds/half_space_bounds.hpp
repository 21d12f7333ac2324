#pragma once
// Bounding boxes of intersections of half-spaces of surfaces up to second order, in any
// orientation.

#include <span>

#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {

/// The extent of a geometry in cm: the largest length among the parameters of its surfaces, at
/// least 1.
double length_of(const Geometry& geometry);

/// Whether the bounds of a surface are not along the axes, so that box_around_all() can find a
/// smaller box than that of each half-space.
bool is_slanted(const Surface& surface);

/// A box around the intersection of these half-spaces; infinite where planes and surfaces of second
/// order give no bound. It may be larger than necessary: curved surfaces are replaced by tangent
/// planes.
SampleBox box_around_all(const Geometry& geometry, std::span<const std::int32_t> half_spaces);

}  // namespace gsim::transport
