#include "src/modules/pricing/market/converted_assets.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/market/fixings.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/market/variance_knots.hpp"

namespace gsim::pricing {
namespace {

const AssetConfig& asset_of(const MarketConfig& market, Index i) {
  return market.assets[static_cast<std::size_t>(i)];
}

/// The logarithm of a price as a sum of those of assets: `sign` times ln S(asset).
using Legs = std::vector<CurrencyLeg>;

double known_correlation(const MarketConfig& market, Index first, Index second) {
  bool known = false;
  return market.correlation_of(first, second, &known);
}

/// The instantaneous covariance of the two logarithms.
StepFunction covariance(const MarketConfig& market, const Legs& first, const Legs& second) {
  std::vector<Index> assets;
  for (const Legs* legs : {&first, &second})
    for (const CurrencyLeg& leg : *legs) assets.push_back(leg.pair);
  std::vector<double> ends = variance_knots(market, assets);
  ends.push_back(ends.empty() ? 1 : ends.back() + 1);
  std::vector<double> values;
  for (const double end : ends) {
    double sum = 0;
    for (const CurrencyLeg& a : first)
      for (const CurrencyLeg& b : second)
        sum += a.sign * b.sign * known_correlation(market, a.pair, b.pair) *
               std::sqrt(asset_of(market, a.pair).variance.value(end) *
                         asset_of(market, b.pair).variance.value(end));
    values.push_back(sum);
  }
  return {std::move(ends), std::move(values)};
}

void update(const MarketConfig& market, AssetConfig& a) {
  const ConvertedAsset& converted = *a.converted;
  const AssetConfig& source = asset_of(market, converted.source);
  a.spot = source.spot;
  a.variance = source.variance;
  a.dividend = source.dividend;
  a.drops = source.drops;
  if (converted.conversion == Conversion::quanto) {
    a.quanto = covariance(market, {{converted.source, 1}}, converted.legs);
    return;
  }
  Legs all = converted.legs;
  all.push_back({converted.source, 1});
  a.variance = covariance(market, all, all);
  // Logarithms that cancel leave rounding errors.
  std::vector<double> values = a.variance.values();
  for (double& value : values) value = std::fmax(value, 0.0);
  a.variance = a.variance.with_values(std::move(values));
  for (const CurrencyLeg& leg : converted.legs) {
    const double spot = asset_of(market, leg.pair).spot;
    a.spot = leg.sign > 0 ? a.spot * spot : a.spot / spot;
  }
}

/// Throws unless the converted asset can be derived.
void check(const Section& s, std::string_view key, const MarketConfig& market, Index source,
           const Legs& legs) {
  Legs all = legs;
  all.push_back({source, 1});
  for (const CurrencyLeg& leg : all) {
    const AssetConfig& a = asset_of(market, leg.pair);
    const PathModelFunctions& model = functions_of(a);
    if (model.scheme == StepScheme::black_scholes && !model.has_jumps && !a.is_rate()) continue;
    s.fail(key,
           fmt::format("payment in another currency is supported for the model black_scholes of "
                       "the asset and of exchange rates only, and `{}` has the model `{}`",
                       excerpt(a.name), a.model->name),
           key.empty()
               ? "leave the trade out: its value on paths is converted at the exchange rates there"
               : "leave `currency` out to value the trade in the currency of its asset");
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      bool known = false;
      market.correlation_of(all[i].pair, all[j].pair, &known);
      if (!known)
        s.fail(key,
               fmt::format("payment in another currency needs the correlation of `{}` and `{}`",
                           excerpt(asset_of(market, all[j].pair).name),
                           excerpt(asset_of(market, all[i].pair).name)),
               "name both in [market.correlation]");
    }
}

/// The past spots of a composite, at the times at which those of the asset and of all exchange
/// rates are known.
std::vector<PastSpot> past_composites(const MarketConfig& market, Index source, const Legs& legs) {
  std::vector<PastSpot> list;
  for (PastSpot past : asset_of(market, source).past_spots) {
    bool all_known = true;
    for (const CurrencyLeg& leg : legs) {
      const std::optional<double> rate = past_spot(asset_of(market, leg.pair), past.time);
      all_known = all_known && rate;
      if (rate) past.spot = leg.sign > 0 ? past.spot * *rate : past.spot / *rate;
    }
    if (all_known) list.push_back(past);
  }
  return list;
}

void sort_unique(std::vector<Index>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

void append_pairs(const Legs& legs, std::vector<Index>& list) {
  for (const CurrencyLeg& leg : legs) list.push_back(leg.pair);
}

}  // namespace

Index find_converted(const Section& s, std::string_view key, MarketConfig& market, Index source,
                     Index currency, Conversion conversion) {
  for (std::size_t i = 0; i < market.assets.size(); ++i) {
    const AssetConfig& a = market.assets[i];
    if (a.converted && a.converted->source == source && a.currency == currency &&
        a.converted->conversion == conversion)
      return static_cast<Index>(i);
  }
  AssetConfig a = asset_of(market, source);
  bool connected = false;
  ConvertedAsset converted{source, conversion,
                           currency_legs(market, a.currency, currency, &connected)};
  if (!connected)
    s.fail(key,
           fmt::format("no exchange rates connect {} and {}", currency_name(market, a.currency),
                       currency_name(market, currency)),
           "add them to [market.fx]");
  check(s, key, market, source, converted.legs);
  const bool is_quanto = conversion == Conversion::quanto;
  a.name +=
      fmt::format(" {} {}", is_quanto ? "quanto" : "composite", currency_name(market, currency));
  a.growth_currency = is_quanto ? a.currency : currency;
  a.currency = currency;
  a.converted = std::move(converted);
  a.exchange.reset();
  a.dividends.clear();
  a.volatility_times.clear();
  a.implied_volatilities.clear();
  a.given_surface.reset();
  a.surface.reset();
  a.calibration.reset();
  if (!is_quanto) a.past_spots = past_composites(market, source, a.converted->legs);
  update(market, a);
  market.assets.push_back(std::move(a));
  return static_cast<Index>(market.assets.size()) - 1;
}

std::string advice_on_fixing(const MarketConfig& market, const AssetConfig& asset) {
  if (!asset.converted) return "add it to market.fixings_file";
  std::string names = fmt::format("`{}`", excerpt(asset_of(market, asset.converted->source).name));
  if (asset.converted->conversion == Conversion::composite)
    for (const CurrencyLeg& leg : asset.converted->legs)
      names += fmt::format(" and `{}`", excerpt(asset_of(market, leg.pair).name));
  return fmt::format("add the value of {} on this date to market.fixings_file", names);
}

void update_derived_values(MarketConfig& market) {
  market.conversions.assign(market.currencies.size() + 1, 1.0);
  for (Index c = 1; c < static_cast<Index>(market.conversions.size()); ++c) {
    double& value = market.conversions[static_cast<std::size_t>(c)];
    bool connected = false;
    for (const CurrencyLeg& leg : currency_legs(market, c, base_currency, &connected)) {
      const double spot = asset_of(market, leg.pair).spot;
      value = leg.sign > 0 ? value * spot : value / spot;
    }
    if (!connected) value = std::nan("");
  }
  for (AssetConfig& a : market.assets) {
    if (a.exchange) a.dividend = market.rate_of(a.exchange->foreign);
    double excessive = 0;
    if (!a.dividends.empty()) set_drops(market, a, &excessive);
  }
  for (AssetConfig& a : market.assets) {
    if (a.converted) update(market, a);
    if (a.first_factor >= 0) a.short_rate = asset_of(market, a.first_factor).short_rate;
  }
}

std::vector<Index> spots_behind(const MarketConfig& market, const std::vector<Index>& assets,
                                Index currency) {
  std::vector<Index> list;
  for (const Index i : assets) {
    const AssetConfig& a = asset_of(market, i);
    if (!a.is_rate()) list.push_back(a.converted ? a.converted->source : i);
    if (a.converted && a.converted->conversion == Conversion::composite)
      append_pairs(a.converted->legs, list);
  }
  bool connected = false;
  append_pairs(currency_legs(market, currency, base_currency, &connected), list);
  sort_unique(list);
  return list;
}

std::vector<Index> volatilities_behind(const MarketConfig& market,
                                       const std::vector<Index>& assets) {
  std::vector<Index> list;
  for (const Index i : assets) {
    const AssetConfig& a = asset_of(market, i);
    list.push_back(a.converted ? a.converted->source : a.first_factor >= 0 ? a.first_factor : i);
    if (a.converted) append_pairs(a.converted->legs, list);
  }
  sort_unique(list);
  return list;
}

std::vector<Index> rates_behind(const MarketConfig& market, const std::vector<Index>& assets,
                                Index currency) {
  std::vector<Index> list = {currency};
  for (const Index i : assets) {
    const AssetConfig& a = asset_of(market, i);
    list.push_back(a.growth_currency);
    if (a.exchange) list.push_back(a.exchange->foreign);
    // A converted asset has the dividends of its source.
    if (!a.converted) continue;
    const AssetConfig& source = asset_of(market, a.converted->source);
    if (source.exchange) list.push_back(source.exchange->foreign);
    if (!source.dividends.empty()) list.push_back(source.growth_currency);
  }
  sort_unique(list);
  return list;
}

}  // namespace gsim::pricing
