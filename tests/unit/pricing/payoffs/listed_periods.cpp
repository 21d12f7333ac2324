// Swaps, caps and swaptions whose periods are listed by dates.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "src/modules/pricing/risk/revaluation.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string two_curves = R"(
[market]
rate = 0.03
[market.curves.FORECAST]
times = [20.0]
values = [0.035]
[market.rates.USD]
mean_reversion = 0.05
volatility = 0.01
forecast = "FORECAST"
)";

std::string listed_trade(const std::string& terms) {
  return "[[trades]]\nid = \"T\"\nrate = \"USD\"\nstrike = 0.03\n" + terms + "\n";
}

double closed_value(const std::string& terms) {
  const PricingConfig config = read(two_curves + listed_trade(terms));
  REQUIRE(closed_form_flags(config) == std::vector<std::uint8_t>{1});
  return Revaluation(config, gsim::test::test_executor(1), Arithmetic::strict, 1, 1024)
      .today()[0]
      .value;
}

double discount_at(double t) { return std::exp(-0.03 * t); }
/// tau L of the forecast curve.
double growth(double start, double end) { return std::exp(0.035 * (end - start)) - 1; }

const std::string halves =
    "float_dates = [0.0, 0.5, 1.0, 1.5, 2.0]\nfixed_dates = [0.0, 1.0, 2.0]\n";

}  // namespace

TEST_CASE("listed periods: equal periods have the bits of regular ones") {
  const std::string regular = "end = 2.0\nfloat_period = 0.5\n";
  CHECK(closed_value("product = \"swap\"\n" + halves) ==
        closed_value("product = \"swap\"\n" + regular));
  const std::string cap = "product = \"cap_floor\"\ntype = \"cap\"\n";
  CHECK(closed_value(cap + "float_dates = [0.0, 0.5, 1.0, 1.5, 2.0]\n") ==
        closed_value(cap + regular));
  const std::string swaption = "product = \"swaption\"\ntype = \"payer\"\nmaturity = 1.0\n";
  CHECK(closed_value(swaption + halves) == closed_value(swaption + "start = 0.0\n" + regular));
}

TEST_CASE("listed periods: year fractions, spread, dates of payment and known rates of a swap") {
  const double value = closed_value(
      "product = \"swap\"\nspread = 0.002\nknown_rates = [0.041]\n"
      "float_dates = [-0.7, -0.2, 0.3, 0.8]\nfloat_accruals = [0.5, 0.51, 0.52]\n"
      "float_payments = [-0.2, 0.31, 0.83]\n"
      "fixed_dates = [-0.2, 0.8]\nfixed_accruals = [1.01]\nfixed_payments = [0.82]\n");
  const double expected = (0.041 + 0.002) * 0.51 * discount_at(0.31) +
                          (growth(0.3, 0.8) + 0.002 * 0.52) * discount_at(0.83) -
                          0.03 * 1.01 * discount_at(0.82);
  CHECK(value == doctest::Approx(expected).epsilon(1e-13));
}

TEST_CASE("listed periods: caps less floors are swaps, and known rates pay for certain") {
  const std::string dates =
      "float_dates = [-0.1, 0.4, 0.9, 1.4]\nfloat_payments = [0.4, 0.92, 1.41]\n"
      "float_accruals = [0.51, 0.5, 0.52]\nspread = 0.001\nknown_rates = [0.034]\n";
  const double cap = closed_value("product = \"cap_floor\"\ntype = \"cap\"\n" + dates);
  const double floor = closed_value("product = \"cap_floor\"\ntype = \"floor\"\n" + dates);
  const double expected = (0.034 + 0.001 - 0.03) * 0.51 * discount_at(0.4) +
                          (growth(0.4, 0.9) - 0.029 * 0.5) * discount_at(0.92) +
                          (growth(0.9, 1.4) - 0.029 * 0.52) * discount_at(1.41);
  CHECK(cap - floor == doctest::Approx(expected).epsilon(1e-12));
  CHECK(floor > 0);
}

