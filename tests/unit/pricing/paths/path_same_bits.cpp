// The results of a block depend only on the simulation and the number of the block.

#include <cstring>

#include <doctest/doctest.h>

#include "gsim/pricing/path_normals.hpp"
#include "kernels/pricing/path_models/heston_qe.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"
#include "support/test_executor.hpp"
#include "tests/unit/pricing/paths/path_fixture.hpp"

namespace gsim::pricing::test {
namespace {

#define GSIM_FORMULA(name) PayoffFormula::name,
constexpr PayoffFormula all_formulas[] = {GSIM_PAYOFF_FORMULAS(GSIM_FORMULA)};
#undef GSIM_FORMULA

/// Four assets with different models, and trades of every payoff formula on each.
Simulation mixed_simulation(Sampling sampling, bool antithetic, Precision precision) {
  const TimeGrid grid = even_grid(1.0, 7);
  Simulation s = one_asset(grid, {100, 0.05, 0.01, 0.2});
  s.assets.push_back(asset_on(grid, {80, 0.05, 0, 0.3}, models::merton));
  s.assets.push_back(asset_on(grid, {120, 0.05, 0, 0}, models::bates));
  s.assets.push_back(asset_on(grid, {90, 0.05, 0, 0}, models::local_volatility));
  for (const int a : {1, 2}) {
    s.assets[a].jump_intensity = 2;
    s.assets[a].jump_mean = -0.05;
    s.assets[a].jump_sd = 0.1;
  }
  auto& h = s.assets[2];
  h.v0 = 0.04;
  h.kappa = 2;
  h.theta = 0.05;
  h.sigma = 0.9;
  h.rho = -0.7;
  auto& l = s.assets[3];
  l.lv_times = {0, 0.5};
  for (int j = 0; j < 9; ++j) {
    l.lv_log_spots.push_back(l.log_spot + 0.2 * (j - 4));
    l.lv_volatility.push_back(0.2 + 0.02 * (j - 4) * (j - 4));
  }
  for (int j = 0; j < 9; ++j) l.lv_volatility.push_back(0.25);
  s.factor = {1, 0, 0, 0, .5, .8, 0, 0, .1, .2, .9, 0, .3, .3, .3, .8};
  s.sampling = sampling;
  s.antithetic = antithetic;
  s.precision = precision;
  s.replicates = sampling == Sampling::sobol ? 3 : 1;
  s.block_samples = 320;
  for (const PayoffFormula kind : all_formulas) {
    for (Index a = 0; a < 4; ++a) {
      auto t =
          trade_on(s, kind, a % 2 == 0 ? 1 : -1, kind == PayoffFormula::cliquet ? 1 : 95, 0.05);
      t.assets = {a};
      t.continuous = true;
      t.barrier = 70;
      t.rebate = 1;
      t.annualisation = 7;
      t.numbers.assign(16, 0.1);
      t.local_floor = t.global_floor = -0.1;
      t.local_cap = t.global_cap = 0.2;
      if (kind == PayoffFormula::asian_arithmetic) t.control = TradeSetup::Control::asian_geometric;
      s.trades.push_back(t);
    }
  }
  auto basket = trade_on(s, PayoffFormula::vanilla, 1, 100, 0.05);
  basket.combination = Combination::weighted_sum;
  basket.assets = {0, 1, 2, 3};
  basket.weights = {.25, .25, .25, .25};
  basket.control = TradeSetup::Control::basket_geometric;
  basket.control_weights = basket.weights;
  s.trades.push_back(basket);
  return s;
}

bool same_bits(const std::vector<BlockStatistics>& a, const std::vector<BlockStatistics>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

/// Lognormal assets over one step: several samples share the random numbers of one Philox block
/// (kernels/pricing/paths/simulate_one_step.hpp).
Simulation one_step_simulation(int assets, bool antithetic, Precision precision) {
  const TimeGrid grid = even_grid(1.0, 1);
  Simulation s = one_asset(grid, {100, 0.05, 0.01, 0.2});
  for (int a = 1; a < assets; ++a) s.assets.push_back(asset_on(grid, {90, 0.05, 0, 0.3}));
  s.factor.assign(static_cast<std::size_t>(assets * assets), 0.0);
  for (int a = 0; a < assets; ++a) {
    s.factor[static_cast<std::size_t>(a * assets)] = a == 0 ? 1.0 : 0.6;
    if (a > 0) s.factor[static_cast<std::size_t>(a * assets + a)] = 0.8;
  }
  s.antithetic = antithetic;
  s.precision = precision;
  s.block_samples = 320;
  for (int a = 0; a < assets; ++a) {
    s.trades.push_back(trade_on(s, PayoffFormula::vanilla, 1, 95, 0.05));
    s.trades.back().assets = {a};
  }
  return s;
}

/// One asset over an odd number of steps: such simulations have a separate loop, which advances
/// several registers of paths of Heston's model together.
Simulation one_asset_simulation(const Model& model, Sampling sampling, bool antithetic,
                                Precision precision) {
  const TimeGrid grid = even_grid(1.0, 7);
  Simulation s = one_asset(grid, {100, 0.05, 0.01, 0.2}, model);
  auto& h = s.assets[0];
  h.v0 = 0.09;
  h.kappa = 2;
  h.theta = 0.05;
  h.sigma = 0.9;
  h.rho = -0.7;
  s.sampling = sampling;
  s.antithetic = antithetic;
  s.precision = precision;
  s.replicates = sampling == Sampling::sobol ? 3 : 1;
  s.block_samples = 320;
  for (const auto kind : {PayoffFormula::vanilla, PayoffFormula::asian_arithmetic,
                          PayoffFormula::forward_start, PayoffFormula::variance_swap}) {
    s.trades.push_back(trade_on(s, kind, 1, kind == PayoffFormula::forward_start ? 1 : 95, 0.05));
    s.trades.back().annualisation = 7;
  }
  return s;
}

template <class Check>
void for_one_asset_variants(const Check& check) {
  for (const auto model : {models::black_scholes, models::heston})
    for (const auto sampling : {Sampling::pseudo_random, Sampling::sobol})
      for (const bool antithetic : {false, true})
        for (const auto precision : {Precision::float64, Precision::float32})
          check(one_asset_simulation(model, sampling, antithetic, precision));
}

template <class Check>
void for_all_variants(const Check& check) {
  for (const auto sampling : {Sampling::pseudo_random, Sampling::sobol})
    for (const bool antithetic : {false, true})
      for (const auto precision : {Precision::float64, Precision::float32})
        check(mixed_simulation(sampling, antithetic, precision));
  for_one_asset_variants(check);
  for (const int assets : {1, 5})
    for (const bool antithetic : {false, true})
      for (const auto precision : {Precision::float64, Precision::float32})
        check(one_step_simulation(assets, antithetic, precision));
}

/// The description of the paths in double; its pointers are not valid.
PathTable<double> paths_of(const Simulation& s) {
  return PathTables<double>(Executor::host(1), s).paths();
}

}  // namespace

TEST_CASE("same bits at every CPU level and thread count") {
  for_all_variants([](const Simulation& s) {
    const auto expected = run_all(s, Executor::host(1, available_cpu_targets().front()), {0, 5});
    for (const Executor& executor : gsim::test::test_executors({1, 2, 3})) {
      CAPTURE(executor.describe());
      CHECK(same_bits(expected, run_all(s, executor, {0, 5})));
    }
  });
}

TEST_CASE("same bits for any ranges of blocks and any set of active trades") {
  const Simulation s = mixed_simulation(Sampling::pseudo_random, false, Precision::float64);
  const std::size_t n = s.trades.size();
  const auto engine = make_path_engine(gsim::test::test_executor(2), s);
  std::vector<std::uint8_t> all(n, 1), some(n, 0);
  const auto expected = engine->run({0, 6}, all);
  std::vector<BlockStatistics> pieces;
  for (const IndexRange range : {IndexRange{0, 1}, IndexRange{1, 4}, IndexRange{4, 6}})
    for (const auto& b : engine->run(range, all)) pieces.push_back(b);
  CHECK(same_bits(expected, pieces));
  some[3] = some[n - 1] = 1;
  const auto part = engine->run({0, 6}, some);
  REQUIRE(part.size() == expected.size());
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (some[i % n])
      CHECK(std::memcmp(&part[i], &expected[i], sizeof part[i]) == 0);
    else
      CHECK(part[i].count == 0);
  }
}

TEST_CASE("the loop for one asset gives the bits of the general loop") {
  for_one_asset_variants([](const Simulation& s) {
    REQUIRE(paths_of(s).loop == PathLoop::one_asset);
    REQUIRE(paths_of(s).scheme == s.assets[0].scheme);
    Simulation with_lookback = s;  // a trade on the continuous path requires the general loop
    with_lookback.trades.push_back(trade_on(s, PayoffFormula::lookback_floating, 1, 0, 0.05));
    with_lookback.trades.back().continuous = true;
    REQUIRE(paths_of(with_lookback).loop == PathLoop::general);
    for (const Executor& executor : gsim::test::test_executors({1})) {
      const auto one_asset_loop = run_all(s, executor, {1, 4});
      const auto general_loop = run_all(with_lookback, executor, {1, 4});
      const std::size_t n = s.trades.size();
      REQUIRE(general_loop.size() == 3 * (n + 1));
      for (std::size_t i = 0; i < one_asset_loop.size(); ++i)
        CHECK(std::memcmp(&one_asset_loop[i], &general_loop[i / n * (n + 1) + i % n],
                          sizeof one_asset_loop[i]) == 0);
    }
  });
}

TEST_CASE("the paths of Heston's model in these tests take both branches of the QE scheme") {
  const Simulation s =
      one_asset_simulation(models::heston, Sampling::pseudo_random, false, Precision::float64);
  const PathTables<double> tables(Executor::host(1), s);
  const auto& asset = tables.paths().asset[0];
  int quadratic = 0, exponential = 0;
  for (std::uint64_t path = 0; path < 100; ++path) {
    pricing_kernels::DrawnNormals<double, Strict> drawn(tables.paths().normals, path, 14);
    double v = asset.v0;
    for (Index k = 0; k < 7; ++k) {
      const auto& c = asset.qe[k];
      const double m = c.decay * v + c.mean_offset;
      // psi, the variance over the squared mean, above 1.5: the exponential branch.
      ++((c.s2_slope * v + c.s2_offset) / (m * m) > 1.5 ? exponential : quadratic);
      const double z = drawn.next(), z_v = drawn.next();
      v = pricing_kernels::heston_qe_step<Strict>(c, 0.0, v, z, z_v, asset.drift[k]).v;
    }
  }
  CHECK(quadratic > 100);
  CHECK(exponential > 100);
}

TEST_CASE("samples that share Philox blocks are independent and have the right distribution") {
  for (const auto precision : {Precision::float64, Precision::float32}) {
    Simulation s = one_step_simulation(5, false, precision);
    s.block_samples = 64;
    const auto blocks = run_all(s, gsim::test::test_executor(2), {0, 4000});
    for (std::size_t a = 0; a < s.trades.size(); ++a) {
      const auto all = merged(blocks, s.trades.size(), a);
      const Market m = a == 0 ? Market{100, 0.05, 0.01, 0.2} : Market{90, 0.05, 0, 0.3};
      const double expected =
          black(1, m.spot * std::exp(m.rate - m.dividend), 95, m.volatility, std::exp(-m.rate));
      CHECK(std::abs(all.mean_x - expected) < 4 * standard_error(all));
      // If samples were dependent, the variance of the means of blocks would differ from m_xx / n.
      double squares = 0;
      for (std::size_t b = 0; b < 4000; ++b) {
        const double d = blocks[b * s.trades.size() + a].mean_x - all.mean_x;
        squares += d * d;
      }
      const double ratio = squares / 3999 / (all.m_xx / (all.count - 1) / 64);
      CHECK(std::abs(ratio - 1) < 5 * std::sqrt(2.0 / 3999));
    }
  }
}

TEST_CASE("memory does not grow with the number of blocks") {
  const Simulation s = mixed_simulation(Sampling::pseudo_random, false, Precision::float64);
  const auto engine = make_path_engine(gsim::test::test_executor(), s);
  const double before = engine->bytes();
  engine->run({0, 20}, std::vector<std::uint8_t>(s.trades.size(), 1));
  CHECK(engine->bytes() == before);
  CHECK(engine->path_steps_per_block() == 320.0 * 7 * 4);
}

}  // namespace gsim::pricing::test
