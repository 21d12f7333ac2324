#pragma once
// The skin of neighbour lists where a configuration gives none.

#include "gsim/md/units.hpp"

namespace gsim::md {

/// In lengths of the system of units. A typical atom moves by it in 16 time steps.
inline constexpr double default_skin(UnitSystem units) {
  return units == UnitSystem::lj ? 0.3 : 2.0;
}

}  // namespace gsim::md
