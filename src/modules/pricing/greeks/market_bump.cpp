#include "src/modules/pricing/greeks/market_bump.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/converted_assets.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/volatility/arbitrage.hpp"
#include "src/modules/pricing/volatility/local_volatility_grid.hpp"

namespace gsim::pricing {
namespace {

std::vector<std::string> as_text(const std::vector<double>& times) {
  std::vector<std::string> text;
  text.reserve(times.size());
  for (const double t : times) text.push_back(fmt::format("{:g}", t));
  return text;
}

bool is_bumped(int bucket, std::size_t i) {
  return bucket < 0 || static_cast<std::size_t>(bucket) == i;
}

/// The forward variances of intervals whose total variances change by the given amounts T_i x_i:
/// that of interval i changes by (T_i x_i - T_(i-1) x_(i-1)) / (T_i - T_(i-1)), and after the last
/// expiry of a surface by x_n.
std::vector<double> forward_variances(const AssetConfig& a, const std::vector<double>& totals) {
  std::vector<double> values = StepFunction::from_totals(a.volatility_times, totals).values();
  if (a.surface) values.push_back(totals.back() / a.volatility_times.back());
  return values;
}

/// The derivatives of the forward variances with respect to the implied volatility at a pillar, or
/// at all of them, from those of the total variances sigma_i^2 T_i.
std::vector<double> variance_slopes(const AssetConfig& a, int bucket) {
  std::vector<double> totals;
  for (std::size_t i = 0; i < a.volatility_times.size(); ++i)
    totals.push_back(is_bumped(bucket, i) ? 2 * a.implied_volatilities[i] * a.volatility_times[i]
                                          : 0.0);
  return forward_variances(a, totals);
}

/// Half their second derivatives.
std::vector<double> variance_curvatures(const AssetConfig& a, int bucket) {
  std::vector<double> totals;
  for (std::size_t i = 0; i < a.volatility_times.size(); ++i)
    totals.push_back(is_bumped(bucket, i) ? a.volatility_times[i] : 0.0);
  return forward_variances(a, totals);
}

/// The forward variances of implied volatilities that change by `size`; negative ones are
/// arbitrage.
std::vector<double> changed_variances(const AssetConfig& a, int bucket, double size) {
  std::vector<double> values = a.variance.values();
  const std::vector<double> slopes = variance_slopes(a, bucket);
  const std::vector<double> curvatures = variance_curvatures(a, bucket);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] += size * slopes[i] + size * size * curvatures[i];
  return values;
}

void bump_variance(AssetConfig& a, int bucket, double size) {
  std::vector<double> values = a.variance.values();
  if (a.implied_volatilities.empty()) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (is_bumped(bucket, i)) values[i] = square(std::sqrt(values[i]) + size);
  } else {
    values = changed_variances(a, bucket, size);
    for (double& value : values) value = std::fmax(0.0, value);
  }
  a.variance = a.variance.with_values(std::move(values));
}

void bump_local_volatility(AssetConfig& a, int bucket, double size) {
  if (a.surface) {
    a.surface = std::make_shared<VolatilitySurface>(a.surface->shifted(bucket, size));
    a.local = local_volatility_grid(*a.surface, a.local.times.back());
    return;
  }
  for (std::size_t i = 0; i < a.local.volatility.size(); ++i)
    if (is_bumped(bucket, i))
      for (double& volatility : a.local.volatility[i])
        volatility = std::fmax(0.0, volatility + size);
  a.local.largest = std::fmax(0.0, a.local.largest + size);
}

void bump_volatility(AssetConfig& a, int bucket, double size) {
  if (a.is_rate()) {
    ShortRate& rate = *a.short_rate;
    if (is_bumped(bucket, 0)) rate.volatility += size;
    if (rate.second && is_bumped(bucket, 1)) rate.second->volatility += size;
    return;
  }
  if (functions_of(a).has_own_variance) {
    if (is_bumped(bucket, 0)) a.v0 = square(std::sqrt(a.v0) + size);
    if (is_bumped(bucket, 1)) a.theta = square(std::sqrt(a.theta) + size);
  } else if (!a.local.times.empty()) {
    bump_local_volatility(a, bucket, size);
  } else {
    bump_variance(a, bucket, size);
  }
}

