#pragma once
// Normal jumps of the log-spot at Poisson times (Merton 1976; Glasserman 2004, section 3.5.1): over
// a step the n ~ Poisson(lambda dt) jumps sum to a normal variable with mean n jump_mean and
// variance n jump_sd^2. The drift table includes the compensator lambda dt (e^(jump_mean +
// jump_sd^2 / 2) - 1).

#include "gsim/pricing/lanes.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The number of jumps, by inversion of the cumulative table cdf[0 … terms - 1] at the uniform u.
template <class P, class T>
GSIM_HD P jump_count(P u, const T* cdf, int terms) {
  P n(T(0));
  for (int j = 0; j < terms; ++j) {
    const auto more = u > P(cdf[j]);
    if (!any(more)) break;
    n = n + select(more, P(T(1)), P(T(0)));
  }
  return n;
}

/// The sum of n jumps for the standard normal z.
template <class P, class T>
GSIM_HD P jump_sum(P n, P z, T jump_mean, T jump_sd) {
  return fma(n, P(jump_mean), (sqrt(n) * P(jump_sd)) * z);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
