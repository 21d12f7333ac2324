#include "src/modules/pricing/greeks/bumped_simulation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/pricing/exercise/basis.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/exercise/least_squares.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace {

/// Everything but assets and trades.
Simulation frame_of(const Simulation& base) {
  Simulation s;
  s.grid = base.grid;
  s.factor = base.factor;
  s.precision = Precision::float64;
  s.arithmetic = base.arithmetic;
  s.sampling = base.sampling;
  s.antithetic = base.antithetic;
  s.brownian_bridge = base.brownian_bridge;
  s.conditional = base.conditional;
  s.replicates = base.replicates;
  s.seed = base.seed;
  s.block_samples = base.block_samples;
  return s;
}

double years_that_pass(const std::vector<MarketBump>& bumps) {
  double years = 0;
  for (const MarketBump& b : bumps)
    if (b.quantity == MarketBump::Quantity::time) years += b.size;
  return years;
}

/// A date after today comes closer; a fixing today stays one.
double closer(double date, double years) { return date <= same_date ? date : date - years; }

void bring_closer(std::vector<double>& dates, double years) {
  for (double& date : dates) date = closer(date, years);
}

/// The date before which steps become shorter in proportion: the first record or, with trades on
/// several assets, an earlier knot of a volatility. Steps must go on to end at the knots, because
/// the correlated normals of a step have the covariance of two assets only if the ratio of their
/// volatilities is constant over the step.
double first_kept_date(const PricingConfig& config, const PricingSetup& setup) {
  double first = setup.dates.front();
  const bool has_several = std::any_of(config.trades.begin(), config.trades.end(),
                                       [](const TradeConfig& t) { return t.assets.size() > 1; });
  if (!has_several) return first;
  for (const Index a : setup.assets)
    for (const double knot : config.market.assets[static_cast<std::size_t>(a)].variance.knots())
      if (knot > same_date) first = std::min(first, knot);
  return first;
}

TimeGrid closer(TimeGrid grid, double first_kept, double years) {
  for (double& time : grid.times)
    time = time <= first_kept ? time * ((first_kept - years) / first_kept) : time - years;
  return grid;
}

/// `today` is the market before time passes.
TradeConfig closer(TradeConfig trade, const MarketConfig& today, double years) {
  const MarketView view{&today, nullptr};
  if (view.asset(trade.assets.front()).is_rate())
    bring_periods_closer(trade, model_of(trade, view), years,
                         functions_of(*trade.payoff).pays_before_maturity);
  trade.maturity = closer(trade.maturity, years);
  trade.start = closer(trade.start, years);
  bring_closer(trade.fixings, years);
  bring_closer(trade.exercise.dates, years);
  return trade;
}

/// The undiscounted value of exercise of a trade on rates at the logarithms y of its states, less
/// than nothing where an option is not exercised (kernels/pricing/payoffs/rate_claims.hpp).
double claim_at(const TradeSetup& value, const std::vector<double>& y) {
  const auto first = static_cast<std::size_t>(value.numbers[0]),
             terms = static_cast<std::size_t>(value.numbers[1]);
  double sum = 0;
  for (std::size_t i = 0; i < terms; ++i) {
    const double* const term = &value.numbers[first + i * (1 + y.size())];
    double exponent = 0;
    for (std::size_t a = 0; a < y.size(); ++a) exponent -= term[1 + a] * y[a];
    sum += term[0] * exponential(exponent);
  }
  return sum;
}

/// A function of the state at an exercise date, fitted by the functions of the policy: on a grid of
/// normalised variables, with normal weights.
template <class Function>
std::vector<double> fit_of(const ExerciseSetup& exercise, const DatePolicy& policy,
                           const Function& function) {
  constexpr int side = 21;  // points from -4 to 4 for each variable
  const std::size_t n = policy.coefficient.size(), variables = policy.centre.size();
  std::vector<double> lower(n * (n + 1) / 2), right(n), y(variables);
  const int points = variables == 1 ? side : side * side;
  for (int point = 0; point < points; ++point) {
    const int column = point % side, row = point / side;
    double u[max_variables] = {0.4 * column - 4, 0.4 * row - 4};
    double phi[max_functions], squares = 0, smallest = 1;
    for (std::size_t i = 0; i < variables; ++i) {
      const double state = policy.centre[i] + policy.scale[i] * u[i];
      squares += u[i] * u[i];
      smallest = std::min(smallest, state);
      y[i] = logarithm(std::max(state, std::numeric_limits<double>::min()));
    }
    if (!(smallest > 0)) continue;
    pricing_kernels::basis_functions(exercise.functions.data(), static_cast<int>(n),
                                     static_cast<int>(variables), static_cast<int>(exercise.degree),
                                     u, 1.0, phi);
    const double weight = exponential(-0.5 * squares), value = function(y);
    for (std::size_t i = 0; i < n; ++i) {
      right[i] += weight * phi[i] * value;
      for (std::size_t j = 0; j <= i; ++j) lower[i * (i + 1) / 2 + j] += weight * phi[i] * phi[j];
    }
  }
  return solve_normal_equations(lower, right);
}

