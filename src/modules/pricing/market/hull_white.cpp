#include "src/modules/pricing/market/hull_white.hpp"

#include <cmath>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

/// (e^(a t) - 1) / a, by its series where a t is small.
double integrated_exponential(double a, double t) {
  const double x = a * t;
  if (std::fabs(x) < 1e-4) return t * (1 + x / 2 * (1 + x / 3 * (1 + x / 4)));
  return (exponential(x) - 1) / a;
}

double sum_at(const std::vector<RateTerm>& terms, double y) {
  double sum = 0;
  for (const RateTerm& term : terms) sum += term.amount * exponential(-term.loading * y);
  return sum;
}

/// The sign change of the sum between `low` and `high`, where its signs differ.
double sign_change(const std::vector<RateTerm>& terms, double low, double high) {
  const bool rises = sum_at(terms, high) > 0;
  for (int i = 0; i < 200 && high - low > 1e-15 * (1 + std::fabs(low)); ++i) {
    const double middle = 0.5 * (low + high);
    ((sum_at(terms, middle) > 0) == rises ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

HullWhite::HullWhite(const MarketConfig& market, const AssetConfig& asset)
    : rate_(asset.short_rate->discount ? *asset.short_rate->discount
                                       : market.rate_of(asset.currency)),
      forecast_(asset.short_rate->forecast ? *asset.short_rate->forecast : rate_),
      short_rate_(*asset.short_rate),
      kappa_(asset.short_rate->mean_reversion),
      horizon_(asset.short_rate->horizon) {}

double HullWhite::discount(double t) const { return exponential(-rate_.integral(t)); }

double HullWhite::basis(double start, double end) const {
  if (&forecast_ == &rate_) return 1;
  return exponential(forecast_.integral(start, end) - rate_.integral(start, end));
}

double HullWhite::loading(double t) const {
  return integrated_exponential(-kappa_, t) - integrated_exponential(-kappa_, horizon_);
}

double short_rate_variance(const ShortRate& rate, double t) {
  return square(rate.volatility) * integrated_exponential(2 * rate.mean_reversion, t);
}

RateTerm HullWhite::value_at(double date, double payment, double amount) const {
  const double h = loading(payment), zeta = short_rate_variance(short_rate_, date);
  return {amount * discount(payment) * exponential(-0.5 * zeta * h * (1 + h)), h};
}

RateTerm HullWhite::growth_at(double date, double start, double end, double payment,
                              double amount) const {
  const double factor = amount * basis(start, end);
  if (payment == end) return value_at(date, start, factor);
  const double h = loading(payment) + loading(start) - loading(end);
  const double zeta = short_rate_variance(short_rate_, date);
  return {factor * discount(start) / discount(end) * discount(payment) *
              exponential(-0.5 * zeta * h * (1 + h)),
          h};
}

double HullWhite::expectation(const std::vector<RateTerm>& terms, double date,
                              bool is_option) const {
  const double zeta = short_rate_variance(short_rate_, date), mean = -0.5 * zeta,
               sd = std::sqrt(zeta);
  // E[e^(-h y); y < limit] for y = ln S(date); all y without a limit.
  const auto part = [&](const RateTerm& term, double share) {
    return term.amount * exponential(-term.loading * mean + 0.5 * square(term.loading) * zeta) *
           share;
  };
  // Under the measure of each term ln S has the mean `mean` - loading zeta.
  constexpr double reach = 12;  // standard deviations
  double low = mean, high = mean;
  for (const RateTerm& term : terms) {
    low = std::fmin(low, mean - term.loading * zeta);
    high = std::fmax(high, mean - term.loading * zeta);
  }
  low -= reach * sd;
  high += reach * sd;
  const bool low_pays = sum_at(terms, low) > 0, high_pays = sum_at(terms, high) > 0;
  if (is_option && !low_pays && !high_pays) return 0;
  double value = 0;
  if (!is_option || low_pays == high_pays || !(sd > 0)) {
    for (const RateTerm& term : terms) value += part(term, 1);
    return is_option ? std::fmax(value, 0.0) : value;
  }
  const double limit = sign_change(terms, low, high);
  for (const RateTerm& term : terms) {
    const double z = (limit - mean + term.loading * zeta) / sd;
    value += part(term, normal_cdf(low_pays ? z : -z));
  }
  return value;
}

}  // namespace gsim::pricing
