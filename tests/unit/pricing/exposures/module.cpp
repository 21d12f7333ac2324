// Exposures and valuation adjustments against closed forms and slow simulations.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string market = R"(
[market]
rate = 0.03
[market.credit.C]
recovery = 0.4
times = [10.0]
hazard_rates = [0.05]
[market.assets.A]
spot = 100.0
dividend = 0.01
volatility = 0.25
[market.assets.H]
model = "heston"
spot = 100.0
v0 = 0.04
kappa = 2.0
theta = 0.06
sigma = 0.4
rho = -0.6
)";

std::string config(const std::string& exposure, const std::string& trades) {
  return "[exposure]\nregression_paths = 8192\n" + exposure +
         "\n[[exposure.netting_sets]]\nname = \"set\"\ncredit = \"C\"\n" + market + trades;
}

std::string trade(const std::string& product, const std::string& terms, double quantity = 1) {
  return "[[trades]]\nid = \"" + product + std::to_string(quantity) + "\"\nproduct = \"" + product +
         "\"\nquantity = " + std::to_string(quantity) + "\n" + terms + "\n";
}

/// Value of a column in a row, its error, and a check of 4.5 errors (many rows are compared).
void check_row(const ModuleResult& r, const std::string& path, std::size_t row, double expected,
               double bias = 0) {
  CAPTURE(path);
  CAPTURE(row);
  const double value = column_of(r, path)[row], error = column_of(r, path + "_error")[row];
  CAPTURE(value);
  CAPTURE(error);
  CAPTURE(expected);
  CHECK(error > 0);
  CHECK(std::fabs(value - expected) < 4.5 * error + bias * std::fabs(expected));
}

}  // namespace

TEST_CASE("a forward: expected exposures are Black-Scholes options") {
  const ModuleResult r = run_module_alone(
      exposure_run(config("times = [0.5, 1.0, 2.0, 3.0]\nown_credit = \"C\"\n",
                          trade("forward", "asset = \"A\"\nstrike = 105.0\nmaturity = 2.0"))));
  const double times[] = {0.5, 1.0, 2.0};
  for (std::size_t k = 0; k < 3; ++k) {
    const double t = times[k], discount = exponential(-0.03 * 2);
    // The value at t, discounted: D(2) (F(t, 2) - K), F lognormal with variance 0.0625 t.
    const double forward = 100 * exponential(0.02 * 2), variance = 0.0625 * t;
    check_row(r, "exposures/discounted_positive", k + 1,
              black(1, forward, 105, variance, discount));
    check_row(r, "exposures/discounted_negative", k + 1,
              black(-1, forward, 105, variance, discount));
    // The quantile of 97.5 % of the lognormal forward.
    const double z = normal_quantile(0.975);
    const double level = forward * exponential(z * std::sqrt(variance) - 0.5 * variance);
    check_row(r, "exposures/potential_future", k + 1, exponential(-0.03 * (2 - t)) * (level - 105),
              0.002);
  }
  CHECK(column_of(r, "exposures/expected_positive")[4] == 0);
  // Today's value is not random: 100 e^-0.02 - 105 e^-0.06 < 0.
  CHECK(column_of(r, "exposures/expected_positive")[0] == 0);
  CHECK(column_of(r, "exposures/expected_negative")[0] ==
        doctest::Approx(105 * exponential(-0.06) - 100 * exponential(-0.02)).epsilon(1e-6));
}

