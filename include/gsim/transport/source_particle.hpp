#pragma once
// A source particle.

#include <cstdint>

#include "gsim/math/vector3.hpp"

namespace gsim::transport {

struct SourceParticle {
  Vector3 position;         ///< cm
  Vector3 direction;        ///< unit vector
  double weight = 1;        ///< at least 0; the mean over the particles of a source is 1
  double time = 0;          ///< s
  std::int32_t group = 0;   ///< from 0
  std::int32_t source = 0;  ///< index of the source
};

}  // namespace gsim::transport
