// The pricing module against known prices, and what it says about itself.

#include <cmath>
#include <fstream>

#include <doctest/doctest.h>

#include "fixtures.hpp"
#include "module_run.hpp"
#include "reference_values.hpp"
#include "src/modules/pricing/closed_forms.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const Estimate& find(const ModuleResult& r, const std::string& id) {
  for (const Estimate& e : r.estimates)
    if (e.name == id) return e;
  throw Error("no trade " + id);
}

// Four standard errors, and what the reference itself may be off.
void check_price(const ModuleResult& r, const std::string& id, double value, double tolerance) {
  CAPTURE(id);
  const Estimate& e = find(r, id);
  CAPTURE(e.mean);
  CAPTURE(e.standard_error);
  CAPTURE(value);
  CHECK(std::fabs(e.mean - value) <= 4 * e.standard_error + tolerance);
  CHECK(e.standard_error > 0);
  CHECK(e.standard_error < 0.02 * std::fabs(value) + 0.002);
}

std::string row(const std::string& id, const std::string& keys) {
  return "[[trades]]\nid = \"" + id + "\"\n" + keys;
}

const std::string call_100 = "type = \"call\"\nstrike = 100.0\nmaturity = 1.0\n";

const std::string single =
    one_asset + row("european", "product = \"european\"\nasset = \"A\"\n" + call_100) +
    row("digital", "product = \"digital\"\nasset = \"A\"\n" + call_100) +
    row("asset digital", "product = \"digital\"\npays = \"asset\"\nasset = \"A\"\n" + call_100) +
    row("asian 12", "product = \"asian\"\nfixing_count = 12\nasset = \"A\"\n" + call_100) +
    row("asian 52", "product = \"asian\"\nfixing_count = 52\nasset = \"A\"\n" + call_100) +
    row("geometric 12",
        "product = \"asian\"\naverage = \"geometric\"\nfixing_count = 12\nasset = \"A\"\n" +
            call_100) +
    row("lookback",
        "product = \"lookback\"\nkind = \"floating\"\ntype = \"call\"\nasset = \"A\"\n"
        "maturity = 1.0\n") +
    row("down-out 85",
        "product = \"barrier\"\nkind = \"down_and_out\"\nbarrier = 85.0\nasset = \"A\"\n" +
            call_100) +
    row("forward start",
        "product = \"forward_start\"\nmoneyness = 1.1\nstart = 0.25\ntype = \"call\"\n"
        "asset = \"A\"\nmaturity = 1.0\n") +
    row("variance",
        "product = \"variance_swap\"\nasset = \"A\"\nstrike = 0.0\nmaturity = 1.0\n"
        "fixing_count = 12\nobservations_per_year = 12\n");

// Values: Black and Scholes 1973; Reiner and Rubinstein 1991; the discrete arithmetic Asians by
// density recursion; the others by the formulas that closed_forms.cpp tests.
void check_single(const ModuleResult& r, double tolerance) {
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
  check_single(run_module_alone({.config = single, .stop = samples(1 << 16)}), 1e-8);
}

TEST_CASE("the same with antithetic paths, Sobol points, float, and without controls") {
  for (const char* options : {"antithetic = true\n", "sampling = \"sobol\"\nreplicates = 16\n",
                              "sampling = \"sobol\"\nreplicates = 16\nbrownian_bridge = false\n",
                              "control_variates = \"none\"\n"}) {
    CAPTURE(options);
    check_single(run_module_alone({.config = "[pricing]\n" + std::string(options) + single,
                                   .stop = samples(1 << 16)}),
                 1e-8);
  }
  // Float carries 24 bits through the path.
  check_single(run_module_alone({.config = "[pricing]\nprecision = \"float\"\n" + single,
                                 .stop = samples(1 << 16)}),
               1e-4);
}

TEST_CASE("controls and Sobol points make errors smaller") {
  const ModuleResult plain = run_module_alone(
      {.config = "[pricing]\ncontrol_variates = \"none\"\n" + single, .stop = samples(1 << 16)});
  const ModuleResult controlled = run_module_alone({.config = single, .stop = samples(1 << 16)});
  const ModuleResult sobol =
      run_module_alone({.config = "[pricing]\nsampling = \"sobol\"\nreplicates = 16\n" + single,
                        .stop = samples(1 << 16)});
  CHECK(find(controlled, "asian 12").standard_error < 0.1 * find(plain, "asian 12").standard_error);
  CHECK(find(controlled, "european").standard_error < 0.5 * find(plain, "european").standard_error);
  CHECK(find(sobol, "european").standard_error < 0.2 * find(controlled, "european").standard_error);
}

