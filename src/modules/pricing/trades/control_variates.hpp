#pragma once
// Control variates: a second payoff on the same paths whose expectation is known. A payoff is never
// its own control variate: that would return the closed form with an error of zero and test
// nothing.

#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"
#include "src/modules/pricing/trades/trade_setup.hpp"

namespace gsim::pricing {

/// Chooses the control variate of a trade and its expectation: the one that its payoff names
/// (PayoffSetUp::choose_control), else, and always with `spot_only`, the discounted spot.
void choose_control(const TradeConfig& trade, const MarketView& view, bool spot_only,
                    TradeSetup& setup);

/// Whether all assets of the trade have the model black_scholes.
bool all_black_scholes(const TradeConfig& trade, const MarketView& view);
/// Whether European options on the trade's only asset have a value in closed form.
bool has_vanilla_value(const TradeConfig& trade, const MarketView& view);
/// The date of the trade's last fixing, years.
double last_date(const MarketView& view, const TradeSetup& setup);
/// `level` times e^(deviations sd), sd being the standard deviation of ln S of the trade's only
/// asset at `date`, jumps left out.
double shifted(const TradeConfig& trade, const MarketView& view, double date, double level,
               double deviations);

/// Makes the weighted sum of the assets' spots at the last fixing the control variate.
void use_spot(const TradeConfig& trade, const MarketView& view, TradeSetup& setup);
/// Makes a European option on the trade's only asset, which expires at `date`, the control variate.
void use_vanilla(const TradeConfig& trade, const MarketView& view, double date, double sign,
                 double strike, TradeSetup& setup);

}  // namespace gsim::pricing
