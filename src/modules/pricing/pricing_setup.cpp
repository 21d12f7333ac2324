#include "src/modules/pricing/pricing_setup.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/market/correlation.hpp"
#include "src/modules/pricing/market/correlation_config.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
#include "src/modules/pricing/paths/time_grid.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace {

/// The indices in the market of the assets of all trades, ascending.
std::vector<Index> used_assets(const PricingConfig& config) {
  std::vector<Index> used;
  for (const TradeConfig& t : config.trades)
    used.insert(used.end(), t.assets.begin(), t.assets.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

/// Whether the value of a trade is not random (PricingSetup::is_certain).
bool is_certain(const PricingConfig& config, const TradeConfig& t, const TradeSetup& p) {
  if (t.quantity == 0 || (p.hit_already && !p.knock_in)) return true;
  if (p.exercise == nullptr && are_certain(p)) return true;
  if (is_linear_in_spot(p) && p.control == TradeSetup::Control::spot) return true;
  if (p.exercise != nullptr && p.exercise->policy.exercised_today) return true;
  return std::none_of(t.assets.begin(), t.assets.end(), [&](Index i) {
    return is_random(config.market.assets[static_cast<std::size_t>(i)], t.maturity);
  });
}

/// Requests the running maxima and minima of the spots that trades depend on.
void note_extremes(const PricingConfig& config, PricingSetup& setup) {
  for (const TradeConfig& t : config.trades) {
    const RequiredExtremes needs = required_extremes(t);
    if (!needs.any()) continue;
    const auto k = std::lower_bound(setup.assets.begin(), setup.assets.end(), t.assets.front()) -
                   setup.assets.begin();
    AssetDynamics& d = setup.simulation.assets[static_cast<std::size_t>(k)];
    d.need_maximum |= needs.maximum;
    d.need_minimum |= needs.minimum;
  }
}

}  // namespace

PricingSetup set_up_paths(const PricingConfig& config, Arithmetic arithmetic, std::uint64_t seed) {
  PricingSetup setup;
  setup.assets = used_assets(config);
  Simulation& sim = setup.simulation;
  setup.dates = record_dates(config);
  sim.grid = make_grid(config, setup.assets, setup.dates);
  for (const Index i : setup.assets)
    sim.assets.push_back(
        make_dynamics(config.market, config.market.assets[static_cast<std::size_t>(i)], sim.grid));
  note_extremes(config, setup);
  sim.factor = semidefinite_cholesky(independent_normal_correlation(config.market, setup.assets),
                                     static_cast<Index>(setup.assets.size()));
  const PricingOptions& o = config.options;
  sim.precision = o.precision;
  sim.arithmetic = arithmetic;
  sim.sampling = o.sampling;
  sim.antithetic = o.antithetic;
  sim.brownian_bridge = o.brownian_bridge;
  sim.conditional = o.conditional;
  sim.replicates = o.sampling == Sampling::sobol ? o.replicates : 1;
  sim.seed = seed;
  return setup;
}

PortfolioSize try_trade_setups(const PricingConfig& config, const PricingSetup& setup) {
  const MarketView view{&config.market, &setup.dates};
  PortfolioSize size{static_cast<Index>(config.trades.size()), 0};
  for (const TradeConfig& t : config.trades) {
    const TradeSetup trade = make_trade_setup(t, view, setup.assets);
    if (t.exercise.is_early()) {
      const auto exercise =
          make_exercise_setup(t, config.options.exercise, view, setup.assets, trade, false);
      const auto dates = static_cast<Index>(t.exercise.dates.size());
      size.exercise_dates += dates;
      for (const TradeSetup& value : exercise->values)
        size.exercise_numbers += static_cast<Index>(value.numbers.size());
      size.values_per_path =
          std::max(size.values_per_path, dates * (1 + exercise->variables.count()));
    }
    size.dates += static_cast<Index>(trade.records.size() + trade.discount_at_hit.size());
  }
  return size;
}

void add_trade_setups(const PricingConfig& config, PricingSetup& setup) {
  const MarketView view{&config.market, &setup.dates};
  Simulation& sim = setup.simulation;
  sim.trades.clear();
  setup.is_certain.clear();
  sim.trades.reserve(config.trades.size());
  setup.is_certain.reserve(config.trades.size());
  for (const TradeConfig& t : config.trades) {
    sim.trades.push_back(make_trade_setup(t, view, setup.assets));
    TradeSetup& trade = sim.trades.back();
    const ControlVariates controls = config.options.control_variates;
    if (t.exercise.is_early())
      trade.exercise = make_exercise_setup(t, config.options.exercise, view, setup.assets, trade,
                                           controls == ControlVariates::spot);
    if (controls != ControlVariates::none)
      choose_control(t, view, controls == ControlVariates::spot, trade);
    setup.is_certain.push_back(is_certain(config, t, trade));
  }
}

PricingSetup set_up(const PricingConfig& config, Arithmetic arithmetic, std::uint64_t seed) {
  PricingSetup setup = set_up_paths(config, arithmetic, seed);
  add_trade_setups(config, setup);
  return setup;
}

}  // namespace gsim::pricing
