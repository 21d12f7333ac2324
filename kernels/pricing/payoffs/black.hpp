#pragma once
// The formula of Black for groups of paths.

#include "gsim/pricing/lanes.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The undiscounted value of a call (sign 1) or put (-1) on a lognormal spot with mean `forward`,
/// whose logarithm has the standard deviation sd > 0: sign (F N(sign d1) - K N(sign d2)), d1,2 =
/// ln(F / K) / sd +- sd / 2 (Black 1976, eq. 16).
template <class Policy, class P, class T>
GSIM_HD P black_value(T sign, P forward, T strike, P sd) {
  const P d = log<Policy>(forward / P(strike)) / sd;
  const P half = P(T(0.5)) * sd;
  const P asset_value = forward * normal_cdf<Policy>(P(sign) * (d + half));
  return P(sign) * fma(P(-strike), normal_cdf<Policy>(P(sign) * (d - half)), asset_value);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
