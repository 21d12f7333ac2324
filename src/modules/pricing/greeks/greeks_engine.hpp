#pragma once
// Runs the simulations of a GreekPlan on an executor. As a PathEngine, its trades are those of the
// run, followed by the Greeks of the plan: run() gives one BlockStatistics per block and Greek, of
// the Greek's sample and of the same difference of its trade's control variate. Trades of the run
// are priced on the same paths, with the same bits as by the engine of the portfolio's paths, if
// GreekSimulations::has_prices is set; otherwise they must not be active.

#include <memory>
#include <vector>

#include "src/modules/pricing/greeks/greek_simulations.hpp"
#include "src/modules/pricing/paths/path_engine.hpp"

namespace gsim::pricing {

/// `trades` is the number of trades of the run.
std::unique_ptr<PathEngine> make_greeks_engine(Executor executor, const GreekPlan& plan,
                                               const std::vector<GreekSimulations>& simulations,
                                               Index trades);

}  // namespace gsim::pricing
