// Prices of trades with payments on few paths, against closed forms, with confidence intervals that
// have their nominal coverage.

#include "src/modules/pricing/importance_sampling/importance.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/engine/contributing_samples.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/statistics/estimator.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"

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
/// A European option whose id is its type and strike, such as call180.
std::string european(const std::string& type, double strike, double maturity) {
  return trade(
      fmt::format("{}{}", type, strike),
      fmt::format("product = \"european\"\ntype = \"{}\"\nstrike = {:.1f}\nmaturity = {}\n", type,
                  strike, maturity));
}

/// The price of european() in the market `lognormal`; `sign` is 1 for a call, -1 for a put.
double black_scholes(double sign, double strike, double maturity) {
  return black(sign, 100 * std::exp(0.03 * maturity), strike, 0.04 * maturity,
               std::exp(-0.03 * maturity));
}

// Deviation of an estimate from `value` in units of its standard error, after a check that this
// error is less than `relative_error` times `value`.
double deviation(const Estimate& e, double value, double relative_error) {
  CAPTURE(e.name);
  CAPTURE(e.mean);
  CAPTURE(e.standard_error);
  CHECK(e.standard_error < relative_error * value);
  return (e.mean - value) / e.standard_error;
}

}  // namespace

TEST_CASE("importance sampling: a call that pays on one path in 10^5 meets its absolute error") {
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

TEST_CASE("importance sampling: confidence intervals have their coverage, however few paths pay") {
  const std::vector<double> strikes{150, 160, 170, 180, 250, 400};
  std::string config = lognormal;
  for (const double strike : strikes) config += european("call", strike, 0.5);
  double squares = 0;
  int outside = 0, count = 0;
  for (std::uint64_t seed = 1; seed <= 36; ++seed) {
    const ModuleResult r =
        run_module_alone({.config = config, .stop = samples(65536), .seed = seed});
    for (std::size_t i = 0; i < strikes.size(); ++i, ++count) {
      const double z = deviation(r.estimates[i], black_scholes(1, strikes[i], 0.5), 0.02);
      squares += z * z;
      if (std::fabs(z) > 1.96) ++outside;
    }
  }
  // 216 nearly independent deviations of variance 1: 5 % outside, +-1.5 %; mean square 1 +- 0.1.
  CHECK(std::fabs(static_cast<double>(outside) / count - 0.05) < 0.04);
  CHECK(std::fabs(squares / count - 1) < 0.25);
}

TEST_CASE("importance sampling: products and models with closed forms") {
  const auto check_price = [](const std::string& config, double value, double relative_error) {
    for (const char* options : {"", "[pricing]\nsampling = \"sobol\"\nreplicates = 16\n"}) {
      const ModuleResult r =
          run_module_alone({.config = options + config, .stop = samples(1 << 18)});
      CAPTURE(config);
      CHECK(contains(r.report.rows[0].back(), "importance sampling"));
      CHECK(std::fabs(deviation(r.estimates[0], value, relative_error)) < 4);
    }
  };
  check_price(lognormal + european("put", 50, 0.5), black_scholes(-1, 50, 0.5), 0.01);
  check_price(lognormal + trade("digital",
                                "product = \"digital\"\ntype = \"call\"\nstrike = 180.0\n"
                                "maturity = 0.5\n"),
              cash_digital(1, 100 * std::exp(0.015), 180, 0.02, std::exp(-0.015)), 0.01);
  BarrierTerms barrier;
  barrier.sign = 1;
  barrier.strike = 100;
  barrier.barrier = 170;
  barrier.up = barrier.knock_in = true;
  check_price(lognormal + trade("in",
                                "product = \"barrier\"\nkind = \"up_and_in\"\ntype = \"call\"\n"
                                "barrier = 170.0\nstrike = 100.0\nmaturity = 0.5\n"
                                "monitoring = \"continuous\"\n"),
              continuous_barrier({100, 0.03, 0, 0.2, 0.5}, barrier), 0.01);
  // A put that pays only if the spot rises to the barrier and then falls below the strike.
  barrier.sign = -1;
  barrier.barrier = 115;
  check_price(lognormal + trade("back",
                                "product = \"barrier\"\nkind = \"up_and_in\"\ntype = \"put\"\n"
                                "barrier = 115.0\nstrike = 100.0\nmaturity = 0.5\n"
                                "monitoring = \"continuous\"\n"),
              continuous_barrier({100, 0.03, 0, 0.2, 0.5}, barrier), 0.5);
  HestonTerms terms{.v0 = 0.04, .kappa = 1, .theta = 0.04, .sigma = 0.3, .rho = -0.7};
  terms.maturity = 0.5;
  check_price(
      market(
          "model = \"heston\"\nv0 = 0.04\nkappa = 1.0\ntheta = 0.04\nsigma = 0.3\nrho = -0.7\n") +
          european("put", 50, 0.5),
      heston(-1, 100 * std::exp(0.015), 50, terms, std::exp(-0.015)), 0.05);
}

TEST_CASE("importance sampling: same bits on any ranks and threads, and after a restart") {
  const std::string config =
      lognormal + european("call", 180, 0.5) + european("put", 50, 1) + european("call", 100, 1);
  const ModuleResult one_rank = run_module_alone({.config = config, .stop = samples(1 << 16)});
  for (const int ranks : {2, 3}) {
    const ModuleResult many_ranks = run_module_alone(
        {.config = config, .ranks = ranks, .threads = 2, .slice = 3, .stop = samples(1 << 16)});
    CHECK(many_ranks.results == one_rank.results);
    CHECK(many_ranks.state == one_rank.state);
  }
  ModuleRun interrupted_run{.config = config, .stop = samples(1 << 16)};
  interrupted_run.stop_at = 8;
  const ModuleResult stopped = run_module_alone(interrupted_run);
  const ModuleResult resumed = run_module_alone({.config = config,
                                                 .ranks = 2,
                                                 .stop = samples(1 << 16),
                                                 .resume = &stopped.state,
                                                 .resume_at = 8});
  CHECK(resumed.results == one_rank.results);
}

namespace {

// Prices of deep out-of-the-money options that pay only after a jump; on average there is one jump
// per century.
const std::string rare_crash = market(
    "model = \"merton\"\nvolatility = 0.1\njump_intensity = 0.01\njump_mean = -0.5\n"
    "jump_sd = 0.1\n");
double crash_price(double sign, double strike, double maturity) {
  return merton(sign, 100 * std::exp(0.03 * maturity), strike, 0.01 * maturity, 0.01 * maturity,
                -0.5, 0.1, std::exp(-0.03 * maturity));
}

}  // namespace

TEST_CASE("importance sampling: prices dominated by rare jumps, over seeds") {
  const std::string rare_rally = market(
      "model = \"merton\"\nvolatility = 0.1\njump_intensity = 0.005\njump_mean = 0.6\n"
      "jump_sd = 0.15\n");
  const double call =
      merton(1, 100 * std::exp(0.015), 180, 0.005, 0.0025, 0.6, 0.15, std::exp(-0.015));
  double squares = 0, sum = 0;
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ModuleResult crash = run_module_alone(
        {.config = rare_crash + european("put", 60, 0.5) + european("put", 40, 0.5),
         .stop = samples(32768),
         .seed = seed});
    const ModuleResult rally = run_module_alone(
        {.config = rare_rally + european("call", 180, 0.5), .stop = samples(32768), .seed = seed});
    for (const double z : {deviation(crash.estimates[0], crash_price(-1, 60, 0.5), 0.03),
                           deviation(crash.estimates[1], crash_price(-1, 40, 0.5), 0.03),
                           deviation(rally.estimates[0], call, 0.03)}) {
      squares += z * z;
      sum += z;
      ++count;
    }
  }
  CHECK(std::fabs(sum / std::sqrt(count)) < 4);
  CHECK(std::fabs(squares / count - 1) < 0.8);  // 60 deviations: +- 0.18
}

