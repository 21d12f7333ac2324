// Prices of trades that pay on few paths: against closed forms, with errors that cover what they
// say.

#include "src/modules/pricing/importance.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "fixtures.hpp"
#include "module_run.hpp"
#include "src/modules/pricing/closed_forms.hpp"
#include "src/modules/pricing/estimator.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

std::string market(const std::string& model) {
  return "[market]\nrate = 0.03\n[market.assets.A]\nspot = 100.0\n" + model;
}
const std::string lognormal = market("volatility = 0.2\n");

std::string trade(const std::string& id, const std::string& keys) {
  return "[[trades]]\nasset = \"A\"\nid = \"" + id + "\"\n" + keys;
}
std::string european(const std::string& type, double strike, double maturity) {
  return trade(
      fmt::format("{}{}", type, strike),
      fmt::format("product = \"european\"\ntype = \"{}\"\nstrike = {:.1f}\nmaturity = {}\n", type,
                  strike, maturity));
}

double black_scholes(double sign, double strike, double maturity) {
  return black(sign, 100 * std::exp(0.03 * maturity), strike, 0.04 * maturity,
               std::exp(-0.03 * maturity));
}

// Distance from `value` in standard errors, after looking that the error is a small part of it.
double deviation(const Estimate& e, double value, double relative) {
  CAPTURE(e.name);
  CAPTURE(e.mean);
  CAPTURE(e.standard_error);
  CHECK(e.standard_error < relative * value);
  return (e.mean - value) / e.standard_error;
}

}  // namespace

TEST_CASE("importance sampling: a call that one path in 10^5 pays, to its absolute error") {
  StopRule stop = samples(1 << 24);
  stop.absolute_error = 1e-3;
  for (const std::uint64_t seed : {10, 11, 12}) {
    const ModuleResult r =
        run_module_alone({.config = lognormal + european("call", 180, 0.5) + "quantity = 1000.0\n",
                          .stop = stop,
                          .seed = seed});
    CHECK(r.estimates[0].converged);
    CHECK(std::fabs(deviation(r.estimates[0], 1000 * black_scholes(1, 180, 0.5), 0.02)) < 4);
    CHECK(contains(r.report.rows[0].back(), "importance sampling"));
  }
}

TEST_CASE("importance sampling: intervals cover what they say, however few paths pay") {
  const std::vector<double> strikes{150, 160, 170, 180, 250, 400};
  std::string config = lognormal;
  for (const double strike : strikes) config += european("call", strike, 0.5);
  double squares = 0;
  int outside = 0, count = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const ModuleResult r =
        run_module_alone({.config = config, .stop = samples(65536), .seed = seed});
    for (std::size_t i = 0; i < strikes.size(); ++i, ++count) {
      const double z = deviation(r.estimates[i], black_scholes(1, strikes[i], 0.5), 0.02);
      squares += z * z;
      if (std::fabs(z) > 1.96) ++outside;
    }
  }
  // 360 nearly independent deviations of variance 1: 5 % outside, +-1.1 %; mean square 1 +- 0.075.
  CHECK(std::fabs(static_cast<double>(outside) / count - 0.05) < 0.04);
  CHECK(std::fabs(squares / count - 1) < 0.25);
}

TEST_CASE("importance sampling: products and models with closed forms") {
  const auto price = [](const std::string& config, double value, double relative) {
    for (const char* options : {"", "[pricing]\nsampling = \"sobol\"\nreplicates = 16\n"}) {
      const ModuleResult r =
          run_module_alone({.config = options + config, .stop = samples(1 << 18)});
      CAPTURE(config);
      CHECK(contains(r.report.rows[0].back(), "importance sampling"));
      CHECK(std::fabs(deviation(r.estimates[0], value, relative)) < 4);
    }
  };
  price(lognormal + european("put", 50, 0.5), black_scholes(-1, 50, 0.5), 0.01);
  price(lognormal + trade("digital",
                          "product = \"digital\"\ntype = \"call\"\nstrike = 180.0\n"
                          "maturity = 0.5\n"),
        cash_digital(1, 100 * std::exp(0.015), 180, 0.02, std::exp(-0.015)), 0.01);
  BarrierTerms barrier;
  barrier.sign = 1;
  barrier.strike = 100;
  barrier.barrier = 170;
  barrier.up = barrier.knock_in = true;
  price(lognormal + trade("in",
                          "product = \"barrier\"\nkind = \"up_and_in\"\ntype = \"call\"\n"
                          "barrier = 170.0\nstrike = 100.0\nmaturity = 0.5\n"
                          "monitoring = \"continuous\"\n"),
        continuous_barrier({100, 0.03, 0, 0.2, 0.5}, barrier), 0.01);
  // Up to the barrier, and back below the strike.
  barrier.sign = -1;
  barrier.barrier = 115;
  price(lognormal + trade("back",
                          "product = \"barrier\"\nkind = \"up_and_in\"\ntype = \"put\"\n"
                          "barrier = 115.0\nstrike = 100.0\nmaturity = 0.5\n"
                          "monitoring = \"continuous\"\n"),
        continuous_barrier({100, 0.03, 0, 0.2, 0.5}, barrier), 0.5);
  HestonTerms terms{.v0 = 0.04, .kappa = 1, .theta = 0.04, .sigma = 0.3, .rho = -0.7};
  terms.maturity = 0.5;
  price(market(
            "model = \"heston\"\nv0 = 0.04\nkappa = 1.0\ntheta = 0.04\nsigma = 0.3\nrho = -0.7\n") +
            european("put", 50, 0.5),
        heston(-1, 100 * std::exp(0.015), 50, terms, std::exp(-0.015)), 0.05);
}

