#pragma once
// Boxes around intersections of half-spaces of any surfaces up to second order, however turned.

#include <span>

#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {

/// How far the surfaces of a geometry reach from the origin, cm, as far as their parameters say so;
/// at least 1.
double length_of(const Geometry& geometry);

/// Whether a half-space has bounds that are not along the axes: box_around_all() knows more of it
/// than its own box.
bool is_slanted(const Surface& surface);

/// A box around what all of these half-spaces of a geometry hold; infinite where they have no
/// bounds, or none that planes and surfaces of second order show. It may be larger than it need
/// be: curved surfaces are replaced by planes that touch them.
SampleBox box_around_all(const Geometry& geometry, std::span<const std::int32_t> half_spaces);

}  // namespace gsim::transport
