#pragma once
// Geometric Brownian motion, exact over any step: ln S' = ln S + (r - q) dt - V / 2 + sqrt(V) z
// with V the integral of sigma^2 over the step (Glasserman, "Monte Carlo Methods in Financial
// Engineering", 2004, eq. 3.21).

#include "gsim/pricing/lanes.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The log-spot after a step; `drift` is (r - q) dt - V / 2, `sd` is sqrt(V). A step depends on the
/// preceding one through one addition only, so that the dependency chain is short.
template <class P, class T>
GSIM_HD P black_scholes_step(P x, P z, T drift, T sd) {
  return x + fma(P(sd), z, P(drift));
}

}  // namespace pricing_kernels
GSIM_TARGET_END
