// Products that are scripts, where they reduce to others or to closed forms. Values by quadrature
// are in validation/risk.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

double cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// The message about a trade with these keys.
std::string message(const std::string& keys) {
  return error_of(one_asset + trade_table("T", keys));
}

}  // namespace

TEST_CASE("Parisian and window barriers of one date in the whole life are discrete barriers") {
  const std::string keys =
      "asset = \"A\"\ntype = \"put\"\nkind = \"down_and_in\"\nbarrier = 85.0\nstrike = 100.0\n"
      "rebate = 2.0\nmaturity = 1.0\nfixing_count = 12\npayment_lag = 0.02\n";
  const ModuleResult r = run_module_alone(
      {.config =
           "[pricing]\ncontrol_variates = \"none\"\n" + one_asset +
           trade_table("barrier", "product = \"barrier\"\nmonitoring = \"discrete\"\n" + keys) +
           trade_table("window", "product = \"window_barrier\"\n" + keys) +
           trade_table("parisian", "product = \"parisian\"\nconsecutive = 1\n" + keys) +
           trade_table("two", "product = \"parisian\"\nconsecutive = 2\n" + keys),
       .stop = samples(1 << 14)});
  CHECK(find(r, "window").mean == find(r, "barrier").mean);
  CHECK(find(r, "parisian").mean == find(r, "barrier").mean);
  CHECK(find(r, "two").mean < find(r, "barrier").mean);
}

TEST_CASE("continuous windows: the whole life is a barrier's, with the same bits on any ranks") {
  const std::string keys =
      "asset = \"A\"\ntype = \"call\"\nkind = \"up_and_in\"\nbarrier = 120.0\nstrike = 100.0\n"
      "rebate = 2.0\nmaturity = 1.0\nmonitoring = \"continuous\"\n";
  const auto run = [&](int ranks, const std::string& options) {
    return run_module_alone(
        {.config = "[pricing]\n" + options + one_asset +
                   trade_table("barrier", "product = \"barrier\"\n" + keys) +
                   trade_table("whole", "product = \"window_barrier\"\n" + keys) +
                   trade_table("part",
                               "product = \"window_barrier\"\nwindow_start = 0.25\n"
                               "window_end = 0.5\n" +
                                   keys) +
                   trade_table("past",
                               "product = \"window_barrier\"\nwindow_start = -0.25\n"
                               "touched = true\n" +
                                   keys) +
                   trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100),
         .ranks = ranks,
         .stop = samples(1 << 14)});
  };
  for (const char* options : {"", "precision = \"float\"\n", "antithetic = true\n"}) {
    const ModuleResult one = run(1, options), three = run(3, options);
    CHECK(one.digest == three.digest);
    CHECK(find(one, "whole").mean == find(one, "barrier").mean);
    CHECK(find(one, "part").mean < find(one, "whole").mean);
  }
  const ModuleResult plain = run(1, "control_variates = \"none\"\n");
  CHECK(find(plain, "past").mean == find(plain, "call").mean);
}

TEST_CASE("continuous windows: messages") {
  const std::string keys =
      "product = \"window_barrier\"\nasset = \"A\"\ntype = \"call\"\nkind = \"up_and_in\"\n"
      "barrier = 120.0\nstrike = 100.0\nmaturity = 1.0\nmonitoring = \"continuous\"\n";
  CHECK(contains(message(keys + "window_end = 1.5\n"),
                 "the window ends at 1.5, after the maturity 1"));
  CHECK(contains(message(keys + "window_start = 0.5\nwindow_end = 0.5\n"),
                 "the window ends at 0.5, which is not after its start 0.5"));
  CHECK(contains(message(keys + "window_start = -0.5\nwindow_end = -0.1\n"),
                 "the window ends at -0.1 years, which is not after today"));
  CHECK(contains(message(keys + "fixing_count = 4\n"), "`fixing_count` belongs to monitoring"));
}

TEST_CASE("options that were knocked in or out before today have the values of what is left") {
  const std::string keys =
      "asset = \"A\"\ntype = \"call\"\nbarrier = 85.0\nstrike = 100.0\n"
      "maturity = 1.0\nfixing_count = 4\n";
  const ModuleResult r = run_module_alone(
      {.config = "[pricing]\ncontrol_variates = \"none\"\n" + one_asset +
                 trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100) +
                 trade_table("in",
                             "product = \"window_barrier\"\nkind = \"down_and_in\"\n"
                             "touched = true\n" +
                                 keys) +
                 trade_table("up",
                             "product = \"parisian\"\nkind = \"down_and_in\"\n"
                             "consecutive = 3\nconsecutive_before = 2\n" +
                                 keys) +
                 trade_table("one",
                             "product = \"parisian\"\nkind = \"down_and_in\"\n"
                             "consecutive = 3\n" +
                                 keys),
       .stop = samples(1 << 14)});
  CHECK(find(r, "in").mean == find(r, "call").mean);
  CHECK(find(r, "up").mean > find(r, "one").mean);
}

