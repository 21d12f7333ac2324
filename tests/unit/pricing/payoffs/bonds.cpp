// Bonds and options on them: closed forms, simulation, callable bonds, messages.

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/risk/revaluation.hpp"
#include "support/test_executor.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"
#include "tests/unit/pricing/trades/bad_input.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace bond_tests {
namespace {

constexpr double rate = 0.03, kappa = 0.05, sigma = 0.012;
const std::string market =
    "[market]\nrate = 0.03\n[market.rates.R]\nmean_reversion = 0.05\nvolatility = 0.012\n";

std::string trade(const std::string& id, const std::string& terms) {
  return "[[trades]]\nid = \"" + id + "\"\nrate = \"R\"\n" + terms + "\n";
}

std::string bond(const std::string& terms) { return trade("b", "product = \"bond\"\n" + terms); }

std::string bond_option(const std::string& id, const std::string& type, double strike,
                        const std::string& terms) {
  return trade(id, "product = \"bond_option\"\ntype = \"" + type +
                       "\"\nstrike = " + std::to_string(strike) + "\n" + terms);
}

std::vector<double> closed_forms(const std::string& config) {
  const PricingConfig c = read(config);
  for (const std::uint8_t is_closed : closed_form_flags(c)) CHECK(is_closed == 1);
  const Revaluation values(c, gsim::test::test_executor(1), Arithmetic::strict, 1, 1024);
  std::vector<double> list;
  for (const TradeValue& v : values.today()) list.push_back(v.value);
  return list;
}

double discount(double t) { return std::exp(-rate * t); }

/// An option on a zero-coupon bond (Brigo and Mercurio 2006, "Interest Rate Models", eq. 3.40).
double zero_bond_option(double sign, double expiry, double end, double strike) {
  const double b = (1 - std::exp(-kappa * (end - expiry))) / kappa;
  const double variance = sigma * sigma * b * b * (1 - std::exp(-2 * kappa * expiry)) / (2 * kappa);
  return black(sign, discount(end) / discount(expiry), strike, variance, discount(expiry));
}

}  // namespace

TEST_CASE("bonds: values are sums of discounted payments") {
  CHECK(closed_forms(market + bond("end = 5.5"))[0] ==
        doctest::Approx(discount(5.5)).epsilon(1e-13));
  double fixed = discount(5);
  for (int i = 1; i <= 10; ++i) fixed += 0.02 * discount(0.5 * i);
  CHECK(closed_forms(market + bond("end = 5.0\ncoupon = 0.04\nperiod = 0.5"))[0] ==
        doctest::Approx(fixed).epsilon(1e-13));
  // A bond in whose first period today is: the whole coupon is still paid.
  double seasoned = discount(1.75);
  for (int i = 0; i < 2; ++i) seasoned += 0.05 * discount(0.75 + i);
  CHECK(closed_forms(market + bond("start = -1.25\nend = 1.75\ncoupon = 0.05"))[0] ==
        doctest::Approx(seasoned).epsilon(1e-13));
  // A floating bond is at par when it begins; the spread is an annuity.
  double spread = 1;
  for (int i = 1; i <= 4; ++i) spread += 0.01 * discount(i);
  CHECK(closed_forms(market + bond("kind = \"floating\"\nend = 4.0\nspread = 0.01"))[0] ==
        doctest::Approx(spread).epsilon(1e-13));
  const ModuleResult r = run_module_alone(
      {.config = market + bond("end = 5.0\ncoupon = 0.04"), .stop = samples(4096)});
  CHECK(r.estimates[0].standard_error == 0);
}

