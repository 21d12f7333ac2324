#pragma once
// Barrier options that are monitored on the dates of any schedule, and knocked in or out by a
// number of consecutive dates beyond the barrier: what Parisian and window barriers share.

#include "src/modules/pricing/scripts/scripted_trade.hpp"

namespace gsim::pricing {

/// The terms of such a trade of one unit, in the currency of its payments, and its state today.
struct RunBarrier {
  double sign = 1, strike = 0, barrier = 0, rebate = 0;
  bool up = false, knock_in = false;
  double consecutive = 1;  ///< number of dates beyond the barrier that knock the option in or out
  double run = 0;          ///< number of such dates just before the first of TradeSetup::records
  bool touched = false;    ///< knocked in or out already
  bool is_monitored_at_maturity = true;
  bool operator==(const RunBarrier&) const = default;
};

/// The keys of the option, without that of the number of dates, which is 1.
void describe_run_barrier(Section& s, TradeInput& trade);
/// The keys of its schedule.
void describe_run_dates(Section& s, TradeInput& trade);
void validate_run_barrier(const Section& s, const MarketConfig& market, TradeInput& trade);
/// PayoffFunctions::set_up of such trades: the terms of the option follow the numbers of its
/// script.
void set_up_run_barrier(const TradeConfig& trade, const MarketView& view,
                        const Observations& observations, TradeSetup& setup);
/// Whether the maturity of such a trade is one of its dates.
bool is_monitored_at_maturity(const TradeConfig& trade);
/// Whether a trade is of the products whose script this is.
bool is_run_barrier(const TradeConfig& trade);
/// Whether a trade was set up by set_up_run_barrier(), and is not monitored continuously.
bool is_run_barrier(const TradeSetup& trade);
/// The terms of such a trade.
RunBarrier run_barrier_of(const TradeSetup& trade);
/// For example "down-and-out put".
std::string run_barrier_name(const TradeConfig& trade);

}  // namespace gsim::pricing
