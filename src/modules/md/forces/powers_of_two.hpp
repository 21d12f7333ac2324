#pragma once
// Quanta are powers of two, so that scaling by them is exact. Functions that find them and compare
// them.

#include <cmath>
#include <cstdint>

#include "gsim/core/error.hpp"
#include "src/modules/md/forces/force_term.hpp"

namespace gsim::md {

/// The least power of two that is not below x > 0; 1 for 0.
inline double power_of_two_above(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(1.0, fraction == 0.5 ? exponent - 1 : exponent);
}

/// The number of bits by which `wanted` is above `common`, both powers of two; 0 where it is below.
inline int exponent_above(double wanted, double common) {
  return wanted > common ? std::ilogb(wanted) - std::ilogb(common) : 0;
}

/// A sum, in quanta that are 2^bits times smaller.
inline ExactSum shifted(ExactSum sum, int bits) {
  for (int b = 0; b < bits; ++b) sum.add(ExactSum(sum));
  return sum;
}

/// The high 32 bits of a number's representation, by which kernels compare magnitudes.
inline std::uint32_t high_word(float x) { return __builtin_bit_cast(std::uint32_t, x); }
inline std::uint32_t high_word(double x) {
  return static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, x) >> 32);
}

/// The largest force and energy are at most 2^50 quanta: sums of 64 bits then have room for 2^12 of
/// the largest force on either side.
inline constexpr int quanta_bits = 50;

/// The quanta that suit `largest`.
inline ForceQuanta quanta_for(const LargestForce& largest) {
  return {std::ldexp(power_of_two_above(largest.force), -quanta_bits),
          std::ldexp(power_of_two_above(largest.energy), -quanta_bits)};
}

/// InputError where `largest`, rounded up to powers of two, is above 2^50 quanta.
inline void require_room(const LargestForce& largest, const ForceQuanta& quanta) {
  if (!(power_of_two_above(largest.force) <= std::ldexp(quanta.force, quanta_bits)) ||
      !(power_of_two_above(largest.energy) <= std::ldexp(quanta.energy, quanta_bits)))
    throw InputError(
        "forces between atoms may be above 2^50 times the quantum that they are counted in; let "
        "quanta follow from the largest forces of all terms");
}

}  // namespace gsim::md
