#include "src/modules/pricing/market/currencies.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {
namespace {

std::vector<std::string> currency_names(const MarketConfig& market) {
  std::vector<std::string> names;
  if (!market.base_name.empty()) names.push_back(market.base_name);
  for (const MarketCurrency& c : market.currencies) names.push_back(c.name);
  return names;
}

/// Depth-first search: appends the legs from `from` to `to` without the pair `before`.
bool append_legs(const MarketConfig& market, Index from, Index to, Index before,
                 std::vector<CurrencyLeg>& legs) {
  if (from == to) return true;
  for (std::size_t i = 0; i < market.assets.size(); ++i) {
    const auto pair = static_cast<Index>(i);
    const auto& rate = market.assets[i].exchange;
    if (!rate || pair == before || (rate->foreign != from && rate->domestic != from)) continue;
    const bool is_foreign = rate->foreign == from;
    legs.push_back({pair, is_foreign ? 1.0 : -1.0});
    if (append_legs(market, is_foreign ? rate->domestic : rate->foreign, to, pair, legs))
      return true;
    legs.pop_back();
  }
  return false;
}

}  // namespace

Index find_currency(const MarketConfig& market, const std::string& name) {
  if (!name.empty() && name == market.base_name) return base_currency;
  for (std::size_t i = 0; i < market.currencies.size(); ++i)
    if (market.currencies[i].name == name) return static_cast<Index>(i) + 1;
  return -1;
}

Index require_currency(const Section& s, std::string_view key, const MarketConfig& market,
                       const std::string& name) {
  const Index currency = find_currency(market, name);
  if (currency >= 0) return currency;
  if (market.base_name.empty())
    s.fail(key, fmt::format("there is no currency `{}`", excerpt(name)),
           "name the currency of market.rate by market.currency, and others by "
           "[market.currencies.NAME]");
  s.fail(key, fmt::format("there is no currency `{}`", excerpt(name)),
         suggest_known(name, currency_names(market), "the currencies are"));
}

std::string currency_name(const MarketConfig& market, Index currency) {
  if (currency != base_currency)
    return market.currencies[static_cast<std::size_t>(currency) - 1].name;
  return market.base_name.empty() ? "currency" : market.base_name;
}

ExchangeRate exchange_rate_of(const Section& s, const MarketConfig& market,
                              const std::string& name) {
  std::vector<ExchangeRate> found;
  for (std::size_t length = 1; length < name.size(); ++length) {
    const Index foreign = find_currency(market, name.substr(0, length));
    const Index domestic = find_currency(market, name.substr(length));
    if (foreign >= 0 && domestic >= 0 && foreign != domestic) found.push_back({foreign, domestic});
  }
  if (found.size() != 1)
    s.fail("",
           fmt::format("`{}` does not consist of the names of two currencies of the market",
                       excerpt(name)),
           fmt::format("name an exchange rate by its foreign and its domestic currency, as EURUSD "
                       "for the price of one EUR in USD; the currencies are {}",
                       fmt::join(currency_names(market), ", ")));
  bool connected = false;
  currency_legs(market, found[0].foreign, found[0].domestic, &connected);
  if (connected)
    s.fail("", fmt::format("the exchange rate `{}` follows from the others already", excerpt(name)),
           "leave one of them out: prices of currencies in each other must be consistent");
  return found[0];
}

std::vector<CurrencyLeg> currency_legs(const MarketConfig& market, Index from, Index to,
                                       bool* connected) {
  std::vector<CurrencyLeg> legs;
  *connected = append_legs(market, from, to, -1, legs);
  return legs;
}

}  // namespace gsim::pricing
