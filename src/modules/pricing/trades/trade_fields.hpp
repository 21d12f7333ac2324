#pragma once
// Configuration keys that several products share; each is described and validated by one pair of
// functions. An error refers to the invalid key.

#include <string>

#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// The key of one underlying.
void describe_asset(Section& s, TradeInput& trade);
/// Sets the index of the underlying, with weight 1.
void validate_asset(const Section& s, const MarketConfig& market, TradeInput& trade);

/// Allowed values of `weights`: key not available; any numbers; positive numbers.
enum class WeightRule { none, free, positive };
inline constexpr Index max_assets = 1000;  ///< largest number of assets of a trade
/// The keys of `min_count` to `max_count` underlyings and, if the rule allows them, of their
/// weights.
void describe_assets(Section& s, TradeInput& trade, WeightRule rule, Index min_count,
                     Index max_count);
/// Sets the indices and weights of the underlyings. Every pair must have a correlation; assets are
/// never assumed to be independent.
void validate_assets(const Section& s, const MarketConfig& market, TradeInput& trade,
                     WeightRule rule, Index min_count, Index max_count);

/// The key of the option type, call or put.
void describe_type(Section& s, TradeInput& trade);
void describe_strike(Section& s, TradeInput& trade);
/// The keys maturity and payment_lag.
void describe_maturity(Section& s, TradeInput& trade);
/// Throws an error if the maturity is today.
void validate_maturity(const Section& s, const TradeInput& trade);

/// Whether the start of the first of `fixing_count` periods is a date of the schedule, too.
enum class ScheduleStart { not_a_date, first_date };
/// The documented keys of a schedule. A product constructs its own once, because a portfolio may
/// have millions of trades.
struct ScheduleKeys {
  /// `dates`: a noun that names the dates in the schema.
  ScheduleKeys(const std::string& dates, ScheduleStart start);
  KeyInfo fixings, fixing_count, fixing_start, fixing_end;
};
/// Observation dates: a list, or a number of equally spaced dates. Absent keys have defaults (an
/// empty list, a count of 0), so that a resolved configuration with all defaults gives the same
/// dates.
void describe_schedule(Section& s, TradeInput& trade, const ScheduleKeys& keys);
/// Sets `fixings`: increasing, at least one of them after today, none after the maturity. Dates
/// before today are taken out of it, and the spots of market.fixings_file at them become
/// `past_fixings`.
void validate_schedule(const Section& s, const MarketConfig& market, TradeInput& trade,
                       ScheduleStart start);
/// Throws an error at `maturity` if the last date differs from the maturity.
void require_last_date_at_maturity(const Section& s, const TradeInput& trade, const char* why);
/// Observations before today; `remark` continues the schema text after "before today".
void describe_past_fixings(Section& s, TradeInput& trade, const std::string& remark);

/// The keys maturity and monitoring: continuous, or discrete with a schedule that ends at the
/// maturity.
void describe_monitoring(Section& s, TradeInput& trade);
void validate_monitoring(const Section& s, const MarketConfig& market, TradeInput& trade);
/// The keys of an option on 2 to `max_assets` underlyings: assets, weights, type, strike and
/// maturity.
void describe_multi_asset_option(Section& s, TradeInput& trade, WeightRule rule);
void validate_multi_asset_option(const Section& s, const MarketConfig& market, TradeInput& trade,
                                 WeightRule rule);
/// The keys of an option on the difference of two underlyings: assets, type and strike if
/// `has_strike`, and maturity.
void describe_spread_option(Section& s, TradeInput& trade, bool has_strike);
/// The same checks for two assets, whose weights are set to 1 and -1.
void validate_spread_option(const Section& s, const MarketConfig& market, TradeInput& trade);

}  // namespace gsim::pricing
