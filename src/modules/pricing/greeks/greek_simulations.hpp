#pragma once
// The simulations from which the Greeks of a plan follow.

#include <vector>

#include "src/modules/pricing/greeks/greek_plan.hpp"

namespace gsim::pricing {

/// A market and bumped ones with the same grid and random numbers.
struct GreekSimulations {
  Simulation base;                    ///< the market itself
  bool has_prices = false;            ///< `base` has the paths and all trades of the run
  std::vector<Index> base_trades;     ///< trades of the run, ascending: those of `base`
  std::vector<std::size_t> stencils;  ///< of the plan, ascending
  /// [position in `stencils`][point]. Trade e of a point is that of the stencil's entry e.
  std::vector<std::vector<Simulation>> points;
};

/// The simulations for the portfolio, and those for its smoothed payoffs, which have a grid of
/// their own; those without trades are left out.
std::vector<GreekSimulations> set_up_greeks(const GreekPlan& plan, const PricingConfig& config,
                                            const PricingSetup& setup);

/// The position of a trade in an ascending list that contains it.
Index position_of(const std::vector<Index>& trades, Index trade);

/// The control variate of a Greek: the same difference quotient of that of its trade.
struct GreekControl {
  bool exists = false;
  double expectation = 0;
  /// A bound of the rounding errors of its samples. A control that varies no more than that, such
  /// as the second difference of a spot, is of no use.
  double rounding = 0;
};
/// The control variates of all Greeks of the plan.
std::vector<GreekControl> greek_controls(const GreekPlan& plan,
                                         const std::vector<GreekSimulations>& simulations);

}  // namespace gsim::pricing
