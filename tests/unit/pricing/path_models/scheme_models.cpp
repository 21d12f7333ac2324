// Every path model against closed forms: prices must agree within four standard errors (a false
// alarm has probability 6e-5 per check, and seeds are fixed) plus the stated bias of the scheme.

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "support/test_executor.hpp"
#include "tests/unit/pricing/paths/path_fixture.hpp"

namespace gsim::pricing::test {
namespace {

const Executor& executor_of_tests() {
  static const Executor executor = gsim::test::test_executor(0);
  return executor;
}

/// Checks each trade's price against `expected` within four standard errors plus `bias`.
void check_prices(const Simulation& s, Index blocks, const std::vector<double>& expected,
                  double largest_error, double bias = 0) {
  const auto results = run_all(s, executor_of_tests(), {0, blocks});
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto all = merged(results, s.trades.size(), i);
    const double error = standard_error(all), z = (all.mean_x - expected[i]) / error;
    CAPTURE(i);
    CAPTURE(all.mean_x);
    CAPTURE(expected[i]);
    CAPTURE(error);
    CAPTURE(z);
    CHECK(all.count == static_cast<double>(blocks * s.block_samples));
    CHECK(error < largest_error);
    CHECK(std::abs(all.mean_x - expected[i]) < 4 * error + bias);
  }
}

/// Adds calls with these strikes on asset 0.
void add_calls(Simulation& s, const std::vector<double>& strikes, double rate) {
  for (const double k : strikes)
    s.trades.push_back(trade_on(s, PayoffFormula::vanilla, 1, k, rate));
}

}  // namespace

TEST_CASE("Black-Scholes: European options in every precision, sampling and step count") {
  const Market m{100, 0.05, 0.02, 0.2};
  for (const Index steps : {1, 5}) {
    for (const bool antithetic : {false, true}) {
      for (const auto sampling : {Sampling::pseudo_random, Sampling::sobol}) {
        for (const auto precision : {Precision::float64, Precision::float32}) {
          for (const auto arithmetic : {Arithmetic::strict, Arithmetic::fast}) {
            Simulation s = one_asset(even_grid(1.0, steps), m);
            s.precision = precision;
            s.arithmetic = arithmetic;
            s.antithetic = antithetic;
            s.sampling = sampling;
            add_calls(s, {90, 110}, m.rate);
            s.trades.push_back(trade_on(s, PayoffFormula::vanilla, -1, 95, m.rate));
            const double f = 100 * std::exp(0.03), d = std::exp(-0.05);
            check_prices(
                s, 8, {black(1, f, 90, 0.2, d), black(1, f, 110, 0.2, d), black(-1, f, 95, 0.2, d)},
                0.1, precision == Precision::float32 ? 1e-4 : 0);
          }
        }
      }
    }
  }
}

TEST_CASE(
    "Sobol points have much smaller errors than pseudo-random ones, with and without bridge") {
  const Market m{100, 0.05, 0, 0.2};
  for (const bool bridge : {true, false}) {
    Simulation s = one_asset(even_grid(1.0, 12), m);
    s.sampling = Sampling::sobol;
    s.brownian_bridge = bridge;
    s.replicates = 8;
    s.trades = {trade_on(s, PayoffFormula::asian_arithmetic, 1, 100, m.rate)};
    const auto results = run_all(s, executor_of_tests(), {0, 8});
    double mean = 0, square = 0;
    for (const auto& r : results) mean += r.mean_x / 8;
    for (const auto& r : results) square += (r.mean_x - mean) * (r.mean_x - mean);
    const double error = std::sqrt(square / (8 * 7));  // of the mean of 8 replicates
    // The error of as many pseudo-random samples.
    const double plain = std::sqrt(results[0].m_xx / results[0].count / (8 * 4096));
    CAPTURE(bridge);
    CAPTURE(error);
    CAPTURE(plain);
    CHECK(error < plain / 5);
    // validation/pricing/asian_arithmetic_discrete.toml, 12 fixings
    CHECK(std::abs(mean - 6.1560407664) < 5 * error);
  }
}

