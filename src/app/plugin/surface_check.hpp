#pragma once
// What a surface must keep: gsim plugin check.

#include <string>
#include <string_view>

#include "gsim/transport/surface_kind.hpp"
#include "modules/transport/geometry/geometry.hpp"

namespace gsim::app {

/// What is wrong with the kind's surfaces of an example, of which `geometry` was built: each must
/// have two sides, the one ahead must change where flights are told to cross, along random rays,
/// and the normal must point up the slope. Empty: nothing.
std::string surface_problem(const transport::SurfaceKind& kind, std::string_view example,
                            const transport::Geometry& geometry);

}  // namespace gsim::app
