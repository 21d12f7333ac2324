#pragma once
// Functions of the normal distribution for smoothed payoffs, which share their exponential.

#include "gsim/math/elementary.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// e^x for x <= 0; below -700 it is e^-700 (1e-304).
template <class Policy, class P>
GSIM_HD P exp_not_positive(P x) {
  return exp_bounded<Policy>(at_least(x, P(-700)));
}

/// e^(-z^2 / 2), at least 1e-304.
template <class Policy, class P>
GSIM_HD P normal_bell(P z) {
  return exp_not_positive<Policy>(P(-0.5) * z * z);
}

/// The standard normal distribution function at x, with an absolute error of some 2^-53, from
/// `exponential`, e^(-x^2 / 2): as normal_cdf() in the tail, without its corrections of rounding
/// errors (Shepherd and Laframboise 1981, "Chebyshev approximation of (1 + 2 x) exp(x^2) erfc x in
/// 0 <= x < infinity", Mathematics of Computation 36, 249).
template <class P>
GSIM_HD P normal_cdf_given_exp(P x, P exponential) {
  constexpr double root_2 = 0x1.6a09e667f3bcdp+0;
  const P y = at_most(abs(x), P(39));
  const P sum = y + P(4 * root_2), denominator = fma(y, P(root_2), P(1));
  const P inverse = P(1) / (sum * denominator);
  const P t = (y - P(4 * root_2)) * (denominator * inverse);
  const P scaled = fma(t, detail::scaled_erfc_polynomial(t), P(0x1.3ba5916e9fd7fp+0));
  const P tail = P(0.5) * exponential * (scaled * (sum * inverse));
  return select(x > P(0), P(1) - tail, tail);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
