#include "cases.hpp"

#include <cmath>

namespace gsim::benchmark {

const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {Problem::european_1, "European call, 1 step", 1, 1},
      {Problem::european_252, "European call, 252 steps", 252, 1},
      {Problem::asian_52, "arithmetic Asian call, 52 fixings", 52, 1},
      {Problem::heston_100, "Heston QE call, 100 steps", 100, 1},
      {Problem::basket_5, "basket call, 5 assets, 1 step", 1, 5},
  };
  return list;
}

namespace {

pricing::AssetDynamics make_asset(const Case& c, const Market& m) {
  const double dt = m.maturity / c.steps;
  pricing::AssetDynamics a;
  a.log_spot = std::log(m.spot);
  const bool heston = c.problem == Problem::heston_100;
  const double carry = heston ? m.heston_rate - m.heston_dividend : m.rate - m.dividend;
  a.drift_step.assign(static_cast<std::size_t>(c.steps), carry * dt);
  if (heston) {
    a.scheme = pricing::StepScheme::heston;
    a.normals = 2;
    a.has_own_variance = true;
    a.v0 = m.v0, a.kappa = m.kappa, a.theta = m.theta, a.sigma = m.sigma, a.rho = m.rho;
  } else {
    a.variance_step.assign(static_cast<std::size_t>(c.steps), m.volatility * m.volatility * dt);
  }
  return a;
}

// Equicorrelation factor by Cholesky's recurrence.
std::vector<double> make_factor(int n, double rho) {
  std::vector<double> l(static_cast<std::size_t>(n * n), 0.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double s = i == j ? 1.0 : rho;
      for (int k = 0; k < j; ++k) s -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = i == j ? std::sqrt(s) : s / l[j * n + j];
    }
  return l;
}

}  // namespace

pricing::Simulation make_simulation(const Case& c, Precision precision, Arithmetic arithmetic) {
  const Market m;
  pricing::Simulation s;
  for (int i = 0; i < c.assets; ++i) s.assets.push_back(make_asset(c, m));
  s.factor = make_factor(c.assets, m.correlation);
  const bool every_step = c.problem == Problem::asian_52;
  for (int k = 0; k < c.steps; ++k) {
    s.grid.times.push_back(m.maturity * (k + 1) / c.steps);
    const bool recorded = every_step || k + 1 == c.steps;
    s.grid.record_of_step.push_back(recorded ? s.grid.recorded_dates++ : -1);
  }
  pricing::TradeSetup t;
  t.payoff =
      every_step ? pricing::PayoffFormula::asian_arithmetic : pricing::PayoffFormula::vanilla;
  for (int i = 0; i < c.assets; ++i) {
    t.assets.push_back(i);
    t.weights.push_back(1.0 / c.assets);
  }
  t.combination = c.assets > 1 ? pricing::Combination::weighted_sum : pricing::Combination::single;
  for (Index k = 0; k < s.grid.recorded_dates; ++k) t.records.push_back(k);
  t.strike = m.strike;
  t.discount = std::exp(-(c.problem == Problem::heston_100 ? m.heston_rate : m.rate) * m.maturity);
  s.trades.push_back(t);
  s.precision = precision;
  s.arithmetic = arithmetic;
  s.seed = 20261121;
  return s;
}

}  // namespace gsim::benchmark
