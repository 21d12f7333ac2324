#include "src/modules/pricing/market/short_rate_correlation.hpp"

#include <algorithm>
#include <cmath>

namespace gsim::pricing {
namespace {

const AssetConfig& asset_of(const MarketConfig& market, Index i) {
  return market.assets[static_cast<std::size_t>(i)];
}

/// Position of an asset in [market.correlation].
Index position(const MarketConfig& market, Index i) {
  const auto all = static_cast<Index>(market.correlated.size());
  i = driver_of(market, i);
  if (i < 0) return all;
  if (asset_of(market, i).first_factor >= 0) i = asset_of(market, i).first_factor;
  const auto& names = market.correlated;
  return std::find(names.begin(), names.end(), asset_of(market, i).name) - names.begin();
}

}  // namespace

Index driver_of(const MarketConfig& market, Index asset) {
  const auto& converted = asset_of(market, asset).converted;
  if (!converted) return asset;
  return converted->conversion == Conversion::composite ? -1 : converted->source;
}

double correlation_with_short_rate(const AssetConfig& asset) {
  if (!asset.is_rate() || !asset.short_rate->second) return 1;
  const SecondFactor& second = *asset.short_rate->second;
  const bool is_second = asset.first_factor >= 0;
  const double own = is_second ? second.volatility : asset.short_rate->volatility;
  const double other = is_second ? asset.short_rate->volatility : second.volatility;
  const double rho = second.correlation, sum = own + rho * other;
  const double variance = sum * sum + (1 - rho) * (1 + rho) * other * other;
  return variance > 0 ? sum / std::sqrt(variance) : 0;
}

double configured_correlation(const MarketConfig& market, Index first, Index second, bool* known) {
  const auto n = static_cast<Index>(market.correlated.size());
  const Index i = position(market, first), j = position(market, second);
  *known = i < n && j < n;
  return *known ? market.correlation[static_cast<std::size_t>(i * n + j)] : 0;
}

}  // namespace gsim::pricing
