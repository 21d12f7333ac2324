#include "src/modules/pricing/market/market_view.hpp"

#include <cmath>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/market/variance_knots.hpp"

namespace gsim::pricing {

const AssetConfig& MarketView::asset(Index i) const {
  return market->assets[static_cast<std::size_t>(i)];
}

double MarketView::spot(Index i) const { return asset(i).spot; }

const StepFunction& MarketView::rate() const { return market->rate_of(currency); }

double MarketView::discount(double date) const { return exponential(-rate().integral(date)); }

double MarketView::forward(Index i, double date) const {
  return spot(i) * exponential(market->drift(asset(i), 0, date));
}

double MarketView::mean_yield(Index i, double date) const {
  const AssetConfig& a = asset(i);
  if (a.growth_currency == currency && !a.converted && a.drops.empty())
    return a.dividend.integral(date) / date;
  return (rate().integral(date) - market->drift(a, 0, date)) / date;
}

bool MarketView::is_flat(Index i) const {
  return rate().knots().empty() && market->knots(asset(i)).empty();
}

double MarketView::variance(Index i, double date) const { return asset(i).variance.integral(date); }

bool MarketView::is_black_scholes(Index i) const {
  return is_lognormal(i) && !functions_of(asset(i)).has_jumps;
}

bool MarketView::is_lognormal(Index i) const {
  return functions_of(asset(i)).scheme == StepScheme::black_scholes && !asset(i).is_rate();
}

double log_covariance(const MarketConfig& market, Index first, Index second, double date) {
  const StepFunction& a = market.assets[static_cast<std::size_t>(first)].variance;
  const StepFunction& b = market.assets[static_cast<std::size_t>(second)].variance;
  bool known = false;
  const double correlation = market.correlation_of(first, second, &known);
  double sum = 0, from = 0;
  const auto add_until = [&](double to) {
    sum += std::sqrt(a.value(to) * b.value(to)) * (to - from);
    from = to;
  };
  for (const double knot : variance_knots(market, {first, second}))
    if (knot < date) add_until(knot);
  add_until(date);
  return correlation * sum;
}

}  // namespace gsim::pricing