/// A zero rate z_k rises by `size` where the forward rate of interval k rises by
/// size T_k / (T_k - T_(k-1)) and that of the next one falls by size T_k / (T_(k+1) - T_k).
void bump_rate(StepFunction& rate, const std::vector<double>& times, bool has_zero_rates,
               int bucket, double size) {
  std::vector<double> values = rate.values();
  if (bucket < 0 || !has_zero_rates) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (is_bumped(bucket, i)) values[i] += size;
  } else {
    const auto k = static_cast<std::size_t>(bucket);
    values[k] += size * times[k] / (times[k] - (k > 0 ? times[k - 1] : 0));
    if (k + 1 < values.size()) values[k + 1] -= size * times[k] / (times[k + 1] - times[k]);
  }
  rate = rate.with_values(std::move(values));
}

void bump_rate(MarketConfig& market, const MarketBump& bump) {
  if (bump.asset <= base_currency)
    return bump_rate(market.rate, market.rate_times, market.has_zero_rates, bump.bucket, bump.size);
  MarketCurrency& c = market.currencies[static_cast<std::size_t>(bump.asset) - 1];
  bump_rate(c.rate, c.rate_times, c.has_zero_rates, bump.bucket, bump.size);
}

/// Dividends come closer; those that have been paid are left out.
void pass_time(std::vector<Dividend>& dividends, double years) {
  for (Dividend& d : dividends) d.time -= years;
  std::erase_if(dividends, [](const Dividend& d) { return d.time <= 2 * dividend_lead; });
}

void pass_time(MarketConfig& market, double years) {
  market.rate = market.rate.from_date(years);
  for (MarketCurrency& c : market.currencies) c.rate = c.rate.from_date(years);
  for (AssetConfig& a : market.assets) {
    a.dividend = a.dividend.from_date(years);
    pass_time(a.dividends, years);
    if (a.dividends.empty()) a.drops.clear();
    a.variance = a.variance.from_date(years);
    for (double& time : a.local.times) time -= years;
    if (!a.is_rate()) continue;
    for (std::optional<StepFunction>* curve : {&a.short_rate->discount, &a.short_rate->forecast})
      if (*curve) *curve = (*curve)->from_date(years);
  }
}

}  // namespace

bool has_volatility(const AssetConfig& a) {
  return a.is_rate() || functions_of(a).scheme != StepScheme::launched;
}

std::vector<std::string> volatility_buckets(const AssetConfig& a) {
  if (!has_volatility(a)) return {};
  if (a.is_rate() && a.short_rate->second) return {"sigma", "eta"};
  if (functions_of(a).has_own_variance) return {"v0", "theta"};
  if (a.surface) return as_text(a.surface->expiries());
  return as_text(a.local.times.empty() ? a.volatility_times : a.local.times);
}

std::vector<std::string> rate_pillars(const MarketConfig& market, Index currency) {
  return as_text(currency == base_currency
                     ? market.rate_times
                     : market.currencies[static_cast<std::size_t>(currency) - 1].rate_times);
}

namespace {

/// The smallest volatility above 0 of the factors that the bucket means; infinite without one.
double smallest_volatility(const ShortRate& rate, int bucket) {
  double smallest = std::numeric_limits<double>::infinity();
  if (bucket != 1 && rate.volatility > 0) smallest = rate.volatility;
  if (bucket != 0 && rate.second && rate.second->volatility > 0)
    smallest = std::fmin(smallest, rate.second->volatility);
  return smallest;
}

}  // namespace

