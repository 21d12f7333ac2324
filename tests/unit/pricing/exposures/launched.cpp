// Exposures of payoffs of scripts and plugins against those of built-in payoffs, on the same paths.

#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "tests/unit/pricing/copied_parts.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string exposures_of_scripts = R"([exposure]
times = [0.2, 0.5, 0.7, 1.0]
regression_paths = 8192
)";
const std::string script_market = R"([market]
rate = 0.03
[market.assets.A]
spot = 100.0
dividend = 0.01
volatility = 0.25
[market.assets.B]
model = "heston"
spot = 50.0
v0 = 0.04
kappa = 2.0
theta = 0.06
sigma = 0.4
rho = -0.6
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.4], [0.4, 1.0]]
)";

/// A netting set with one trade.
std::string alone_in_set(const std::string& id, const std::string& terms) {
  return "[[exposure.netting_sets]]\nname = \"" + id + "\"\n[[trades]]\nid = \"" + id +
         "\"\nnetting_set = \"" + id + "\"\n" + terms + "\n";
}

std::string scripted(const std::string& terms, const std::string& payoff) {
  return "product = \"scripted\"\n" + terms + "\npayoff = \"\"\"\n" + payoff + "\n\"\"\"";
}

ModuleRun run_of_scripts(const std::string& trades) {
  ModuleRun run = exposure_run(
      "[pricing]\nsteps_per_year = 20\n" + exposures_of_scripts + script_market + trades, 8 * 4096);
  run.make = [] {
    const PayoffKinds payoffs = builtin_payoffs();
    const PathModelKinds models = builtin_path_models();
    std::vector<const PayoffKind*> all(payoffs.begin(), payoffs.end());
    all.push_back(&european_copy);
    return std::make_unique<ExposureModule>(
        all, std::vector<const PathModelKind*>(models.begin(), models.end()));
  };
  return run;
}

struct Tolerance {
  double mean, quantile;  ///< relative, besides three standard errors
};

/// The exposures of the second set are those of the first one.
void check_equal_exposures(const std::string& built_in, const std::string& other,
                           const Tolerance& tolerance) {
  const ModuleResult r = run_module_alone(
      run_of_scripts(alone_in_set("built_in", built_in) + alone_in_set("other", other)));
  for (const char* name : {"expected_positive", "discounted_positive", "potential_future"})
    for (std::size_t k = 0; k < 5; ++k) {
      const std::string column = std::string("exposures/") + name;
      CAPTURE(column);
      CAPTURE(k);
      const double expected = column_of(r, column)[k], value = column_of(r, column)[k + 5];
      const double error =
          std::hypot(column_of(r, column + "_error")[k], column_of(r, column + "_error")[k + 5]);
      CAPTURE(expected);
      CAPTURE(value);
      CAPTURE(error);
      const bool is_mean = std::string(name) != "potential_future";
      CHECK(std::fabs(value - expected) <=
            3 * error + (is_mean ? tolerance.mean : tolerance.quantile) * expected);
    }
}

}  // namespace

TEST_CASE("exposures of scripts: a call is the built-in one") {
  check_equal_exposures(
      "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 105.0\nmaturity = 1.0",
      scripted("assets = [\"A\"]\nmaturity = 1.0", "pay max(spot - 105, 0)"), {0.005, 0.01});
}

TEST_CASE("exposures of scripts: an Asian and a barrier option are the built-in ones") {
  check_equal_exposures(
      "product = \"asian\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\nmaturity = 1.0\n"
      "fixing_count = 4",
      scripted("assets = [\"A\"]\nmaturity = 1.0\nfixing_count = 4",
               "state total = 0\ntotal = total + spot\n"
               "schedule maturity { pay max(total / 4 - 100, 0) }"),
      {0.01, 0.02});
  check_equal_exposures(
      "product = \"barrier\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\nmaturity = 1.0\n"
      "kind = \"down_and_out\"\nbarrier = 90.0\nmonitoring = \"discrete\"\nfixing_count = 4",
      scripted("assets = [\"A\"]\nmaturity = 1.0\nfixing_count = 4",
               "if spot <= 90 { call }\nschedule maturity { pay max(spot - 100, 0) }"),
      {0.02, 0.03});
}

TEST_CASE("exposures of scripts: an option on the worse of two assets") {
  check_equal_exposures(
      "product = \"worst_of\"\nassets = [\"A\", \"B\"]\nweights = [1.0, 2.0]\ntype = \"put\"\n"
      "strike = 100.0\nmaturity = 1.0",
      scripted("assets = [\"A\", \"B\"]\nmaturity = 1.0",
               "pay max(100 - min(spot(A), 2 * spot(B)), 0)"),
      {0.01, 0.02});
}

