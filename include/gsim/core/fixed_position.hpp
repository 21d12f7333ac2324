#pragma once
// Positions in a simulation box as integers: three 64-bit fractions of the box vectors. Integer
// differences wrap around, which gives the periodic image exactly; a distance therefore does not
// depend on the rank that computes it, on the decomposition, or on how often a particle has crossed
// a boundary.

#include <cstdint>

namespace gsim {

/// x[a] / 2^64 is the fractional coordinate along box vector a. (Along an open axis the box
/// occupies the middle quarter of the range: domain/box.hpp.)
struct FixedPosition {
  std::uint64_t x[3];
  friend constexpr bool operator==(const FixedPosition&, const FixedPosition&) = default;
};

/// The minimum-image difference `to - from` along one axis, in units of 2^-64 box vectors.
constexpr std::int64_t nearest_image(std::uint64_t to, std::uint64_t from) {
  return static_cast<std::int64_t>(to - from);
}

}  // namespace gsim
