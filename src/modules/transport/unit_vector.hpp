#pragma once
// Directions that a configuration gives by three numbers.

#include <cmath>
#include <string_view>

#include "gsim/math/vector3.hpp"

namespace gsim::transport {

/// `values`, three numbers of `key`, scaled to length 1; ConfigError where they have no direction.
/// `keys`: a Section or KeyLocations.
template <class Keys, class Values>
Vector3 unit_vector(const Keys& keys, std::string_view key, const Values& values) {
  const Vector3 v{values[0], values[1], values[2]};
  const double square = dot(v, v);
  if (!(square > 0) || !std::isfinite(square))
    keys.fail(key, "the vector has no length, or is too long to have a direction");
  return unit(v);
}

}  // namespace gsim::transport
