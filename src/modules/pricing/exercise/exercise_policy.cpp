#include "src/modules/pricing/exercise/exercise_policy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/exercise/returns_of_periods.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

// Spots of more assets than this are not variables of their own: of a basket the value of exercise
// is the only one, and of the best or worst of several assets only so many are used.
constexpr Index max_spots = 5;

// Appends the functions of total degree `degree` whose first variables have the degrees in
// `so_far`.
void append_functions(std::vector<std::vector<int>>& all, std::vector<int>& so_far, Index variables,
                      int degree) {
  const auto at = static_cast<Index>(so_far.size());
  if (at + 1 == variables) {
    so_far.push_back(degree);
    all.push_back(so_far);
    so_far.pop_back();
    return;
  }
  for (int d = degree; d >= 0; --d) {
    so_far.push_back(d);
    append_functions(all, so_far, variables, degree - d);
    so_far.pop_back();
  }
}

// Before a dividend the value of continuation has a bend where exercise at the dividend begins.
constexpr Index degree_with_dividends = 8;

/// Whether exercise may pay less than nothing.
bool may_pay_less_than_nothing(const TradeSetup& setup) {
  if (setup.payoff == PayoffFormula::cliquet)
    return setup.global_floor < 0 && (setup.local_floor < 0 || setup.past_sum < 0);
  return setup.has_either_sign || setup.payoff == PayoffFormula::variance_swap;
}

/// The threshold of such a trade: exercise that pays no more than a cliquet pays at its maturity at
/// least is never better than to wait, and says nothing of the sum of returns.
double least_threshold(const TradeSetup& setup) {
  const bool has_floor =
      setup.payoff == PayoffFormula::cliquet && std::isfinite(setup.global_floor);
  return has_floor ? setup.discount * setup.global_floor : below_all_values;
}

bool has_discrete_dividends(const TradeConfig& trade, const MarketView& view) {
  return std::any_of(trade.assets.begin(), trade.assets.end(),
                     [&](Index i) { return !view.asset(i).drops.empty(); });
}

/// At what price a bond is repaid at one of its exercise dates, today included.
double redemption_at(const ExerciseTerms& exercise, double date) {
  if (exercise.prices.size() == 1) return exercise.prices.front();
  const auto at = std::lower_bound(exercise.dates.begin(), exercise.dates.end(), date - same_date);
  const bool is_today = date <= same_date;
  const auto k =
      static_cast<std::size_t>(at - exercise.dates.begin()) + (exercise.today && !is_today ? 1 : 0);
  GSIM_EXPECT(k < exercise.prices.size());
  return exercise.prices[k];
}

/// The window of a continuously monitored barrier that ends at `date` at the latest.
void end_window(double date, std::vector<double>& window) {
  if (window.empty()) return;
  if (window.size() > 1 && window.front() >= date - same_date)
    window.back() = window.front();  // it has not begun, and contains no interval before the date
  else
    window.back() = std::min(window.back(), date);
}

/// The right to exercise today: the payoff on a path whose only record is today, and the discount
/// factor of its payment. A fixing today, which trades take for a past one, is the one of the path.
void set_right_of_today(const TradeConfig& trade, const MarketView& view,
                        const std::vector<Index>& order, ExerciseSetup& exercise) {
  // Time 0 is not recorded of a path.
  const bool has_path = !trade.fixings.empty() || trade.continuous;
  const std::vector<double> today{has_path ? 2 * same_date : 0.0};
  TradeConfig matured = matured_at(trade, 0);
  if (matured.script == nullptr) matured.maturity = today.front();
  if (!trade.fixings.empty() && !trade.continuous) matured.fixings = today;
  const MarketView view_of_today{view.market, &today, view.currency};
  exercise.today = make_trade_setup(matured, view_of_today, order);
  exercise.today_discount =
      matured.script != nullptr
          ? exercise.today->discount
          : exercise.today->conversion * view.paid_in(trade.currency).discount(trade.payment_lag);
}

}  // namespace

TradeConfig matured_at(const TradeConfig& trade, double date) {
  TradeConfig matured = trade;
  matured.exercise = {};
  matured.exercise.by_issuer = trade.exercise.by_issuer;
  const bool is_early = trade.maturity - date > same_date;
  if (is_early && !trade.exercise.prices.empty())
    matured.exercise.redemption = redemption_at(trade.exercise, date);
  // An option that was knocked out is not exercised. It pays its rebate as part of the payoff at
  // the maturity, which is discounted from the touch where the rebate is paid then.
  if (is_early) matured.rebate = 0;
  if (is_early && trade.script != nullptr)
    matured.script = exercised_script(trade, date);
  else
    matured.maturity = date;
  if (trade.continuous)
    end_window(date, matured.fixings);
  else
    std::erase_if(matured.fixings, [&](double fixing) { return fixing > date + same_date; });
  return matured;
}

