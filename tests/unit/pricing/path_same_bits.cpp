// What a block gives depends on nothing but the simulation and the block's number.

#include <cstring>

#include <doctest/doctest.h>

#include "kernels/pricing/run_cuda.hpp"
#include "path_fixture.hpp"
#include "src/modules/pricing/path_tables.hpp"

namespace gsim::pricing::test {
namespace {

/// Four assets of different models, trades of every kind.
Simulation mixed(Sampling sampling, bool antithetic, Precision precision) {
  const TimeGrid grid = even_grid(1.0, 7);
  Simulation s = one_asset(grid, {100, 0.05, 0.01, 0.2});
  s.assets.push_back(asset_on(grid, {80, 0.05, 0, 0.3}, ModelKind::merton));
  s.assets.push_back(asset_on(grid, {120, 0.05, 0, 0}, ModelKind::bates));
  s.assets.push_back(asset_on(grid, {90, 0.05, 0, 0}, ModelKind::local_volatility));
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
  for (const auto kind :
       {PayoffKind::vanilla, PayoffKind::cash_digital, PayoffKind::asset_digital,
        PayoffKind::forward_start, PayoffKind::cliquet, PayoffKind::asian_arithmetic,
        PayoffKind::asian_geometric, PayoffKind::barrier, PayoffKind::lookback_fixed,
        PayoffKind::lookback_floating, PayoffKind::variance_swap}) {
    for (Index a = 0; a < 4; ++a) {
      auto t = trade_on(s, kind, a % 2 == 0 ? 1 : -1, kind == PayoffKind::cliquet ? 1 : 95, 0.05);
      t.assets = {a};
      t.continuous = true;
      t.barrier = 70;
      t.rebate = 1;
      t.annualisation = 7;
      t.local_floor = t.global_floor = -0.1;
      t.local_cap = t.global_cap = 0.2;
      if (kind == PayoffKind::asian_arithmetic) t.control = TradeProgram::Control::asian_geometric;
      s.trades.push_back(t);
    }
  }
  auto basket = trade_on(s, PayoffKind::vanilla, 1, 100, 0.05);
  basket.combination = Combination::weighted_sum;
  basket.assets = {0, 1, 2, 3};
  basket.weights = {.25, .25, .25, .25};
  basket.control = TradeProgram::Control::basket_geometric;
  basket.control_weights = basket.weights;
  s.trades.push_back(basket);
  return s;
}

bool same_bits(const std::vector<BlockStatistics>& a, const std::vector<BlockStatistics>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

/// Lognormal assets over one step, whose samples share blocks of draws.
Simulation one_step(int assets, bool antithetic, Precision precision) {
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
    s.trades.push_back(trade_on(s, PayoffKind::vanilla, 1, 95, 0.05));
    s.trades.back().assets = {a};
  }
  return s;
}

template <class Check>
void for_all_variants(const Check& check) {
  for (const auto sampling : {Sampling::pseudo_random, Sampling::sobol})
    for (const bool antithetic : {false, true})
      for (const auto precision : {Precision::float64, Precision::float32})
        check(mixed(sampling, antithetic, precision));
  for (const int assets : {1, 5})
    for (const bool antithetic : {false, true})
      for (const auto precision : {Precision::float64, Precision::float32})
        check(one_step(assets, antithetic, precision));
}

/// The blocks as a CUDA device computes them, by the same functors on the host, one lane at a time.
template <class T>
std::vector<BlockSums> as_on_cuda(const Simulation& s, IndexRange blocks, Index tile_blocks,
                                  Index trades_at_once) {
  const Executor host = Executor::host(1);
  const PathTables<T> tables(host, s);
  PathJob<T> job{};
  job.paths = tables.paths();
  job.trade = tables.trades();
  std::vector<std::int32_t> active;
  for (std::size_t i = 0; i < s.trades.size(); ++i) active.push_back(static_cast<std::int32_t>(i));
  job.active = active.data();
  job.active_trades = static_cast<Index>(active.size());
  job.block_samples = s.block_samples;
  job.blocks = blocks;
  job.tile_samples = tile_blocks * s.block_samples;
  job.trades_at_once = trades_at_once;
  const auto layout = pricing_kernels::scratch_layout(job.paths, job.tile_samples, job.tile_samples,
                                                      trades_at_once, trades_at_once * tile_blocks);
  std::vector<std::byte> scratch(static_cast<std::size_t>(layout.bytes) + 64);
  job.scratch = scratch.data();
  std::vector<BlockSums> results(static_cast<std::size_t>(blocks.size()) * active.size());
  job.results = results.data();
  pricing_kernels::run_paths<T, Strict>(host, job);
  return results;
}

}  // namespace

TEST_CASE("same bits at every CPU level and thread count") {
  for_all_variants([](const Simulation& s) {
    const auto expected = run_all(s, Executor::host(1, Target::base), {0, 5});
    for (const Target level : available_cpu_targets()) {
      for (const int threads : {1, 2, 3}) {
        CAPTURE(to_string(level));
        CAPTURE(threads);
        CHECK(same_bits(expected, run_all(s, Executor::host(threads, level), {0, 5})));
      }
    }
  });
}

TEST_CASE("same bits however the blocks are cut, and whatever else is priced") {
  const Simulation s = mixed(Sampling::pseudo_random, false, Precision::float64);
  const std::size_t n = s.trades.size();
  PathEngine engine(Executor::host(2), s);
  std::vector<std::uint8_t> all(n, 1), some(n, 0);
  const auto expected = engine.run({0, 6}, all);
  std::vector<BlockStatistics> pieces;
  for (const IndexRange range : {IndexRange{0, 1}, IndexRange{1, 4}, IndexRange{4, 6}})
    for (const auto& b : engine.run(range, all)) pieces.push_back(b);
  CHECK(same_bits(expected, pieces));
  some[3] = some[n - 1] = 1;
  const auto part = engine.run({0, 6}, some);
  REQUIRE(part.size() == expected.size());
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (some[i % n])
      CHECK(std::memcmp(&part[i], &expected[i], sizeof part[i]) == 0);
    else
      CHECK(part[i].count == 0);
  }
}