TEST_CASE("bought options: the discounted exposure is the price at every date, and CVA follows") {
  struct Case {
    const char *product, *terms;
    double bias;  ///< of fits that cross zero
  };
  const Case cases[] = {
      {"european", "asset = \"A\"\ntype = \"call\"\nstrike = 105.0", 0},
      {"european", "asset = \"H\"\ntype = \"put\"\nstrike = 100.0", 0.003},
      {"asian", "asset = \"A\"\ntype = \"call\"\nstrike = 100.0\nfixing_count = 4", 0.003},
      {"barrier",
       "asset = \"A\"\ntype = \"call\"\nstrike = 100.0\nkind = \"down_and_out\"\nbarrier = 85.0\n"
       "monitoring = \"continuous\"",
       0.003},
      {"barrier",
       "asset = \"A\"\ntype = \"put\"\nstrike = 100.0\nkind = \"down_and_in\"\nbarrier = 85.0\n"
       "monitoring = \"continuous\"",
       0.003},
      {"barrier",
       "asset = \"A\"\ntype = \"call\"\nstrike = 100.0\nkind = \"down_and_out\"\nbarrier = 85.0\n"
       "monitoring = \"discrete\"\nfixings = [0.5, 1.0]",
       0.003},
      {"barrier",
       "asset = \"A\"\ntype = \"call\"\nstrike = 100.0\nkind = \"down_and_in\"\nbarrier = 95.0\n"
       "monitoring = \"discrete\"\nfixings = [0.5, 1.0]",
       0.003},
      {"barrier",
       "asset = \"A\"\ntype = \"call\"\nstrike = 100.0\nkind = \"down_and_out\"\nbarrier = 85.0\n"
       "monitoring = \"continuous\"\nrebate = 6.0",
       0.003},
      {"barrier",
       "asset = \"A\"\ntype = \"put\"\nstrike = 100.0\nkind = \"down_and_in\"\nbarrier = 85.0\n"
       "monitoring = \"continuous\"\nrebate = 6.0",
       0.003},
      {"lookback",
       "asset = \"A\"\ntype = \"call\"\nkind = \"floating\"\nmonitoring = \"continuous\"", 0.003},
      {"digital", "asset = \"A\"\ntype = \"call\"\nstrike = 100.0\ncash = 10.0", 0.003},
      {"forward_start", "asset = \"A\"\ntype = \"call\"\nstart = 0.5", 0.003},
      {"cliquet",
       "asset = \"A\"\ntype = \"call\"\nfixing_count = 4\nlocal_floor = 0.0\nlocal_cap = "
       "0.1\nmoneyness = 1.0",
       0.003},
  };
  for (const Case& c : cases) {
    CAPTURE(c.product);
    CAPTURE(c.terms);
    const std::string terms = std::string(c.terms) + "\nmaturity = 1.0";
    const std::string options = "times = [0.1, 0.25, 0.6, 0.75, 0.9, 1.0]\n";
    const std::string steps = "[pricing]\nsteps_per_year = 20\n";
    const ModuleResult r =
        run_module_alone(exposure_run(steps + config(options, trade(c.product, terms)), 8 * 4096));
    const ModuleResult price = run_module_alone(
        {.config = steps + market.substr(0, market.find("[market.credit")) +
                   market.substr(market.find("[market.assets.A]")) + trade(c.product, terms),
         .stop = samples(1 << 18)});
    const double expected = price.estimates[0].mean;
    for (std::size_t k = 0; k <= 6; ++k) {
      // The price has an error, too.
      const double bias = c.bias + 5 * price.estimates[0].standard_error / expected;
      if (k > 0 || column_of(r, "exposures/discounted_positive_error")[k] > 0)
        check_row(r, "exposures/discounted_positive", k, expected, bias);
    }
    check_row(r, "netting_sets/cva", 0, 0.6 * expected * (1 - exponential(-0.05)),
              c.bias + 5 * price.estimates[0].standard_error / expected);
  }
}

