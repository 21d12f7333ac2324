#pragma once
// The keys that several products share, each described, read and checked in one place. Errors stand
// at the key that is wrong.

#include <string>

#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// One underlying, with weight 1.
void describe_asset(Section& s, const MarketConfig& market, TradeConfig& trade);

/// What `weights` may be: not a key of the product; any numbers; positive.
enum class WeightRule { none, free, positive };
inline constexpr Index most_assets = 1000;  ///< of a trade
/// `least` to `most` underlyings, with their weights. Any two need a correlation: taking them for
/// independent would be a guess.
void describe_assets(Section& s, const MarketConfig& market, TradeConfig& trade, WeightRule rule,
                     Index least, Index most);

void describe_type(Section& s, TradeConfig& trade);
void describe_strike(Section& s, TradeConfig& trade);
/// maturity and payment_lag.
void describe_maturity(Section& s, TradeConfig& trade);

/// Dates of observation: listed, or counted and equally spaced; rising, at least one of them after
/// today, none after the maturity. `what` names them in the schema. Defaults stand for absent keys
/// (an empty list, a count of 0): a resolved configuration, which spells out all defaults, reads
/// the same.
void describe_schedule(Section& s, TradeConfig& trade, bool includes_start,
                       const std::string& what);
/// Fails at `maturity` where the last date is another.
void require_last_date_at_maturity(const Section& s, const TradeConfig& trade, const char* why);
/// Observations before today; `what` goes on in the schema where "before today" ends.
void describe_past(Section& s, TradeConfig& trade, const std::string& what);

/// maturity and monitoring: continuous, or discrete with a schedule that ends at the maturity.
void describe_monitoring(Section& s, TradeConfig& trade);
/// Two or more assets, `most` at most, with type and strike where `has_strike`, and maturity.
void describe_multi(Section& s, const MarketConfig& market, TradeConfig& trade, WeightRule rule,
                    Index most, bool has_strike);
/// Two assets whose difference the trade depends on: weights 1 and -1.
void describe_pair(Section& s, const MarketConfig& market, TradeConfig& trade, bool has_strike);

}  // namespace gsim::pricing
