// Which related payoff of known expectation each trade uses as control variate. A payoff is never
// its own control: that would return the closed form with an error of zero and test nothing.

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/setup_parts.hpp"

namespace gsim::pricing {
namespace {

using Control = TradeSetup::Control;

const AssetConfig& asset_of(const MarketView& view, Index i) {
  return view.market->assets[static_cast<std::size_t>(i)];
}

bool has_own_variance(const AssetConfig& a) {
  return a.model == ModelKind::heston || a.model == ModelKind::bates;
}

bool all_black_scholes(const TradeConfig& t, const MarketView& view) {
  for (const Index i : t.assets)
    if (!view.is_black_scholes(i)) return false;
  return true;
}

bool has_plugged(const TradeConfig& t, const MarketView& view) {
  return std::any_of(t.assets.begin(), t.assets.end(),
                     [&](Index i) { return asset_of(view, i).model == ModelKind::plugged; });
}

bool all_martingales(const TradeConfig& t, const MarketView& view) {
  return std::all_of(t.assets.begin(), t.assets.end(), [&](Index i) {
    const AssetConfig& a = asset_of(view, i);
    return a.model != ModelKind::plugged || a.kind->martingale;
  });
}

void use_spot(const TradeConfig& t, const MarketView& view, double date, TradeSetup& p) {
  p.control = Control::spot;
  for (std::size_t i = 0; i < t.assets.size(); ++i)
    p.control_expectation += p.discount * t.weights[i] * view.forward(t.assets[i], date);
}

// Variance of ln S at `date`, jumps left out, of models with European prices in closed form.
double diffusion_variance(const AssetConfig& a, double date) {
  if (has_own_variance(a)) return heston_mean_variance(a.v0, a.kappa, a.theta, date) * date;
  return a.variance.integral(date);
}

void use_vanilla(const TradeConfig& t, const MarketView& view, double date, double sign,
                 double strike, TradeSetup& p) {
  const Index i = t.assets.front();
  const AssetConfig& a = asset_of(view, i);
  const double forward = view.forward(i, date);
  p.control = Control::vanilla;
  p.control_sign = sign;
  p.control_strike = strike;
  p.control_expectation = has_own_variance(a)
                              ? heston(sign, forward, strike,
                                       {a.v0, a.kappa, a.theta, a.sigma, a.rho, a.jump_intensity,
                                        a.jump_mean, a.jump_sd, date},
                                       p.discount)
                              : merton(sign, forward, strike, view.variance(i, date),
                                       a.jump_intensity * date, a.jump_mean, a.jump_sd, p.discount);
}

// The vanilla that explains most of a single-asset payoff. Its strike lies a fraction of a standard
// deviation from what the payoff turns on; the fractions are the best for lognormal spots, found by
// scanning: variances fall 3 to 4 times for digitals (2 with their own strike), 2.7 to 13 times for
// lookbacks.
void use_related_vanilla(const TradeConfig& t, const MarketView& view, double date, TradeSetup& p) {
  const double forward = view.forward(t.assets.front(), date);
  const double sd = std::sqrt(diffusion_variance(asset_of(view, t.assets.front()), date));
  const auto shifted = [&](double level, double sds) { return level * exponential(sds * sd); };
  const bool seen = p.past_count > 0;
  if (t.product == Product::digital) {
    // On the side that is out of the money, whichever the digital's own.
    const bool call = p.strike >= forward;
    use_vanilla(t, view, date, call ? 1 : -1, shifted(p.strike, call ? -0.7 : 0.7), p);
  } else if (t.product == Product::lookback) {
    double level = forward;
    if (t.floating && seen) level = t.call ? p.past_minimum : p.past_maximum;
    if (!t.floating && t.call) level = std::fmax(forward, std::fmax(p.strike, p.past_maximum));
    if (!t.floating && !t.call)
      level = std::fmin(forward, seen ? std::fmin(p.strike, p.past_minimum) : p.strike);
    use_vanilla(t, view, date, p.sign, shifted(level, t.call ? -0.5 : 0.25), p);
  } else {
    use_vanilla(t, view, date, p.sign, p.strike, p);
  }
}

// The vanilla that ends at the fixing nearest to two thirds of the averaging: of all single spots
// the one there goes best with the average (Var and Cov of a Brownian path and its mean are 1/3 and
// t - t^2 / 2), and explains twice to three times the variance that the last one does.
void use_vanilla_inside_average(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  const Index i = t.assets.front();
  const auto date_of = [&](Index r) { return (*view.records)[static_cast<std::size_t>(r)]; };
  const double best = (date_of(p.records.front()) + 2 * date_of(p.records.back())) / 3;
  const auto nearest = *std::min_element(p.records.begin(), p.records.end(), [&](Index a, Index b) {
    return std::fabs(date_of(a) - best) < std::fabs(date_of(b) - best);
  });
  double mean_forward = 0;
  const auto n = static_cast<double>(p.records.size());
  for (const Index r : p.records) mean_forward += view.forward(i, date_of(r)) / n;
  // What the fixings to come must exceed on average.
  const double all = n + static_cast<double>(p.past_count);
  const double level = t.geometric ? exponential((all * logarithm(p.strike) - p.past_sum) / n)
                                   : (all * p.strike - p.past_sum) / n;
  if (!(level > 0)) return use_spot(t, view, date_of(p.records.back()), p);
  const double date = date_of(nearest);
  use_vanilla(t, view, date, p.sign, level * view.forward(i, date) / mean_forward, p);
  p.control_record = nearest;
}

// Else the cliquet is the sum of its clipped returns: its own control.
bool global_limits_can_bind(const TradeSetup& p) {
  const auto periods = static_cast<double>(p.records.size()) - (p.past_last > 0 ? 0 : 1);
  return p.global_cap < p.past_sum + periods * p.local_cap ||
         p.global_floor > p.past_sum + periods * p.local_floor;
}

void use_clipped_returns(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  const Index i = t.assets.front();
  const AssetConfig& a = asset_of(view, i);
  double from = 0, start = p.past_last, variance = 0, sum = p.past_sum;
  for (const Index r : p.records) {
    const double to = (*view.records)[static_cast<std::size_t>(r)];
    const double forward = view.forward(i, to), total = view.variance(i, to);
    if (start > 0)
      sum +=
          clipped_return(p.sign, forward / start, p.strike, p.local_floor, p.local_cap,
                         total - variance, a.jump_intensity * (to - from), a.jump_mean, a.jump_sd);
    from = to;
    start = forward;
    variance = total;
  }
  p.control = Control::clipped_returns;
  p.control_expectation = p.discount * sum;
}

void use_geometric_average(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  const Index i = t.assets.front();
  std::vector<double> forwards, variances;
  for (const Index r : p.records) {
    const double date = (*view.records)[static_cast<std::size_t>(r)];
    forwards.push_back(view.forward(i, date));
    variances.push_back(view.variance(i, date));
  }
  const auto past = static_cast<double>(p.past_count);
  const Lognormal average = geometric_average(forwards, variances, p.control_past_sum, past);
  p.control = Control::asian_geometric;
  if (!p.average_strike) {
    p.control_expectation =
        black(p.sign, average.expectation(), p.strike, average.variance, p.discount);
    return;
  }
  const double covariance = geometric_average_covariance(variances, past);
  p.control_expectation =
      exchange(p.sign, forwards.back(), average.expectation(),
               variances.back() + average.variance - 2 * covariance, p.discount);
}

// The geometric basket with the same forward value and the same first-order sensitivities: weights
// w_i F_i / sum w F, scaled so that it equals the basket when every spot is at its forward.
void use_geometric_basket(const TradeConfig& t, const MarketView& view, double date,
                          TradeSetup& p) {
  const std::size_t n = t.assets.size();
  std::vector<double> forwards, covariance(n * n);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    forwards.push_back(view.forward(t.assets[i], date));
    total += t.weights[i] * forwards[i];
    for (std::size_t j = 0; j < n; ++j)
      covariance[i * n + j] = log_covariance(*view.market, t.assets[i], t.assets[j], date);
  }
  p.control_log_scale = logarithm(total);
  for (std::size_t i = 0; i < n; ++i) {
    p.control_weights.push_back(t.weights[i] * forwards[i] / total);
    p.control_log_scale -= p.control_weights[i] * logarithm(forwards[i]);
  }
  const Lognormal law =
      geometric_basket(forwards, covariance, p.control_weights, p.control_log_scale);
  p.control = Control::basket_geometric;
  p.control_expectation = black(p.sign, law.expectation(), p.strike, law.variance, p.discount);
}

// The exchange of the first asset for 1 + strike / F2 of the second (Margrabe 1978), which is in
// the money where the spread is when the second ends at its forward F2 (the idea of Kirk 1995).
// False where the spots themselves explain more, and where the exchange would be the spread itself.
bool use_exchange(const TradeConfig& t, const MarketView& view, double date, TradeSetup& p) {
  const Index i = t.assets[0], j = t.assets[1];
  const double first = view.forward(i, date), second = view.forward(j, date);
  const double v1 = log_covariance(*view.market, i, i, date);
  const double v2 = log_covariance(*view.market, j, j, date);
  const double covariance = log_covariance(*view.market, i, j, date);
  const double sd = std::sqrt(
      std::fmax(square(first) * v1 + square(second) * v2 - 2 * first * second * covariance, 0.0));
  const double ratio = 1 + p.strike / second;
  const bool nearly_linear = p.sign * (first - second - p.strike) > sd;
  if (p.strike == 0 || ratio <= 0 || nearly_linear) return false;
  p.control = Control::vanilla;
  p.control_sign = p.sign;
  p.control_strike = 0;
  p.control_weights = {1, -ratio};
  p.control_expectation =
      exchange(p.sign, first, ratio * second, v1 + v2 - 2 * covariance, p.discount);
  return true;
}

bool is_positive_basket(const TradeConfig& t) {
  if (t.product != Product::basket || t.geometric) return false;
  for (const double w : t.weights)
    if (!(w > 0)) return false;
  return true;
}

}  // namespace