TEST_CASE("bonds: options agree with the formula of zero-coupon bonds, and with simulation") {
  const std::string portfolio =
      bond_option("zero call", "call", 0.9, "maturity = 2.0\nend = 6.0") +
      bond_option("zero put", "put", 0.88, "maturity = 2.0\nend = 6.0") +
      bond_option("call", "call", 1.01, "maturity = 1.5\nend = 7.0\ncoupon = 0.04\nperiod = 0.5") +
      bond_option("put", "put", 1.01, "maturity = 1.5\nend = 7.0\ncoupon = 0.04\nperiod = 0.5") +
      bond_option("between coupons", "call", 1.0,
                  "maturity = 1.25\nend = 5.0\ncoupon = 0.035\nperiod = 1.0");
  const std::vector<double> values = closed_forms(market + portfolio);
  CHECK(values[0] == doctest::Approx(zero_bond_option(1, 2, 6, 0.9)).epsilon(1e-10));
  CHECK(values[1] == doctest::Approx(zero_bond_option(-1, 2, 6, 0.88)).epsilon(1e-10));
  double forward = discount(7) - 1.01 * discount(1.5);
  for (int i = 4; i <= 14; ++i) forward += 0.02 * discount(0.5 * i);
  CHECK(values[2] - values[3] == doctest::Approx(forward).epsilon(1e-10));
  const ModuleResult r = run_module_alone({.config = market + portfolio, .stop = samples(1 << 17)});
  for (std::size_t i = 0; i < values.size(); ++i) {
    CAPTURE(r.estimates[i].name);
    CAPTURE(r.estimates[i].mean);
    CAPTURE(values[i]);
    CHECK(r.estimates[i].standard_error > 0);
    CHECK(std::fabs(r.estimates[i].mean - values[i]) < 4 * r.estimates[i].standard_error);
  }
}

TEST_CASE("bonds: the right to call a bond at par is one to receive its coupons in a swap") {
  // On coupon dates a bond less its notional is a receiver swap.
  const std::string dates =
      "exercise = \"bermudan\"\nexercise_dates = [1.0, 2.0, 3.0]\nstart = 0.0\nmaturity = 4.0\nend "
      "= 6.0\n";
  const ModuleResult r = run_module_alone(
      {.config = market + bond_option("call", "call", 1.0, dates + "coupon = 0.032\n") +
                 trade("swaption",
                       "product = \"swaption\"\ntype = \"receiver\"\nstrike = 0.032\n"
                       "float_period = 1.0\n" +
                           dates),
       .stop = samples(1 << 16)});
  CHECK(r.estimates[0].mean > 0.02);
  CHECK(r.estimates[0].mean == doctest::Approx(r.estimates[1].mean).epsilon(1e-6));
}

TEST_CASE("bonds: discounted exposures are the payments that are left") {
  // Values of bonds are positive, so that their discounted means are those of today.
  const ModuleResult r = run_module_alone(exposure_run(
      "[exposure]\ntimes = [0.5, 1.25, 2.5]\n[[exposure.netting_sets]]\nname = \"fixed\"\n"
      "[[exposure.netting_sets]]\nname = \"floating\"\n" +
      market +
      trade("fixed",
            "netting_set = \"fixed\"\nproduct = \"bond\"\ncoupon = 0.05\nstart = -0.25\n"
            "end = 3.75") +
      trade("floating",
            "netting_set = \"floating\"\nproduct = \"bond\"\nkind = \"floating\"\n"
            "spread = 0.01\nend = 4.0")));
  const std::vector<double> value = column_of(r, "exposures/discounted_positive");
  const std::vector<double> error = column_of(r, "exposures/discounted_positive_error");
  const std::vector<double> times = column_of(r, "exposures/time");
  REQUIRE(times.size() == 8);  // today and three dates, of each set
  for (std::size_t i = 0; i < times.size(); ++i) {
    const bool is_fixed = i < 4;
    double left = discount(is_fixed ? 3.75 : 4);
    for (int k = 1; k <= 4; ++k) {
      const double end = is_fixed ? k - 0.25 : k;
      if (end <= times[i]) continue;
      left += is_fixed ? 0.05 * discount(end)
                       : 0.01 * discount(end) + discount(end - 1) - discount(end);
    }
    CAPTURE(times[i]);
    CHECK(std::fabs(value[i] - left) < 4 * error[i] + 1e-12);
  }
}

TEST_CASE("bonds: messages") {
  const auto error = [](const std::string& trades) { return error_of(market + trades); };
  check_contains(error(bond("end = 5.2\ncoupon = 0.04")), {"whole number of periods"});
  check_contains(error(bond("kind = \"floating\"\nstart = -0.5\nend = 4.5")),
                 {"fixed before today is not supported"});
  check_contains(error(bond_option("o", "call", 1, "maturity = 5.0\nend = 5.0")),
                 {"not after the maturity"});
  check_contains(error("[[trades]]\nid = \"b\"\nproduct = \"bond\"\nrate = \"X\"\nend = 1.0\n"),
                 {"there is no [market.rates.X]"});
}

}  // namespace bond_tests
