// Trades that a CUDA device evaluates while it simulates their paths (kernels/pricing/fused) have
// the bits of the host, which evaluates them on stored paths.

#include <algorithm>
#include <cstring>
#include <numeric>

#include <doctest/doctest.h>

#include "src/modules/pricing/paths/fused_batches.hpp"
#include "support/test_executor.hpp"
#include "tests/unit/pricing/paths/path_fixture.hpp"

namespace gsim::pricing::test {
namespace {

#define GSIM_FORMULA(name) PayoffFormula::name,
constexpr PayoffFormula all_formulas[] = {GSIM_PAYOFF_FORMULAS(GSIM_FORMULA)};
#undef GSIM_FORMULA

constexpr Index steps = 11;  // not a multiple of the steps of a group

struct Variant {
  Model model;
  Sampling sampling = Sampling::pseudo_random;
  bool antithetic = false, tilted = false;
  Precision precision = Precision::float64;
  bool continuous = false;  ///< whether barriers and lookbacks monitor the continuous path
};

/// One asset without trades.
Simulation simulation_of(const Variant& v) {
  TimeGrid grid = even_grid(1.0, steps);
  grid.record_of_step[4] = -1;  // a step without a record
  for (std::size_t k = 5; k < grid.record_of_step.size(); ++k) --grid.record_of_step[k];
  --grid.recorded_dates;
  Simulation s = one_asset(grid, {100, 0.05, 0.01, 0.2}, v.model);
  auto& h = s.assets[0];
  h.v0 = 0.09;
  h.kappa = 2;
  h.theta = 0.05;
  h.sigma = 0.9;
  h.rho = -0.7;
  h.jump_intensity = 2;
  h.jump_mean = -0.05;
  h.jump_sd = 0.1;
  for (int j = 0; j < 9; ++j) {
    h.lv_times = {0, 0.5};
    h.lv_log_spots.push_back(h.log_spot + 0.2 * (j - 4));
    for (int t = 0; t < 2; ++t) h.lv_volatility.push_back(0.2 + 0.01 * (j + t));
  }
  if (v.tilted && h.has_jumps) h.jump_tilt.assign(steps, -0.5);
  if (v.model.scheme != StepScheme::local_volatility) h.lv_log_spots.clear();
  s.sampling = v.sampling;
  s.antithetic = v.antithetic;
  s.precision = v.precision;
  s.replicates = v.sampling == Sampling::sobol ? 3 : 1;
  s.block_samples = 64;
  if (v.tilted)
    for (Index d = 0; d < steps * s.assets[0].normals; ++d)
      s.tilt.push_back(0.02 * static_cast<double>(d % 5));
  return s;
}

/// Trades of every formula, on all dates and on some, with and without weights, past fixings,
/// rebates and controls.
std::vector<TradeSetup> trades_of(const Simulation& s, const Variant& v) {
  std::vector<TradeSetup> trades;
  for (const PayoffFormula formula : all_formulas) {
    for (int flags = 0; flags < 4; ++flags) {
      auto t = trade_on(s, formula, flags % 2 == 0 ? 1 : -1,
                        formula == PayoffFormula::cliquet ? 1 : 95, 0.05);
      const bool some = flags >= 2;
      t.continuous = v.continuous && (formula == PayoffFormula::barrier ||
                                      formula == PayoffFormula::lookback_fixed ||
                                      formula == PayoffFormula::lookback_floating);
      if (some) t.records = {1, 2, 6, 8};
      t.barrier = flags % 2 == 0 ? 80 : 90;
      t.rebate = 1;
      if (formula == PayoffFormula::barrier && some) {
        t.rebate_at_hit = true;
        t.discount_at_hit.assign(t.records.size(), 0.97);
      }
      t.annualisation = 7;
      t.cash = 3;
      t.numbers.assign(16, 0.1);
      t.local_floor = t.global_floor = -0.1;
      t.local_cap = t.global_cap = 0.2;
      t.average_strike = flags == 3;
      if (flags == 1) {
        t.past_last = 97;
        t.past_sum = 0.1;
        t.past_count = 1;
        t.past_maximum = 101;
        t.past_minimum = 94;
      }
      if (formula == PayoffFormula::asian_arithmetic) {
        t.control = TradeSetup::Control::asian_geometric;
        if (some) t.fixing_weights = {0.1, 0.2, 0.3, 0.4};
      } else if (formula != PayoffFormula::forward) {
        t.control = TradeSetup::Control::spot;
      }
      trades.push_back(t);
    }
  }
  return trades;
}

struct FusedCounts {
  std::size_t batches = 0;
  Index trades = 0;
  bool operator==(const FusedCounts&) const = default;
};

/// The trades that a CUDA device evaluates while it simulates their paths, and their batches.
template <class T>
FusedCounts fused_of(const Simulation& s) {
  const Executor host = Executor::host(1);
  const PathTables<T> tables(host, s, /*keeps_image=*/true);
  FusedBatches<T> batches(host, s, tables);
  std::vector<std::int32_t> all(s.trades.size());
  std::iota(all.begin(), all.end(), 0);
  batches.choose(all);
  CHECK(batches.order().size() == all.size());
  return {batches.batches().size(), batches.trades()};
}

bool same_bits(const std::vector<BlockStatistics>& a, const std::vector<BlockStatistics>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

template <class Check>
void for_all_variants(const Check& check) {
  for (const auto precision : {Precision::float64, Precision::float32})
    for (const auto model : {models::black_scholes, models::heston, models::merton, models::bates,
                             models::local_volatility})
      for (int flags = 0; flags < 16; ++flags) {
        const bool continuous = flags & 8, tilted = flags & 4, antithetic = flags & 2,
                   sobol = flags & 1;
        if (tilted && antithetic) continue;
        check(Variant{model, sobol ? Sampling::sobol : Sampling::pseudo_random, antithetic, tilted,
                      precision, continuous});
      }
}

}  // namespace

TEST_CASE("fused: every payoff is evaluated with its paths") {
  for_all_variants([](const Variant& v) {
    Simulation s = simulation_of(v);
    for (const TradeSetup& trade : trades_of(s, v)) {
      s.trades = {trade};
      const Index fused = v.precision == Precision::float64 ? fused_of<double>(s).trades
                                                            : fused_of<float>(s).trades;
      // The functor of claims on a rate declares that it is not part of the fused kernels.
      CHECK(fused == (trade.payoff == PayoffFormula::rate_claims ? 0 : 1));
    }
  });
}

// On a device (tests/gpu.cmake) the trades are fused.
TEST_CASE("fused: portfolios of every payoff have the bits of the host") {
  int number = 0;
  for_all_variants([&number](const Variant& v) {
    if (number++ % 3 != 0 && gsim::test::tests_on_device()) return;  // an emulated GPU is slow
    Simulation s = simulation_of(v);
    s.trades = trades_of(s, v);
    const auto expected = run_all(s, Executor::host(1), {1, 4});
    for (const Executor& executor : gsim::test::test_executors({1}))
      CHECK(same_bits(expected, run_all(s, executor, {1, 4})));
  });
}

TEST_CASE("fused: the same bits for any set of active trades") {
  const Variant v{models::black_scholes};
  Simulation s = simulation_of(v);
  s.trades = trades_of(s, v);
  s.trades[5].combination = Combination::weighted_sum;  // not fused
  s.trades[5].weights = {0.5};
  const std::size_t n = s.trades.size();
  const auto engine = make_path_engine(gsim::test::test_executor(), s);
  const auto expected = engine->run({0, 3}, std::vector<std::uint8_t>(n, 1));
  for (const std::size_t divisor : {2, 3, 7}) {
    std::vector<std::uint8_t> active(n, 0);
    for (std::size_t i = 0; i < n; ++i) active[i] = i % divisor == 1;
    const auto part = engine->run({0, 3}, active);
    REQUIRE(part.size() == expected.size());
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (active[i % n])
        CHECK(std::memcmp(&part[i], &expected[i], sizeof part[i]) == 0);
      else
        CHECK(part[i].count == 0);
    }
  }
}

TEST_CASE("fused: trades with few fixings are not simulated on paths of their own") {
  Simulation s = simulation_of({models::black_scholes});
  const auto europeans = [&](int count) {
    s.trades.assign(static_cast<std::size_t>(count),
                    trade_on(s, PayoffFormula::vanilla, 1, 95, 0.05));
  };
  // A batch has 16 words for the states on one path.
  europeans(16);
  CHECK(fused_of<double>(s) == FusedCounts{1, 16});
  europeans(17);
  CHECK(fused_of<double>(s) == FusedCounts{1, 16});
  // Asian options, which have two words each, come first, and Europeans fill the last batch.
  europeans(40);
  for (int i = 0; i < 9; ++i)
    s.trades.push_back(trade_on(s, PayoffFormula::asian_arithmetic, 1, 95, 0.05));
  CHECK(fused_of<double>(s) == FusedCounts{2, 9 + 14});
}

}  // namespace gsim::pricing::test
