#pragma once
// Configuration keys that several products share; each is described, read and checked once. An
// error refers to the invalid key.

#include <string>

#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// One underlying, with weight 1.
void describe_asset(Section& s, const MarketConfig& market, TradeConfig& trade);

/// Allowed values of `weights`: key not available; any numbers; positive numbers.
enum class WeightRule { none, free, positive };
inline constexpr Index most_assets = 1000;  ///< of a trade
/// Between `least` and `most` underlyings, with their weights. Every pair must have a correlation;
/// assets are never assumed to be independent.
void describe_assets(Section& s, const MarketConfig& market, TradeConfig& trade, WeightRule rule,
                     Index least, Index most);

void describe_type(Section& s, TradeConfig& trade);
void describe_strike(Section& s, TradeConfig& trade);
/// Reads maturity and payment_lag.
void describe_maturity(Section& s, TradeConfig& trade);

/// Observation dates: a list, or a number of equally spaced dates; increasing, at least one of them
/// after today, none after the maturity. `what` names them in the schema. Absent keys have defaults
/// (an empty list, a count of 0), so that a resolved configuration with all defaults gives the same
/// dates.
void describe_schedule(Section& s, TradeConfig& trade, bool includes_start,
                       const std::string& what);
/// Throws an error at `maturity` if the last date differs from the maturity.
void require_last_date_at_maturity(const Section& s, const TradeConfig& trade, const char* why);
/// Observations before today; `what` continues the schema text after "before today".
void describe_past(Section& s, TradeConfig& trade, const std::string& what);

/// Reads maturity and monitoring: continuous, or discrete with a schedule that ends at the
/// maturity.
void describe_monitoring(Section& s, TradeConfig& trade);
/// Reads 2 to `most` assets, type and strike if `has_strike`, and maturity.
void describe_multi(Section& s, const MarketConfig& market, TradeConfig& trade, WeightRule rule,
                    Index most, bool has_strike);
/// Reads two assets; the trade depends on their difference: weights 1 and -1.
void describe_pair(Section& s, const MarketConfig& market, TradeConfig& trade, bool has_strike);

}  // namespace gsim::pricing