TEST_CASE("importance sampling: same bits on any ranks and threads, and after a restart") {
  const std::string config =
      lognormal + european("call", 180, 0.5) + european("put", 50, 1) + european("call", 100, 1);
  const ModuleResult one = run_module_alone({.config = config, .stop = samples(1 << 16)});
  for (const int ranks : {2, 3}) {
    const ModuleResult many = run_module_alone(
        {.config = config, .ranks = ranks, .threads = 2, .slice = 3, .stop = samples(1 << 16)});
    CHECK(many.results == one.results);
    CHECK(many.state == one.state);
  }
  ModuleRun first{.config = config, .stop = samples(1 << 16)};
  first.stop_at = 8;
  const ModuleResult stopped = run_module_alone(first);
  const ModuleResult resumed = run_module_alone({.config = config,
                                                 .ranks = 2,
                                                 .stop = samples(1 << 16),
                                                 .resume = &stopped.state,
                                                 .resume_at = 8});
  CHECK(resumed.results == one.results);
}

TEST_CASE("few carriers: errors are widened to the limits of a Poisson number") {
  // Garwood (1936): 3 events have the 97.5 % limit 8.767, 10 the limit 18.391, 30 the limit 42.83.
  CHECK(3 + widening(3) * 1.959964 * std::sqrt(3) == doctest::Approx(8.767).epsilon(0.005));
  CHECK(10 + widening(10) * 1.959964 * std::sqrt(10) == doctest::Approx(18.391).epsilon(0.005));
  CHECK(30 + widening(30) * 1.959964 * std::sqrt(30) == doctest::Approx(42.83).epsilon(0.005));
  CHECK(widening(100) == 1);
  // One payment of 1 in one of 32 lanes of 2 blocks.
  BlockStatistics s;
  s.count = 8192;
  s.mean_x = 1 / s.count;
  s.m_xx = 1 - 1 / s.count;
  s.lanes = 32;
  s.q_xx_xx = s.m_xx * s.m_xx;
  CHECK(carriers_of(s, 0) == doctest::Approx(32.0 / 31));
}

TEST_CASE("without importance sampling, a price that few paths carry says so and meets no target") {
  StopRule stop = samples(1 << 16);
  stop.absolute_error = 1;
  const ModuleResult r =
      run_module_alone({.config = "[pricing]\nimportance_sampling = false\n" + lognormal +
                                  european("call", 170, 0.5) + "quantity = 1000.0\n",
                        .stop = stop});
  CHECK_FALSE(r.estimates[0].converged);
  CHECK(contains(r.estimates[0].remark, "samples carry the price"));
}

TEST_CASE("a payoff that is no number is left out with on_error = \"skip\"") {
  const std::string bad = european("put", 1, 1) + european("call", 100, 1);
  std::string config = "[pricing]\nprecision = \"float\"\non_error = \"skip\"\n" + lognormal + bad;
  config.replace(config.find("strike = 1.0"), 12, "strike = 1e39");
  const ModuleResult r = run_module_alone({.config = config, .ranks = 2, .stop = samples(1 << 15)});
  CHECK(std::isnan(r.estimates[0].mean));
  CHECK(contains(r.estimates[0].remark, "skipped: a payoff or the price was not a finite number"));
  CHECK(r.estimates[1].mean == doctest::Approx(black_scholes(1, 100, 1)).epsilon(0.02));
  config.replace(config.find("\"skip\""), 6, "\"stop\"");
  CHECK_THROWS_WITH_AS(run_module_alone({.config = config, .ranks = 2, .stop = samples(1 << 15)}),
                       doctest::Contains("trade `put1`: a payoff is not a finite number"),
                       NumericalError);
}

TEST_CASE("a price that is no number, though its payoffs are, is not reported") {
  const std::string config =
      lognormal + european("call", 100, 1) + "quantity = 1e308\n" + european("put", 100, 1);
  CHECK_THROWS_WITH_AS(run_module_alone({.config = config, .stop = samples(1 << 15)}),
                       doctest::Contains("trade `call100`: its price is not a finite number"),
                       NumericalError);
  const ModuleResult r = run_module_alone(
      {.config = "[pricing]\non_error = \"skip\"\n" + config, .stop = samples(1 << 15)});
  CHECK(std::isnan(r.estimates[0].mean));
  CHECK(r.estimates[1].mean == doctest::Approx(black_scholes(-1, 100, 1)).epsilon(0.02));
}