TEST_CASE("importance sampling: jumps with stochastic variance, on baskets and under barriers") {
  const std::string crash = "jump_intensity = 0.02\njump_mean = -0.5\njump_sd = 0.1\n";
  const std::string bates = market(
      "model = \"bates\"\nv0 = 0.01\nkappa = 1.0\ntheta = 0.01\nsigma = 0.1\nrho = -0.5\n" + crash);
  HestonTerms terms{.v0 = 0.01, .kappa = 1, .theta = 0.01, .sigma = 0.1, .rho = -0.5};
  terms.jump_intensity = 0.02;
  terms.jump_mean = -0.5;
  terms.jump_sd = 0.1;
  terms.maturity = 0.5;
  const double value = heston(-1, 100 * std::exp(0.015), 60, terms, std::exp(-0.015));
  for (const char* options : {"", "[pricing]\nsampling = \"sobol\"\nreplicates = 16\n",
                              "[pricing]\nprecision = \"float\"\n"}) {
    CAPTURE(options);
    const ModuleResult r = run_module_alone(
        {.config = options + bates + european("put", 60, 0.5), .stop = samples(1 << 17)});
    CHECK(contains(r.report.rows[0].back(), "importance sampling"));
    CHECK(std::fabs(deviation(r.estimates[0], value, 0.02)) < 4);
  }
  // The forward price of B is 60 and nearly constant, so that the option to exchange A for B is
  // equivalent to a put on A, which jumps, with strike 60.
  const std::string two_assets_market =
      rare_crash +
      "[market.assets.B]\nspot = 60.0\ndividend = 0.03\n"
      "volatility = 1e-6\n[market.correlation]\nassets = [\"A\", \"B\"]\n"
      "matrix = [[1.0, 0.0], [0.0, 1.0]]\n";
  const ModuleResult basket = run_module_alone(
      {.config = two_assets_market + "[[trades]]\nid = \"exchange\"\nproduct = \"exchange\"\n"
                                     "assets = [\"B\", \"A\"]\nmaturity = 0.5\n",
       .stop = samples(1 << 16)});
  CHECK(std::fabs(deviation(basket.estimates[0], crash_price(-1, 60, 0.5), 0.03)) < 4);
  // A down-and-in put with the barrier at its strike, monitored at maturity only, is a European
  // put.
  const ModuleResult discrete = run_module_alone(
      {.config = rare_crash + trade("in",
                                    "product = \"barrier\"\nkind = \"down_and_in\"\n"
                                    "type = \"put\"\nbarrier = 60.0\nstrike = 60.0\n"
                                    "maturity = 0.5\nmonitoring = \"discrete\"\n"
                                    "fixings = [0.5]\n"),
       .stop = samples(1 << 16)});
  CHECK(std::fabs(deviation(discrete.estimates[0], crash_price(-1, 60, 0.5), 0.03)) < 4);
}

