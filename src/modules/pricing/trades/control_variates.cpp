#include "src/modules/pricing/trades/control_variates.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

const AssetConfig& asset_of(const MarketView& view, Index i) {
  return view.market->assets[static_cast<std::size_t>(i)];
}

// Whether the model of an asset has launchers of its own, as those of plugins do.
bool has_launched_model(const TradeConfig& t, const MarketView& view) {
  return std::any_of(t.assets.begin(), t.assets.end(), [&](Index i) {
    return functions_of(asset_of(view, i)).scheme == StepScheme::launched;
  });
}

// Variance of ln S at `date`, without jumps, for models with European prices in closed form.
double diffusion_variance(const AssetConfig& a, double date) {
  if (functions_of(a).has_own_variance)
    return heston_mean_variance(a.v0, a.kappa, a.theta, date) * date;
  return a.variance.integral(date);
}

void use_control_at_exercise(TradeSetup& p) {
  const ControlAtExercise& control = p.exercise->control;
  if (p.exercise->policy.exercised_today || control.kind == ExerciseControl::none) return;
  p.control = TradeSetup::Control::at_exercise;
  p.control_expectation = control.expectation;
}

}  // namespace

bool all_martingales(const TradeConfig& t, const MarketView& view) {
  return std::all_of(t.assets.begin(), t.assets.end(),
                     [&](Index i) { return asset_of(view, i).model->martingale; });
}

bool all_black_scholes(const TradeConfig& t, const MarketView& view) {
  for (const Index i : t.assets)
    if (!view.is_black_scholes(i)) return false;
  return true;
}

bool has_vanilla_value(const TradeConfig& t, const MarketView& view) {
  return t.assets.size() == 1 && functions_of(asset_of(view, t.assets.front())).has_vanilla_value;
}

double last_date(const MarketView& view, const TradeSetup& p) {
  return (*view.records)[static_cast<std::size_t>(p.records.back())];
}

double shifted_strike(const TradeConfig& t, const MarketView& view, double date, double level,
                      double deviations) {
  const double sd = std::sqrt(diffusion_variance(asset_of(view, t.assets.front()), date));
  return level * exponential(deviations * sd);
}

void use_spot(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  const double date = last_date(view, p);
  p.control = TradeSetup::Control::spot;
  for (std::size_t i = 0; i < t.assets.size(); ++i)
    p.control_expectation += p.discount * t.weights[i] * view.forward(t.assets[i], date);
}

double vanilla_value(const MarketView& view, Index asset, double date, double sign, double strike,
                     double discount) {
  const AssetConfig& a = asset_of(view, asset);
  const double forward = view.forward(asset, date);
  if (strike <= 0) return sign > 0 ? discount * (forward - strike) : 0.0;
  return functions_of(a).has_own_variance
             ? heston(sign, forward, strike,
                      {a.v0, a.kappa, a.theta, a.sigma, a.rho, a.jump_intensity, a.jump_mean,
                       a.jump_sd, date},
                      discount)
             : merton(sign, forward, strike, view.variance(asset, date), a.jump_intensity * date,
                      a.jump_mean, a.jump_sd, discount);
}

std::optional<double> two_asset_value(bool best, const TradeConfig& t, const MarketView& view,
                                      const TradeSetup& p) {
  const double date = last_date(view, p);
  double forwards[2], variances[2];
  for (std::size_t k = 0; k < 2; ++k) {
    forwards[k] = t.weights[k] * view.forward(t.assets[k], date);
    variances[k] = log_covariance(*view.market, t.assets[k], t.assets[k], date);
  }
  const double deviations = std::sqrt(variances[0] * variances[1]);
  const double covariance = log_covariance(*view.market, t.assets[0], t.assets[1], date);
  if (!(p.strike > 0 && std::fabs(covariance) < (1 - 1e-9) * deviations)) return {};
  return two_asset_extreme(best, p.sign, forwards, p.strike, variances, covariance / deviations,
                           p.discount);
}

void use_vanilla(const TradeConfig& t, const MarketView& view, double date, double sign,
                 double strike, TradeSetup& p) {
  p.control = TradeSetup::Control::vanilla;
  p.control_sign = sign;
  p.control_strike = strike;
  p.control_expectation = vanilla_value(view, t.assets.front(), date, sign, strike, p.discount);
}

void choose_control(const TradeConfig& t, const MarketView& view, bool spot_only, TradeSetup& p) {
  const PayoffFunctions& payoff = functions_of(*t.payoff);
  if (!payoff.has_control) return;
  if (p.exercise != nullptr) return use_control_at_exercise(p);
  if (p.hit_already && !p.knock_in) return;  // the payment is already certain
  if (!all_martingales(t, view)) return;     // the expected spots are not known
  // Linear in the spot, so that the control variate leaves nothing to chance, or zero.
  if (is_linear_in_spot(p)) return use_spot(t, view, p);
  const bool is_option =
      p.payoff == PayoffFormula::vanilla || p.payoff == PayoffFormula::asset_digital;
  if (is_option && p.strike <= 0 && p.combination == Combination::single) return;
  const bool may_choose =
      payoff.choose_control != nullptr && !spot_only && !has_launched_model(t, view);
  if (may_choose && payoff.choose_control(t, view.paid_in(t.currency), p)) return;
  use_spot(t, view, p);
}

}  // namespace gsim::pricing
