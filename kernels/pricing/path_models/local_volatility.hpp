#pragma once
// Dupire's local volatility: Euler steps of the log-spot (Glasserman 2004, section 6.1) with the
// volatility at the spot at the start of the step and its square averaged over the time of the
// step: ln S' = ln S + (r - q) dt - sigma^2 dt / 2 + sigma sqrt(dt) z.

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Linear interpolation of row[0 … points - 1] at grid position `at`, constant outside the grid.
template <class P, class T>
GSIM_HD P interpolate(const T* row, int points, P at) {
  const P inside = at_most(at_least(at, P(T(0))), P(static_cast<T>(points - 1)));
  const P cell = at_most(floor(inside), P(static_cast<T>(points - 2)));
  const auto index = convert<std::int32_t>(cell);
  const P low = gather(row, index), high = gather(row + 1, index);
  return fma(inside - cell, high - low, low);
}

template <class P>
struct LocalStepResult {
  P x;         ///< log-spot at the end of the step
  P variance;  ///< sigma^2 dt
};

/// One step; `root_dt` is sqrt(dt), `drift` is (r - q) dt.
template <class P, class T>
GSIM_HD LocalStepResult<P> local_volatility_step(const AssetTable<T>& asset, Index step, P x, P z) {
  const int points = asset.local_points;
  const P at = (x - P(asset.local_first)) * P(asset.local_inverse_spacing);
  const P sd = interpolate(asset.local_vol + step * points, points, at) * P(asset.sd[step]);
  const P variance = sd * sd;
  return {x + fma(sd, z, fma(P(T(-0.5)), variance, P(asset.drift[step]))), variance};
}

}  // namespace pricing_kernels
GSIM_TARGET_END
