#pragma once
// How collisions treat capture.

#include <cstdint>

namespace gsim::transport {

/// Analog: the particle is absorbed or scattered. Implicit: it scatters, and its weight is reduced
/// by the part that is absorbed.
enum class Capture : std::int32_t { analog, implicit };

}  // namespace gsim::transport
