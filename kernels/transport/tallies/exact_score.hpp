#pragma once
// Scores as whole numbers of quanta, so that a tally is the same in whatever order, by whichever
// threads and ranks its contributions are added.
//
// The quantum is 2^-84 and a sum has 128 bits: contributions from 5e-26 to 4e12 count, and 2^43 of
// size 1 fit. A contribution is cut to whole quanta towards zero; what is cut off is to a unit
// contribution as an atom's nucleus is to the earth's orbit.

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/math/scalar.hpp"

namespace gsim::transport {

inline constexpr int score_exponent = -84;
inline constexpr double score_quantum = 0x1p-84;
/// Contributions must be smaller.
inline constexpr double largest_score = 0x1p42;

}  // namespace gsim::transport

// A benchmark puts ordinary sums in this place (validation/performance/transport_sums.cu).
#if !defined(GSIM_TRANSPORT_OTHER_SUMS)
GSIM_TARGET_BEGIN
namespace transport_kernels {

using ScoreQuanta = WideInteger;

/// A contribution in quanta; |c| < largest_score.
GSIM_HD ScoreQuanta in_score_quanta(double c) {
  constexpr int fraction_bits = 52, bias = 1023;
  const auto bits = bit_cast_to<std::uint64_t>(c);
  const int exponent = static_cast<int>(bits >> fraction_bits & 0x7ff);
  const std::uint64_t one = std::uint64_t{1} << fraction_bits;
  const auto fraction = static_cast<WideInteger>((bits & (one - 1)) | one);
  const int shift = exponent - bias - fraction_bits - transport::score_exponent;
  const WideInteger size = shift >= 0 ? fraction << shift : shift > -64 ? fraction >> -shift : 0;
  return (bits >> 63) != 0 ? -size : size;
}
GSIM_HD void add_score(WideInteger& sum, double c) { sum += in_score_quanta(c); }

}  // namespace transport_kernels
GSIM_TARGET_END
#endif
