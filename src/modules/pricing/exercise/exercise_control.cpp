// The choice of control variates that are observed at exercise.

#include <algorithm>

#include "gsim/math/elementary.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"

namespace gsim::pricing {
namespace {

// Whether European options on the assets are close to the payoff: a call on the largest of several
// spots is worth nearly as much as the calls on all of them, and a put on the smallest.
bool uses_options(const TradeConfig& trade, const MarketView& view, const TradeSetup& setup) {
  if (setup.payoff != PayoffFormula::vanilla || !(setup.strike > 0)) return false;
  if (!all_black_scholes(trade, view)) return false;
  if (std::any_of(trade.weights.begin(), trade.weights.end(), [](double w) { return !(w > 0); }))
    return false;
  // Towards the maturity of an asset without volatility the formula of Black has no value.
  if (std::any_of(trade.assets.begin(), trade.assets.end(), [&](Index i) {
        const auto& dates = trade.exercise.dates;
        return dates.size() > 1 &&
               !(view.variance(i, dates.back()) - view.variance(i, dates[dates.size() - 2]) >
                 1e-10);
      }))
    return false;
  return setup.combination == Combination::single ||
         (setup.combination == Combination::best_of && setup.sign > 0) ||
         (setup.combination == Combination::worst_of && setup.sign < 0);
}

}  // namespace

ControlAtExercise choose_control_at_exercise(const TradeConfig& trade, const MarketView& view,
                                             const TradeSetup& setup, bool spot_only) {
  ControlAtExercise control;
  if (!all_martingales(trade, view)) return control;
  const bool options = !spot_only && uses_options(trade, view, setup);
  control.kind = options ? ExerciseControl::vanilla : ExerciseControl::spots;
  const double discount =
      setup.conversion * view.paid_in(trade.currency).discount(trade.maturity + trade.payment_lag);
  for (std::size_t a = 0; a < trade.assets.size(); ++a) {
    const Index i = trade.assets[a];
    const double weight = trade.weights[a], forward = view.forward(i, trade.maturity);
    const double strike = options ? setup.strike / weight : 0;
    control.weight.push_back(discount * weight);
    control.strike.push_back(strike);
    control.expectation += options ? weight * black(setup.sign, forward, strike,
                                                    view.variance(i, trade.maturity), discount)
                                   : discount * weight * forward;
  }
  for (const double date : trade.exercise.dates)
    for (const Index i : trade.assets) {
      control.growth.push_back(view.forward(i, trade.maturity) / view.forward(i, date));
      const double variance =
          options ? view.variance(i, trade.maturity) - view.variance(i, date) : 0;
      control.sd.push_back(sqrt(std::max(variance, 0.0)));
    }
  return control;
}

}  // namespace gsim::pricing