RegressionVariables choose_variables(const TradeConfig& trade, const MarketView& view,
                                     const TradeSetup& setup) {
  RegressionVariables v;
  const auto assets = static_cast<Index>(setup.assets.size());
  const bool is_launched = setup.payoff == PayoffFormula::launched;
  v.spots = std::min(assets, max_spots);
  if (setup.combination == Combination::best_of) v.kind = SpotVariables::largest;
  // Notes on many assets depend on the one whose spot, relative to today's, is the smallest.
  if (setup.combination == Combination::worst_of || (is_launched && assets > max_spots))
    v.kind = SpotVariables::smallest;
  const bool is_basket = !is_launched && (setup.combination == Combination::weighted_sum ||
                                          setup.combination == Combination::geometric);
  if (is_basket && assets > max_spots) {
    v.spots = 0;
    v.has_exercise_value = true;
  }
  // What is paid for the returns of later periods does not depend on the spot at their beginning.
  if (is_of_periods(setup) && has_free_scale(view, trade.assets.front())) v.spots = 0;
  // The value of exercise is a function of the spots, unless the payoff depends on the past. That
  // of a payoff with launchers may not be a smooth one of several spots.
  if (functions_of(*trade.payoff).exercise_depends_on_path ||
      (is_launched && (assets > 1 || !trade.fixings.empty())))
    v.has_exercise_value = true;
  for (std::size_t i = 0; i < setup.assets.size() && v.count() < max_variables; ++i)
    if (functions_of(view.asset(trade.assets[i])).has_own_variance)
      v.variances.push_back(setup.assets[i]);
  return v;
}

Index function_count(Index variables, Index degree) {
  Index count = 1;
  for (Index i = 1; i <= degree; ++i) count = count * (variables + i) / i;
  return count;
}

Index default_degree(Index variables) {
  if (variables <= 1) return 5;
  if (variables == 2) return 4;
  return variables <= 5 ? 3 : 2;
}

std::vector<BasisFunction> basis_functions(Index variables, Index degree) {
  std::vector<std::vector<int>> degrees;  // [function][variable]
  for (int total = 0; total <= degree; ++total) {
    std::vector<int> so_far;
    append_functions(degrees, so_far, variables, total);
  }
  std::vector<BasisFunction> functions;
  for (std::vector<int> d : degrees) {
    const auto last = std::find_if(d.rbegin(), d.rend(), [](int n) { return n > 0; });
    if (last == d.rend()) {
      functions.push_back({0, 0, 0});
      continue;
    }
    const int order = *last;
    const auto variable = static_cast<std::int32_t>(d.rend() - last - 1);
    *last = 0;
    const auto factor = std::find(degrees.begin(), degrees.end(), d) - degrees.begin();
    functions.push_back({static_cast<std::int32_t>(factor), variable, order});
  }
  return functions;
}

std::shared_ptr<const ExerciseSetup> make_exercise_setup(const TradeConfig& trade,
                                                         const ExerciseOptions& options,
                                                         const MarketView& view,
                                                         const std::vector<Index>& order,
                                                         const TradeSetup& setup, bool spot_only) {
  std::vector<TradeSetup> values;
  for (const double date : trade.exercise.dates)
    values.push_back(make_trade_setup(matured_at(trade, date), view, order));
  auto exercise = make_exercise_setup(trade, options, view, setup, std::move(values), spot_only);
  if (trade.exercise.policy != nullptr) exercise->policy = *trade.exercise.policy;
  // The fixing of today is a past one where it is known whatever the spot is
  // (risk/revaluation.hpp).
  const bool has_schedule = !trade.fixings.empty() && !trade.continuous;
  if (trade.exercise.today && (!has_schedule || trade.fixings.front() <= same_date))
    set_right_of_today(trade, view, order, *exercise);
  return exercise;
}

std::shared_ptr<ExerciseSetup> make_exercise_setup(const TradeConfig& trade,
                                                   const ExerciseOptions& options,
                                                   const MarketView& view, const TradeSetup& setup,
                                                   std::vector<TradeSetup> values, bool spot_only) {
  auto exercise = std::make_shared<ExerciseSetup>();
  exercise->values = std::move(values);
  for (const double date : trade.exercise.dates)
    exercise->records.push_back(record_at(*view.records, date));
  exercise->variables = choose_variables(trade, view, setup);
  exercise->control = choose_control_at_exercise(trade, view, setup, spot_only);
  const Index variables = exercise->variables.count();
  exercise->degree = options.degree > 0 ? options.degree : default_degree(variables);
  if (options.degree == 0 && variables == 1 && has_discrete_dividends(trade, view))
    exercise->degree = degree_with_dividends;
  const Index functions = function_count(variables, exercise->degree);
  if (functions > max_functions)
    throw ConfigError(
        trade.source.location(),
        fmt::format("pricing.exercise.degree = {} gives trade `{}`, with {} variables, "
                    "{} functions, and at most {} are supported",
                    exercise->degree, excerpt(trade.id), variables, functions, max_functions),
        "lower pricing.exercise.degree, or leave it out");
  exercise->functions = basis_functions(variables, exercise->degree);
  exercise->may_pay_less_than_nothing =
      trade.exercise.is_early() && may_pay_less_than_nothing(setup);
  if (exercise->may_pay_less_than_nothing) exercise->threshold = least_threshold(setup);
  if (trade.exercise.policy != nullptr) exercise->threshold = trade.exercise.policy->threshold;
  if (variables == 1 && exercise->variables.spots == 1 && setup.payoff == PayoffFormula::vanilla &&
      setup.combination == Combination::single && setup.strike > 0)
    exercise->side = setup.sign > 0 ? 1 : -1;
  for (const TradeSetup& value : exercise->values)
    exercise->decision_discount.push_back(value.discount);
  exercise->decision_control = choose_control_at_exercise(trade, view, setup, false);
  return exercise;
}

}  // namespace gsim::pricing
