// The pricing module against known prices, model by model.

#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/closed_forms/reference_values.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

// Values: Black and Scholes 1973; Reiner and Rubinstein 1991; the discrete arithmetic Asians by
// density recursion; the others by the formulas tested in closed_forms.cpp.
void check_products_on_one_asset(const ModuleResult& r, double tolerance) {
  check_price(r, "european", 10.4505835722, tolerance);
  check_price(r, "digital", 0.532324815454, tolerance);
  check_price(r, "asset digital", 63.6830651176, tolerance);
  check_price(r, "asian 12", 6.1560407664, tolerance);
  check_price(r, "asian 52", 5.8538633822, tolerance);
  check_price(r, "geometric 12", 5.94020022163, tolerance);
  check_price(r, "lookback", 17.2168022374, tolerance);
  check_price(r, "down-out 85", 9.94927030863, tolerance);
  check_price(
      r, "forward start",
      forward_start(1, 100 * std::exp(0.0125), 100 * std::exp(0.05), 1.1, 0.03, std::exp(-0.05)),
      tolerance);
  check_price(r, "variance",
              std::exp(-0.05) * expected_squared_returns(std::vector<double>(12, 0.05 / 12),
                                                         std::vector<double>(12, 0.04 / 12)),
              tolerance);
}

}  // namespace

TEST_CASE("one Black-Scholes asset: every product with a known value") {
  check_products_on_one_asset(
      run_module_alone({.config = products_on_one_asset, .stop = samples(1 << 16)}), 1e-8);
}

TEST_CASE("one Black-Scholes asset: antithetic paths, Sobol points, float, and without controls") {
  for (const char* options : {"antithetic = true\n", "sampling = \"sobol\"\nreplicates = 16\n",
                              "sampling = \"sobol\"\nreplicates = 16\nbrownian_bridge = false\n",
                              "control_variates = \"none\"\n"}) {
    CAPTURE(options);
    check_products_on_one_asset(
        run_module_alone({.config = "[pricing]\n" + std::string(options) + products_on_one_asset,
                          .stop = samples(1 << 16)}),
        1e-8);
  }
  // Paths in float have 24 significant bits.
  check_products_on_one_asset(
      run_module_alone({.config = "[pricing]\nprecision = \"float\"\n" + products_on_one_asset,
                        .stop = samples(1 << 16)}),
      1e-4);
}

TEST_CASE("two assets: exchange, best-of, worst-of and basket options") {
  std::string config = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 98.0
dividend = 0.06
volatility = 0.11
[market.assets.B]
spot = 100.0
dividend = 0.09
volatility = 0.16
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.63], [0.63, 1.0]]
)";
  // Parameters as in the example of Haug 1998, p. 56-58, but with other spots than its 100 and 105.
  config +=
      trade_table("exchange", "product = \"exchange\"\nassets = [\"A\", \"B\"]\nmaturity = 0.5\n");
  for (const char* kind : {"best_of", "worst_of"})
    for (const char* type : {"call", "put"})
      config +=
          trade_table(std::string(kind) + type, "product = \"" + std::string(kind) +
                                                    "\"\nassets = [\"A\", \"B\"]\ntype = \"" +
                                                    type + "\"\nstrike = 98.0\nmaturity = 0.5\n");
  config += trade_table("basket",
                        "product = \"basket\"\naverage = \"geometric\"\nassets = [\"A\", \"B\"]\n"
                        "type = \"call\"\nstrike = 98.0\nmaturity = 0.5\n");
  const ModuleResult r = run_module_alone({.config = config, .stop = samples(1 << 16)});
  const double f[2] = {98 * std::exp(-0.005), 100 * std::exp(-0.02)};
  const double v[2] = {0.0121 * 0.5, 0.0256 * 0.5};
  const double covariance = 0.63 * std::sqrt(v[0] * v[1]), discount = std::exp(-0.025);
  check_price(r, "exchange", exchange(1, f[0], f[1], v[0] + v[1] - 2 * covariance, discount), 1e-8);
  for (const bool best : {true, false})
    for (const double sign : {1.0, -1.0})
      check_price(r, std::string(best ? "best_of" : "worst_of") + (sign > 0 ? "call" : "put"),
                  two_asset_extreme(best, sign, f, 98, v, 0.63, discount), 1e-8);
  const Lognormal law = geometric_basket(f, std::vector{v[0], covariance, covariance, v[1]},
                                         std::vector{0.5, 0.5}, 0);
  check_price(r, "basket", black(1, law.expectation(), 98, law.variance, discount), 1e-8);
}

