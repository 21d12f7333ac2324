#pragma once
// The common part of erfc and the normal distribution function: exp(-x^2) times a function that
// varies little. With t = (x - 4) / (x + 4), (1 + 2 x) exp(x^2) erfc(x) is a polynomial in t of
// degree 22 for 0 <= x <= 28 (form of Shepherd and Laframboise 1981; Remez in 160-bit arithmetic,
// relative error 2^-56.0).

#include "gsim/math/exp.hpp"

GSIM_TARGET_BEGIN

namespace detail {

template <Real R>
GSIM_HD R scaled_erfc_polynomial(R t) {
  return polynomial(
      t, -0x1.1df1ad154a29cp-3, 0x1.f7f5df66fd779p-7, 0x1.16ecefcfa5fe0p-4, -0x1.9ddb23c3e8c6ep-4,
      0x1.7fee004df7651p-4, -0x1.0fb06dfe563cep-4, 0x1.3079edf9e68bdp-5, -0x1.09623880df160p-6,
      0x1.49c67195daa5ap-8, -0x1.8d4a9fa0a8d5fp-11, -0x1.a1de85eb1c304p-13, 0x1.3be0ce3838941p-13,
      -0x1.9969aed1a8bc2p-16, -0x1.78a7bf3bc1114p-17, 0x1.7fada024fdb0ap-18, 0x1.4417bfcfba2aep-22,
      -0x1.bfde82ea9ebb8p-21, 0x1.0c665f86e84aep-24, 0x1.ec17c95b056b3p-24, -0x1.0c9cd19aa907ep-27,
      -0x1.cc5ea741f07b0p-27, -0x1.d7b774849458fp-30);
}

/// factor * erfc(y) for y = x / scale >= 0, where `a` is -y^2 exactly, `centre` is 4 scale, and
/// slope + slope_low is 2 / scale. The rounding errors of the factors are added to the result.
template <Real R>
GSIM_HD R erfc_scaled(R x, double centre, double slope, double slope_low, Pair<R> a,
                      double factor) {
  const R t = (x - centre) / (x + centre);
  const R rest = t * scaled_erfc_polynomial(t);
  const auto g = quick_two_sum(R(0x1.3ba5916e9fd7fp+0), rest);
  const R g_low = g.lo - 0x1.a84d8e79e786dp-55;
  const auto d = two_sum(R(1.0), x * slope);
  const R d_low = d.lo + fma(x, R(slope_low), fma(x, R(slope), -(x * slope)));
  const R inverse = 1.0 / d.hi;
  const R q = g.hi * inverse;
  const R q_low = (fma(-q, d.hi, g.hi) + (g_low - q * d_low)) * inverse;
  const auto e = exp_reduce<Strict>(a.hi);
  const auto y = quick_two_sum(R(1.0), e.p);
  const R low = fma(y.hi, q_low, fma(y.hi, a.lo, y.lo) * q);
  return scale(fma(y.hi, q, low) * factor, e.n_shifted);
}

/// erfc(x) for 0 <= x <= 28.
template <Real R>
GSIM_HD R erfc_positive(R x) {
  const auto square = two_product(x, x);
  return erfc_scaled(x, 4.0, 2.0, 0.0, Pair<R>{-square.hi, -square.lo}, 1.0);
}

/// Phi(-x) for 0 <= x <= 39: erfc(x / sqrt(2)) / 2.
template <Real R>
GSIM_HD R normal_tail(R x) {
  const auto square = two_product(x, x * -0.5);
  // 4 sqrt(2), and 2 / sqrt(2) in two parts
  return erfc_scaled(x, 0x1.6a09e667f3bcdp+2, 0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54, square,
                     0.5);
}

}  // namespace detail

GSIM_TARGET_END