TEST_CASE("netting: opposite trades have no exposure, unless they are in two netting sets") {
  const std::string forward = "asset = \"A\"\nstrike = 105.0\nmaturity = 2.0";
  const ModuleResult r = run_module_alone(exposure_run(
      config("times = [1.0, 2.0]", trade("forward", forward + "\nnetting_set = \"set\"") +
                                       trade("forward", forward + "\nnetting_set = \"set\"", -1))));
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(std::fabs(column_of(r, "exposures/expected_positive")[k]) < 1e-9);
    CHECK(std::fabs(column_of(r, "exposures/expected_negative")[k]) < 1e-9);
  }
  const std::string two = config("times = [1.0, 2.0]",
                                 trade("forward", forward + "\nnetting_set = \"set\"") +
                                     trade("forward", forward + "\nnetting_set = \"other\"", -1)) +
                          "[[exposure.netting_sets]]\nname = \"other\"\n";
  const ModuleResult apart = run_module_alone(exposure_run(two));
  CHECK(column_of(apart, "exposures/expected_positive")[1] > 5);
  CHECK(column_of(apart, "exposures/expected_positive")[4] ==
        doctest::Approx(column_of(apart, "exposures/expected_negative")[1]).epsilon(1e-9));
  CHECK(column_of(apart, "netting_sets/cva")[1] == 0);
}

TEST_CASE("no value that a regression gives is larger than all payments") {
  const ModuleResult r = run_module_alone(exposure_run(
      config("times = [0.5, 0.9]\nquantile = 0.9999\n",
             trade("digital",
                   "asset = \"A\"\ntype = \"call\"\nstrike = 105.0\ncash = 1.0\nmaturity = 1.0"))));
  for (const double exposure : column_of(r, "exposures/potential_future")) CHECK(exposure <= 1);
}

TEST_CASE("collateral: thresholds, minimum transfers and the margin period") {
  const auto run = [](const std::string& terms, const std::string& maturity = "2.0") {
    std::string text = R"([exposure]
times = [0.5, 1.0]
[[exposure.netting_sets]]
name = "set"
[exposure.netting_sets.collateral]
)" + terms + R"(
[market]
rate = 0.0
[market.assets.A]
spot = 100.0
volatility = 0.25
[[trades]]
id = "forward"
product = "forward"
asset = "A"
strike = 100.0
maturity = )" + maturity;
    return run_module_alone(exposure_run(text));
  };
  const ModuleResult full = run("");
  CHECK(std::fabs(column_of(full, "exposures/expected_positive")[2]) < 1e-9);
  // E[max(S_t - S_(t - period), 0)] = 100 (2 N(sd / 2) - 1), sd = 0.25 sqrt(period).
  const ModuleResult period = run("margin_period = 0.04");
  const double expected = 100 * (2 * normal_cdf(0.25 * 0.2 / 2) - 1);
  for (const std::size_t k : {1, 2}) check_row(period, "exposures/expected_positive", k, expected);
  // With a threshold of 10 the exposure is at most 10: E[min(max(S - 100, 0), 10)] is a spread of
  // calls.
  const ModuleResult threshold = run("threshold = 10.0");
  const double spread = black(1, 100, 100, 0.0625, 1) - black(1, 100, 110, 0.0625, 1);
  check_row(threshold, "exposures/expected_positive", 2, spread);
  // Also at the date of the payment, which counts at it.
  check_row(run("threshold = 10.0", "1.0"), "exposures/expected_positive", 2, spread);
  // Nothing is ever transferred below a minimum transfer of a million.
  const ModuleResult minimum = run("minimum_transfer = 1e6");
  check_row(minimum, "exposures/expected_positive", 2, black(1, 100, 100, 0.0625, 1));
  // But nothing is kept once the trade has ended.
  const ModuleResult ended = run("minimum_transfer = 5.0", "0.75");
  for (const char* part : {"exposures/expected_positive", "exposures/expected_negative"}) {
    CHECK(column_of(ended, part)[1] > 0);
    CHECK(column_of(ended, part)[2] == 0);
  }
  // Initial margin: E[max(S_1 - 100 - 5, 0)] without other collateral.
  const ModuleResult margin = run("minimum_transfer = 1e6\ninitial_margin = 5.0");
  check_row(margin, "exposures/expected_positive", 2, black(1, 100, 105, 0.0625, 1));
}

