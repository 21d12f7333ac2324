#pragma once
// Reverse sweeps over payoffs with jumps, whose derivatives are those of conditional expectations
// (kernels/pricing/greeks/adjoint/smoothed_gradients.hpp).

#include <vector>

#include "src/modules/pricing/greeks/greek_simulations.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// Whether the log-spot of an asset at a date has a density given that at other dates: it is
/// lognormal, and its variance grows all the time.
bool has_lognormal_density(const MarketView& view, Index asset);

/// Whether the derivatives of a trade may be those of SweptPayoff::crossings: of a barrier option
/// (also a window barrier or a Parisian option) that is monitored at fixings, on one lognormal
/// asset, without early exercise, without a rebate at the touch, and with dates that are not too
/// close to each other. Whether they are follows from the trade's set-up (swept_payoff()).
bool has_crossings(const PricingConfig& config, const TradeConfig& trade);

/// The gradient of a barrier option for which has_crossings() is true, or of a trade of the
/// smoothed portfolio (smoothing.hpp); SweptPayoff::own: it has none, as a barrier that was touched
/// already or a digital that pays the asset.
SweptPayoff swept_payoff(const TradeSetup& trade);

/// A trade with the records alone at which its gradient reads spots.
TradeSetup read_by_gradient(TradeSetup trade, SweptPayoff swept);

/// The numbers of the gradient of a trade of `base`.
std::vector<double> gradient_numbers(const Simulation& base, const TradeSetup& trade,
                                     SweptPayoff swept);

/// Adds to the terms of a bumped market, relative change `spot_change` of the spot included, what
/// the change of the numbers of a smoothed payoff to those of `bumped` contributes, to `sweep`, the
/// only one of the payoff; the number of sums is added to `sums`. To be called for all bumped
/// markets in turn.
void add_changes_of_numbers(const TradeSetup& base, const TradeSetup& bumped, SweptPayoff swept,
                            double spot_change, PlannedSweep& sweep, int& sums,
                            std::vector<AdjointTerm>& terms);

}  // namespace gsim::pricing