TEST_CASE("related vanillas and clipped returns beat the spot as controls, and bring no bias") {
  const std::string heston =
      "model = \"heston\"\nv0 = 0.04\nkappa = 2.0\ntheta = 0.05\nsigma = 0.5\nrho = -0.7\n";
  const std::string merton =
      "model = \"merton\"\nvolatility = 0.2\njump_intensity = 0.5\njump_mean = -0.1\njump_sd = "
      "0.1\n";
  std::string trades;
  const auto add = [&](const std::string& id, const std::string& keys) {
    trades += row(id, "asset = \"A\"\nmaturity = 1.0\n" + keys);
  };
  add("digital", "product = \"digital\"\ntype = \"call\"\nstrike = 115.0\n");
  add("digital put", "product = \"digital\"\ntype = \"put\"\nstrike = 120.0\n");
  add("down-out",
      "product = \"barrier\"\nkind = \"down_and_out\"\nbarrier = 85.0\n"
      "type = \"call\"\nstrike = 100.0\n");
  add("floating", "product = \"lookback\"\nkind = \"floating\"\ntype = \"call\"\n");
  add("seasoned",
      "product = \"lookback\"\nkind = \"floating\"\ntype = \"put\"\npast_extreme = 110.0\n");
  add("fixed",
      "product = \"lookback\"\nkind = \"fixed\"\ntype = \"call\"\nstrike = 110.0\n"
      "past_extreme = 104.0\n");
  add("cliquet",
      "product = \"cliquet\"\ntype = \"call\"\nfixing_count = 4\nlocal_cap = 0.06\n"
      "global_cap = 0.15\n");
  add("under way",
      "product = \"cliquet\"\ntype = \"put\"\nfixings = [0.1, 0.5, 1.0]\n"
      "last_reset = 103.0\npast_return = 0.01\nlocal_floor = -0.04\nglobal_floor = 0.02\n");
  add("asian", "product = \"asian\"\ntype = \"call\"\nstrike = 102.0\nfixing_count = 12\n");
  add("asian under way",
      "product = \"asian\"\ntype = \"put\"\nstrike = 100.0\nfixing_count = 6\n"
      "past_fixings = [95.0, 103.0]\n");
  add("geometric",
      "product = \"asian\"\naverage = \"geometric\"\ntype = \"put\"\nstrike = 101.0\n"
      "fixing_count = 8\npast_fixings = [97.0]\n");
  for (const std::string& model : {std::string("volatility = 0.2\n"), merton, heston}) {
    CAPTURE(model);
    const std::string market = "[market]\nrate = 0.03\n[market.assets.A]\nspot = 100.0\n" + model;
    const auto run = [&](const char* control) {
      return run_module_alone({.config = "[pricing]\nsteps_per_year = 32\ncontrol_variates = \"" +
                                         std::string(control) + "\"\n" + market + trades,
                               .stop = samples(1 << 16)});
    };
    const ModuleResult plain = run("none"), spot = run("spot"), related = run("auto");
    for (const Estimate& e : related.estimates) {
      CAPTURE(e.name);
      const Estimate &p = find(plain, e.name), &s = find(spot, e.name);
      const bool is_cliquet = contains(e.name, "cliquet") || e.name == "under way";
      // The same paths: the estimates differ by less than the plain one's error alone.
      CHECK(std::fabs(e.mean - p.mean) <= 4 * p.standard_error);
      if (is_cliquet && model == heston)
        CHECK(e.standard_error == s.standard_error);
      else
        CHECK(e.standard_error < (is_cliquet ? 0.7 : 0.97) * s.standard_error);
    }
  }
}

