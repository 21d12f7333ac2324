#include "src/modules/pricing/pricing_setup.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/correlation.hpp"
#include "src/modules/pricing/market/correlation_config.hpp"
#include "src/modules/pricing/paths/time_grid.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_set_up.hpp"

namespace gsim::pricing {
namespace {

std::vector<Index> used_assets(const PricingConfig& config) {
  std::vector<Index> used;
  for (const TradeConfig& t : config.trades)
    used.insert(used.end(), t.assets.begin(), t.assets.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

double interpolate(const std::vector<double>& x, const std::vector<double>& y, double at) {
  if (at <= x.front()) return y.front();
  if (at >= x.back()) return y.back();
  const auto i = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
  const double w = (at - x[i - 1]) / (x[i] - x[i - 1]);
  return y[i - 1] + w * (y[i] - y[i - 1]);
}

// Kernels want the log-spots equally spaced. A grid that is so already is taken as it is; another
// one is read at four times as many points (at least 129), by the same linear interpolation.
void set_local_volatility(const LocalVolatilityGrid& grid, AssetDynamics& d) {
  std::vector<double> logs;
  for (const double s : grid.spots) logs.push_back(logarithm(s));
  const std::size_t n = logs.size();
  const auto spaced = [&](std::size_t points) {
    std::vector<double> x(points);
    for (std::size_t i = 0; i < points; ++i)
      x[i] = logs.front() + (logs.back() - logs.front()) * static_cast<double>(i) /
                                static_cast<double>(points - 1);
    return x;
  };
  d.lv_log_spots = spaced(n);
  bool is_spaced = true;
  for (std::size_t i = 0; i < n; ++i)
    is_spaced = is_spaced && std::fabs(d.lv_log_spots[i] - logs[i]) < 1e-9;
  if (!is_spaced) d.lv_log_spots = spaced(std::max<std::size_t>(129, 4 * n));
  d.lv_times = grid.times;
  for (const auto& row : grid.volatility)
    for (std::size_t i = 0; i < d.lv_log_spots.size(); ++i)
      d.lv_volatility.push_back(is_spaced ? row[i] : interpolate(logs, row, d.lv_log_spots[i]));
}

bool is_random(const AssetConfig& a, double until) {
  switch (a.model) {
    case ModelKind::black_scholes:
      return a.variance.integral(until) > 0;
    case ModelKind::merton:
      return a.variance.integral(until) > 0 || a.jump_intensity > 0;
    case ModelKind::heston:
      return a.v0 > 0 || a.theta > 0;
    case ModelKind::bates:
      return a.v0 > 0 || a.theta > 0 || a.jump_intensity > 0;
    case ModelKind::plugged:
      return true;
    case ModelKind::local_volatility:
      break;
  }
  for (const auto& row : a.local.volatility)
    for (const double v : row)
      if (v > 0) return true;
  return false;
}

bool is_certain(const PricingConfig& config, const TradeConfig& t, const TradeSetup& p) {
  if (t.quantity == 0 || (p.hit_already && !p.knock_in)) return true;
  return std::none_of(t.assets.begin(), t.assets.end(), [&](Index i) {
    return is_random(config.market.assets[static_cast<std::size_t>(i)], t.maturity);
  });
}

// What a plugin's model makes of every step.
void tabulate(const PathModelKind& kind, const std::string& asset, const TimeGrid& grid,
              AssetDynamics& d) {
  constexpr std::size_t most_numbers = 1000;
  if (kind.reach != nullptr) d.reach = kind.reach(d.numbers, grid.times.back());
  if (kind.step_numbers == nullptr) return;
  double from = 0;
  std::size_t each = 0;
  for (std::size_t k = 0; k < grid.times.size(); ++k) {
    const std::vector<double> numbers =
        kind.step_numbers(d.numbers, {from, grid.times[k], d.drift_step[k]});
    if (k == 0) each = numbers.size();
    GSIM_VALIDATE(numbers.size() == each && each <= most_numbers,
                  fmt::format("path model `{}` of asset `{}` gives {} numbers for time step {} and "
                              "{} for the first one",
                              kind.name, excerpt(asset), numbers.size(), k + 1, each),
                  fmt::format("give as many for every step, {} at most", most_numbers));
    d.step_numbers.insert(d.step_numbers.end(), numbers.begin(), numbers.end());
    from = grid.times[k];
  }
}

void note_extremes(const PricingConfig& config, PricingSetup& setup) {
  for (const TradeConfig& t : config.trades) {
    const ExtremeNeeds needs = extreme_needs(t);
    if (!needs.any()) continue;
    const auto k = std::lower_bound(setup.assets.begin(), setup.assets.end(), t.assets.front()) -
                   setup.assets.begin();
    AssetDynamics& d = setup.simulation.assets[static_cast<std::size_t>(k)];
    d.need_maximum |= needs.maximum;
    d.need_minimum |= needs.minimum;
  }
}

}  // namespace

AssetDynamics make_dynamics(const MarketConfig& market, const AssetConfig& asset,
                            const TimeGrid& grid) {
  AssetDynamics d;
  d.model = asset.model;
  d.log_spot = logarithm(asset.spot);
  const bool has_variance =
      asset.model == ModelKind::black_scholes || asset.model == ModelKind::merton;
  double from = 0;
  for (const double to : grid.times) {
    d.drift_step.push_back(market.rate.integral(from, to) - asset.dividend.integral(from, to));
    if (has_variance) d.variance_step.push_back(asset.variance.integral(from, to));
    from = to;
  }
  d.v0 = asset.v0;
  d.kappa = asset.kappa;
  d.theta = asset.theta;
  d.sigma = asset.sigma;
  d.rho = asset.rho;
  d.jump_intensity = asset.jump_intensity;
  d.jump_mean = asset.jump_mean;
  d.jump_sd = asset.jump_sd;
  if (asset.model == ModelKind::local_volatility) set_local_volatility(asset.local, d);
  if (asset.model == ModelKind::plugged) {
    d.kind = asset.kind;
    d.numbers = asset.numbers;
    tabulate(*asset.kind, asset.name, grid, d);
  }
  return d;
}

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
  sim.factor = semidefinite_cholesky(independent_part(config.market, setup.assets),
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

PortfolioSize try_programs(const PricingConfig& config, const PricingSetup& setup) {
  const MarketView view{&config.market, &setup.dates};
  PortfolioSize size{static_cast<Index>(config.trades.size()), 0};
  for (const TradeConfig& t : config.trades) {
    const TradeSetup program = make_trade_setup(t, view, setup.assets);
    size.dates += static_cast<Index>(program.records.size() + program.discount_at_hit.size());
  }
  return size;
}

void add_programs(const PricingConfig& config, PricingSetup& setup) {
  const MarketView view{&config.market, &setup.dates};
  Simulation& sim = setup.simulation;
  sim.trades.clear();
  setup.is_certain.clear();
  sim.trades.reserve(config.trades.size());
  setup.is_certain.reserve(config.trades.size());
  for (const TradeConfig& t : config.trades) {
    sim.trades.push_back(make_trade_setup(t, view, setup.assets));
    TradeSetup& program = sim.trades.back();
    setup.is_certain.push_back(is_certain(config, t, program));
    const ControlVariates controls = config.options.control_variates;
    if (controls != ControlVariates::none)
      choose_control(t, view, controls == ControlVariates::spot, program);
  }
}

PricingSetup set_up(const PricingConfig& config, Arithmetic arithmetic, std::uint64_t seed) {
  PricingSetup setup = set_up_paths(config, arithmetic, seed);
  add_programs(config, setup);
  return setup;
}

}  // namespace gsim::pricing
