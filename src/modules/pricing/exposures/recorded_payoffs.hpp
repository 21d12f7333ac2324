#pragma once
// What is recorded of a trade's path at a date before its maturity for its exposures: payoffs of
// the path until then.

#include <memory>
#include <vector>

#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"
#include "src/modules/pricing/trades/trade_setup.hpp"

namespace gsim::pricing {

/// Whether a built-in payoff ends at its barrier, or begins there.
bool is_barrier(const TradeConfig& trade, const TradeSetup& setup);

/// Whether launchers evaluate the payoff, which is not one with a continuously monitored window.
bool is_launched(const TradeConfig& trade, const TradeSetup& setup);

/// Whether the date is within a period between fixings. There, the payment for the period depends
/// on its return so far, and that for the others on the sum of theirs; of a cliquet these are two
/// variables, since returns are clipped.
bool is_within_period(const TradeConfig& trade, double date);

/// A trade with the maturity `date` whose payoff is the state of the path on which the value of
/// `trade` depends, also where `trade` is out of the money: the average or extreme so far, a
/// basket's level, the strike of a forward start, the sum of returns with that of the current
/// period, and of barrier options an amount that is positive until the barrier is touched.
TradeConfig state_of(const TradeConfig& trade, double date, const TradeSetup& setup,
                     const MarketView& view);

/// The same of an option with a continuously monitored window, whose set-up is `setup`, at a
/// record.
TradeSetup state_of_window(const TradeSetup& setup, Index record);

/// Whether the value is that of options on a short rate, and of what is decided before the date.
bool is_valued_by_options(const TradeConfig& trade);

/// What is recorded at a date of a trade whose payoff launchers evaluate: its weighted spots, in
/// whose place RecordedStates::replace_values() puts the state of the past.
TradeSetup weighted_spots(const TradeSetup& setup, Index record);

/// The payoff that is recorded at a date before the maturity: what the trade would pay if that were
/// its maturity, where it may be exercised then or is worth that; otherwise the state of its path.
/// Where there is no state yet, it is 0, or of a barrier option positive.
TradeSetup value_at(const TradeConfig& trade, double date, bool is_exercise_date,
                    const MarketView& view, const std::vector<Index>& assets,
                    const TradeSetup& setup);

/// The returns of the current periods of a cliquet so far, at the dates of `exercise`; 0 at
/// fixings, and before the first one.
std::shared_ptr<const ExerciseSetup> make_returns(const TradeConfig& trade,
                                                  const ExerciseSetup& exercise,
                                                  const MarketView& view,
                                                  const std::vector<Index>& order,
                                                  const TradeSetup& whole);

/// The values of a bond without early exercise at `dates`, years, but the last, which is the
/// maturity; `exercise` has their records.
std::shared_ptr<const ExerciseSetup> make_bond_values(const TradeConfig& bond,
                                                      const ExerciseSetup& exercise,
                                                      const std::vector<double>& dates,
                                                      const MarketView& view,
                                                      const std::vector<Index>& order);

}  // namespace gsim::pricing
