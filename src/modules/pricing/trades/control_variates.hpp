#pragma once
// Control variates: a second payoff on the same paths with known expectation. A payoff is never its
// own control variate, because the result would be the closed form with zero error, independent of
// the simulation. The exception are forwards, whose price is that of the spot, under any model.

#include <optional>

#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"
#include "src/modules/pricing/trades/trade_setup.hpp"

namespace gsim::pricing {

/// Whether a payoff is linear in the spot at its last date, as a forward, so that the spot as
/// control variate leaves nothing to chance.
inline bool is_linear_in_spot(const TradeSetup& t) { return t.payoff == PayoffFormula::forward; }

/// Chooses the control variate of a trade and its expectation: the choice of its payoff
/// (PayoffFunctions::choose_control) or, if there is none or with `spot_only`, the discounted spot.
void choose_control(const TradeConfig& trade, const MarketView& view, bool spot_only,
                    TradeSetup& setup);

/// Whether the discounted spots of all assets of the trade are martingales.
bool all_martingales(const TradeConfig& trade, const MarketView& view);
/// Whether all assets of the trade have the model black_scholes.
bool all_black_scholes(const TradeConfig& trade, const MarketView& view);
/// Whether European options on the trade's only asset have a value in closed form.
bool has_vanilla_value(const TradeConfig& trade, const MarketView& view);
/// The value of a European option on an asset, in closed form; its model must have one
/// (PathModelFunctions::has_vanilla_value). A strike of 0 or less makes a call a forward.
double vanilla_value(const MarketView& view, Index asset, double date, double sign, double strike,
                     double discount);
/// The value of a European option on the larger (`best`) or smaller weighted spot of the trade's
/// two assets under black_scholes, or nothing where the strike is not positive or the spots are
/// perfectly correlated or not random.
std::optional<double> two_asset_value(bool best, const TradeConfig& trade, const MarketView& view,
                                      const TradeSetup& setup);
/// The date of the trade's last fixing, years.
double last_date(const MarketView& view, const TradeSetup& setup);
/// Strike of a control: `level` times e^(deviations sd), where sd is the standard deviation of ln S
/// of the trade's only asset at `date`, without jumps.
double shifted_strike(const TradeConfig& trade, const MarketView& view, double date, double level,
                      double deviations);

/// Uses the weighted sum of the assets' spots at the last fixing as the control variate.
void use_spot(const TradeConfig& trade, const MarketView& view, TradeSetup& setup);
/// Uses a European option on the trade's only asset, expiring at `date`, as the control variate.
void use_vanilla(const TradeConfig& trade, const MarketView& view, double date, double sign,
                 double strike, TradeSetup& setup);

}  // namespace gsim::pricing