TEST_CASE("arithmetic Asian with its geometric control") {
  const Market m{100, 0.05, 0, 0.2};
  for (const bool antithetic : {false, true}) {
    Simulation s = one_asset(even_grid(1.0, 52), m);
    s.antithetic = antithetic;
    auto t = trade_on(s, PayoffFormula::asian_arithmetic, 1, 100, m.rate);
    t.control = TradeSetup::Control::asian_geometric;
    s.trades = {t};
    const auto all = merged(run_all(s, executor_of_tests(), {0, 8}), 1, 0);
    const auto price = controlled(all, 5.63743162037);  // validation/pricing/asian_geometric.toml
    CAPTURE(price.mean);
    CAPTURE(price.error);
    CHECK(price.error < 0.002);
    CHECK(standard_error(all) > 20 * price.error);
    CHECK(std::abs(price.mean - 5.8538633822) < 4 * price.error);
  }
}

TEST_CASE("Merton jumps: calls agree with Merton's series, in one step and in twelve") {
  const Market m{100, 0.05, 0, 0.2};
  for (const Index steps : {1, 12}) {
    Simulation s = one_asset(even_grid(1.0, steps), m, models::merton);
    s.assets[0].jump_intensity = 1;
    s.assets[0].jump_mean = -0.1;
    s.assets[0].jump_sd = 0.15;
    add_calls(s, {80, 100, 120}, m.rate);
    check_prices(s, 16, {25.955534917, 12.7612885936, 5.09055029037}, 0.12);
  }
}

TEST_CASE("Heston QE: Lewis' prices, in double, float and antithetic") {
  for (int variant = 0; variant < 4; ++variant) {
    Simulation s = one_asset(even_grid(1.0, 25), {100, 0.01, 0.02, 0}, models::heston);
    auto& a = s.assets[0];
    a.v0 = 0.04;
    a.kappa = 4;
    a.theta = 0.25;
    a.sigma = 1;
    a.rho = -0.5;
    s.antithetic = variant & 1;
    s.precision = variant & 2 ? Precision::float32 : Precision::float64;
    add_calls(s, {80, 100, 120}, 0.01);
    s.trades.push_back(trade_on(s, PayoffFormula::asset_digital, 1, 0, 0.01));  // the spot itself
    check_prices(s, 16, {26.774758744, 16.070154917, 9.02491348346, 100 * std::exp(-0.02)}, 0.25,
                 0.02);
  }
}

TEST_CASE("Heston QE: Andersen's case I, Feller's condition strongly violated") {
  Simulation s = one_asset(even_grid(10.0, 40), {100, 0, 0, 0}, models::heston);
  auto& a = s.assets[0];
  a.v0 = a.theta = 0.04;
  a.kappa = 0.5;
  a.sigma = 1;
  a.rho = -0.9;
  add_calls(s, {60, 100}, 0);
  s.trades.push_back(trade_on(s, PayoffFormula::asset_digital, 1, 0, 0));
  check_prices(s, 16, {44.3299750702, 13.084670137, 100}, 0.2, 0.1);
}

TEST_CASE("Bates with a small volatility of variance tends to Merton") {
  // For sigma -> 0 with v0 = theta the model is Merton's with constant volatility.
  Simulation s = one_asset(even_grid(1.0, 4), {100, 0.05, 0, 0}, models::bates);
  auto& a = s.assets[0];
  a.v0 = a.theta = 0.04;
  a.kappa = 1;
  a.sigma = 1e-3;
  a.rho = 0.5;
  a.jump_intensity = 1;
  a.jump_mean = -0.1;
  a.jump_sd = 0.15;
  add_calls(s, {80, 100, 120}, 0.05);
  check_prices(s, 16, {25.955534917, 12.7612885936, 5.09055029037}, 0.12);
}