TEST_CASE("funding: spreads times the integrals of discounted exposures") {
  const ModuleResult r = run_module_alone(
      exposure_run(config("times = [0.5, 1.0]\nborrowing_spread = 0.01\nlending_spread = 0.004",
                          trade("forward", "asset = \"A\"\nstrike = 105.0\nmaturity = 1.0"))));
  for (const bool is_cost : {true, false}) {
    const std::vector<double> e =
        column_of(r, is_cost ? "exposures/discounted_positive" : "exposures/discounted_negative");
    const double integral = 0.25 * (e[0] + 2 * e[1] + e[2]);
    CHECK(column_of(r, is_cost ? "netting_sets/fca" : "netting_sets/fba")[0] ==
          doctest::Approx((is_cost ? 0.01 : 0.004) * integral).epsilon(1e-12));
  }
}

TEST_CASE("wrong-way risk agrees with a slow simulation of spot and hazard rate") {
  const auto cva = [](double correlation) {
    std::string text = config("times = [0.25, 0.5, 0.75, 1.0]",
                              trade("forward", "asset = \"A\"\nstrike = 100.0\nmaturity = 1.0"));
    const std::size_t at = text.find("\n[market]");
    text.insert(at, "\n[exposure.netting_sets.wrong_way]\nasset = \"A\"\ncorrelation = " +
                        std::to_string(correlation) + "\nvolatility = 1.0\n");
    return run_module_alone(exposure_run(text));
  };
  // The same model with other random numbers: hazard rate constant over the quarters, and
  // probabilities of default scaled to those of the curve.
  const auto slow = [](double correlation) {
    std::mt19937_64 random(17);
    std::normal_distribution<double> normal;
    constexpr int paths = 400000;
    double means[4] = {}, losses[4] = {};
    for (int p = 0; p < paths; ++p) {
      double w = 0, w_spot = 0, hazard = 0, survival = 1;
      double before = std::max(100 * std::exp(-0.01) - 100 * std::exp(-0.03), 0.0);
      for (int k = 0; k < 4; ++k) {
        hazard += 0.05 * 0.25 * std::exp(w - 0.5 * 0.25 * k);
        const double z = normal(random);
        w_spot += 0.5 * z;
        w += 0.5 * (correlation * z + std::sqrt(1 - correlation * correlation) * normal(random));
        const double t = 0.25 * (k + 1);
        const double spot = 100 * std::exp((0.02 - 0.5 * 0.0625) * t + 0.25 * w_spot);
        const double value = spot * std::exp(-0.01 * (1 - t)) - 100 * std::exp(-0.03 * (1 - t));
        const double exposure = std::exp(-0.03 * t) * std::max(value, 0.0);
        const double defaults = survival - std::exp(-hazard);
        survival -= defaults;
        means[k] += defaults / paths;
        losses[k] += 0.5 * (before + exposure) * defaults / paths;
        before = exposure;
      }
    }
    double sum = 0;
    for (int k = 0; k < 4; ++k)
      sum += losses[k] / means[k] * (std::exp(-0.0125 * k) - std::exp(-0.0125 * (k + 1)));
    return 0.6 * sum;
  };
  for (const double correlation : {0.8, -0.8}) {
    CAPTURE(correlation);
    check_row(cva(correlation), "netting_sets/cva", 0, slow(correlation), 0.01);
  }
  CHECK(column_of(cva(0.8), "netting_sets/cva")[0] >
        1.3 * column_of(cva(0), "netting_sets/cva")[0]);
}

TEST_CASE("early exercise: the exposure is the price until the first exercise, and less after it") {
  const std::string put = trade("european",
                                "asset = \"A\"\ntype = \"put\"\nstrike = 115.0\nmaturity = 1.0\n"
                                "exercise = \"bermudan\"\nexercise_dates = [0.5]");
  const std::string options = "[pricing.exercise]\nupper_bound = false\n";
  const ModuleResult r =
      run_module_alone(exposure_run(options + config("times = [0.25, 0.5, 0.75, 1.0]\n", put)));
  const ModuleResult price =
      run_module_alone({.config = options + market.substr(0, market.find("[market.credit")) +
                                  market.substr(market.find("[market.assets.A]")) + put,
                        .stop = samples(1 << 19)});
  const double expected = price.estimates[0].mean;
  for (std::size_t k = 0; k <= 2; ++k)
    check_row(r, "exposures/discounted_positive", k, expected, 0.003);
  // On the paths that are not exercised at 0.5, from then on a European put: a martingale.
  const std::vector<double> exposure = column_of(r, "exposures/discounted_positive");
  CHECK(exposure[3] < 0.6 * expected);
  CHECK(exposure[4] == doctest::Approx(exposure[3]).epsilon(0.02));
}

