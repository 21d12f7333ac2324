// Exercise today, of payoffs whose value today follows from the path so far.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "tests/unit/pricing/exercise/bounds.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

// An asset whose rate makes waiting expensive.
const std::string market_of_today = R"(
[pricing.exercise]
paths = 4096
dates_per_year = 6
outer_paths = 64
inner_paths = 64
[market]
rate = 0.2
[market.assets.A]
spot = 100
volatility = 0.2
)";

std::string american_trade(const std::string& id, const std::string& keys) {
  return "[[trades]]\nid = \"" + id + "\"\nmaturity = 1\n" + keys + "exercise = \"american\"\n";
}

ModuleResult priced_today(const std::string& text) {
  return run_module_alone({.config = text, .stop = samples(4096)});
}

void check_exercised(const ModuleResult& result, std::size_t trade, double value) {
  CAPTURE(trade);
  const Bounds b = bounds_of(result, trade);
  CHECK(b.low == doctest::Approx(value).epsilon(1e-13));
  CHECK(b.low_error == 0);
}

}  // namespace

TEST_CASE("payoffs on the path so far are exercised today for what they then pay") {
  const std::string asset = "asset = \"A\"\n";
  const ModuleResult result = priced_today(
      market_of_today +
      american_trade("asian", asset + "product = \"asian\"\ntype = \"put\"\nstrike = 180\n"
                                      "past_fixings = [110.0, 90.0]\nfixings = [0.0, 0.5, 1.0]\n") +
      american_trade("window",
                     asset + "product = \"window_barrier\"\ntype = \"put\"\nstrike = 160\n"
                             "kind = \"down_and_out\"\nbarrier = 50\nfixings = [0.0, 0.5, 1.0]\n") +
      american_trade("continuous window",
                     asset +
                         "product = \"window_barrier\"\ntype = \"put\"\nstrike = 160\n"
                         "kind = \"down_and_out\"\nbarrier = 50\nmonitoring = \"continuous\"\n") +
      american_trade("barrier", asset + "product = \"barrier\"\ntype = \"put\"\nstrike = 160\n"
                                        "kind = \"down_and_in\"\nbarrier = 120\n") +
      american_trade("lookback", asset +
                                     "product = \"lookback\"\ntype = \"put\"\nkind = \"floating\"\n"
                                     "past_extreme = 200\n") +
      american_trade("cliquet",
                     asset + "product = \"cliquet\"\ntype = \"put\"\nlocal_cap = 0.3\n"
                             "local_floor = -0.3\nlast_reset = 125\nfixings = [0.0, 1.0]\n"));
  check_exercised(result, 0, 80);  // 180 - (110 + 90 + 100) / 3
  check_exercised(result, 1, 60);
  check_exercised(result, 2, 60);
  check_exercised(result, 3, 60);  // touched today
  check_exercised(result, 4, 100);
  check_exercised(result, 5, 0.2);  // (125 - 100) / 125
}

TEST_CASE("an option that is not knocked in yet is not exercised today") {
  const std::string keys =
      "asset = \"A\"\ntype = \"put\"\nstrike = 160\nkind = \"up_and_in\"\nbarrier = 120\n";
  const ModuleResult result = priced_today(
      market_of_today + american_trade("barrier", keys + "product = \"barrier\"\n") +
      american_trade("window",
                     keys + "product = \"window_barrier\"\nmonitoring = \"continuous\"\n"));
  for (const std::size_t trade : {0, 1}) {
    const Bounds b = bounds_of(result, trade);
    CHECK(b.low_error > 0);
    CHECK(b.low < 60);
    CHECK(b.low > 10);
  }
}

TEST_CASE("scripts that give the right to exercise today, with a lag of the payment") {
  const auto script = [](const std::string& id, const std::string& text) {
    return "[[trades]]\nid = \"" + id +
           "\"\nproduct = \"scripted\"\nassets = [\"A\"]\nmaturity = 1\npayment_lag = 0.25\n"
           "fixings = [0.0, 0.5, 1.0]\npayoff = \"\"\"\n" +
           text + "\n\"\"\"\n";
  };
  const ModuleResult result =
      priced_today(market_of_today + script("now", "exercise 160 - spot") +
                   script("later", "if index > 1 { exercise 160 - spot }") +
                   script("coupon", "pay 2\nexercise 160 - spot\nschedule maturity { pay 1 }"));
  const double lag = std::exp(-0.2 * 0.25);
  check_exercised(result, 0, 60 * lag);
  CHECK(bounds_of(result, 1).low_error > 0);
  CHECK(bounds_of(result, 1).low < 55 * lag);
  check_exercised(result, 2, 62 * lag);  // the coupon of today is kept
}

TEST_CASE("a swaption is exercised today into the swap of today") {
  const std::string swap =
      "rate = \"R\"\ntype = \"receiver\"\nstrike = 0.2\nstart = 0.0\nend = 5.0\n";
  const ModuleResult result = priced_today(
      "[pricing.exercise]\npaths = 4096\nouter_paths = 64\ninner_paths = 64\n"
      "dates_per_year = 2\n[market]\nrate = 0.03\n[market.rates.R]\nmean_reversion = "
      "0.1\nvolatility = 0.01\n"
      "[[trades]]\nid = \"swaption\"\nproduct = \"swaption\"\nmaturity = 4.0\n"
      "exercise = \"american\"\n" +
      swap + "[[trades]]\nid = \"swap\"\nproduct = \"swap\"\n" + swap);
  check_exercised(result, 0, result.estimates.at(1).mean);
}
