#include "src/modules/pricing/exposures/spots_on_paths.hpp"

#include <memory>
#include <utility>

#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/exercise/recorded_states.hpp"
#include "src/modules/pricing/exposures/path_measure.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace {

/// The simulation of the paths of one asset, or of the factors of a short rate, alone, which
/// records the discounted sum of their spots.
Simulation spot_simulation(const UnitPaths& unit, const std::vector<Index>& assets) {
  TradeConfig forward = spot_position(assets.front(), unit.dates.back());
  forward.assets = assets;
  forward.weights.assign(assets.size(), 1);
  forward.exercise.dates = unit.dates;
  const std::vector<Index>& order = unit.setup.assets;
  const TradeSetup whole = make_trade_setup(forward, unit.view, order);
  std::vector<TradeSetup> values;
  values.reserve(unit.dates.size());
  for (const double date : unit.dates)
    values.push_back(make_trade_setup(matured_at(forward, date), unit.view, order));
  Simulation simulation = unit.setup.simulation;
  simulation.unused.assign(simulation.assets.size(), 1);
  for (const Index i : whole.assets) simulation.unused[static_cast<std::size_t>(i)] = 0;
  simulation.trades = {whole};
  simulation.trades.front().exercise =
      make_exercise_setup(forward, unit.options, unit.view, whole, std::move(values), true);
  return simulation;
}

/// What the simulation records, under a measure: [date][path].
std::vector<double> recorded_values(const UnitPaths& unit, Simulation simulation,
                                    const BaseMeasure& measure) {
  const RecordedStates states(
      under_measure(std::move(simulation), measure, unit.view, unit.setup.assets), unit.first,
      {0, unit.paths / regression_block}, regression_block, false, unit.alone);
  return states.values_to_host();
}

}  // namespace

TradeConfig spot_position(Index asset, double maturity) {
  TradeConfig forward;
  forward.payoff = &builtin_payoff("forward");
  forward.assets = {asset};
  forward.weights = {1};
  forward.maturity = maturity;
  return forward;
}

std::vector<double> discounted_spots(const UnitPaths& unit, Index asset,
                                     const BaseMeasure& measure) {
  return recorded_values(unit, spot_simulation(unit, {asset}), measure);
}

std::vector<double> inverse_numeraires(const UnitPaths& unit, Index rate,
                                       const BaseMeasure& measure) {
  std::vector<Index> factors = {rate};
  const auto& second = unit.view.asset(rate).short_rate->second;
  if (second) factors.push_back(second->asset);
  Simulation simulation = spot_simulation(unit, factors);
  auto bonds = std::make_shared<ExerciseSetup>(*simulation.trades.front().exercise);
  // 1 / N(t) is the value of one unit that is paid at t.
  const ShortRateModel model(*unit.view.market, unit.view.asset(rate));
  for (std::size_t d = 0; d < unit.dates.size(); ++d) {
    const double date = unit.dates[d];
    set_claims({{date, false, {model.value_at(date, date, 1)}}}, unit.view, bonds->values[d]);
  }
  simulation.trades.front() = bonds->values.back();
  simulation.trades.front().exercise = std::move(bonds);
  return recorded_values(unit, std::move(simulation), measure);
}

std::vector<double> conversion_on_paths(const UnitPaths& unit, const BaseMeasure& measure,
                                        Index currency, const std::vector<double>& of_set) {
  const MarketView own = unit.view.paid_in(currency);
  const auto n = static_cast<std::size_t>(unit.paths);
  std::vector<double> factors;
  for (const double date : unit.dates) {
    const double set_discount = measure.numeraire < 0 ? unit.view.discount(date) : 1;
    const double own_discount = measure.own_numeraire < 0 ? own.discount(date) : 1;
    factors.insert(factors.end(), n, set_discount / own_discount);
  }
  BaseMeasure of_leg;
  of_leg.numeraire = measure.numeraire;
  for (const CurrencyLeg& leg : measure.legs) {
    const std::vector<double> spots = discounted_spots(unit, leg.pair, of_leg);
    for (std::size_t d = 0; d < unit.dates.size(); ++d) {
      const double scale = 1 / (unit.view.discount(unit.dates[d]) * unit.view.spot(leg.pair));
      for (std::size_t i = d * n; i < (d + 1) * n; ++i) {
        const double ratio = spots[i] * scale;
        factors[i] = leg.sign > 0 ? factors[i] * ratio : factors[i] / ratio;
      }
    }
  }
  if (measure.own_numeraire >= 0) {
    const std::vector<double> of_trade = inverse_numeraires(unit, measure.own_numeraire, measure);
    for (std::size_t i = 0; i < factors.size(); ++i) factors[i] /= of_trade[i];
  }
  if (measure.numeraire >= 0)
    for (std::size_t i = 0; i < factors.size(); ++i) factors[i] *= of_set[i];
  return factors;
}

}  // namespace gsim::pricing