TEST_CASE("exposures of plugins: a payoff is the built-in one") {
  check_equal_exposures(
      "product = \"european\"\nasset = \"B\"\ntype = \"call\"\nstrike = 52.0\nmaturity = 0.9",
      "product = \"european_copy\"\nasset = \"B\"\nstrike = 52.0\nmaturity = 0.9", {0.01, 0.02});
}

TEST_CASE("exposures of plugins: payments after the maturity are those of the built-in payoff") {
  const std::string terms = "asset = \"A\"\nstrike = 100.0\nmaturity = 0.6\npayment_lag = 0.1\n";
  check_equal_exposures("product = \"european\"\ntype = \"call\"\n" + terms,
                        "product = \"european_copy\"\n" + terms, {0.01, 0.02});
}

TEST_CASE("exposures of windows: one over the whole life is a barrier, rebate included") {
  for (const char* kind : {"down_and_out", "down_and_in"}) {
    const std::string terms =
        "asset = \"A\"\ntype = \"put\"\nstrike = 105.0\nmaturity = 0.9\nbarrier = 80.0\n"
        "monitoring = \"continuous\"\nrebate = 2.0\nkind = \"" +
        std::string(kind) + "\"\n";
    CAPTURE(kind);
    check_equal_exposures("product = \"barrier\"\n" + terms,
                          "product = \"window_barrier\"\n" + terms, {0.005, 0.01});
  }
}

TEST_CASE("exposures of windows: before, within and after one the value has the mean of today") {
  const ModuleResult r = run_module_alone(run_of_scripts(alone_in_set(
      "window",
      "product = \"window_barrier\"\nasset = \"A\"\ntype = \"call\"\nstrike = 95.0\n"
      "maturity = 1.0\nkind = \"up_and_out\"\nbarrier = 125.0\nmonitoring = \"continuous\"\n"
      "window_start = 0.3\nwindow_end = 0.6\n")));
  const double today = column_of(r, "exposures/discounted_positive")[0];
  CHECK(today > 2);
  for (std::size_t k = 1; k < 5; ++k) {
    CAPTURE(k);
    const double value = column_of(r, "exposures/discounted_positive")[k];
    CHECK(std::fabs(value - today) <=
          4 * std::hypot(column_of(r, "exposures/discounted_positive_error")[k],
                         column_of(r, "exposures/discounted_positive_error")[0]) +
              0.005 * today);
  }
}

TEST_CASE("exposures of plugins: a Bermudan call is the built-in one, also at its exercise") {
  // The dividends are more than the interest on the strike, so that it is exercised at 0.5, which
  // is no fixing of the plugin.
  const std::string terms =
      "asset = \"A\"\nstrike = 20.0\nmaturity = 1.0\nexercise = \"bermudan\"\n"
      "exercise_dates = [0.5]\n";
  check_equal_exposures("product = \"european\"\ntype = \"call\"\n" + terms,
                        "product = \"european_copy\"\n" + terms, {0.01, 0.02});
  // What is exercised at 0.5 is owed until 0.7, and what is paid at 0.8 is known at 0.7.
  const std::string late =
      "asset = \"A\"\nstrike = 20.0\nmaturity = 0.6\npayment_lag = 0.2\n"
      "exercise = \"bermudan\"\nexercise_dates = [0.5]\n";
  check_equal_exposures("product = \"european\"\ntype = \"call\"\n" + late,
                        "product = \"european_copy\"\n" + late, {0.01, 0.02});
}

TEST_CASE("exposures of scripts: a Bermudan put is the built-in one") {
  check_equal_exposures(
      "product = \"european\"\nasset = \"A\"\ntype = \"put\"\nstrike = 105.0\nmaturity = 1.0\n"
      "exercise = \"bermudan\"\nexercise_count = 4",
      scripted("assets = [\"A\"]\nmaturity = 1.0\nfixing_count = 4", "exercise max(105 - spot, 0)"),
      {0.01, 0.02});
}