TEST_CASE("importance sampling with jumps: same bits on any ranks and threads, after a restart") {
  const std::string config =
      rare_crash + european("put", 60, 0.5) + european("put", 40, 1) + european("call", 100, 1);
  const ModuleResult one_rank = run_module_alone({.config = config, .stop = samples(1 << 16)});
  CHECK(contains(one_rank.report.rows[0].back(), "importance sampling"));
  for (const int ranks : {2, 3}) {
    const ModuleResult many_ranks = run_module_alone(
        {.config = config, .ranks = ranks, .threads = 2, .slice = 3, .stop = samples(1 << 16)});
    CHECK(many_ranks.results == one_rank.results);
    CHECK(many_ranks.state == one_rank.state);
  }
  ModuleRun interrupted_run{.config = config, .stop = samples(1 << 16)};
  interrupted_run.stop_at = 8;
  const ModuleResult stopped = run_module_alone(interrupted_run);
  const ModuleResult resumed = run_module_alone({.config = config,
                                                 .ranks = 2,
                                                 .stop = samples(1 << 16),
                                                 .resume = &stopped.state,
                                                 .resume_at = 8});
  CHECK(resumed.results == one_rank.results);
}

TEST_CASE("exponential tilting: the exponent moves the mean by the given standard deviations") {
  const PricingConfig config = read(rare_crash + european("put", 60, 0.5));
  const Simulation simulation = simulation_to_tilt(config, config.trades[0], Arithmetic::strict, 1);
  const TiltDirection direction = tilt_directions(simulation).front();
  // Standard deviation of the log-spot after half a year: sqrt(T (volatility^2 + jump_intensity
  // (jump_mean^2 + jump_sd^2))).
  const double sd = std::sqrt(0.5 * (0.01 + 0.01 * (0.25 + 0.01)));
  for (const double length : {1.0, 5.0, -1.0, -3.0}) {
    CAPTURE(length);
    const double theta = tilt_exponent(simulation, direction, length);
    // The mean of the log-spot under the exponent t: the slope of its cumulant generating function,
    // up to a constant.
    const auto slope = [](double t) {
      return 0.5 * (0.01 * t + 0.01 * (-0.5 + 0.01 * t) * std::exp(-0.5 * t + 0.005 * t * t));
    };
    CHECK(slope(theta) - slope(0) == doctest::Approx(length * sd).epsilon(1e-9));
  }
  CHECK(std::isnan(tilt_exponent(simulation, direction, -1000)));  // more jumps than tables hold
}

TEST_CASE("few contributing samples: errors are widened to the limits of a Poisson variable") {
  // Upper 97.5 % limits of Garwood (1936): 8.767 for 3 events, 18.391 for 10, 42.83 for 30.
  CHECK(3 + error_widening(3) * 1.959964 * std::sqrt(3) == doctest::Approx(8.767).epsilon(0.005));
  CHECK(10 + error_widening(10) * 1.959964 * std::sqrt(10) ==
        doctest::Approx(18.391).epsilon(0.005));
  CHECK(30 + error_widening(30) * 1.959964 * std::sqrt(30) ==
        doctest::Approx(42.83).epsilon(0.005));
  CHECK(error_widening(100) == 1);
  // One payment of 1, in one of 32 lanes of 2 blocks.
  BlockStatistics s;
  s.count = 8192;
  s.mean_x = 1 / s.count;
  s.m_xx = 1 - 1 / s.count;
  s.lanes = 32;
  s.q_xx_xx = s.m_xx * s.m_xx;
  CHECK(contributing_samples(s, 0) == doctest::Approx(32.0 / 31));
}

TEST_CASE("without importance sampling, a price from few paths has a remark and meets no target") {
  StopRule stop = samples(1 << 16);
  stop.absolute_error = 1;
  const ModuleResult r =
      run_module_alone({.config = "[pricing]\nimportance_sampling = false\n" + lognormal +
                                  european("call", 170, 0.5) + "quantity = 1000.0\n",
                        .stop = stop});
  CHECK_FALSE(r.estimates[0].converged);
  CHECK(contains(r.estimates[0].remark, "samples contribute to the price"));
}

TEST_CASE("a payoff that is not finite is skipped with on_error = \"skip\"") {
  const std::string trades = european("put", 1, 1) + european("call", 100, 1);
  std::string config =
      "[pricing]\nprecision = \"float\"\non_error = \"skip\"\n" + lognormal + trades;
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

TEST_CASE("a price that is not finite, though its payoffs are, is an error") {
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
