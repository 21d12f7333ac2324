#pragma once
// A point of a simulation box as integers: three 64-bit fractions of the box vectors. Differences
// wrap as integers do, which is the periodic image, exactly; so a distance does not depend on who
// computes it, where the box was cut, or how often the point has crossed a boundary.

#include <cstdint>

namespace gsim {

/// Coordinate a stands for x[a] / 2^64 of box vector a. (Along an open axis the box takes the
/// middle quarter of the range: domain/box.hpp.)
struct FixedPosition {
  std::uint64_t x[3];
  friend constexpr bool operator==(const FixedPosition&, const FixedPosition&) = default;
};

/// The nearest image of `to - from` along one axis, in 2^-64 of the box vector.
constexpr std::int64_t nearest_image(std::uint64_t to, std::uint64_t from) {
  return static_cast<std::int64_t>(to - from);
}

}  // namespace gsim
