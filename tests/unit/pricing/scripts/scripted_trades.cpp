// Trades with a script: keys, schedules, past fixings, payment dates, Greeks, risk, messages.

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

std::string scripted(const std::string& keys, const std::string& payoff) {
  return "[[trades]]\nid = \"S\"\nproduct = \"scripted\"\n" + keys + "payoff = \"\"\"\n" + payoff +
         "\"\"\"\n";
}

const std::string one_year = "assets = [\"A\"]\nmaturity = 1.0\n";

/// The value of payments that do not depend on the paths.
double certain_value(const std::string& keys, const std::string& payoff) {
  const ModuleResult r =
      run_module_alone({.config = one_asset + scripted(keys, payoff), .stop = samples(4096)});
  REQUIRE(r.estimates.size() == 1);
  CHECK(!(r.estimates[0].standard_error > 1e-12));  // NaN: all samples are equal
  return r.estimates[0].mean;
}

}  // namespace

TEST_CASE("payments of scripts are discounted to their dates") {
  const auto discount = [](double t) { return std::exp(-0.05 * t); };
  const std::string quarterly = one_year + "fixing_count = 4\npayment_lag = 0.1\n";
  const auto check = [&](const std::string& payoff, double value) {
    CAPTURE(payoff);
    CHECK(certain_value(quarterly, payoff) == doctest::Approx(value).epsilon(1e-13));
  };
  check("pay 1", discount(0.35) + discount(0.6) + discount(0.85) + discount(1.1));
  check("pay 1 at maturity", 4 * discount(1.1));
  check("pay 1 after 0", discount(0.25) + discount(0.5) + discount(0.75) + discount(1));
  check("pay index after 0.5",
        discount(0.75) + 2 * discount(1) + 3 * discount(1.25) + 4 * discount(1.5));
  check("if index == 2 { pay 1; call }; pay 0.01 after 0", 0.01 * discount(0.25) + discount(0.6));
}

TEST_CASE("dates of schedules that a script names") {
  const std::string keys = one_year +
                           "schedules = { coupon = [0.25, 0.75], notice = [0.5, 0.75, 1.0] }\n"
                           "parameters = { rate = [0.01, 0.02] }\n";
  const std::string payoff = R"(parameter rate[coupon]
state notices = 0
schedule coupon { pay rate * 100 * index after 0 }
schedule notice { notices = notices + 1 }
schedule maturity { pay notices after 0 }
)";
  const double value =
      1 * std::exp(-0.05 * 0.25) + 4 * std::exp(-0.05 * 0.75) + 3 * std::exp(-0.05);
  CHECK(certain_value(keys, payoff) == doctest::Approx(value).epsilon(1e-13));
}

TEST_CASE("trades share a script by name, with their own parameters") {
  const std::string config = R"(
[pricing.scripts.call_spread]
payoff = """
parameter low
parameter high = 110
pay max(spot - low, 0) - max(spot - high, 0)
"""
)" + one_asset + R"(
[[trades]]
id = "NARROW"
product = "scripted"
script = "call_spread"
assets = ["A"]
maturity = 1.0
parameters = { low = 100.0 }
[[trades]]
id = "WIDE"
product = "scripted"
script = "call_spread"
assets = ["A"]
maturity = 1.0
parameters = { low = 90.0, high = 130.0 }
)";
  const ModuleResult r = run_module_alone({.config = config, .stop = samples(1 << 16)});
  const auto call = [](double strike) {  // Black and Scholes 1973
    const double d = (std::log(100 / strike) + 0.05 + 0.02) / 0.2;
    const auto n = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    return 100 * n(d) - strike * std::exp(-0.05) * n(d - 0.2);
  };
  check_price(r, "NARROW", call(100) - call(110), 1e-9);
  check_price(r, "WIDE", call(90) - call(130), 1e-9);
}