TEST_CASE("listed periods: simulated caps and swaptions agree with the closed forms") {
  const std::string dates =
      "float_dates = [0.1, 0.6, 1.1, 1.6, 2.1]\nfloat_payments = [0.61, 1.13, 1.6, 2.12]\n"
      "float_accruals = [0.51, 0.5, 0.52, 0.5]\n";
  const std::string fixed = "fixed_dates = [0.1, 1.1, 2.1]\nfixed_payments = [1.12, 2.13]\n";
  for (const std::string& terms :
       {"product = \"cap_floor\"\ntype = \"floor\"\n" + dates,
        "product = \"swaption\"\ntype = \"receiver\"\nmaturity = 1.05\n" + dates + fixed}) {
    const ModuleResult r =
        run_module_alone({.config = two_curves + listed_trade(terms), .stop = samples(1 << 17)});
    const Estimate& e = r.estimates[0];
    CAPTURE(terms);
    CHECK(e.standard_error > 0);
    CHECK(std::fabs(e.mean - closed_value(terms)) < 4 * e.standard_error);
  }
}

TEST_CASE("listed periods: exposures have all coupons that are fixed and not paid yet") {
  const std::string terms =
      "product = \"swap\"\nfloat_dates = [0.0, 0.5, 1.0, 1.5, 2.0]\n"
      "float_payments = [0.9, 1.4, 1.9, 2.4]\nfixed_dates = [0.0, 1.0, 2.0]\n";
  const ModuleResult r = run_module_alone(
      exposure_run("[exposure]\nregression_paths = 4096\ntimes = [0.55, 0.7, 0.85, 1.3]\n"
                   "[[exposure.netting_sets]]\nname = \"set\"\n" +
                   two_curves + listed_trade(terms + "netting_set = \"set\"\n")));
  const auto column = [&](const std::string& name, std::size_t row) {
    return column_of(r, "exposures/discounted_" + name)[row];
  };
  const double today = closed_value(terms);
  // At 1.3 the first coupons are paid, and two floating ones are running.
  const double paid = growth(0, 0.5) * discount_at(0.9) - 0.03 * discount_at(1.0);
  for (std::size_t row = 1; row <= 4; ++row) {
    CAPTURE(row);
    const double mean = column("positive", row) - column("negative", row);
    const double error = column("positive_error", row) + column("negative_error", row);
    CAPTURE(mean);
    CHECK(error > 0);
    CHECK(error < 2e-3);  // a floating coupon is worth 0.017
    CHECK(std::fabs(mean - (row == 4 ? today - paid : today)) < 4 * error);
  }
}

TEST_CASE("listed periods: messages") {
  const auto message = [](const std::string& terms) {
    return error_of(two_curves + listed_trade("product = \"swap\"\n" + terms));
  };
  CHECK(contains(message(""), "missing key `end`"));
  CHECK(contains(message("end = 2.0\n" + halves), "`end` cannot be combined with `float_dates`"));
  CHECK(contains(message("float_dates = [0.0, 1.0]\n"), "add `fixed_dates`"));
  CHECK(contains(message("end = 2.0\nfixed_accruals = [1.0]\n"), "`fixed_accruals` needs"));
  CHECK(contains(message("float_dates = [0.0]\nfixed_dates = [0.0, 1.0]\n"), "at least two dates"));
  CHECK(contains(message("float_dates = [1.0, 0.5]\nfixed_dates = [0.0, 1.0]\n"),
                 "the dates must increase, and 0.5 follows 1"));
  CHECK(contains(message(halves + "float_accruals = [0.5]\n"), "1 values for 4 periods"));
  CHECK(contains(message(halves + "fixed_payments = [0.9, 2.0]\n"),
                 "the payment at 0.9 is before the end 1 of its period"));
  CHECK(contains(message("float_dates = [-2.0, -1.0]\nfixed_dates = [0.0, 1.0]\n"),
                 "every payment is in the past"));
  CHECK(contains(message("float_dates = [-0.5, 0.5]\nfixed_dates = [0.0, 1.0]\n"),
                 "give its rate in `known_rates`"));
  CHECK(contains(message(halves + "known_rates = [0.1, 0.1, 0.1, 0.1, 0.1]\n"),
                 "5 rates for 4 periods"));
  const auto swaption = [](const std::string& dates) {
    return error_of(two_curves + listed_trade("product = \"swaption\"\ntype = \"payer\"\n"
                                              "maturity = 1.05\n" +
                                              dates));
  };
  CHECK(contains(swaption("float_dates = [0.1, 1.0, 2.0]\nfixed_dates = [0.0, 1.1, 2.1]\n"),
                 "no floating period begins at the maturity 1.05 or later"));
  CHECK(contains(swaption("float_dates = [0.0, 1.1, 2.1]\nfixed_dates = [0.1, 1.0, 2.0]\n"),
                 "no fixed period begins at the maturity 1.05 or later"));
}
