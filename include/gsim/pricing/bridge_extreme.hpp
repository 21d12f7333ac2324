#pragma once
// The extreme of a Brownian motion between two known values, drawn exactly from one uniform:
// M = (a + b + sqrt((b - a)^2 - 2 V ln u)) / 2 (Glasserman 2004, eq. 6.79), V the variance over the
// interval. The minimum follows by reflection.

#include "gsim/pricing/lanes.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The maximum between a and b for the uniform u in (0, 1).
template <class Policy, class P>
GSIM_HD P bridge_maximum(P a, P b, P variance, P u) {
  using T = scalar_of<P>;
  const P d = b - a;
  const P root = sqrt(fma(d, d, (variance * P(T(-2))) * log_unit<Policy>(u)));
  return P(T(0.5)) * ((a + b) + root);
}

/// The minimum between a and b.
template <class Policy, class P>
GSIM_HD P bridge_minimum(P a, P b, P variance, P u) {
  return -bridge_maximum<Policy>(-a, -b, variance, u);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