TEST_CASE(
    "early exercise of an Asian: exercised at a first fixing it pays, and today it is settled") {
  const std::string asian = trade("asian",
                                  "asset = \"A\"\ntype = \"call\"\nstrike = 80.0\nmaturity = 1.0\n"
                                  "fixings = [0.1, 0.5, 1.0]\nexercise = \"american\"");
  const std::string options = "[pricing.exercise]\nupper_bound = false\n";
  const auto price = [&](const std::string& text) {
    const ModuleResult r =
        run_module_alone({.config = options + market.substr(0, market.find("[market.credit")) +
                                    market.substr(market.find("[market.assets.A]")) + text,
                          .stop = samples(1 << 18)});
    return r.estimates[0].mean;
  };
  const ModuleResult r =
      run_module_alone(exposure_run(options + config("times = [0.05, 0.1, 1.0]\n", asian)));
  for (const std::size_t k : {1, 2})
    check_row(r, "exposures/discounted_positive", k, price(asian), 0.003);
  CHECK(column_of(r, "exposures/discounted_positive")[0] ==
        doctest::Approx(price(asian)).epsilon(0.003));
  const std::string put = trade("european",
                                "asset = \"A\"\ntype = \"put\"\nstrike = 180.0\nmaturity = 1.0\n"
                                "exercise = \"american\"");
  const ModuleResult settled =
      run_module_alone(exposure_run(options + config("times = [0.5, 1.0]\n", put)));
  CHECK(column_of(settled, "exposures/expected_positive")[0] == doctest::Approx(80));
  CHECK(column_of(settled, "exposures/expected_positive")[1] == 0);
}

TEST_CASE("dates after the last payment change no adjustment, with wrong-way risk neither") {
  const std::string forward = trade("forward", "asset = \"A\"\nstrike = 100.0\nmaturity = 1.0");
  const auto run = [&](const std::string& times, bool wrong_way) {
    std::string text = config("borrowing_spread = 0.01\ntimes = " + times, forward);
    if (wrong_way)
      text.insert(text.find("\n[market]"),
                  "\n[exposure.netting_sets.wrong_way]\nasset = \"A\"\ncorrelation = 0.5\n"
                  "volatility = 1.0\n");
    return run_module_alone(exposure_run(text));
  };
  for (const bool wrong_way : {false, true}) {
    const ModuleResult until = run("[0.5, 1.0]", wrong_way);
    const ModuleResult beyond = run("[0.5, 1.0, 1.5, 4.0]", wrong_way);
    for (const char* name : {"netting_sets/cva", "netting_sets/fca"})
      CHECK(column_of(beyond, name)[0] ==
            doctest::Approx(column_of(until, name)[0]).epsilon(1e-12));
  }
}

