#pragma once
// The currency in which a trade is paid.
//
// Without the key `currency` it is that of the trade's assets. The value in it, under the measure
// of that currency, is converted to the base currency at today's exchange rate: the price, in any
// currency, of the same payments. With `currency`, assets of other currencies are converted
// (market/converted_assets.hpp).

#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// The keys currency and conversion of a trade.
void describe_payment_currency(Section& section, TradeInput& trade);
/// Sets the currency of a trade whose assets have been found, and replaces assets of other
/// currencies by converted ones; `key` is that of the assets. ConfigError if the currencies of the
/// assets differ without `currency`, if `conversion` is missing or has no effect, for composites of
/// several assets, and if no exchange rates connect the currency and the base currency.
void validate_payment_currency(const Section& section, std::string_view key, TradeInput& trade);

}  // namespace gsim::pricing
