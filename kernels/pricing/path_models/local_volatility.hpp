#pragma once
// Dupire's local volatility: Euler steps of the log-spot (Glasserman 2004, section 6.1) with the
// volatility at the spot at the start of the step and its square averaged over the time of the
// step: ln S' = ln S + (r - q) dt - sigma^2 dt / 2 + sigma sqrt(dt) z.

#include "kernels/pricing/path_models/scheme_of.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// A position between two points of a grid.
template <class P>
struct GridPoint {
  decltype(convert<std::int32_t>(P())) index;  ///< of the lower point
  P weight;                                    ///< of the upper one
};

/// Position `at` of a grid with `points` points; outside the grid that of its nearest end.
template <class P>
GSIM_HD GridPoint<P> grid_point(int points, P at) {
  using T = scalar_of<P>;
  const P inside = at_most(at_least(at, P(T(0))), P(static_cast<T>(points - 1)));
  const P cell = at_most(floor(inside), P(static_cast<T>(points - 2)));
  return {convert<std::int32_t>(cell), inside - cell};
}

/// Linear interpolation of row[0 … points - 1], constant outside the grid.
template <class P, class T>
GSIM_HD P interpolate(const T* row, const GridPoint<P>& point) {
  const P low = gather(row, point.index), high = gather(row + 1, point.index);
  return fma(point.weight, high - low, low);
}

template <>
struct SchemeOf<StepScheme::local_volatility> {
  static constexpr int normals = 1;
  template <class Policy, class P, class T>
  static GSIM_HD StepResult<P> step(const AssetTable<T>& asset, Index k, P z, P, AssetState<P>& s) {
    const int points = asset.local_points;
    const P at = (s.x - P(asset.local_first)) * P(asset.local_inverse_spacing);
    // asset.sd[k] is sqrt(dt), asset.drift[k] is (r - q) dt.
    const P sd = interpolate(asset.local_vol + k * points, grid_point(points, at)) * P(asset.sd[k]);
    const P variance = sd * sd;
    return {s.x + fma(sd, z, fma(P(T(-0.5)), variance, P(asset.drift[k]))), variance};
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
