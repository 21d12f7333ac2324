#pragma once
// The adjoint Greeks of trades with early exercise (kernels/pricing/greeks/adjoint/
// exercised_job.hpp).

#include <vector>

#include "src/modules/pricing/greeks/adjoint_sweeps.hpp"

namespace gsim::pricing {

/// Whether a sweep can derive the samples of a trade: it is not exercised today, its values of
/// exercise have gradients, and its policy is close to the best one.
bool has_swept_exercise(const TradeSetup& trade);
/// Whether exercise of a trade with has_swept_exercise() pays the same functions of the path in two
/// markets, apart from discounting, from rate claims and from the numbers of its control variate.
bool has_same_exercise(const TradeSetup& a, const TradeSetup& b);

/// The records that the values of exercise of a trade, and its control variate, read, ascending.
std::vector<Index> records_of_exercise(const TradeSetup& trade);

/// The sums of a trade. `changes` are those of its assets in each bumped market, and `bumped` the
/// trade there; terms, of discounted amounts, are added to `payoff` and `control`, one list for
/// each market.
void plan_exercise(const TradeSetup& base, const std::vector<const TradeSetup*>& bumped,
                   const std::vector<AssetChanges>& changes, PlannedAdjoint& adjoint, Terms& payoff,
                   Terms& control);

}  // namespace gsim::pricing