TEST_CASE(
    "local volatility that depends on time only agrees with Black-Scholes at its mean variance") {
  Simulation s = one_asset(even_grid(1.0, 50), {100, 0.05, 0.02, 0}, models::local_volatility);
  auto& a = s.assets[0];
  a.lv_times = {0, 1};
  for (int j = 0; j < 5; ++j) a.lv_log_spots.push_back(std::log(100.0) + 0.3 * (j - 2));
  a.lv_volatility = {.1, .1, .1, .1, .1, .3, .3, .3, .3, .3};
  add_calls(s, {90, 100, 120}, 0.05);
  // The scheme holds sigma constant from the start of each step, so its variance is exactly this
  // sum.
  double variance = 0;
  for (int k = 0; k < 50; ++k) variance += std::pow(0.1 + 0.2 * k / 50.0, 2) / 50;
  const double f = 100 * std::exp(0.03), d = std::exp(-0.05), sd = std::sqrt(variance);
  check_prices(s, 16, {black(1, f, 90, sd, d), black(1, f, 100, sd, d), black(1, f, 120, sd, d)},
               0.1);
}

TEST_CASE("local volatility linear in the spot is displaced lognormal") {
  // For dS = sigma (S + a) dW, S + a is lognormal: calls are Black's with displaced spot and strike
  // (Rubinstein 1983). The grid tabulates sigma (S + a) / S with small spacing.
  Simulation s = one_asset(even_grid(1.0, 100), {100, 0, 0, 0}, models::local_volatility);
  auto& a = s.assets[0];
  a.lv_times = {0};
  for (int j = 0; j <= 400; ++j) {
    const double x = std::log(100.0) + 0.01 * (j - 200);
    a.lv_log_spots.push_back(x);
    a.lv_volatility.push_back(0.1 * (std::exp(x) + 100) / std::exp(x));
  }
  add_calls(s, {80, 100, 120}, 0);
  const auto price = [](double k) { return black(1, 200, k + 100, 0.1, 1); };
  check_prices(s, 16, {price(80), price(100), price(120)}, 0.1, 0.02);
}

TEST_CASE("correlated assets: exchange options agree with Margrabe's formula") {
  const TimeGrid grid = even_grid(0.5, 3);
  Simulation s = one_asset(grid, {22, 0.1, 0.06, 0.2});
  s.assets.push_back(asset_on(grid, {20, 0.1, 0.04, 0.25}));
  const double rho = -0.5;
  s.factor = {1, 0, rho, std::sqrt(1 - rho * rho)};
  auto t = trade_on(s, PayoffFormula::vanilla, 1, 0, 0.1);
  t.combination = Combination::weighted_sum;
  t.assets = {0, 1};
  t.weights = {1, -1};
  s.trades = {t};
  check_prices(s, 16, {3.22724480239}, 0.05);
}

TEST_CASE("correlated Heston assets keep their correlation") {
  // Tiny sigma: two lognormal assets with constant volatility; the exchange option has Margrabe's
  // price.
  const TimeGrid grid = even_grid(1.0, 4);
  Simulation s = one_asset(grid, {100, 0, 0, 0}, models::heston);
  auto& a = s.assets[0];
  a.v0 = a.theta = 0.04;
  a.kappa = 1;
  a.sigma = 1e-3;
  s.assets.push_back(a);
  s.assets[1].v0 = s.assets[1].theta = 0.09;
  const double rho = 0.6;
  s.factor = {1, 0, rho, 0.8};
  auto t = trade_on(s, PayoffFormula::vanilla, 1, 0, 0);
  t.combination = Combination::weighted_sum;
  t.assets = {0, 1};
  t.weights = {1, -1};
  s.trades = {t};
  const double sd = std::sqrt(0.04 + 0.09 - 2 * rho * 0.2 * 0.3);
  check_prices(s, 16, {black(1, 100, 100, sd, 1)}, 0.1, 0.01);
}

