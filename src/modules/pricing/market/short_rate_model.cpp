#include "src/modules/pricing/market/short_rate_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

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

ShortRateModel::ShortRateModel(const MarketConfig& market, const AssetConfig& asset)
    : rate_(asset.short_rate->discount ? *asset.short_rate->discount
                                       : market.rate_of(asset.currency)),
      forecast_(asset.short_rate->forecast ? *asset.short_rate->forecast : rate_),
      short_rate_(*asset.short_rate),
      kappa_(asset.short_rate->mean_reversion),
      horizon_(asset.short_rate->horizon) {}

double ShortRateModel::discount(double t) const { return exponential(-rate_.integral(t)); }

double ShortRateModel::basis(double start, double end) const {
  if (&forecast_ == &rate_) return 1;
  return exponential(forecast_.integral(start, end) - rate_.integral(start, end));
}

double ShortRateModel::loading(double t) const {
  return integrated_exponential(-kappa_, t) - integrated_exponential(-kappa_, horizon_);
}

RateTerm ShortRateModel::bond(double date, double payment) const {
  if (short_rate_.second) return bond_loadings(short_rate_, date, payment);
  return {0, loading(payment)};
}

RateTerm ShortRateModel::claim(double amount, double date, RateTerm term) const {
  const double h = term.loading;
  // With one factor the variable is ln S = x - zeta / 2.
  const double exponent = short_rate_.second
                              ? 0.5 * variance_of(term, factor_covariance(short_rate_, date))
                              : 0.5 * short_rate_variance(short_rate_, date) * h * (1 + h);
  term.amount = amount * exponential(-exponent);
  return term;
}

double short_rate_variance(const ShortRate& rate, double t) {
  return square(rate.volatility) * integrated_exponential(2 * rate.mean_reversion, t);
}

RateTerm ShortRateModel::value_at(double date, double payment, double amount) const {
  return claim(amount * discount(payment), date, bond(date, payment));
}

RateTerm ShortRateModel::growth_at(double date, double start, double end, double payment,
                                   double amount) const {
  const double factor = amount * basis(start, end);
  if (payment == end) return value_at(date, start, factor);
  RateTerm term = bond(date, payment);
  const RateTerm from = bond(date, start), to = bond(date, end);
  term.loading = term.loading + from.loading - to.loading;
  term.second_loading = term.second_loading + from.second_loading - to.second_loading;
  return claim(factor * discount(start) / discount(end) * discount(payment), date, term);
}

double ShortRateModel::expectation(const std::vector<RateTerm>& terms, double date,
                                   bool is_option) const {
  if (short_rate_.second)
    return two_factor_expectation(terms, factor_covariance(short_rate_, date), is_option);
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

RateOption::RateOption(const ShortRateModel& model, std::vector<RateTerm> terms, double earlier,
                       double date) {
  const double total = model.variance(date), left = total - model.variance(earlier);
  // One term for each loading: the payments of both legs of a swap at a date.
  std::sort(terms.begin(), terms.end(),
            [](const RateTerm& a, const RateTerm& b) { return a.loading < b.loading; });
  std::vector<RateTerm> sum;
  for (const RateTerm& term : terms)
    if (!sum.empty() && sum.back().loading == term.loading)
      sum.back().amount += term.amount;
    else
      sum.push_back(term);
  double low = 0, high = 0;  // under the measures of all terms
  for (const RateTerm& term : sum) {
    low = std::fmin(low, -term.loading * total);
    high = std::fmax(high, -term.loading * total);
  }
  const double reach = 12 * std::sqrt(total);
  low -= reach + 0.5 * total;
  high += reach;
  const bool low_pays = sum_at(sum, low) > 0, high_pays = sum_at(sum, high) > 0;
  if (!low_pays && !high_pays) return;
  if (low_pays != high_pays) {
    side_ = low_pays ? 1 : -1;
    limit_ = sign_change(sum, low, high);
  }
  inverse_deviation_ = left > 0 ? 1 / std::sqrt(left) : 0;
  for (const RateTerm& term : sum)
    terms_.push_back({term.amount * exponential(0.5 * term.loading * (1 + term.loading) * left),
                      term.loading, -(0.5 + term.loading) * left});
}

RateOption::Value RateOption::value(double log_state) const {
  Value sum{0, 0};
  for (const Term& term : terms_) {
    double share = 1;
    if (side_ != 0) {
      const double distance = side_ * (limit_ - log_state - term.shift);
      share = inverse_deviation_ > 0 ? normal_cdf(distance * inverse_deviation_)
                                     : (distance > 0 ? 1.0 : 0.0);
    }
    const double value = term.amount * exponential(-term.loading * log_state) * share;
    sum.value += value;
    // The derivatives of the shares cancel, since A is 0 at the limit.
    sum.slope -= term.loading * value;
  }
  sum.value = std::fmax(sum.value, 0.0);
  return sum;
}

}  // namespace gsim::pricing
