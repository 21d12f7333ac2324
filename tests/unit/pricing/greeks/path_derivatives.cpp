// Adjoint Greeks on paths whose derivatives are simulated with them: local volatility, jumps, and
// lognormal assets beside other models.

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/greeks/bumped_greeks.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

/// The grid of L is resampled, that of EVEN is not.
const std::string mixed_models = R"(
[market]
rate = { times = [0.25, 0.5, 1.0], values = [0.02, 0.03, 0.035] }
[market.volatility_surfaces.SMILES]
expiries = [0.25, 1.0]
strikes = [80.0, 90.0, 100.0, 110.0, 120.0]
volatilities = [[0.281, 0.232, 0.192, 0.166, 0.156], [0.258, 0.229, 0.205, 0.186, 0.172]]
[market.assets.L]
spot = 100.0
dividend = 0.01
model = "local_volatility"
local_times = [0.25, 1.0]
local_spots = [60.0, 80.0, 100.0, 120.0]
local_volatility = [[0.4, 0.3, 0.2, 0.18], [0.35, 0.28, 0.21, 0.19]]
[market.assets.EVEN]
spot = 100.0
model = "local_volatility"
local_times = [0.3, 0.7]
local_spots = [50.0, 100.0, 200.0]
local_volatility = [[0.4, 0.2, 0.15], [0.35, 0.22, 0.18]]
[market.assets.S]
spot = 90.0
model = "local_volatility"
volatility = "SMILES"
[market.assets.J]
spot = 100.0
model = "merton"
volatility = { times = [0.3, 0.8, 1.5], values = [0.25, 0.22, 0.2] }
jump_intensity = 1.0
jump_mean = -0.1
jump_sd = 0.15
[market.assets.A]
spot = 95.0
volatility = { times = [0.3, 0.8, 1.5], values = [0.25, 0.22, 0.2] }
[market.correlation]
assets = ["L", "EVEN", "S", "J", "A"]
matrix = [[1.0, 0.5, 0.3, 0.2, 0.4], [0.5, 1.0, 0.4, 0.2, 0.3], [0.3, 0.4, 1.0, 0.1, 0.2],
          [0.2, 0.2, 0.1, 1.0, 0.3], [0.4, 0.3, 0.2, 0.3, 1.0]]
)";

const std::string on_mixed_models =
    trade_table("european", "product = \"european\"\nasset = \"L\"\n" + call_100) +
    trade_table("smile", "product = \"european\"\nasset = \"S\"\n" + call_100) +
    trade_table("asian", "product = \"asian\"\nasset = \"EVEN\"\nfixing_count = 4\n" + call_100) +
    trade_table("variance",
                "product = \"variance_swap\"\nasset = \"L\"\nstrike = 0.04\nfixing_count = 4\n"
                "past_fixings = [101.0]\nmaturity = 1.0\nquantity = 100\n") +
    trade_table("jumps", "product = \"european\"\nasset = \"J\"\n" + call_100) +
    trade_table("basket", "product = \"basket\"\nassets = [\"L\", \"A\", \"J\"]\n" + call_100) +
    trade_table("worst", "product = \"worst_of\"\nassets = [\"S\", \"A\", \"EVEN\"]\n" + call_100);

bool is_derived(const std::string& name) {
  // A delta of the variance changes today's spot, with which its first period begins. The numbers
  // of jumps depend on the time.
  const bool has_jumps = name.rfind("jumps", 0) == 0 || name.rfind("basket", 0) == 0;
  return name.rfind("variance delta", 0) != 0 &&
         !(has_jumps && name.find("theta") != std::string::npos);
}

}  // namespace

TEST_CASE("adjoint Greeks with derivatives of the paths are those by bumps") {
  const std::string no_controls = "control_variates = \"none\"\n";
  const std::string sobol = "sampling = \"sobol\"\nreplicates = 4\nbrownian_bridge = false\n";
  for (const std::string& options :
       {std::string(), "antithetic = true\n" + no_controls, sobol, sobol + no_controls}) {
    CAPTURE(options);
    const std::string steps = "steps_per_year = 12\n" + options;
    const auto adjoint = greeks_with(steps, mixed_models + on_mixed_models);
    const auto bumped = greeks_with(steps + "greeks_method = \"bump\"\n" + small_bumps,
                                    mixed_models + on_mixed_models);
    REQUIRE(adjoint.size() == bumped.size());
    int compared = 0;
    for (const auto& [name, greek] : adjoint) {
      CAPTURE(name);
      if (!is_derived(name)) continue;
      const GreekValue& bump = bumped.at(name);
      CAPTURE(greek.value);
      CAPTURE(bump.value);
      CAPTURE(greek.error);
      CHECK(greek.method == "adjoint");
      const double scale = 1e-5 * (1 + std::fabs(greek.value));
      if (std::isnan(greek.error)) {  // all samples are 0
        CHECK(std::fabs(greek.value - bump.value) <= scale);
        continue;
      }
      check_same_paths(options, greek, bump);
      ++compared;
    }
    CHECK(compared > 60);
  }
}

TEST_CASE("adjoint vegas of a local volatility that depends on time alone are Black's") {
  const std::string flat = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
model = "local_volatility"
local_times = [0.25, 1.0]
local_spots = [50.0, 200.0]
local_volatility = [[0.3, 0.3], [0.2, 0.2]]
)" + trade_table("t", "product = \"european\"\nasset = \"A\"\n" + call_100);
  const auto table =
      greeks_of(run_module_alone({.config = all_first_order + "steps_per_year = 8\n" + flat,
                                  .threads = 2,
                                  .stop = samples(1 << 17)}));
  // The volatility is constant until the first row, and linear in time until the second.
  const auto price = [](double first, double second, double spot, double rate) {
    const double variance =
        0.25 * first * first + 0.75 * (first * first + first * second + second * second) / 3;
    return pricing::black(1, spot * std::exp(rate), 100, variance, std::exp(-rate));
  };
  const auto check = [&](const std::string& greek, double exact) {
    CHECK(table.at("t " + greek).method == "adjoint");
    check_greek(table, "t " + greek, exact, 0.5);
  };
  check("delta A", slope([&](double s) { return price(0.3, 0.2, s, 0.05); }, 100, 0.1));
  check("rho", slope([&](double r) { return price(0.3, 0.2, 100, r); }, 0.05, 1e-3));
  check("vega A", slope([&](double x) { return price(0.3 + x, 0.2 + x, 100, 0.05); }, 0, 1e-3));
  check("vega_buckets A 0.25",
        slope([&](double v) { return price(v, 0.2, 100, 0.05); }, 0.3, 1e-3));
  check("vega_buckets A 1", slope([&](double v) { return price(0.3, v, 100, 0.05); }, 0.2, 1e-3));
}
