#pragma once
// Runs the simulations of a GreekPlan on an executor. As a PathEngine, its trades are the Greeks of
// the plan: run() gives one BlockStatistics per block and Greek, of the Greek's sample and of the
// same difference of its trade's control variate.

#include <memory>
#include <vector>

#include "src/modules/pricing/greeks/greek_plan.hpp"
#include "src/modules/pricing/paths/path_engine.hpp"

namespace gsim::pricing {

/// The simulations of a plan. Trade e of a point of a stencil is that of entry e.
struct GreekSimulations {
  Simulation base;                              ///< the market itself
  std::vector<Index> base_trades;               ///< trades of the run, ascending: those of `base`
  std::vector<std::vector<Simulation>> points;  ///< [stencil][point]
};

GreekSimulations set_up_greeks(const GreekPlan& plan, const PricingConfig& config,
                               const PricingSetup& setup);

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
                                         const GreekSimulations& simulations);

std::unique_ptr<PathEngine> make_greeks_engine(Executor executor, const GreekPlan& plan,
                                               const GreekSimulations& simulations);

}  // namespace gsim::pricing
