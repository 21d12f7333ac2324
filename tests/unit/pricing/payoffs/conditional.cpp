// Conditional Monte Carlo: the expectation conditional on the variance path has the mean of the
// payoff and a much smaller variance.

#include <cmath>

#include <doctest/doctest.h>

#include "tests/unit/pricing/closed_forms/reference_values.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

// Lewis' market, and Bates' model with frequent jumps.
const std::string market = lewis_market + R"([market.assets.J]
spot = 100.0
model = "bates"
v0 = 0.04
kappa = 1.5
theta = 0.05
sigma = 0.6
rho = -0.7
jump_intensity = 2.0
jump_mean = -0.1
jump_sd = 0.1
[market.assets.B]
spot = 100.0
volatility = 0.2
[market.correlation]
assets = ["H", "J"]
matrix = [[1.0, 0.4], [0.4, 1.0]]
)";

std::string trade(const std::string& id, const std::string& asset, const std::string& type,
                  double strike, const std::string& product = "european") {
  return "[[trades]]\nid = \"" + id + "\"\nasset = \"" + asset + "\"\ntype = \"" + type +
         "\"\nstrike = " + std::to_string(strike) + "\nmaturity = 1.0\nproduct = \"" + product +
         (product == "digital" ? "\"\npays = \"" + id.substr(0, id.find(' ')) + "\"\n" : "\"\n");
}

std::string options(bool conditional, const std::string& more = "") {
  return "[pricing]\nsteps_per_year = 64\nconditional = " +
         std::string(conditional ? "true" : "false") + "\n" + more;
}

const std::string trades = trade("call", "J", "call", 100) + trade("put", "J", "put", 80) +
                           trade("cash", "J", "put", 90, "digital") +
                           trade("asset", "H", "call", 120, "digital");

}  // namespace

TEST_CASE("conditional Heston prices agree with Lewis' values, with a third of the error or less") {
  std::string portfolio;
  for (const auto& o : reference::heston_lewis)
    portfolio += trade((o.sign > 0 ? "call " : "put ") + std::to_string(o.strike), "H",
                       o.sign > 0 ? "call" : "put", o.strike);
  const StopRule stop = samples(Index{1} << 16);
  const auto plain = run_module_alone(
      {.config = options(/*conditional=*/false) + market + portfolio, .stop = stop});
  const auto conditional = run_module_alone(
      {.config = options(/*conditional=*/true) + market + portfolio, .stop = stop, .seed = 2});
  for (std::size_t i = 0; i < std::size(reference::heston_lewis); ++i) {
    const Estimate& e = conditional.estimates[i];
    CAPTURE(e.name);
    CAPTURE(e.mean);
    // At 64 steps a year the scheme's bias is below 1e-4 of the price.
    CHECK(std::fabs(e.mean - reference::heston_lewis[i].value) <=
          4 * e.standard_error + 1e-4 * e.mean);
    CHECK(e.standard_error < 0.35 * plain.estimates[i].standard_error);
  }
}

TEST_CASE("Bates and digitals: conditional and plain sampling agree") {
  const auto plain = run_module_alone({.config = options(/*conditional=*/false) + market + trades,
                                       .stop = samples(Index{1} << 17),
                                       .seed = 3});
  const auto conditional =
      run_module_alone({.config = options(/*conditional=*/true) + market + trades,
                        .stop = samples(Index{1} << 17),
                        .seed = 4});
  const auto in_float = run_module_alone(
      {.config = options(/*conditional=*/true, "precision = \"float\"\n") + market + trades,
       .stop = samples(Index{1} << 17),
       .seed = 4});
  for (std::size_t i = 0; i < plain.estimates.size(); ++i) {
    const Estimate &p = plain.estimates[i], &c = conditional.estimates[i];
    CAPTURE(p.name);
    CAPTURE(p.mean);
    CAPTURE(c.mean);
    CHECK(std::fabs(p.mean - c.mean) <= 4 * std::hypot(p.standard_error, c.standard_error));
    CHECK(c.standard_error < p.standard_error);
    CHECK(in_float.estimates[i].mean ==
          doctest::Approx(c.mean).epsilon(1e-5 + 4 * c.standard_error / c.mean));
  }
}

TEST_CASE("conditional samples: same bits on any number of ranks and threads and for any slices") {
  const std::string config = options(/*conditional=*/true, "antithetic = true\n") + market + trades;
  const auto one_rank = run_module_alone({.config = config, .stop = samples(8 * 4096)});
  const auto many_ranks = run_module_alone(
      {.config = config, .ranks = 3, .threads = 2, .slice = 3, .stop = samples(8 * 4096)});
  CHECK(one_rank.digest == many_ranks.digest);
  CHECK(one_rank.results == many_ranks.results);
}

TEST_CASE("conditional sampling rejects trades that have no conditional closed form") {
  const std::string barrier =
      "[[trades]]\nid = \"KO\"\nasset = \"H\"\nproduct = \"barrier\"\ntype = \"call\"\n"
      "strike = 100.0\nmaturity = 1.0\nkind = \"down_and_out\"\nbarrier = 80.0\n";
  const std::string barrier_message = error_of(options(/*conditional=*/true) + market + barrier);
  CHECK(contains(barrier_message, "pricing.conditional"));
  CHECK(contains(barrier_message, "European and digital"));
  CHECK(contains(barrier_message, "test.toml:"));
  const std::string black_scholes_message =
      error_of(options(/*conditional=*/true) + market + trade("BS", "B", "call", 100));
  CHECK(contains(black_scholes_message, "`B`"));
  CHECK(contains(black_scholes_message, "heston and bates"));
  const PricingConfig config =
      read(options(/*conditional=*/true, "on_error = \"skip\"\n") + market +
           trade("BS", "B", "call", 100) + trade("H", "H", "call", 100));
  REQUIRE(config.trades.size() == 1);
  CHECK(config.trades[0].id == "H");
  REQUIRE(config.skipped.size() == 1);
  CHECK(config.skipped[0].id == "BS");
}
