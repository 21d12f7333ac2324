#pragma once
// Simulations in the numerical form of the path engine, for tests without configuration and market
// objects. Formulas use the elementary functions of the standard library, not gsim's.

#include <cmath>
#include <span>
#include <vector>

#include "src/modules/pricing/paths/path_engine.hpp"

namespace gsim::pricing::test {

inline double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// Black (1976) on a forward, discounted.
inline double black(double sign, double forward, double strike, double sd, double discount) {
  const double d1 = std::log(forward / strike) / sd + 0.5 * sd, d2 = d1 - sd;
  return discount * sign * (forward * normal_cdf(sign * d1) - strike * normal_cdf(sign * d2));
}

struct Market {
  double spot = 100, rate = 0.05, dividend = 0, volatility = 0.2;
};

/// `steps` equal steps to `maturity`; the end of every step is a recorded date.
inline TimeGrid even_grid(double maturity, Index steps) {
  TimeGrid grid;
  for (Index k = 1; k <= steps; ++k) {
    grid.times.push_back(maturity * static_cast<double>(k) / static_cast<double>(steps));
    grid.record_of_step.push_back(k - 1);
  }
  grid.recorded_dates = steps;
  return grid;
}

/// The members of AssetDynamics that distinguish gsim's path models.
struct Model {
  StepScheme scheme;
  bool has_jumps = false;
};
namespace models {
inline constexpr Model black_scholes{StepScheme::black_scholes};
inline constexpr Model merton{StepScheme::black_scholes, true};
inline constexpr Model heston{StepScheme::heston};
inline constexpr Model bates{StepScheme::heston, true};
inline constexpr Model local_volatility{StepScheme::local_volatility};
}  // namespace models

inline AssetDynamics asset_on(const TimeGrid& grid, const Market& m,
                              const Model& model = models::black_scholes) {
  AssetDynamics a;
  a.scheme = model.scheme;
  a.has_jumps = model.has_jumps;
  a.has_own_variance = model.scheme == StepScheme::heston;
  a.normals = a.has_own_variance ? 2 : 1;
  a.log_spot = std::log(m.spot);
  double last = 0;
  for (const double t : grid.times) {
    a.drift_step.push_back((m.rate - m.dividend) * (t - last));
    if (model.scheme == StepScheme::black_scholes)
      a.variance_step.push_back(m.volatility * m.volatility * (t - last));
    last = t;
  }
  return a;
}

inline Simulation one_asset(const TimeGrid& grid, const Market& m,
                            const Model& model = models::black_scholes) {
  Simulation s;
  s.grid = grid;
  s.assets = {asset_on(grid, m, model)};
  s.factor = {1.0};
  s.seed = 20261121;
  return s;
}

/// A trade on asset 0 with fixings at every recorded date; a barrier is a down barrier.
inline TradeSetup trade_on(const Simulation& s, PayoffFormula payoff, double sign, double strike,
                           double rate) {
  TradeSetup t;
  t.payoff = payoff;
  t.sign = sign;
  if (payoff == PayoffFormula::barrier) t.monitored = Extreme::minimum;
  if (payoff == PayoffFormula::lookback_fixed)
    t.monitored = sign > 0 ? Extreme::maximum : Extreme::minimum;
  if (payoff == PayoffFormula::lookback_floating)
    t.monitored = sign > 0 ? Extreme::minimum : Extreme::maximum;
  t.strike = strike;
  t.assets = {0};
  t.weights = {1.0};
  for (Index r = 0; r < s.grid.recorded_dates; ++r) t.records.push_back(r);
  t.discount = std::exp(-rate * s.grid.times.back());
  return t;
}

/// Simulates `blocks`; returns their statistics for all trades, [block][trade].
inline std::vector<BlockStatistics> run_all(const Simulation& s, const Executor& executor,
                                            IndexRange blocks) {
  const auto engine = make_path_engine(executor, s);
  const std::vector<std::uint8_t> active(s.trades.size(), 1);
  return engine->run(blocks, active);
}

/// All blocks of one trade merged.
inline BlockStatistics merged(const std::vector<BlockStatistics>& blocks, std::size_t trades,
                              std::size_t trade) {
  BlockStatistics all;
  for (std::size_t i = trade; i < blocks.size(); i += trades) all = merge(all, blocks[i]);
  return all;
}

inline double standard_error(const BlockStatistics& s) {
  return std::sqrt(s.m_xx / (s.count * (s.count - 1)));
}

/// Mean and standard error with the optimal coefficient of the control of known expectation.
struct Controlled {
  double mean, error;
};
inline Controlled controlled(const BlockStatistics& s, double expectation) {
  const double beta = s.m_xy / s.m_yy;
  const double residual = s.m_xx - beta * s.m_xy;
  return {s.mean_x - beta * (s.mean_y - expectation),
          std::sqrt(residual / (s.count * (s.count - 1)))};
}

}  // namespace gsim::pricing::test