double MarketView::discount(double date) const { return exponential(-market->rate.integral(date)); }

double MarketView::forward(Index asset, double date) const {
  const AssetConfig& a = market->assets[static_cast<std::size_t>(asset)];
  return a.spot * exponential(market->rate.integral(date) - a.dividend.integral(date));
}

double MarketView::variance(Index asset, double date) const {
  return market->assets[static_cast<std::size_t>(asset)].variance.integral(date);
}

bool MarketView::is_black_scholes(Index asset) const {
  return market->assets[static_cast<std::size_t>(asset)].model == ModelKind::black_scholes;
}

double log_covariance(const MarketConfig& market, Index first, Index second, double date) {
  const StepFunction& a = market.assets[static_cast<std::size_t>(first)].variance;
  const StepFunction& b = market.assets[static_cast<std::size_t>(second)].variance;
  bool known = false;
  const double correlation = market.correlation_of(first, second, &known);
  std::vector<double> ends = a.knots();
  const std::vector<double> more = b.knots();
  ends.insert(ends.end(), more.begin(), more.end());
  ends.push_back(date);
  std::sort(ends.begin(), ends.end());
  double sum = 0, from = 0;
  for (const double to : ends) {
    if (to > date) break;
    sum += std::sqrt(a.value(to) * b.value(to)) * (to - from);
    from = to;
  }
  return correlation * sum;
}

