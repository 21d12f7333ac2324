#pragma once
// How claims on rates (kernels/pricing/payoffs/rate_claims.hpp) change in a bumped market: they
// hold the curve and the numeraire as the amounts and loadings of their terms.

#include "src/modules/pricing/greeks/adjoint_sweeps.hpp"
#include "src/modules/pricing/trades/trade_setup.hpp"

namespace gsim::pricing {

/// The number of the terms of all dates of a trade that is one of rate claims.
Index number_of_terms(const TradeSetup& claims);
/// The amount of a term of such a trade.
double amount_of_term(const TradeSetup& claims, Index term);

/// Adds the changes of the loadings of rate claims in a bumped market, which multiply the log-spots
/// of the factors, to the changes of the trade's assets, which have `records` records; with early
/// exercise those of the claims of all dates. False if the loadings do not change in one
/// proportion, or if the claims have other terms. Other trades are left as they are.
bool add_changes_of_loadings(const TradeSetup& base, const TradeSetup& bumped, Index records,
                             AssetChanges& changes);

}  // namespace gsim::pricing
