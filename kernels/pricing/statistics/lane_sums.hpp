#pragma once
// Sums over the samples of a block in an order that is the same on all machines: sample s is added
// to lane s mod 16, and the lanes are added in a fixed tree. The sums are relative to the block's
// first sample, so that second moments do not suffer from cancellation (Chan, Golub and LeVeque
// 1983, "shifted data").

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Starts the sums of a block whose first sample is (x, y).
GSIM_HD void start_sums(LaneSums& sums, double x, double y) {
  sums.shift_x = x;
  sums.shift_y = y;
  for (int l = 0; l < LaneSums::lanes; ++l)
    sums.x[l] = sums.xx[l] = sums.y[l] = sums.yy[l] = sums.xy[l] = 0;
}

/// Adds sample x (and its control y) to a lane.
template <bool control>
GSIM_HD void add_sample(LaneSums& sums, int lane, double x, double y) {
  const double dx = x - sums.shift_x;
  sums.x[lane] += dx;
  sums.xx[lane] = __builtin_fma(dx, dx, sums.xx[lane]);
  if constexpr (control) {
    const double dy = y - sums.shift_y;
    sums.y[lane] += dy;
    sums.yy[lane] = __builtin_fma(dy, dy, sums.yy[lane]);
    sums.xy[lane] = __builtin_fma(dx, dy, sums.xy[lane]);
  }
}

/// The sum of the lanes, by repeated addition of halves.
GSIM_HD double tree_sum(const double (&lane)[LaneSums::lanes]) {
  double s[LaneSums::lanes];
  for (int l = 0; l < LaneSums::lanes; ++l) s[l] = lane[l];
  for (int half = LaneSums::lanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) s[l] += s[l + half];
  return s[0];
}

/// Mean and central moments of `count` samples, and the products of the moments of each lane.
GSIM_HD BlockStatistics finish_sums(const LaneSums& sums, double count) {
  const double x = tree_sum(sums.x), y = tree_sum(sums.y);
  const auto central = [&](double squares, double a, double b) { return squares - a * b / count; };
  const double m_xx = central(tree_sum(sums.xx), x, x), m_yy = central(tree_sum(sums.yy), y, y);
  BlockStatistics block{};
  block.count = count;
  block.mean_x = sums.shift_x + x / count;
  block.mean_y = sums.shift_y + y / count;
  block.m_xx = m_xx < 0 ? 0 : m_xx;
  block.m_yy = m_yy < 0 ? 0 : m_yy;
  block.m_xy = central(tree_sum(sums.xy), x, y);
  block.lanes = LaneSums::lanes;
  // Moments of a lane about the block's means a, b (which are relative to the shift):
  // sum (dx - a) (dy - b) = sum dx dy - a sum dy - b sum dx + n a b.
  const double a = x / count, b = y / count, n = count / LaneSums::lanes;
  for (int l = 0; l < LaneSums::lanes; ++l) {
    const double xx = sums.xx[l] - a * sums.x[l] - a * sums.x[l] + n * a * a;
    const double yy = sums.yy[l] - b * sums.y[l] - b * sums.y[l] + n * b * b;
    const double xy = sums.xy[l] - a * sums.y[l] - b * sums.x[l] + n * a * b;
    block.q_xx_xx += xx * xx;
    block.q_xx_xy += xx * xy;
    block.q_xx_yy += xx * yy;
    block.q_xy_xy += xy * xy;
    block.q_xy_yy += xy * yy;
    block.q_yy_yy += yy * yy;
  }
  return block;
}

}  // namespace pricing_kernels
GSIM_TARGET_END
