#pragma once
// Control variates of early exercise: martingales that are observed when a path is exercised, so
// that their expectation is today's value (Rasmussen 2005, "Control variates for Monte Carlo
// valuation of American options", Journal of Computational Finance 9, 1). They are much closer to
// the payment than the same martingale at the maturity.

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/exercise/exercise_job.hpp"
#include "kernels/pricing/payoffs/black.hpp"
#include "kernels/pricing/payoffs/terminal.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The control at an exercise date, discounted to today; `row` is as in regression_variables().
template <class Policy, class P, class T>
GSIM_HD P control_at(const ControlView<T>& control, std::int32_t date, bool is_last,
                     const Tile<T>& tile, const T* row) {
  const TileSpots<P, T> spots{&tile, row};
  P sum(T(0));
  for (std::int32_t i = 0; i < control.assets; ++i) {
    const P forward = P(control.growth[date * control.assets + i]) * spots[control.asset[i]];
    P value = forward;
    if (control.kind == ExerciseControl::vanilla)
      value = is_last ? call_or_put(forward, P(control.strike[i]), control.sign)
                      : black_value<Policy>(control.sign, forward, control.strike[i],
                                            P(control.sd[date * control.assets + i]));
    sum = fma(P(control.weight[i]), value, sum);
  }
  return sum;
}

}  // namespace pricing_kernels
GSIM_TARGET_END