double allowed_volatility_bump(const AssetConfig& a, int bucket, double size) {
  constexpr double smallest_share = 0.25;
  if (a.is_rate()) {
    // Prices of options out of the money, and those under two factors with a negative correlation,
    // are far from linear in the volatilities.
    constexpr double share_of_rates = 0.05;
    return std::fmin(size, share_of_rates * smallest_volatility(*a.short_rate, bucket));
  }
  // A bump of a whole volatility would fold it back at 0.
  if (functions_of(a).has_own_variance) {
    if (bucket != 1 && a.v0 > 0) size = std::fmin(size, (1 - smallest_share) * std::sqrt(a.v0));
    if (bucket != 0 && a.theta > 0)
      size = std::fmin(size, (1 - smallest_share) * std::sqrt(a.theta));
    return size;
  }
  if (!a.local.times.empty()) return a.surface ? allowed_shift(*a.surface, bucket, size) : size;
  if (a.implied_volatilities.empty()) {
    for (const double variance : a.variance.values())
      if (variance > 0) size = std::fmin(size, (1 - smallest_share) * std::sqrt(variance));
    return size;
  }
  const std::vector<double> slopes = variance_slopes(a, bucket);
  const std::vector<double>& values = a.variance.values();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] > 0 && slopes[i] != 0)
      size = std::fmin(size, (1 - smallest_share) * values[i] / std::fabs(slopes[i]));
  return size;
}

double allowed_rate_bump(const MarketConfig& market, Index currency, double size, double share) {
  for (const AssetConfig& a : market.assets)
    if (a.is_rate() && a.currency == currency)
      size = std::fmin(size, share * smallest_volatility(*a.short_rate, -1));
  return size;
}

bool falls_to_zero(const AssetConfig& a, int bucket, double size) {
  const auto is_zero = [](double value) { return value == 0; };
  if (a.is_rate()) {
    const ShortRate& rate = *a.short_rate;
    return (bucket != 1 && is_zero(rate.volatility)) ||
           (bucket != 0 && rate.second && is_zero(rate.second->volatility));
  }
  if (functions_of(a).has_own_variance || a.surface) return false;
  if (!a.local.times.empty()) {
    for (std::size_t i = 0; i < a.local.volatility.size(); ++i)
      if (is_bumped(bucket, i) &&
          std::any_of(a.local.volatility[i].begin(), a.local.volatility[i].end(),
                      [&](double volatility) { return volatility < size; }))
        return true;
    return false;
  }
  // Implied volatilities of 0 have no variance until their pillar.
  const std::vector<double>& values = a.variance.values();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_bumped(a.implied_volatilities.empty() ? bucket : -1, i) && is_zero(values[i]))
      return true;
  return false;
}

double allowed_volatility_fall(const AssetConfig& a, double size) {
  constexpr double largest_share = 0.75;
  if (!a.local.times.empty() && a.surface)
    return std::fmin(size, largest_share * smallest_volatility(*a.surface));
  if (a.is_rate()) return std::fmin(size, largest_share * smallest_volatility(*a.short_rate, -1));
  if (a.implied_volatilities.empty() || functions_of(a).has_own_variance)
    return allowed_volatility_bump(a, -1, size);
  for (const double volatility : a.implied_volatilities)
    size = std::fmin(size, largest_share * volatility);
  return size;
}

bool has_cut_off_variances(const AssetConfig& a, double change) {
  constexpr double rounding = 1e-9;
  if (a.is_rate() || functions_of(a).has_own_variance) return false;
  if (!a.local.times.empty()) {
    if (!a.surface) return false;
    const std::vector<ExpiryCheck> checks = check_arbitrage(a.surface->shifted(-1, change));
    return std::any_of(checks.begin(), checks.end(),
                       [](const ExpiryCheck& check) { return check.has_arbitrage(); });
  }
  if (a.implied_volatilities.empty()) return false;
  const std::vector<double> values = changed_variances(a, -1, change);
  return *std::min_element(values.begin(), values.end()) < -rounding;
}

MarketConfig bumped(MarketConfig market, const MarketBump& bump) {
  using Quantity = MarketBump::Quantity;
  switch (bump.quantity) {
    case Quantity::spot:
      market.assets[static_cast<std::size_t>(bump.asset)].spot *= 1 + bump.size;
      break;
    case Quantity::volatility:
      bump_volatility(market.assets[static_cast<std::size_t>(bump.asset)], bump.bucket, bump.size);
      break;
    case Quantity::rate:
      bump_rate(market, bump);
      break;
    case Quantity::time:
      pass_time(market, bump.size);
      break;
  }
  update_derived_values(market);
  return market;
}

}  // namespace gsim::pricing