TEST_CASE("jumps: Merton's series") {
  std::string config = R"(
[market]
rate = 0.05
[market.assets.J]
spot = 100.0
model = "merton"
volatility = 0.2
jump_intensity = 1.0
jump_mean = -0.1
jump_sd = 0.15
)";
  for (const auto& m : reference::merton_calls)
    config += trade_table(
        std::to_string(static_cast<int>(m.strike)),
        "product = \"european\"\nasset = \"J\"\ntype = \"call\"\nmaturity = 1.0\nstrike = " +
            std::to_string(m.strike) + "\n");
  const ModuleResult r = run_module_alone({.config = config, .stop = samples(1 << 17)});
  for (const auto& m : reference::merton_calls)
    check_price(r, std::to_string(static_cast<int>(m.strike)), m.value, 1e-8);
}

TEST_CASE("stochastic variance: Lewis' reference prices") {
  std::string config = R"(
[pricing]
steps_per_year = 50
)" + lewis_market;
  const auto name = [](const reference::HestonOption& h) {
    return (h.sign > 0 ? "c" : "p") + std::to_string(static_cast<int>(h.strike));
  };
  for (const auto& h : reference::heston_lewis)
    config +=
        trade_table(name(h), "product = \"european\"\nasset = \"H\"\nmaturity = 1.0\ntype = \"" +
                                 std::string(h.sign > 0 ? "call" : "put") +
                                 "\"\nstrike = " + std::to_string(h.strike) + "\n");
  const ModuleResult r = run_module_alone({.config = config, .stop = samples(1 << 16)});
  // The bias of QE with 50 steps a year is 0.002 +- 0.001 here (2^21 Sobol points; 0.005 with 25
  // steps, 0.015 with 12).
  for (const auto& h : reference::heston_lewis) check_price(r, name(h), h.value, 0.004);
}

TEST_CASE("flat local volatility agrees with Black-Scholes") {
  const std::string config = R"(
[pricing]
steps_per_year = 20
control_variates = "none"
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
model = "local_volatility"
local_times = [0.5, 1.0]
local_spots = [50.0, 100.0, 200.0]
local_volatility = [[0.2, 0.2, 0.2], [0.2, 0.2, 0.2]]
)" + trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100);
  check_price(run_module_alone({.config = config, .stop = samples(1 << 16)}), "call", 10.4505835722,
              1e-8);
}

TEST_CASE("local volatility that depends on time only: long steps are exact") {
  // The volatility is 0.3 until 0.25 years, 0.2 at 0.5 years and 0.4 from one year on; the run has
  // two steps in 1.5 years. With the volatility at the start of each step, 0.3 for both, the
  // variance would be 0.135 instead of 0.165.
  const std::string config = R"(
[pricing]
steps_per_year = 1
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
dividend = 0.02
model = "local_volatility"
local_times = [0.25, 0.5, 1.0]
local_spots = [50.0, 200.0]
local_volatility = [[0.3, 0.3], [0.2, 0.2], [0.4, 0.4]]
)" + trade_table("call",
                 "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\n"
                 "maturity = 1.5\n");
  const double variance = 0.25 * 0.09 + 0.25 * 0.19 / 3 + 0.5 * 0.28 / 3 + 0.5 * 0.16;
  check_price(run_module_alone({.config = config, .stop = samples(1 << 18)}), "call",
              black(1, 100 * std::exp(0.045), 100, variance, std::exp(-0.075)), 1e-8);
}
