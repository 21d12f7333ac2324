#pragma once
// The simulations of a run's trades in bumped markets.

#include <vector>

#include "src/modules/pricing/greeks/greek_plan.hpp"

namespace gsim::pricing {

/// The simulation of the market of `setup` itself, with paths in double, for the trades in
/// `trades`.
Simulation unbumped_simulation(const PricingSetup& setup, const std::vector<Index>& trades);

/// The market in which the exercise policies of the configuration's trades were found.
enum class PoliciesFrom { market_without_bumps, bumped_market };

/// The simulation of the trades in `trades` in the market after `bumps`, with the steps, records
/// and random numbers of `setup`, whose trades must have been set up. If time passes, all dates
/// after today come closer: of the steps before the first record or, with trades on several assets,
/// an earlier knot of a volatility, each in proportion. Control
/// variates are those of the setup, with the expectations in the bumped market.
Simulation bumped_simulation(const PricingConfig& config, const PricingSetup& setup,
                             const std::vector<MarketBump>& bumps, const std::vector<Index>& trades,
                             PoliciesFrom policies = PoliciesFrom::market_without_bumps);

}  // namespace gsim::pricing