TEST_CASE("the device's way through a job gives the host's bits") {
  for_all_variants([](const Simulation& s) {
    const auto expected = run_all(s, Executor::host(1), {2, 7});
    for (const Index tile_blocks : {1, 3}) {
      for (const Index trades_at_once : {5, 100}) {
        const auto device = s.precision == Precision::float64
                                ? as_on_cuda<double>(s, {2, 7}, tile_blocks, trades_at_once)
                                : as_on_cuda<float>(s, {2, 7}, tile_blocks, trades_at_once);
        REQUIRE(device.size() == expected.size());
        static_assert(sizeof(BlockSums) == sizeof(BlockStatistics));
        CHECK(std::memcmp(device.data(), expected.data(), device.size() * sizeof(BlockSums)) == 0);
      }
    }
  });
}

TEST_CASE("samples that share blocks of draws are independent and have the right law") {
  for (const auto precision : {Precision::float64, Precision::float32}) {
    Simulation s = one_step(5, false, precision);
    s.block_samples = 64;
    const auto blocks = run_all(s, Executor::host(2), {0, 4000});
    for (std::size_t a = 0; a < s.trades.size(); ++a) {
      const auto all = merged(blocks, s.trades.size(), a);
      const Market m = a == 0 ? Market{100, 0.05, 0.01, 0.2} : Market{90, 0.05, 0, 0.3};
      const double expected =
          black(1, m.spot * std::exp(m.rate - m.dividend), 95, m.volatility, std::exp(-m.rate));
      CHECK(std::abs(all.mean_x - expected) < 4 * standard_error(all));
      // Dependent samples would move the variance of block means away from m_xx / n.
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
  const Simulation s = mixed(Sampling::pseudo_random, false, Precision::float64);
  PathEngine engine(Executor::host(1), s);
  const double before = engine.bytes();
  engine.run({0, 20}, std::vector<std::uint8_t>(s.trades.size(), 1));
  CHECK(engine.bytes() == before);
  CHECK(engine.path_steps_per_block() == 320.0 * 7 * 4);
}

}  // namespace gsim::pricing::test
