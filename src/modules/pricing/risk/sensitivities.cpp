#include "src/modules/pricing/risk/sensitivities.hpp"

#include <algorithm>
#include <array>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/greeks/market_bump.hpp"
#include "src/modules/pricing/market/converted_assets.hpp"

namespace gsim::pricing {
namespace {

using Quantity = MarketBump::Quantity;

double bump_size(const PricingConfig& config, const RiskFactor& f) {
  const GreekBumps& bumps = config.options.greeks.bumps;
  if (f.deviation == 0) return 0;
  if (f.quantity == Quantity::spot) return bumps.spot;
  if (f.quantity == Quantity::rate) {
    constexpr double share = 0.1;  // smaller ones give second derivatives more noise
    return allowed_rate_bump(config.market, f.asset < 0 ? base_currency : f.asset, bumps.rate,
                             share);
  }
  return allowed_volatility_bump(config.market.assets[static_cast<std::size_t>(f.asset)], -1,
                                 bumps.volatility);
}

bool depends_on(const std::vector<Index>& spots, Index asset) {
  return std::find(spots.begin(), spots.end(), asset) != spots.end();
}

/// The spots on which each trade depends.
std::vector<std::vector<Index>> spots_of_trades(const PricingConfig& config) {
  std::vector<std::vector<Index>> spots;
  spots.reserve(config.trades.size());
  for (const TradeConfig& t : config.trades)
    spots.push_back(spots_behind(config.market, t.assets, t.currency));
  return spots;
}

/// Whether a trade depends on the spots of both factors.
bool share_a_trade(const std::vector<std::vector<Index>>& spots, const RiskFactor& a,
                   const RiskFactor& b) {
  if (a.quantity != Quantity::spot || b.quantity != Quantity::spot) return false;
  return std::any_of(spots.begin(), spots.end(), [&](const std::vector<Index>& of_trade) {
    return depends_on(of_trade, a.asset) && depends_on(of_trade, b.asset);
  });
}

}  // namespace

double TradeSensitivities::gain(const std::vector<double>& changes) const {
  double sum = 0;
  for (std::size_t f = 0; f < changes.size(); ++f)
    sum += changes[f] * (first[f] + 0.5 * second[f] * changes[f]);
  for (const MixedDerivative& m : mixed) sum += m.value * changes[m.first] * changes[m.second];
  return sum;
}

SensitivityPlan::SensitivityPlan(const PricingConfig& config, const RiskOptions& options) {
  const std::size_t n = options.factors.size();
  const std::vector<std::vector<Index>> spots = spots_of_trades(config);
  for (const RiskFactor& f : options.factors) sizes_.push_back(bump_size(config, f));
  for (std::size_t i = 0; i < n; ++i) {
    if (sizes_[i] == 0) continue;
    differences_.push_back({i, i, scenarios_.size()});
    for (const double sign : {1.0, -1.0}) add({i}, {sign});
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      if (sizes_[i] == 0 || sizes_[j] == 0 ||
          !share_a_trade(spots, options.factors[i], options.factors[j]))
        continue;
      differences_.push_back({i, j, scenarios_.size()});
      for (const double a : {1.0, -1.0})
        for (const double b : {1.0, -1.0}) add({i, j}, {a, b});
    }
}

void SensitivityPlan::add(const std::vector<std::size_t>& factors,
                          const std::vector<double>& signs) {
  Scenario scenario{ScenarioKind::sensitivity, {}, std::vector<double>(sizes_.size(), 0.0)};
  for (std::size_t k = 0; k < factors.size(); ++k)
    scenario.changes[factors[k]] = signs[k] * sizes_[factors[k]];
  scenarios_.push_back(std::move(scenario));
}

std::vector<TradeSensitivities> SensitivityPlan::derivatives(const std::vector<double>& gains,
                                                             std::size_t columns) const {
  std::vector<TradeSensitivities> list(columns);
  for (std::size_t t = 0; t < columns; ++t) {
    TradeSensitivities& s = list[t];
    s.first.assign(sizes_.size(), 0.0);
    s.second.assign(sizes_.size(), 0.0);
    for (const Difference& d : differences_) {
      const auto gain = [&](std::size_t k) { return gains[(d.scenario + k) * columns + t]; };
      if (d.first == d.second) {
        s.first[d.first] = (gain(0) - gain(1)) / (2 * sizes_[d.first]);
        s.second[d.first] = (gain(0) + gain(1)) / square(sizes_[d.first]);
        continue;
      }
      const double mixed =
          (gain(0) - gain(1) - gain(2) + gain(3)) / (4 * sizes_[d.first] * sizes_[d.second]);
      if (mixed != 0) s.mixed.push_back({d.first, d.second, mixed});
    }
  }
  return list;
}

}  // namespace gsim::pricing
