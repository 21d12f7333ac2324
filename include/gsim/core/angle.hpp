#pragma once
// Conversion factors between degrees and radians.

namespace gsim {

inline constexpr double radians_per_degree = 0x1.1df46a2529d39p-6;  ///< pi / 180
inline constexpr double degrees_per_radian = 0x1.ca5dc1a63c1f8p+5;  ///< 180 / pi

}  // namespace gsim