TEST_CASE(
    "continuous barriers and lookbacks are exact for Black-Scholes with any number of steps") {
  for (const Index steps : {1, 4}) {
    for (const bool antithetic : {false, true}) {
      // Haug (1998), p. 72: spot 100, rate 0.08, dividend 0.04, T 0.5, vol 0.25; without the rebate
      // the down-and-out call with barrier 95 and strike 100 and its knock-in sum to the vanilla.
      Simulation s = one_asset(even_grid(0.5, steps), {100, 0.08, 0.04, 0.25});
      s.antithetic = antithetic;
      auto out = trade_on(s, PayoffFormula::barrier, 1, 100, 0.08);
      out.continuous = true;
      out.barrier = 95;
      auto in = out;
      in.knock_in = true;
      auto vanilla = trade_on(s, PayoffFormula::vanilla, 1, 100, 0.08);
      s.trades = {out, in, vanilla};
      // Reiner and Rubinstein (1991), down barrier H below the strike: C(S) - (S/H)^p C(H^2/S),
      // with C the vanilla call and p = 1 - 2 (r - q) / volatility^2.
      const double d = std::exp(-0.04), f = 100 * std::exp(0.02), sd = 0.25 * std::sqrt(0.5);
      const double power = 1 - 2 * 0.04 / 0.0625;
      const double call = black(1, f, 100, sd, d);
      const double image = std::pow(100 / 95.0, power) * black(1, f * 95 * 95 / 1e4, 100, sd, d);
      check_prices(s, 16, {call - image, image, call}, 0.12);
    }
  }
}

TEST_CASE("continuous lookbacks: Goldman, Sosin and Gatto's prices") {
  for (const Index steps : {1, 5}) {
    // validation/pricing/lookback_floating.toml
    Simulation call = one_asset(even_grid(1.0, steps), {100, 0.05, 0, 0.3});
    call.trades = {trade_on(call, PayoffFormula::lookback_floating, 1, 0, 0.05)};
    call.trades[0].continuous = true;
    check_prices(call, 16, {23.7884365017}, 0.15);
    Simulation put = one_asset(even_grid(0.5, steps), {100, 0.1, 0, 0.3});
    put.trades = {trade_on(put, PayoffFormula::lookback_floating, -1, 0, 0.1)};
    put.trades[0].continuous = true;
    auto with_past = put.trades[0];
    with_past.past_count = 1;
    with_past.past_maximum = 110;
    with_past.past_minimum = 100;
    put.trades.push_back(with_past);
    check_prices(put, 16, {15.3525554679, 16.8467726801}, 0.15);
  }
}

TEST_CASE("discrete barrier at fifty dates") {
  // validation/pricing/barrier_discrete.toml: exact prices with 50 dates at H = 95 and 99
  Simulation s = one_asset(even_grid(0.2, 50), {100, 0.1, 0, 0.3});
  auto t = trade_on(s, PayoffFormula::barrier, 1, 100, 0.1);
  t.barrier = 95;
  s.trades = {t};
  t.barrier = 99;
  s.trades.push_back(t);
  check_prices(s, 16, {4.9067890354, 2.3363868958}, 0.1);
}

TEST_CASE("a payoff that is not finite affects the sums of its trade alone") {
  Simulation s = one_asset(even_grid(1.0, 1), {100, 0.05, 0, 0.2});
  s.trades = {trade_on(s, PayoffFormula::vanilla, 1, 100, 0.05),
              trade_on(s, PayoffFormula::vanilla, 1, 100, 0.05)};
  s.trades[1].name = "OVERFLOW";
  s.trades[1].discount = std::numeric_limits<double>::infinity();
  const auto sums = run_all(s, executor_of_tests(), {0, 1});
  CHECK(std::isfinite(sums[0].mean_x));
  CHECK_FALSE(std::isfinite(sums[1].mean_x));
}

}  // namespace gsim::pricing::test
