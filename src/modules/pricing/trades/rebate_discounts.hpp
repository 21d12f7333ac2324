#pragma once
// Discount factors of rebates that are paid when the barrier is touched.

#include <vector>

#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// Discount factors of a rebate paid when a continuously monitored barrier is touched: one for each
/// interval that ends at a record, the mean over the touches within it. Exact for one asset with
/// constant rate, yield and volatility; otherwise the time of the touch within its interval is that
/// of an asset with constant parameters equal to the averages, or the middle of the interval if the
/// model has no mean variance.
std::vector<double> discounts_at_touch(const TradeConfig& trade, const MarketView& view,
                                       const std::vector<Index>& records);

}  // namespace gsim::pricing