/// Adds to the values of continuation what exercise pays more in the market of `exercise` than in
/// that of `base`: the payoffs of trades on rates contain the curve, so that otherwise they would
/// be exercised in other states.
void keep_states(const ExerciseSetup& base, ExerciseSetup& exercise) {
  for (std::size_t d = 0; d < exercise.policy.dates.size(); ++d) {
    DatePolicy& policy = exercise.policy.dates[d];
    if (policy.coefficient.empty() || exercise.values[d].payoff != PayoffFormula::rate_claims)
      continue;
    const std::vector<double> more = fit_of(exercise, policy, [&](const std::vector<double>& y) {
      return exercise.decision_discount[d] *
             (claim_at(exercise.values[d], y) - claim_at(base.values[d], y));
    });
    for (std::size_t i = 0; i < more.size(); ++i) policy.coefficient[i] += more[i];
  }
}

/// The value at the trade's payment date of a unit that a script pays for exercise at a date;
/// `value` is the trade that ends then. 1 for other trades, which are paid then.
double growth_of_exercise(const TradeConfig& trade, const TradeSetup& value) {
  const std::vector<double> growth = growth_of_payments(trade, value);
  return growth.empty() ? 1 : growth.back();
}

/// Adds early exercise to the last trade of a simulation: unless its policy is one of the bumped
/// market, in the states in which `base` exercises it in the market without bumps. Since the best
/// policy makes the price largest, a small change of it changes the price by less than a bump does
/// (Piterbarg 2003, "Computing deltas of callable Libor exotics in forward Libor models", Journal
/// of Computational Finance 7, 107).
void add_exercise(const PricingConfig& config, const TradeConfig& trade, const MarketView& view,
                  const std::vector<Index>& assets, const ExerciseSetup& base,
                  PoliciesFrom policies, Simulation& s) {
  TradeSetup& setup = s.trades.back();
  ExerciseSetup exercise = *make_exercise_setup(trade, config.options.exercise, view, assets, setup,
                                                base.control.kind == ExerciseControl::spots);
  if (policies == PoliciesFrom::market_without_bumps) {
    exercise.decision_discount = base.decision_discount;
    exercise.decision_control = base.decision_control;
    if (trade.script != nullptr)  // whose values of exercise grow until the payment date
      for (std::size_t d = 0; d < exercise.decision_discount.size(); ++d)
        exercise.decision_discount[d] *= growth_of_exercise(trade, base.values[d]) /
                                         growth_of_exercise(trade, exercise.values[d]);
    keep_states(base, exercise);
  }
  if (exercise.policy.exercised_today && exercise.today)
    exercise.policy.value_today = value_today(s, exercise);
  setup.exercise = std::make_shared<const ExerciseSetup>(std::move(exercise));
}

/// The control variate of `base`, with its expectation in the market of `view`. The choice of a
/// control may depend on the market, so that the strike of a vanilla is kept.
void use_control_of(const TradeSetup& base, const TradeConfig& t, const MarketView& view,
                    ControlVariates controls, TradeSetup& p) {
  using Control = TradeSetup::Control;
  if (base.control == Control::none) return;
  choose_control(t, view, controls == ControlVariates::spot, p);
  if (base.control == Control::vanilla && base.control_weights.empty()) {
    const double date = base.control_record >= 0
                            ? (*view.records)[static_cast<std::size_t>(base.control_record)]
                            : last_date(view, p);
    p.control_expectation = 0;
    p.control_weights.clear();
    use_vanilla(t, view, date, base.control_sign, base.control_strike, p);
    p.control_record = base.control_record;
  }
  if (p.control != base.control) {
    p.control_expectation = 0;
    use_spot(t, view, p);
  }
}

}  // namespace

Simulation unbumped_simulation(const PricingSetup& setup, const std::vector<Index>& trades) {
  Simulation s = frame_of(setup.simulation);
  s.assets = setup.simulation.assets;
  for (const Index t : trades)
    s.trades.push_back(setup.simulation.trades[static_cast<std::size_t>(t)]);
  return s;
}

Simulation bumped_simulation(const PricingConfig& config, const PricingSetup& setup,
                             const std::vector<MarketBump>& bumps, const std::vector<Index>& trades,
                             PoliciesFrom policies) {
  MarketConfig market = config.market;
  for (const MarketBump& bump : bumps) market = bumped(std::move(market), bump);
  const double years = years_that_pass(bumps);
  std::vector<double> dates = setup.dates;
  bring_closer(dates, years);
  const MarketView view{&market, &dates};
  const Simulation& base = setup.simulation;
  Simulation s = frame_of(base);
  if (years != 0) s.grid = closer(std::move(s.grid), first_kept_date(config, setup), years);
  for (std::size_t k = 0; k < setup.assets.size(); ++k) {
    s.assets.push_back(
        make_dynamics(market, market.assets[static_cast<std::size_t>(setup.assets[k])], s.grid));
  }
  for (const Index i : trades) {
    const auto t = static_cast<std::size_t>(i);
    const TradeConfig trade =
        years != 0 ? closer(config.trades[t], config.market, years) : config.trades[t];
    s.trades.push_back(make_trade_setup(trade, view, setup.assets));
    if (trade.exercise.is_early())
      add_exercise(config, trade, view, setup.assets, *base.trades[t].exercise, policies, s);
    use_control_of(base.trades[t], trade, view, config.options.control_variates, s.trades.back());
  }
  return s;
}

}  // namespace gsim::pricing
