#pragma once
// Scores in fixed point, so that tallies do not depend on the order in which contributions are
// added, nor on threads and ranks.
//
// Sums are integers of 128 bits in units of 2^-84: contributions have magnitudes from 5e-26 to
// 4e12, and 2^43 of magnitude 1 can be added. Contributions are rounded to whole units towards
// zero; the error is below 6e-26 of a contribution of 1.

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/math/scalar.hpp"
#include "gsim/transport/noinline.hpp"
#include "kernels/transport/tallies/atomic_sums.hpp"

namespace gsim::transport {

/// The exponent of the unit of the fixed-point sums, a power of two, and the unit.
inline constexpr int score_exponent = -84;
inline constexpr double score_resolution = 0x1p-84;
/// Upper bound of the magnitude of contributions.
inline constexpr double largest_score = 0x1p42;

}  // namespace gsim::transport

// A benchmark replaces these sums by floating-point ones
// (validation/performance/transport_sums.cu).
#if !defined(GSIM_TRANSPORT_BENCHMARK_SUMS)
GSIM_TARGET_BEGIN
namespace transport_kernels {

using FixedPointScore = WideInteger;

/// The contribution c in fixed point; |c| < largest_score.
GSIM_HD FixedPointScore to_fixed_point(double c) {
  // The fields of a double (IEEE 754): sign, 11 bits of the exponent, fraction.
  constexpr int fraction_bits = 52, bias = 1023, exponent_mask = 0x7ff;
  const auto bits = bit_cast_to<std::uint64_t>(c);
  const int exponent = static_cast<int>(bits >> fraction_bits & exponent_mask);
  const std::uint64_t one = std::uint64_t{1} << fraction_bits;
  const auto fraction = static_cast<WideInteger>((bits & (one - 1)) | one);
  const int shift = exponent - bias - fraction_bits - transport::score_exponent;
  const WideInteger size = shift >= 0 ? fraction << shift : shift > -64 ? fraction >> -shift : 0;
  return (bits >> 63) != 0 ? -size : size;
}
#if defined(__CUDACC__)
/// Adds to a sum that the threads of a block share. Lanes of a warp that call it together add once.
GSIM_TRANSPORT_NOINLINE void add_score(WideInteger& sum, double c) {
#if defined(__CUDA_ARCH__)
  constexpr int part_bits = 26;  // sums of so many bits of 32 lanes have less than 32 bits
  const unsigned lanes = __activemask();
  auto mine = static_cast<unsigned __int128>(to_fixed_point(c));
  unsigned __int128 of_lanes = 0;
  for (int shift = 0; shift < 128; shift += part_bits, mine >>= part_bits)
    of_lanes += static_cast<unsigned __int128>(
                    __reduce_add_sync(lanes, static_cast<unsigned>(mine) & ((1u << part_bits) - 1)))
                << shift;
  if (threadIdx.x % 32 == static_cast<unsigned>(__ffs(static_cast<int>(lanes)) - 1))
    add_atomically(sum, static_cast<WideInteger>(of_lanes));
#endif
}
#else
GSIM_HD void add_score(WideInteger& sum, double c) { sum += to_fixed_point(c); }
#endif

}  // namespace transport_kernels
GSIM_TARGET_END
#endif
