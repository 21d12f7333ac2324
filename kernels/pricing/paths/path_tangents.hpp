#pragma once
// Derivatives of log-spots along simulated paths (tangents of the flow; Glasserman 2004, section
// 7.2.2). A step moves the log-spot x by drift - s^2 / 2 + s z, where the deviation s may depend on
// x as in path_models/local_volatility.hpp. The derivative t of x with respect to a quantity that
// changes the drift by d and the deviation, at a given x, by e follows
//   t' = t + (z - s) (t ds/dx + e) + d.
// Jumps do not change t. Where s depends on x, ds/dx is 0 outside the grid and, at a point of it,
// the derivative on one side. In the first step all paths have the same x, which may be a point of
// the grid: there e includes the derivative by x.

#include "kernels/pricing/path_models/local_volatility.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Moves the tangents of one asset of one path over step k, at whose start its log-spot is x and
/// over which its normals are z. That of number i is at memory[i * stride].
template <class P, class T>
GSIM_HD void move_tangents(const AssetTable<T>& asset, Index k, P z, P x, T* memory, Index stride) {
  const int points = asset.local_points;
  GridPoint<P> point{};
  P s(asset.sd[k]), by_x(T(0));
  if (points > 0) {
    const P at = (x - P(asset.local_first)) * P(asset.local_inverse_spacing);
    point = grid_point(points, at);
    const T* const row = asset.local_vol + k * points;
    const P low = gather(row, point.index), rise = gather(row + 1, point.index) - low;
    const auto is_inside = (at > P(T(0))) & (at < P(static_cast<T>(points - 1)));
    if (k > 0) by_x = select(is_inside, (rise * P(asset.local_inverse_spacing)) * s, P(T(0)));
    s = fma(point.weight, rise, low) * s;
  }
  const P by_deviation = z - s;
  const P factor = fma(by_deviation, by_x, P(T(1)));
  for (Index i = 0; i < asset.tangents; ++i) {
    const PathTangent<T>& tangent = asset.tangent[i];
    P deviation(tangent.deviation[k]);
    const std::int32_t row = tangent.by_spot[k];
    if (row >= 0) deviation = deviation + interpolate(tangent.deviations + row * points, point);
    T* const at = memory + i * stride;
    store(at, fma(load<P>(at), factor, fma(by_deviation, deviation, P(tangent.drift[k]))));
  }
}

/// Writes the tangents of one asset of one path at a record date; `row` is the record's first row
/// at the path.
template <class P, class T>
GSIM_HD void record_tangents(const AssetTable<T>& asset, T* row, Index row_stride, const T* memory,
                             Index stride) {
  for (Index i = 0; i < asset.tangents; ++i)
    store(row + asset.tangent[i].row * row_stride, load<P>(memory + i * stride));
}

}  // namespace pricing_kernels
GSIM_TARGET_END