TEST_CASE("scripted trades: messages name the place in the configuration") {
  const auto message = [](const std::string& keys, const std::string& payoff) {
    return error_of(one_asset + scripted(keys, payoff));
  };
  // The script begins in line 13 of the text.
  const std::string unknown = message(one_year, "\npay spot - strike\n");
  CAPTURE(unknown);
  CHECK(contains(unknown, "test.toml:14:12: `strike` is not defined"));
  CHECK(contains(unknown, "pay spot - strike"));
  CHECK(contains(unknown, "in trade `S`"));
  const std::string twice = message(one_year, "let a = 1\nlet a = 2\npay a\n");
  CAPTURE(twice);
  CHECK(contains(twice, "test.toml:14:5: `a` is already defined in line 13"));
  // The lines of a text with escapes are not those of the file.
  CHECK(contains(error_of(one_asset + "[[trades]]\nid = \"S\"\nproduct = \"scripted\"\n" +
                          one_year + "payoff = \"let a = 1\\nlet a = 2\\npay a\"\n"),
                 "line 2, column 5 of the script: `a` is already defined in line 1"));
  CHECK(contains(message(one_year, "parameter k\npay k\n"), "missing table [trades.0.parameters]"));
  CHECK(contains(message(one_year + "parameters = { j = 1 }\n", "parameter k\npay k\n"),
                 "missing key `k` in [trades.parameters]"));
  CHECK(contains(message(one_year + "parameters = { k = 1, j = 1 }\n", "parameter k\npay k\n"),
                 "unknown key `j`"));
  CHECK(
      contains(message(one_year + "parameters = { k = [1, 2] }\n", "parameter k[assets]\npay k\n"),
               "`k` needs one value for each of the 1 assets, not 2"));
  CHECK(contains(message(one_year, "schedule other { pay 1 }\n"),
                 "missing table [trades.0.schedules]"));
  CHECK(contains(
      message(one_year + "schedules = { other = [0.5, 2.0] }\n", "schedule other { pay 1 }\n"),
      "the last date 2 of the schedule `other` is after the maturity 1"));
  CHECK(contains(message(one_year + "fixing_count = 2\n", "schedule maturity { pay 1 }\n"),
                 "no statement of the script is executed at `fixings`"));
  CHECK(contains(message(one_year + "script = \"x\"\n", "pay 1\n"), "either `payoff` or `script`"));
  CHECK(contains(message(one_year + "exercise = \"american\"\n", "pay 1\n"),
                 "the statements `exercise` of a script say when it may be exercised"));
  CHECK(contains(
      message("assets = [\"A\"]\nmaturity = 1.0\nfixings = [-0.5, 0.5, 1.0]\n", "pay spot\n"),
      "no fixing of asset `A`"));
  const std::string keys = "[[trades]]\nid = \"S\"\nproduct = \"scripted\"\n" + one_year;
  CHECK(contains(error_of(one_asset + keys), "a scripted trade without a script"));
  CHECK(contains(error_of(one_asset + keys + "script = \"x\"\n"), "there is no script `x`"));
  CHECK(contains(error_of(one_asset + keys + "payoff = 'pay spott'\n"),
                 "test.toml:12:15: `spott` is not defined"));
}

TEST_CASE("past fixings of a script are observed on their dates") {
  const std::string keys =
      "assets = [\"A\"]\nmaturity = 0.5\nfixings = [-0.25, 0.0, 0.5]\npayment_lag = 0.3\n";
  const gsim::test::ScratchFolder folder;
  const std::string path = folder / "fixings.csv";
  std::ofstream(path) << "asset,date,value\nA,-0.25,80\n";
  const std::string config =
      "[pricing]\ncontrol_variates = \"none\"\ngreeks = [\"delta\"]\n[market]\nrate = 0.05\n"
      "fixings_file = \"" +
      path + "\"\n[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n" +
      scripted(keys, R"(state total = 0
total = total + spot
pay index
if last { pay total at maturity }
)");
  const ModuleResult r = run_module_alone({.config = config, .stop = samples(1 << 16)});
  const auto discount = [](double t) { return std::exp(-0.05 * t); };
  // E S(0.5) = 100 e^(0.025); today's fixing is 100.
  const double value = 1 * discount(0.05) + 2 * discount(0.3) + 3 * discount(0.8) +
                       discount(0.8) * (180 + 100 * std::exp(0.025));
  check_price(r, "S", value, 1e-9);
}
