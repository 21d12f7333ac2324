// Prices, errors and orders of multilevel Monte Carlo.

#include <cmath>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/multilevel/multilevel_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

TEST_CASE("multilevel: errors over seeds are within the target, and scatter as they say") {
  constexpr int runs = 12;
  for (const char* options :
       {"", "refinement = 4\nlevels = 6\n",
        "first_steps = 4\n[pricing]\nsampling = \"sobol\"\nreplicates = 32\n"}) {
    const std::string keys = options;
    CAPTURE(keys);
    const double target = contains(options, "sobol") ? 0.12 : 0.3;
    constexpr std::size_t n = std::size(displaced_trades);
    std::vector<double> squares(n, 0), sums(n, 0), values(n, 0), errors(n, 0);
    for (int seed = 1; seed <= runs; ++seed) {
      const ModuleResult r =
          run_module_alone(multilevel_run(displaced_config(target, options), seed));
      for (std::size_t t = 0; t < n; ++t) {
        const Estimate& e = r.estimates[t];
        CHECK(e.converged);
        const double difference = e.mean - displaced_trades[t].value;
        squares[t] += difference * difference;
        sums[t] += difference;
        values[t] += difference * difference / (target * target);
        errors[t] += e.standard_error * e.standard_error;
      }
    }
    for (std::size_t t = 0; t < n; ++t) {
      const std::string id = displaced_trades[t].id;
      CAPTURE(id);
      // The mean square is at most that of the target: 12 degrees of freedom, 1e-4 quantile 39.
      CHECK(values[t] < 39);
      // The scatter about the mean is that of the standard errors: 11 degrees, quantiles 1
      // and 38.
      const double scatter = (squares[t] - sums[t] * sums[t] / runs) / (errors[t] / runs);
      CHECK(scatter > 1);
      CHECK(scatter < 38);
    }
  }
}

TEST_CASE("multilevel: corrections that change their sign do not hide the bias") {
  // By this module with a target of 0.01 and 0.004: corrections whose means change their sign from
  // level to level.
  const std::string heston =
      "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100.0\nmodel = \"heston\"\nv0 = 0.04\n"
      "kappa = 5.0\ntheta = 0.04\nsigma = 0.25\nrho = -0.5\ndividend = 0.03\n";
  const std::string local =
      "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100.0\nmodel = \"local_volatility\"\n"
      "local_times = [0.25, 1.0]\nlocal_spots = [50.0, 80.0, 100.0, 120.0, 200.0]\n"
      "local_volatility = [[0.6, 0.4, 0.2, 0.1, 0.3], [0.4, 0.3, 0.25, 0.2, 0.15]]\n";
  const struct {
    std::string config;
    double value, target;
    int runs;
  } cases[] = {
      {heston + trade_table("t",
                            "product = \"barrier\"\nkind = \"up_and_in\"\nbarrier = 110.0\n"
                            "type = \"put\"\nstrike = 105.0\nasset = \"A\"\nmaturity = 1.0\n"),
       2.434, 0.2, 8},
      {local + trade_table("t", "product = \"european\"\nasset = \"A\"\n" + call_100), 11.294, 0.1,
       30}};
  for (const auto& c : cases) {
    double squares = 0;
    std::string warnings;
    for (int seed = 1; seed <= c.runs; ++seed) {
      const ModuleResult r = run_module_alone(
          multilevel_run(fmt::format("[multilevel]\ntarget = {}\n", c.target) + c.config, seed));
      CHECK(r.estimates[0].converged);
      squares += std::pow(r.estimates[0].mean - c.value, 2);
      for (const std::string& line : r.warnings) warnings += line + "\n";
    }
    CHECK(std::sqrt(squares / c.runs) < 1.1 * c.target);
    if (&c == cases)
      CHECK(contains(warnings, "the corrections of level 1 vary more than the payoff on level 0"));
  }
}

TEST_CASE("multilevel: orders are those of theory for the Milstein scheme") {
  const ModuleResult r = run_module_alone(multilevel_run(displaced_config(0.03)));
  const std::vector<double> beta = numbers_of(r, "trades/beta"),
                            gamma = numbers_of(r, "trades/gamma"),
                            check = numbers_of(r, "levels/consistency"),
                            cost = numbers_of(r, "trades/cost"),
                            single = numbers_of(r, "trades/single_level_cost");
  // Giles, Debrabant and Roessler (2013): 2 for Lipschitz payoffs and lookbacks (up to a
  // logarithm), 1.5 for barriers and digitals. The orders of few levels differ by some tenths.
  for (const int t : {0, 2, 3, 4}) CHECK(beta[static_cast<std::size_t>(t)] > 1.5);
  for (const double b : beta) CHECK(b < 2.6);
  for (const double g : gamma) CHECK(g == doctest::Approx(1));
  for (const double c : check) CHECK(c < 1.4);  // 4 standard errors
  for (std::size_t t = 0; t < cost.size(); ++t) CHECK(3 * cost[t] < single[t]);
}

TEST_CASE("multilevel: Heston's call, and the order of the antithetic estimator") {
  // Lewis 2000: 16.070154917028834 with strike 100.
  const ModuleResult r = run_module_alone(
      multilevel_run("[multilevel]\ntarget = 0.03\nfirst_steps = 4\n" + lewis_market + lewis_call));
  CHECK(r.estimates[0].converged);
  CHECK(std::fabs(r.estimates[0].mean - 16.070154917028834) <
        4 * r.estimates[0].standard_error + 0.03);
}

TEST_CASE("multilevel: an average over many fixings of a lognormal asset has no bias") {
  const auto asian = [](int fixings) {
    return one_asset +
           trade_table("asian", fmt::format("product = \"asian\"\nfixing_count = {}\n", fixings) +
                                    "asset = \"A\"\n" + call_100);
  };
  const ModuleResult r =
      run_module_alone(multilevel_run("[multilevel]\ntarget = 0.04\n" + asian(64)));
  const ModuleResult single = run_module_alone({.config = asian(64), .stop = samples(1 << 16)});
  const double error = r.estimates[0].standard_error;
  CHECK(r.estimates[0].converged);
  CHECK(error < 0.04);
  CHECK(std::fabs(r.estimates[0].mean - single.estimates[0].mean) <
        4 * std::hypot(error, single.estimates[0].standard_error) + 0.04);
  // With the finest level, whose dates are the fixings, the bias is 0.
  const ModuleResult all =
      run_module_alone(multilevel_run("[multilevel]\ntarget = 0.04\n" + asian(8)));
  const ModuleResult exact = run_module_alone({.config = asian(8), .stop = samples(1 << 16)});
  CHECK(numbers_of(all, "trades/bias")[0] == 0);
  CHECK(numbers_of(all, "levels/mean").size() == 4);
  CHECK(std::fabs(all.estimates[0].mean - exact.estimates[0].mean) <
        4 * std::hypot(all.estimates[0].standard_error, exact.estimates[0].standard_error));
}
