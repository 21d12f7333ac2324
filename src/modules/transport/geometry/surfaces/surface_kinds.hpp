#pragma once
// Kinds of surfaces that are polynomials: gsim's own, on the interface that plugins have.

#include <span>

#include "gsim/transport/surface_kind.hpp"

namespace gsim::transport {

std::span<const SurfaceKind> own_surface_kinds();

}  // namespace gsim::transport
