#include "src/modules/pricing/exposures/spots_on_paths.hpp"

#include <utility>

#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/exercise/recorded_states.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {

TradeConfig spot_position(Index asset, double maturity) {
  TradeConfig forward;
  forward.payoff = &builtin_payoff("forward");
  forward.assets = {asset};
  forward.weights = {1};
  forward.maturity = maturity;
  return forward;
}

Simulation spot_simulation(Index asset, const std::vector<double>& dates,
                           const ExerciseOptions& options, const MarketView& view,
                           const PricingSetup& setup) {
  TradeConfig forward = spot_position(asset, dates.back());
  forward.exercise.dates = dates;
  const TradeSetup whole = make_trade_setup(forward, view, setup.assets);
  std::vector<TradeSetup> values;
  values.reserve(dates.size());
  for (const double date : dates)
    values.push_back(make_trade_setup(matured_at(forward, date), view, setup.assets));
  Simulation simulation = setup.simulation;
  simulation.unused.assign(simulation.assets.size(), 1);
  simulation.unused[static_cast<std::size_t>(whole.assets.front())] = 0;
  simulation.trades = {whole};
  simulation.trades.front().exercise =
      make_exercise_setup(forward, options, view, whole, std::move(values), true);
  return simulation;
}

std::vector<double> discounted_spots(const Simulation& simulation, Index first, Index paths,
                                     const Context& alone) {
  const RecordedStates states(simulation, first, paths / regression_block, regression_block, false,
                              alone);
  return states.values_to_host();
}

CurrencyOnPaths::CurrencyOnPaths(const BaseMeasure& measure, Index currency,
                                 const std::vector<double>& dates, const ExerciseOptions& options,
                                 const MarketView& view, const PricingSetup& setup) {
  const MarketView own = view.paid_in(currency);
  for (const double date : dates) growth_.push_back(view.discount(date) / own.discount(date));
  for (const CurrencyLeg& leg : measure.legs) {
    Leg simulated{spot_simulation(leg.pair, dates, options, view, setup), leg.sign, {}};
    for (const double date : dates)
      simulated.scale.push_back(1 / (view.discount(date) * view.spot(leg.pair)));
    legs_.push_back(std::move(simulated));
  }
}

std::vector<double> CurrencyOnPaths::factors(Index first, Index paths, const Context& alone) const {
  const auto n = static_cast<std::size_t>(paths);
  std::vector<double> factors;
  for (const double growth : growth_) factors.insert(factors.end(), n, growth);
  for (const Leg& leg : legs_) {
    const std::vector<double> spots = discounted_spots(leg.simulation, first, paths, alone);
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const double ratio = spots[i] * leg.scale[i / n];
      factors[i] = leg.sign > 0 ? factors[i] * ratio : factors[i] / ratio;
    }
  }
  return factors;
}

}  // namespace gsim::pricing
