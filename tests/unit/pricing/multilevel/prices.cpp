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
  constexpr int runs = 30;
  for (const char* options :
       {"", "refinement = 4\nlevels = 6\n",
        "first_steps = 4\n[pricing]\nsampling = \"sobol\"\nreplicates = 32\n"}) {
    const std::string keys = options;
    CAPTURE(keys);
    const double target = contains(options, "sobol") ? 0.06 : 0.15;
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
      // The mean square is at most that of the target: 30 degrees of freedom, 1e-4 quantile 67.
      CHECK(values[t] < 67);
      // The scatter about the mean is that of the standard errors: 29 degrees, quantiles 8 and 66.
      const double scatter = (squares[t] - sums[t] * sums[t] / runs) / (errors[t] / runs);
      CHECK(scatter > 8);
      CHECK(scatter < 66);
    }
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
