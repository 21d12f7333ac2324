#pragma once
// Payoffs of the returns of an asset between fixings.

#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/trade_setup.hpp"

namespace gsim::pricing {

/// Whether the payoff is one of returns of periods: a cliquet or a variance swap.
bool is_of_periods(const TradeSetup& setup);

/// Whether the returns of an asset after a date do not depend on its spot at the date.
bool has_free_scale(const MarketView& view, Index asset);

}  // namespace gsim::pricing