void choose_control(const TradeConfig& t, const MarketView& view, bool spot_only, TradeSetup& p) {
  if (t.product == Product::variance_swap) return;  // no control that is worth its cost
  if (p.hit_already && !p.knock_in) return;         // certain already
  const double date = (*view.records)[static_cast<std::size_t>(p.records.back())];
  const ModelKind model = asset_of(view, t.assets.front()).model;
  if (!all_martingales(t, view)) return;  // nothing is known of them
  const bool has_vanilla_value = t.assets.size() == 1 && model != ModelKind::local_volatility;
  const bool may_use_vanilla = (t.product == Product::digital || t.product == Product::barrier ||
                                t.product == Product::lookback) &&
                               !p.hit_already;
  const bool is_lognormal = model == ModelKind::black_scholes || model == ModelKind::merton;
  const bool is_forward = p.strike <= 0 && p.combination == Combination::single;
  if (is_forward &&
      (p.payoff == PayoffFormula::vanilla || p.payoff == PayoffFormula::asset_digital))
    return;  // pays the spot itself, or nothing
  const bool one_fixing = p.records.size() == 1 && p.past_count == 0;
  if (spot_only || has_plugged(t, view)) return use_spot(t, view, date, p);
  if (t.product == Product::asian && !t.geometric && !one_fixing && all_black_scholes(t, view))
    return use_geometric_average(t, view, p);
  if (t.product == Product::asian && !t.average_strike && !one_fixing && p.strike > 0 &&
      has_vanilla_value && p.records.size() > 1)
    return use_vanilla_inside_average(t, view, p);
  if (is_positive_basket(t) && all_black_scholes(t, view))
    return use_geometric_basket(t, view, date, p);
  if (t.product == Product::spread && all_black_scholes(t, view) && use_exchange(t, view, date, p))
    return;
  if (may_use_vanilla && has_vanilla_value) return use_related_vanilla(t, view, date, p);
  if (t.product == Product::cliquet && is_lognormal && global_limits_can_bind(p))
    return use_clipped_returns(t, view, p);
  use_spot(t, view, date, p);
}

}  // namespace gsim::pricing
