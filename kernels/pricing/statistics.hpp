#pragma once
// Sums over the samples of a block in an order that no machine changes: sample s adds to lane
// s mod 16, the lanes are added in a fixed tree. The sums are taken about the block's first sample,
// so that second moments lose no digits (Chan, Golub and LeVeque 1983, "shifted data").

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

/// The sum of the lanes: halves added to halves.
GSIM_HD double tree_sum(const double (&lane)[LaneSums::lanes]) {
  double s[LaneSums::lanes];
  for (int l = 0; l < LaneSums::lanes; ++l) s[l] = lane[l];
  for (int half = LaneSums::lanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) s[l] += s[l + half];
  return s[0];
}

/// Mean and central moments of `count` samples.
GSIM_HD BlockSums finish_sums(const LaneSums& sums, double count) {
  const double x = tree_sum(sums.x), y = tree_sum(sums.y);
  const auto central = [&](double squares, double a, double b) { return squares - a * b / count; };
  const double m_xx = central(tree_sum(sums.xx), x, x), m_yy = central(tree_sum(sums.yy), y, y);
  return {count,
          sums.shift_x + x / count,
          sums.shift_y + y / count,
          m_xx < 0 ? 0 : m_xx,
          m_yy < 0 ? 0 : m_yy,
          central(tree_sum(sums.xy), x, y)};
}

}  // namespace pricing_kernels
GSIM_TARGET_END
