#pragma once
// Functions that choose and compare quanta. Quanta are powers of two, so that scaling by them is
// exact.

#include <cmath>
#include <cstdint>

#include "gsim/core/error.hpp"
#include "src/modules/md/forces/force_term.hpp"

namespace gsim::md {

/// The smallest power of two that is not below x > 0; 1 for 0.
inline double power_of_two_above(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(1.0, fraction == 0.5 ? exponent - 1 : exponent);
}

/// log2(x / y) of two powers of two, or 0 if x < y.
inline int exponent_above(double x, double y) { return x > y ? std::ilogb(x) - std::ilogb(y) : 0; }

/// The sum times 2^bits: converts a sum to quanta that are 2^bits times smaller.
inline ExactSum shifted(ExactSum sum, int bits) {
  for (int b = 0; b < bits; ++b) sum.add(ExactSum(sum));
  return sum;
}

/// The high 32 bits of a floating-point number, which kernels use to compare magnitudes.
inline std::uint32_t high_word(float x) { return __builtin_bit_cast(std::uint32_t, x); }
inline std::uint32_t high_word(double x) {
  return static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, x) >> 32);
}

/// The largest force and energy are at most 2^50 quanta, so that sums of 64 bits can hold 2^12
/// times the largest force with either sign.
inline constexpr int quanta_bits = 50;

/// The quanta for which `largest` is at most 2^50 quanta.
inline ForceQuanta quanta_for(const LargestForce& largest) {
  return {std::ldexp(power_of_two_above(largest.force), -quanta_bits),
          std::ldexp(power_of_two_above(largest.energy), -quanta_bits)};
}

/// InputError if `largest`, rounded up to powers of two, is above 2^50 quanta.
inline void require_range(const LargestForce& largest, const ForceQuanta& quanta) {
  if (!(power_of_two_above(largest.force) <= std::ldexp(quanta.force, quanta_bits)) ||
      !(power_of_two_above(largest.energy) <= std::ldexp(quanta.energy, quanta_bits)))
    throw InputError(
        "internal error: forces between atoms may be larger than 2^50 force quanta; quanta must be "
        "chosen from the largest forces of all terms");
}

}  // namespace gsim::md
