#pragma once
// Barrier options that are monitored on the dates of any schedule, and knocked in or out by a
// number of consecutive dates beyond the barrier: what Parisian and window barriers share.

#include "src/modules/pricing/scripts/scripted_trade.hpp"

namespace gsim::pricing {

/// The keys of the option, without that of the number of dates, which is 1.
void describe_run_barrier(Section& s, TradeInput& trade);
/// The keys of its schedule.
void describe_run_dates(Section& s, TradeInput& trade);
void validate_run_barrier(const Section& s, const MarketConfig& market, TradeInput& trade);
/// For example "down-and-out put".
std::string run_barrier_name(const TradeConfig& trade);

}  // namespace gsim::pricing
