#pragma once
// The reverse sweeps of a payoff, and the coefficients of their sums.

#include <memory>
#include <vector>

#include "src/modules/pricing/greeks/asset_change.hpp"
#include "src/modules/pricing/greeks/greek_simulations.hpp"

namespace gsim::pricing {

/// The changes of the assets of a trade in one bumped market.
using AssetChanges = std::vector<std::shared_ptr<const AssetChange>>;

/// Terms of the Greeks of a trade, by bumped market, undiscounted.
using Terms = std::vector<std::vector<AdjointTerm>>;

/// Adds a coefficient to the term of a sum.
void add_term(std::vector<AdjointTerm>& terms, int sum, double coefficient);

/// The records at which a payoff reads spots.
std::vector<Index> fixings_of(const TradeSetup& payoff);

/// Whether the payments of a trade are the same functions of the spots in two markets, apart from
/// discounting and from the numbers of rate claims.
bool has_same_payoff(const TradeSetup& a, const TradeSetup& b);

/// Whether the sweeps of a payoff, one for each asset and then those with tangents, are all over
/// the derivatives by the first asset, and each reads the log-spots of its own asset. So they are
/// for a geometric underlying that is read at one date, whose derivatives by the log-spots of its
/// assets differ by the ratios of their weights alone.
bool has_common_sums(const std::vector<PlannedSweep>& sweeps);

/// The sweeps over the assets of a payoff, then those with the log-spots of other assets and with
/// tangents, or sweeps with common sums (has_common_sums()). `changes` are those of each bumped
/// market; terms are added to `terms`, one list for each market, and the number of sums to `sums`.
/// With SweptPayoff::crossings and phoenix dates where a segment begins have a further sum, with
/// the coefficient of the slope: at a crossing the log-spot is that of the barrier.
std::vector<PlannedSweep> plan_sweeps(const TradeSetup& payoff,
                                      const std::vector<AssetChanges>& changes, int& sums,
                                      Terms& terms, SweptPayoff swept = SweptPayoff::own);

}  // namespace gsim::pricing