TEST_CASE("exposures of scripts: a note with coupons that may be returned") {
  const ModuleResult r = run_module_alone(run_of_scripts(alone_in_set(
      "puttable", scripted("assets = [\"A\"]\nmaturity = 1.0\nschedules = { half = [0.5] }",
                           "schedule half { pay where(spot >= 90, 2, 0)\n"
                           "  if spot < 95 { exercise 98 } }\n"
                           "schedule maturity { pay min(spot, 100) }"))));
  // min(S(1), 100) at 0.5, and what is held from then on, by an integral over S(0.5).
  const double half_discount = exponential(-0.03 * 0.5), variance = 0.0625 * 0.5;
  const auto held = [&](double spot) {
    const double forward = spot * exponential(0.02 * 0.5);
    return half_discount * forward - black(1, forward, 100, variance, half_discount);
  };
  constexpr int n = 20000;
  constexpr double reach = 8, h = 2 * reach / n;
  double at_half = 0, after_half = 0;  // values at 0.5 with its payments, and without
  for (int i = 0; i < n; ++i) {
    const double z = -reach + (i + 0.5) * h;
    const double weight = h * exponential(-0.5 * z * z) / std::sqrt(2 * M_PI);
    const double spot = 100 * exponential(0.02 * 0.5 - 0.5 * variance + std::sqrt(variance) * z);
    const bool is_returned = spot < 95 && held(spot) < 98;
    at_half += weight * half_discount * ((spot >= 90 ? 2 : 0) + (is_returned ? 98 : held(spot)));
    after_half += weight * half_discount * (is_returned ? 0 : held(spot));
  }
  const double expected[] = {at_half, at_half, at_half, after_half, after_half};
  for (std::size_t k = 0; k < 5; ++k) {
    CAPTURE(k);
    const double value = column_of(r, "exposures/discounted_positive")[k];
    CAPTURE(value);
    CAPTURE(expected[k]);
    CHECK(std::fabs(value - expected[k]) <=
          4 * column_of(r, "exposures/discounted_positive_error")[k] + 0.001 * expected[k]);
  }
}

TEST_CASE("exposures of scripts: payments that were made do not count") {
  // Pays 10 at 0.2, the spot at 0.5 and 20 at 1.
  const ModuleResult r = run_module_alone(run_of_scripts(
      alone_in_set("payments", scripted("assets = [\"A\"]\nmaturity = 1.0\n"
                                        "schedules = { first = [0.2], second = [0.5] }",
                                        "schedule first { pay 10 }\nschedule second { pay spot }\n"
                                        "schedule maturity { pay 20 }"))));
  const auto discount = [](double t) { return exponential(-0.03 * t); };
  const double spot = 100 * exponential(-0.01 * 0.5);
  const double expected[] = {10 * discount(0.2) + spot + 20 * discount(1),
                             10 * discount(0.2) + spot + 20 * discount(1), spot + 20 * discount(1),
                             20 * discount(1), 20 * discount(1)};
  for (std::size_t k = 0; k < 5; ++k) {
    CAPTURE(k);
    const double value = column_of(r, "exposures/discounted_positive")[k];
    CAPTURE(value);
    CHECK(std::fabs(value - expected[k]) <=
          4 * column_of(r, "exposures/discounted_positive_error")[k] + 1e-9);
  }
}

TEST_CASE("exposures of scripts: payments that are fixed and not paid yet are known") {
  // Fixed at 0.2 and 0.5 and paid 0.4 later, fixed at 0.2 and paid at the end, and 20 at the end.
  const ModuleResult r = run_module_alone(run_of_scripts(
      alone_in_set("payments", scripted("assets = [\"A\"]\nmaturity = 0.8\npayment_lag = 0.2\n"
                                        "schedules = { first = [0.2], second = [0.5] }",
                                        "schedule first { pay 10 after 0.4; pay 7 at maturity }\n"
                                        "schedule second { pay spot after 0.4 }\n"
                                        "schedule maturity { pay 20 }"))));
  const auto discount = [](double t) { return exponential(-0.03 * t); };
  const double spot = 100 * exponential(0.02 * 0.5) * discount(0.9);
  const double end = 27 * discount(1), all = 10 * discount(0.6) + spot + end;
  const double expected[] = {all, all, all, spot + end, end};  // at 0.2, 0.5, 0.7 and 1
  for (std::size_t k = 0; k < 5; ++k) {
    CAPTURE(k);
    const double value = column_of(r, "exposures/discounted_positive")[k];
    CAPTURE(value);
    CHECK(std::fabs(value - expected[k]) <=
          4 * column_of(r, "exposures/discounted_positive_error")[k] + 1e-9);
  }
  // At 0.7 the spot of 0.5 is still to be paid: a quantile of its lognormal distribution.
  const double quantile =
      100 * std::exp((0.02 - 0.5 * 0.0625) * 0.5 + 0.25 * std::sqrt(0.5) * 1.959963984540054);
  const double largest = quantile * discount(0.2) + 27 * discount(0.3);
  CHECK(std::fabs(column_of(r, "exposures/potential_future")[3] - largest) <=
        4 * column_of(r, "exposures/potential_future_error")[3]);
}