TEST_CASE("a phoenix note with one date is a sum of digitals") {
  const ModuleResult r = run_module_alone(
      {.config = one_asset + trade_table("note",
                                         "product = \"phoenix\"\nassets = [\"A\"]\n"
                                         "maturity = 1.0\ncoupon = 0.1\nnotional = 50.0\n"
                                         "coupon_barrier = 0.95\ncall = [1.05]\n"
                                         "knock_in = 0.8\n"),
       .stop = samples(1 << 16)});
  // Black and Scholes 1973: probabilities of S >= K under the measures of cash and of the asset.
  const auto d = [](double level) { return (-std::log(level) + 0.05 - 0.02) / 0.2; };
  const double value =
      50 * (std::exp(-0.05) * (0.1 * cdf(d(0.95)) + cdf(d(0.8))) + cdf(-d(0.8) - 0.2));
  check_price(r, "note", value, 1e-9);
}

TEST_CASE("coupons of a phoenix note with memory that were missed before are paid with the next") {
  const std::string keys =
      "product = \"phoenix\"\nassets = [\"A\"]\nmaturity = 1.0\nfixing_count = 4\n"
      "coupon = 0.02\ncall = [inf]\nknock_in = 0.0\nmemory = true\n";
  const ModuleResult r = run_module_alone({.config = one_asset + trade_table("none", keys) +
                                                     trade_table("three", keys + "missed = 3\n"),
                                           .stop = samples(1 << 12)});
  // Without a barrier each coupon is paid, the first one four times.
  CHECK(find(r, "three").mean - find(r, "none").mean ==
        doctest::Approx(3 * 0.02 * std::exp(-0.05 * 0.25)).epsilon(1e-12));
}

TEST_CASE("a Napoleon with one period is a call on its return") {
  const ModuleResult r =
      run_module_alone({.config = one_asset + trade_table("one",
                                                          "product = \"napoleon\"\nasset = \"A\"\n"
                                                          "maturity = 1.0\nfixing_count = 1\n"
                                                          "coupon = 0.1\n"),
                        .stop = samples(1 << 16)});
  const double d = (-std::log(0.9) + 0.05 + 0.02) / 0.2;  // max(S / 100 - 0.9, 0)
  check_price(r, "one", cdf(d) - 0.9 * std::exp(-0.05) * cdf(d - 0.2), 1e-9);
}

TEST_CASE("structured products: messages about their keys") {
  const std::string phoenix =
      "product = \"phoenix\"\nassets = [\"A\"]\nmaturity = 1.0\n"
      "coupon = 0.1\nknock_in = 0.8\nfixing_count = 4\n";
  CHECK(contains(message(phoenix + "call = [1.0, 0.9]\n"), "2 levels for 4 dates"));
  CHECK(contains(message(phoenix + "call = [1.0]\ninitial = [1.0, 2.0]\n"),
                 "2 initial levels for 1 underlyings"));
  CHECK(contains(message(phoenix + "call = [1.0]\nmissed = 3\n"),
                 "missed coupons are paid by notes with memory only"));
  CHECK(contains(message(phoenix + "call = [1.0]\nmissed = 3\nmemory = false\n"),
                 "set memory = true, or leave `missed` out"));
  CHECK(contains(message(phoenix + "call = [1.0]\nmissed = 1.5\nmemory = true\n"),
                 "`missed` must be an integer"));
  CHECK(message(phoenix + "call = [1.0]\nmissed = 0\n").empty());
  CHECK(contains(message("product = \"napoleon\"\nasset = \"A\"\nmaturity = 1.0\ncoupon = 0.1\n"
                         "fixing_count = 12\nperiods_per_coupon = 5\n"),
                 "12 periods are no whole number of coupons of 5 periods"));
  CHECK(contains(message("product = \"napoleon\"\nasset = \"A\"\nmaturity = 1.0\ncoupon = 0.1\n"),
                 "a Napoleon needs a period"));
  CHECK(contains(message("product = \"window_barrier\"\nasset = \"A\"\ntype = \"put\"\n"
                         "kind = \"up_and_in\"\nbarrier = 110.0\nstrike = 100.0\nmaturity = 1.0\n"),
                 "no dates at which the barrier is monitored"));
}
