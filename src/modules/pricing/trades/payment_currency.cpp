#include "src/modules/pricing/trades/payment_currency.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/market/converted_assets.hpp"

namespace gsim::pricing {
namespace {

const AssetConfig& asset_of(const MarketConfig& market, Index i) {
  return market.assets[static_cast<std::size_t>(i)];
}

/// The currency that all assets of the trade have.
Index common_currency(const Section& s, std::string_view key, const TradeInput& t) {
  const AssetConfig& first = asset_of(*t.market, t.assets.front());
  for (const Index i : t.assets) {
    const AssetConfig& other = asset_of(*t.market, i);
    if (other.currency == first.currency) continue;
    s.fail(key,
           fmt::format("the asset `{}` is in {} and `{}` in {}", excerpt(first.name),
                       currency_name(*t.market, first.currency), excerpt(other.name),
                       currency_name(*t.market, other.currency)),
           "give `currency`, in which the trade is paid, and conversion = \"quanto\"");
  }
  return first.currency;
}

void convert_assets(const Section& s, TradeInput& t) {
  const auto is_own = [&](Index i) { return asset_of(*t.market, i).currency == t.currency; };
  if (std::all_of(t.assets.begin(), t.assets.end(), is_own)) {
    if (t.conversion != Conversion::none)
      s.fail("conversion",
             fmt::format("the assets are in {}, in which the trade is paid",
                         currency_name(*t.market, t.currency)),
             "leave `conversion` out");
    return;
  }
  if (t.conversion == Conversion::none)
    s.fail("currency",
           fmt::format("an asset in another currency than {} needs `conversion`",
                       currency_name(*t.market, t.currency)),
           "set conversion = \"quanto\" (the payoff in the asset's own price is paid at the rate "
           "1) or \"composite\" (the asset's price is converted at the exchange rate of each "
           "date); leave `currency` out to convert the payment at the exchange rate of its date");
  if (t.conversion == Conversion::composite && t.assets.size() > 1)
    s.fail("conversion", "composites of several assets are not supported",
           "use conversion = \"quanto\"");
  for (Index& i : t.assets)
    if (!is_own(i)) i = find_converted(s, "currency", *t.market, i, t.currency, t.conversion);
}

}  // namespace

void describe_payment_currency(Section& s, TradeInput& t) {
  static constexpr std::string_view conversions[] = {"none", "quanto", "composite"};
  static const KeyInfo currency{
      .doc =
          "currency of the payments; by default that of the asset, whose value is converted to "
          "the base currency at today's exchange rate"};
  static const KeyInfo conversion{
      .doc =
          "of assets in another currency than `currency`: \"quanto\" pays the payoff in the "
          "asset's own price at the rate 1, \"composite\" is on the asset's price in `currency`"};
  s.optional("currency", t.currency_name, currency);
  s.optional("conversion", t.conversion, conversions, conversion);
}

void validate_payment_currency(const Section& s, std::string_view key, TradeInput& t) {
  if (t.currency_name.empty()) {
    t.currency = common_currency(s, key, t);
    if (t.conversion != Conversion::none)
      s.fail("conversion", "it needs `currency`, in which the trade is paid");
  } else {
    t.currency = require_currency(s, "currency", *t.market, t.currency_name);
    convert_assets(s, t);
  }
  if (std::isnan(t.market->conversions[static_cast<std::size_t>(t.currency)]))
    s.fail(t.currency_name.empty() ? key : "currency",
           fmt::format("no exchange rates connect {} and {}", currency_name(*t.market, t.currency),
                       currency_name(*t.market, base_currency)),
           "add them to [market.fx]");
}

}  // namespace gsim::pricing
