// Control variates and Sobol points in the pricing module: smaller errors, no bias.

#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/closed_forms/reference_values.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

TEST_CASE("control variates and Sobol points reduce errors") {
  const ModuleResult plain = run_module_alone(
      {.config = "[pricing]\ncontrol_variates = \"none\"\n" + products_on_one_asset,
       .stop = samples(1 << 16)});
  const ModuleResult controlled =
      run_module_alone({.config = products_on_one_asset, .stop = samples(1 << 16)});
  const ModuleResult sobol = run_module_alone(
      {.config = "[pricing]\nsampling = \"sobol\"\nreplicates = 16\n" + products_on_one_asset,
       .stop = samples(1 << 16)});
  CHECK(find(controlled, "asian 12").standard_error < 0.1 * find(plain, "asian 12").standard_error);
  CHECK(find(controlled, "european").standard_error < 0.5 * find(plain, "european").standard_error);
  CHECK(find(sobol, "european").standard_error < 0.2 * find(controlled, "european").standard_error);
}

TEST_CASE("vanillas and clipped returns are better controls than the spot, and give no bias") {
  const std::string heston =
      "model = \"heston\"\nv0 = 0.04\nkappa = 2.0\ntheta = 0.05\nsigma = 0.5\nrho = -0.7\n";
  const std::string merton =
      "model = \"merton\"\nvolatility = 0.2\njump_intensity = 0.5\njump_mean = -0.1\njump_sd = "
      "0.1\n";
  std::string trades;
  const auto add = [&](const std::string& id, const std::string& keys) {
    trades += trade_table(id, "asset = \"A\"\nmaturity = 1.0\n" + keys);
  };
  add("digital", "product = \"digital\"\ntype = \"call\"\nstrike = 115.0\n");
  add("digital put", "product = \"digital\"\ntype = \"put\"\nstrike = 120.0\n");
  add("down-out",
      "product = \"barrier\"\nkind = \"down_and_out\"\nbarrier = 85.0\n"
      "type = \"call\"\nstrike = 100.0\n");
  add("floating", "product = \"lookback\"\nkind = \"floating\"\ntype = \"call\"\n");
  add("seasoned lookback",
      "product = \"lookback\"\nkind = \"floating\"\ntype = \"put\"\npast_extreme = 110.0\n");
  add("fixed",
      "product = \"lookback\"\nkind = \"fixed\"\ntype = \"call\"\nstrike = 110.0\n"
      "past_extreme = 104.0\n");
  add("cliquet",
      "product = \"cliquet\"\ntype = \"call\"\nfixing_count = 4\nlocal_cap = 0.06\n"
      "global_cap = 0.15\n");
  add("seasoned cliquet",
      "product = \"cliquet\"\ntype = \"put\"\nfixings = [0.1, 0.5, 1.0]\n"
      "last_reset = 103.0\npast_return = 0.01\nlocal_floor = -0.04\nglobal_floor = 0.02\n");
  add("asian", "product = \"asian\"\ntype = \"call\"\nstrike = 102.0\nfixing_count = 12\n");
  add("seasoned asian",
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
    const ModuleResult plain = run("none"), spot = run("spot"), automatic = run("auto");
    for (const Estimate& e : automatic.estimates) {
      CAPTURE(e.name);
      const Estimate &p = find(plain, e.name), &s = find(spot, e.name);
      const bool is_cliquet = contains(e.name, "cliquet");
      // The paths are the same, so that the estimates differ by less than the error without
      // control.
      CHECK(std::fabs(e.mean - p.mean) <= 4 * p.standard_error);
      // Under Heston, clipped returns have no closed form, and the control of cliquets is the spot.
      if (is_cliquet && model == heston)
        CHECK(e.standard_error == s.standard_error);
      else
        CHECK(e.standard_error < (is_cliquet ? 0.7 : 0.97) * s.standard_error);
    }
  }
}

TEST_CASE("spread options use the exchange option as control, without bias") {
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
      config +=
          trade_table(std::string(type) + strike,
                      "product = \"spread\"\nassets = [\"A\", \"B\"]\nmaturity = 1.0\ntype = \"" +
                          std::string(type) + "\"\nstrike = " + strike + "\n");
  const auto run = [&](const std::string& options) {
    return run_module_alone({.config = options + config, .stop = samples(1 << 16)});
  };
  const ModuleResult automatic = run(""), spot = run("[pricing]\ncontrol_variates = \"spot\"\n");
  const auto& names = automatic.results.datasets.at("trades/control").strings;
  CHECK(names[0] == "spot");  // so deep in the money that it is nearly a forward
  CHECK(names[1] == "spot");  // strike 0: the exchange option itself
  CHECK(names[2] == "exchange");
  for (const Estimate& e : automatic.estimates) {
    CAPTURE(e.name);
    const Estimate& s = find(spot, e.name);
    CHECK(std::fabs(e.mean - s.mean) <= 4 * s.standard_error);
    if (contains(e.name, "4.0")) CHECK(e.standard_error < 0.1 * s.standard_error);
    if (contains(e.name, "10.0")) CHECK(e.standard_error < 0.25 * s.standard_error);
  }
}
