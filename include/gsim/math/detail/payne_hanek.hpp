#pragma once
// Reduction of a large argument modulo pi/2 (Payne and Hanek 1983): the product with those bits of
// 2/pi that decide the quadrant and its remainder, in 192-bit integer arithmetic.

#include "gsim/math/detail/polynomial.hpp"

GSIM_TARGET_BEGIN

namespace detail {

/// The remainder hi + lo of x modulo pi/2, and the quadrant added to Format::rounder, for
/// |x| > 2^30; NaN for infinities and NaN.
GSIM_HD void payne_hanek(double x, double& hi, double& lo, double& shifted) {
  // 64 zero bits, then the fraction bits of 2/pi.
  constexpr std::uint64_t two_over_pi[20] = {
      0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
      0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
      0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
      0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
      0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
  using Wide = unsigned __int128;
  const std::uint64_t bits = bit_cast_to<std::uint64_t>(x);
  const int biased = static_cast<int>(bits >> 52) & 0x7ff;
  if (biased == 0x7ff) {
    hi = lo = shifted = nan_of<double>();
    return;
  }
  // |x| = significand * 2^e with e = biased - 1075. The bits of 2/pi before bit e - 1 after the
  // point give multiples of four quadrants. That bit has the position 63 + (e - 1) in the array.
  const std::uint64_t significand = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  const int position = biased - 1075 + 62, word = position >> 6, shift = position & 63;
  std::uint64_t window[3];
  for (int i = 0; i < 3; ++i)
    window[i] =
        shift == 0 ? two_over_pi[word + i]
                   : (two_over_pi[word + i] << shift) | (two_over_pi[word + i + 1] >> (64 - shift));
  const Wide low = static_cast<Wide>(significand) * window[2];
  const Wide middle = static_cast<Wide>(significand) * window[1] + (low >> 64);
  const std::uint64_t top = significand * window[0] + static_cast<std::uint64_t>(middle >> 64);
  // Two bits of quadrant, then the fraction of a quadrant.
  std::uint64_t quadrant = top >> 62;
  Wide fraction = (static_cast<Wide>(top) << 66) |
                  (static_cast<Wide>(static_cast<std::uint64_t>(middle)) << 2) |
                  (static_cast<std::uint64_t>(low) >> 62);
  const bool upper = (fraction >> 127) != 0;  // nearer to the next quadrant
  if (upper) {
    fraction = -fraction;
    ++quadrant;
  }
  const std::uint64_t first = static_cast<std::uint64_t>(fraction >> 64);
  const std::uint64_t first_head = first & ~std::uint64_t(0x7ff);
  const double head = static_cast<double>(first_head);  // at most 53 bits: exact
  const double tail = static_cast<double>(first - first_head) +
                      static_cast<double>(static_cast<std::uint64_t>(fraction)) * 0x1p-64;
  const auto turn = quick_two_sum(head, tail);
  // the remainder in radians: times pi/2, in two parts
  const auto product = two_product(turn.hi * 0x1p-64, 0x1.921fb54442d18p+0);
  const double rest = fma(turn.hi * 0x1p-64, 0x1.1a62633145c07p-54,
                          fma(turn.lo * 0x1p-64, 0x1.921fb54442d18p+0, product.lo));
  const bool negative = ((bits >> 63) != 0) != upper;
  hi = negative ? -product.hi : product.hi;
  lo = negative ? -rest : rest;
  if ((bits >> 63) != 0) quadrant = 0 - quadrant;
  shifted = Format<double>::rounder + static_cast<double>(quadrant & 3);
}

}  // namespace detail

GSIM_TARGET_END