TEST_CASE("two assets: exchange, best and worst of, baskets") {
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
  // Strike 98, spots 100 and 105 in the source; scaled here by trade weights.
  config += row("exchange", "product = \"exchange\"\nassets = [\"A\", \"B\"]\nmaturity = 0.5\n");
  for (const char* kind : {"best_of", "worst_of"})
    for (const char* type : {"call", "put"})
      config += row(std::string(kind) + type, "product = \"" + std::string(kind) +
                                                  "\"\nassets = [\"A\", \"B\"]\ntype = \"" + type +
                                                  "\"\nstrike = 98.0\nmaturity = 0.5\n");
  config += row("basket",
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

TEST_CASE("spreads near the exchange are controlled by it, without bias") {
  std::string config = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
volatility = { times = [0.5, 1.0], values = [0.3, 0.25] }
[market.assets.B]
spot = 96.0
dividend = 0.02
volatility = 0.2
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.5], [0.5, 1.0]]
)";
  for (const char* type : {"call", "put"})
    for (const char* strike : {"-30.0", "0.0", "4.0", "10.0"})
      config += row(std::string(type) + strike,
                    "product = \"spread\"\nassets = [\"A\", \"B\"]\nmaturity = 1.0\ntype = \"" +
                        std::string(type) + "\"\nstrike = " + strike + "\n");
  const auto run = [&](const std::string& options) {
    return run_module_alone({.config = options + config, .stop = samples(1 << 16)});
  };
  const ModuleResult exchange = run(""), spot = run("[pricing]\ncontrol_variates = \"spot\"\n");
  const auto& names = exchange.results.datasets.at("trades/control").strings;
  CHECK(names[0] == "spot");  // so deep in the money that it is nearly the spots' difference
  CHECK(names[1] == "spot");  // strike 0: the exchange itself
  CHECK(names[2] == "exchange");
  for (const Estimate& e : exchange.estimates) {
    CAPTURE(e.name);
    const Estimate& s = find(spot, e.name);
    CHECK(std::fabs(e.mean - s.mean) <= 4 * s.standard_error);
    if (contains(e.name, "4.0")) CHECK(e.standard_error < 0.1 * s.standard_error);
    if (contains(e.name, "10.0")) CHECK(e.standard_error < 0.25 * s.standard_error);
  }
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
    config +=
        row(std::to_string(static_cast<int>(m.strike)),
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
    config += row(name(h), "product = \"european\"\nasset = \"H\"\nmaturity = 1.0\ntype = \"" +
                               std::string(h.sign > 0 ? "call" : "put") +
                               "\"\nstrike = " + std::to_string(h.strike) + "\n");
  const ModuleResult r = run_module_alone({.config = config, .stop = samples(1 << 16)});
  // QE with 50 steps a year is off by 0.002 +- 0.001 here (2^21 Sobol points; by 0.005 with 25
  // steps, 0.015 with 12).
  for (const auto& h : reference::heston_lewis) check_price(r, name(h), h.value, 0.004);
}

TEST_CASE("local volatility that is flat is Black-Scholes") {
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
)" + row("call", "product = \"european\"\nasset = \"A\"\n" + call_100);
  check_price(run_module_alone({.config = config, .stop = samples(1 << 16)}), "call", 10.4505835722,
              1e-8);
}

TEST_CASE("local volatility in time alone: long steps are exact") {
  // 0.3 until a quarter, 0.2 at half a year, 0.4 from one year on: two steps in 1.5 years. With the
  // volatility of the steps' starts, 0.3 both, the variance would be 0.135 instead of 0.165.
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
)" + row("call",
         "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\n"
         "maturity = 1.5\n");
  const double variance = 0.25 * 0.09 + 0.25 * 0.19 / 3 + 0.5 * 0.28 / 3 + 0.5 * 0.16;
  check_price(run_module_alone({.config = config, .stop = samples(1 << 18)}), "call",
              black(1, 100 * std::exp(0.045), 100, variance, std::exp(-0.075)), 1e-8);
}

TEST_CASE("quantity multiplies price and error") {
  const std::string keys = "product = \"european\"\nasset = \"A\"\n" + call_100;
  const ModuleResult one =
      run_module_alone({.config = one_asset + row("T", keys), .stop = samples(8192)});
  const ModuleResult sold = run_module_alone(
      {.config = one_asset + row("T", keys + "quantity = -4.0\n"), .stop = samples(8192)});
  CHECK(find(sold, "T").mean == -4 * find(one, "T").mean);
  CHECK(find(sold, "T").standard_error == 4 * find(one, "T").standard_error);
}

TEST_CASE("a converged trade stops sampling, the others go on") {
  StopRule stop = samples(1 << 18);
  stop.relative_error = 2e-3;
  const ModuleResult r = run_module_alone({.config = single, .stop = stop});
  CHECK(find(r, "asian 12").converged);
  CHECK(find(r, "asian 12").count == 4 * 4096);  // at the first evaluation
  CHECK(find(r, "european").count > find(r, "asian 12").count);
  for (const Estimate& e : r.estimates) {
    CAPTURE(e.name);
    CHECK(e.converged == (e.standard_error <= 2e-3 * std::fabs(e.mean)));
  }
  CHECK(r.report.footer.back().find("10 trades, ") == 0);
}