TEST_CASE("an Asian less half a call: exposures agree with a slow simulation of both values") {
  const std::string trades =
      trade("asian",
            "asset = \"A\"\ntype = \"call\"\nstrike = 100.0\nmaturity = 1.0\n"
            "fixings = [0.5, 1.0]") +
      trade("european", "asset = \"A\"\ntype = \"call\"\nstrike = 100.0\nmaturity = 1.0", -0.5);
  const ModuleResult r =
      run_module_alone(exposure_run(config("times = [0.3, 0.7, 0.9]\n", trades)));
  std::mt19937_64 random(23);
  std::normal_distribution<double> normal;
  constexpr int paths = 200000;
  const double times[] = {0.7, 0.9};
  double negative[2] = {}, positive[2] = {};
  for (int p = 0; p < paths; ++p) {
    const auto step = [&](double spot, double t) {
      return spot * std::exp((0.02 - 0.5 * 0.0625) * t + 0.25 * std::sqrt(t) * normal(random));
    };
    const double first = step(100, 0.5);
    double spot = first, from = 0.5;
    for (int k = 0; k < 2; ++k) {
      spot = step(spot, times[k] - from);
      from = times[k];
      const double left = 1 - from, forward = spot * std::exp(0.02 * left);
      const double discount = std::exp(-0.03);  // to today
      const auto call = [&](double strike) {
        return strike > 0 ? black(1, forward, strike, 0.0625 * left, discount)
                          : discount * (forward - strike);
      };
      const double value = 0.5 * call(200 - first) - 0.5 * call(100);
      positive[k] += std::fmax(value, 0.0) / paths;
      negative[k] += std::fmax(-value, 0.0) / paths;
    }
  }
  for (const std::size_t k : {0, 1}) {
    check_row(r, "exposures/discounted_positive", k + 2, positive[k], 0.01);
    check_row(r, "exposures/discounted_negative", k + 2, negative[k], 0.02);
  }
}

TEST_CASE("a bought option has no negative exposure") {
  for (const char* terms : {"digital|strike = 130.0\ncash = 100.0", "european|strike = 130.0"}) {
    const std::string text = terms;
    const std::size_t bar = text.find('|');
    const ModuleResult r = run_module_alone(exposure_run(
        config("times = [0.5, 0.98]\n",
               trade(text.substr(0, bar),
                     "asset = \"A\"\ntype = \"call\"\nmaturity = 1.0\n" + text.substr(bar + 1)))));
    for (const double e : column_of(r, "exposures/expected_negative")) CHECK(e == 0);
  }
}

TEST_CASE("a rebate at the touch: what was paid before a date is not part of the exposure") {
  const std::string barrier = trade("barrier", R"(asset = "A"
type = "call"
strike = 100.0
kind = "down_and_out"
barrier = 90.0
monitoring = "discrete"
fixings = [0.5, 1.0]
maturity = 1.0
rebate = 20.0
rebate_paid = "at_hit")");
  const ModuleResult r =
      run_module_alone(exposure_run(config("times = [0.2, 0.5, 0.7, 1.0]\n", barrier)));
  std::mt19937_64 random(29);
  std::normal_distribution<double> normal;
  constexpr int paths = 1000000;
  double first = 0, second = 0, second_square = 0, at_maturity = 0;
  for (int p = 0; p < paths; ++p) {
    const auto step = [&](double spot) {
      return spot * std::exp(0.5 * (0.02 - 0.5 * 0.0625) + 0.25 * std::sqrt(0.5) * normal(random));
    };
    double spot = step(100);
    if (spot <= 90) {
      first += 20 * std::exp(-0.015) / paths;
      continue;
    }
    spot = step(spot);
    const double paid = std::exp(-0.03) * (spot <= 90 ? 20 : std::fmax(spot - 100, 0.0));
    if (spot > 90) at_maturity += paid / paths;
    second += paid / paths;
    second_square += paid * paid / paths;
  }
  const double bias = 0.003 + 4 * std::sqrt(second_square / paths) / second;
  check_row(r, "exposures/discounted_positive", 1, first + second, bias);
  for (const std::size_t k : {2, 3}) check_row(r, "exposures/discounted_positive", k, second, bias);
  check_row(r, "exposures/discounted_positive", 4, at_maturity, bias);
}

TEST_CASE("an Asian with a fixing today has no state before its next fixing") {
  const std::string asian = trade("asian",
                                  "asset = \"A\"\ntype = \"call\"\nstrike = 100.0\n"
                                  "maturity = 1.0\nfixings = [0.0, 0.5, 1.0]");
  const ModuleResult r = run_module_alone(exposure_run(config("times = [0.1, 0.7]\n", asian)));
  const std::vector<double> e = column_of(r, "exposures/discounted_positive");
  for (const std::size_t k : {1, 2}) check_row(r, "exposures/discounted_positive", k, e[0], 0.015);
}
