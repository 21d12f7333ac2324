#pragma once
// A particle as a source sets it free.

#include <cstdint>

#include "gsim/transport/vector3.hpp"

namespace gsim::transport {

struct SourceParticle {
  Vector3 position;         ///< cm
  Vector3 direction;        ///< of length 1
  double weight = 1;        ///< at least 0; its mean over a source's particles is 1
  double time = 0;          ///< s
  std::int32_t group = 0;   ///< from 0
  std::int32_t source = 0;  ///< which of several
};

}  // namespace gsim::transport