TEST_CASE("results hold price, error, samples, interval and history of every trade") {
  const ModuleResult r = run_module_alone({.config = single, .stop = samples(1 << 16)});
  run_in_process(1, [&](Communicator comm) {
    MemoryDatasets data(comm, r.results);
    const auto price = data.read<double>("trades/price");
    const auto error = data.read<double>("trades/standard_error");
    const auto low = data.read<double>("trades/ci_low"), high = data.read<double>("trades/ci_high");
    REQUIRE(price.size() == 10);
    CHECK(data.read_strings("trades/id")[3] == "asian 12");
    CHECK(data.read_strings("trades/control")[3] == "geometric average");
    CHECK(data.read_strings("trades/underlying")[3] == "A");
    CHECK(data.read<double>("trades/maturity")[3] == 1);
    CHECK(data.read<double>("trades/strike")[8] == 1.1);
    CHECK(data.read<std::int64_t>("trades/samples")[0] == 1 << 16);
    CHECK(low[0] == doctest::Approx(price[0] - 1.959964 * error[0]));
    CHECK(high[0] == doctest::Approx(price[0] + 1.959964 * error[0]));
    // Blocks 4, 6, 8, 12, 16 of ten trades.
    const auto history = data.read<std::int64_t>("history/samples");
    REQUIRE(history.size() == 50);
    CHECK(history[0] == 4 * 4096);
    CHECK(history[49] == 16 * 4096);
    const auto errors = data.read<double>("history/standard_error");
    CHECK(errors[40] == error[0]);
    CHECK(errors[0] > errors[40]);
    CHECK(data.read_strings("skipped/id").empty());
  });
  CHECK(r.results.attributes.at({"trades/price", "unit"}) == "currency");
  CHECK(r.plan.summary ==
        "10 trades, 1 asset, " + r.plan.summary.substr(r.plan.summary.size() - 8));
}

TEST_CASE("a skipped trade leaves the others' bits alone and is listed") {
  const std::string bad = row("bad", "product = \"european\"\nasset = \"Z\"\n" + call_100);
  const ModuleResult with = run_module_alone(
      {.config = "[pricing]\non_error = \"skip\"\n" + single + bad, .stop = samples(4096)});
  const ModuleResult without = run_module_alone({.config = single, .stop = samples(4096)});
  for (const char* path : {"trades/price", "trades/standard_error", "history/price"})
    CHECK(with.results.datasets.at(path) == without.results.datasets.at(path));
  const auto& skipped = with.results.datasets;
  CHECK(skipped.at("skipped/id").strings == std::vector<std::string>{"bad"});
  CHECK(contains(skipped.at("skipped/reason").strings.at(0), "no asset `Z`"));
  CHECK(contains(with.report.footer.back(), "1 skipped"));
}

TEST_CASE("barriers touched already are certain: no error, no samples wasted") {
  const std::string config =
      "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n" +
      row("out",
          "product = \"barrier\"\nkind = \"down_and_out\"\nbarrier = 100.0\nrebate = 3.0\n"
          "rebate_paid = \"at_hit\"\nasset = \"A\"\n" +
              call_100);
  StopRule stop = samples(1 << 20);
  stop.relative_error = 1e-3;
  const ModuleResult r = run_module_alone({.config = config, .stop = stop});
  CHECK(find(r, "out").mean == 3);
  CHECK(find(r, "out").standard_error == 0);
  CHECK(find(r, "out").converged);
  CHECK(r.report.rows[0].back() == "certain");
}

TEST_CASE("a rebate at the touch has no bias, however long the intervals") {
  // A put at strike 0 never pays: the rebate alone is left (Reiner and Rubinstein 1991). Paid from
  // the middle of one interval a year it would be 2 % too low.
  std::string config =
      "[pricing]\nsteps_per_year = 1\n[market]\nrate = 0.1\n[market.assets.A]\nspot = 100.0\n"
      "volatility = 0.2\n";
  FlatMarket flat{100, 0.1, 0, 0.2, 3};
  const double barriers[] = {99, 95, 80, 101, 110, 140};
  for (const double barrier : barriers)
    config += row(std::to_string(barrier),
                  "product = \"barrier\"\nasset = \"A\"\ntype = \"put\"\nstrike = 0.0\nkind = \"" +
                      std::string(barrier > 100 ? "up" : "down") +
                      "_and_out\"\nmaturity = 3.0\nrebate = 10.0\nrebate_paid = \"at_hit\"\n"
                      "barrier = " +
                      std::to_string(barrier) + "\n");
  const ModuleResult r = run_module_alone({.config = config, .stop = samples(1 << 18)});
  for (const double barrier : barriers)
    check_price(r, std::to_string(barrier),
                10 * first_touch(flat, barrier, barrier > 100, flat.rate), 1e-8);
  CHECK(find(r, std::to_string(barriers[0])).standard_error < 0.005);
}

TEST_CASE("a schedule without a fixing after today is refused with the trade's name") {
  const std::string config =
      "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n" +
      row("late", "product = \"asian\"\nfixings = [0.0]\nasset = \"A\"\n" + call_100);
  CHECK_THROWS_WITH_AS(run_module_alone({.config = config}),
                       doctest::Contains("no date after today"), InputError);
}
