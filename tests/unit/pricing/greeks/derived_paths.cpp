// Greeks by derived paths are those by simulated ones, with the same random numbers.

#include <doctest/doctest.h>

#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/greeks/greek_rows.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

TEST_CASE("Greeks by derived and by simulated paths of lognormal assets agree") {
  const std::string market = R"(
[market]
rate = { times = [0.5, 1.0], values = [0.02, 0.03] }
[market.assets.A]
spot = 100.0
dividend = 0.01
volatility = 0.2
[market.assets.B]
spot = 90.0
volatility = { times = [0.25, 0.5, 1.0], values = [0.25, 0.22, 0.2] }
[market.assets.H]
spot = 100.0
model = "heston"
v0 = 0.04
kappa = 1.5
theta = 0.06
sigma = 0.4
rho = -0.6
[market.correlation]
assets = ["A", "B", "H"]
matrix = [[1.0, 0.5, 0.5], [0.5, 1.0, 0.5], [0.5, 0.5, 1.0]]
)";
  const std::string trades =
      trade_table(
          "asian",
          "product = \"asian\"\naverage = \"geometric\"\nasset = \"B\"\nfixing_count = 4\n" +
              call_100) +
      trade_table("worst", "product = \"worst_of\"\nassets = [\"A\", \"B\", \"H\"]\n" + call_100);
  // Continuous monitoring of an asset requires the simulation of its paths after bumps of
  // volatility, rate and time. The grid stays as it is.
  std::string monitored;
  for (const std::string asset : {"A", "B"})
    monitored += trade_table("lookback " + asset,
                             "product = \"lookback\"\nkind = \"floating\"\ntype = \"call\"\n"
                             "maturity = 1.0\nasset = \"" +
                                 asset + "\"\n");
  for (const std::string options : {"", "antithetic = true\n",
                                    "sampling = \"sobol\"\nreplicates = 2\n"
                                    "brownian_bridge = false\n"}) {
    CAPTURE(options);
    const std::string config =
        "[pricing]\ngreeks = [\"delta\", \"vega\", \"vega_buckets\", \"theta\", \"rho\", "
        "\"rho_pillars\"]\nsteps_per_year = 12\n" +
        options + market + trades;
    const auto derived = greeks_of(run_module_alone({.config = config, .stop = samples(8192)}));
    const auto simulated =
        greeks_of(run_module_alone({.config = config + monitored, .stop = samples(8192)}));
    CHECK(derived.size() < simulated.size());
    for (const auto& [name, greek] : derived) {
      CAPTURE(name);
      // Rounding errors of the paths are divided by 2^-20.
      CHECK(simulated.at(name).value == doctest::Approx(greek.value).epsilon(1e-6).scale(1));
      CHECK(simulated.at(name).method == greek.method);
    }
  }
}
