// Importance sampling with plugins' path models and payoffs, which are copies of the Black-Scholes
// model and of European options (tests/plugin/copies), against closed forms.

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/copied_parts.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

std::string market(const std::string& model) {
  return "[market]\nrate = 0.03\n[market.assets.A]\nspot = 100.0\nmodel = \"" + model +
         "\"\nvolatility = 0.2\n";
}
std::string call(const std::string& product, const std::string& more = "") {
  return "[[trades]]\nid = \"T\"\nasset = \"A\"\nproduct = \"" + product +
         "\"\nstrike = 180.0\nmaturity = 0.5\n" + more;
}
const std::string european = call("european", "type = \"call\"\n");
const double value = black(1, 100 * std::exp(0.015), 180, 0.02, std::exp(-0.015));

ModuleResult price(const std::string& config, std::uint64_t seed = 1, int ranks = 1) {
  return run_module_alone({.config = config,
                           .ranks = ranks,
                           .threads = ranks,
                           .stop = samples(1 << 16),
                           .seed = seed,
                           .payoffs = {&european_copy},
                           .models = {&black_scholes_copy}});
}

/// The deviation of the price from the closed form in standard errors. Checks that the trade was
/// priced by importance sampling.
double deviation(const ModuleResult& r) {
  const Estimate& e = r.estimates[0];
  CAPTURE(e.mean);
  CHECK(contains(r.report.rows[0].back(), "importance sampling"));
  CHECK(e.standard_error < 0.02 * value);
  return (e.mean - value) / e.standard_error;
}

}  // namespace

TEST_CASE(
    "importance sampling of plugins: prices far out of the money agree with closed forms, over "
    "seeds") {
  for (const std::string& config :
       {market("black_scholes_copy") + european, market("black_scholes") + call("european_copy"),
        market("black_scholes_copy") + call("european_copy")}) {
    CAPTURE(config);
    double squares = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const double z = deviation(price(config, seed));
      squares += z * z;
    }
    CHECK(squares / 10 < 3);  // expected: 1, with a standard deviation of 0.45
    CHECK(squares / 10 > 0.1);
    for (const char* options : {"[pricing]\nprecision = \"float\"\n",
                                "[pricing]\nsampling = \"sobol\"\nreplicates = 16\n"})
      CHECK(std::fabs(deviation(price(options + config))) < 4.5);
    CHECK(price(config, 1, 3).results == price(config, 1).results);
  }
}

TEST_CASE(
    "importance sampling of plugins: a spread on a plugin's model and a built-in one agrees with "
    "the closed form of a call") {
  // The second asset is nearly constant, and its value is negligible compared with the strike.
  const std::string two_assets_market =
      market("black_scholes_copy") +
      "[market.assets.B]\nspot = 1e-6\nvolatility = 0.1\n[market.correlation]\n"
      "assets = [\"A\", \"B\"]\nmatrix = [[1.0, 0.3], [0.3, 1.0]]\n";
  const ModuleResult r = price(two_assets_market +
                               "[[trades]]\nid = \"T\"\nproduct = \"spread\"\ntype = \"call\"\n"
                               "assets = [\"A\", \"B\"]\nstrike = 180.0\nmaturity = 0.5\n");
  CHECK(std::fabs(deviation(r)) < 4);
}

TEST_CASE("a plugin's payoff that pays on most paths is not priced by importance sampling") {
  const ModuleResult r =
      price(market("black_scholes") +
            "[[trades]]\nid = \"T\"\nasset = \"A\"\nproduct = \"european_copy\"\nstrike = 90.0\n"
            "maturity = 0.5\n");
  CHECK_FALSE(contains(r.report.rows[0].back(), "importance sampling"));
}
