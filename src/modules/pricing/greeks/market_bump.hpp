#pragma once
// Changes of the market, of which Greeks are the effect on prices.

#include <string>
#include <vector>

#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// A change of one quantity of the market.
struct MarketBump {
  enum class Quantity { spot, volatility, rate, time };
  Quantity quantity = Quantity::spot;
  /// Of the market (spot, volatility); the currency (rate), where -1 is the base currency.
  Index asset = -1;
  int bucket = -1;  ///< pillar of the volatility or rate; -1: all
  /// spot: relative; volatility: 1/sqrt(year); rate: 1/year; time: years that pass.
  double size = 0;
};

/// The names of the pillars of an asset's volatility: the times as in the input, in years;
/// "v0" and "theta" for heston and bates. Empty for a constant volatility, and for models of
/// plugins.
std::vector<std::string> volatility_buckets(const AssetConfig& asset);
/// Whether the model of the asset has a volatility that can be bumped; those of plugins have none.
bool has_volatility(const AssetConfig& asset);
/// The times of the pillars of the currency's rate curve, in years, as text; empty for a constant
/// rate.
std::vector<std::string> rate_pillars(const MarketConfig& market, Index currency);

/// Largest size, at most `size`, of a bump of the volatility in either direction that leaves every
/// forward variance of the asset at least a quarter of its value: implied volatilities cannot be
/// bumped further one by one without calendar arbitrage.
double allowed_volatility_bump(const AssetConfig& asset, int bucket, double size);

/// Largest size, at most `size`, of a bump of a currency's rate for trades on its short rates: the
/// share `share` of the smallest volatility of these. Options on rates are far from linear in
/// changes as large as those of a year.
double allowed_rate_bump(const MarketConfig& market, Index currency, double size, double share);

/// Whether a fall of the volatility by `size` would cut it off at 0 or fold it back there: one of
/// the bumped volatilities is 0 or, of given local ones, less than that. (Prices under Heston's
/// model are smooth in the variances, so that folding them is right.)
bool falls_to_zero(const AssetConfig& asset, int bucket, double size);

/// Largest fall, at most `size`, of all volatilities of the asset in a scenario: every implied
/// volatility keeps a quarter of its value, while forward or local variances may be cut off.
double allowed_volatility_fall(const AssetConfig& asset, double size);
/// Whether a change of all implied volatilities gives arbitrage, so that forward or local variances
/// are cut off.
bool has_cut_off_variances(const AssetConfig& asset, double change);

/// The market after the change.
MarketConfig bumped(MarketConfig market, const MarketBump& bump);

}  // namespace gsim::pricing
