// Scripted payoffs against gsim's own payoffs on the same paths: the same operations in the same
// order give the same bits.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

/// A product of gsim, and a script of the same payoff.
struct Pair {
  const char *builtin, *scripted;
};

const Pair pairs[] = {
    {R"x(product = "european"
asset = "A"
type = "call"
strike = 105.0
maturity = 1.0)x",
     R"x(assets = ["A"]
maturity = 1.0
parameters = { strike = 105.0 }
payoff = "parameter strike; pay max(spot - strike, 0)")x"},
    {R"x(product = "digital"
asset = "B"
type = "put"
strike = 95.0
pays = "cash"
cash = 2.0
maturity = 0.5)x",
     R"x(assets = ["B"]
maturity = 0.5
payoff = "if spot < 95 { pay 2 }")x"},
    // The block that depends on a variable gives it another value.
    {R"x(product = "digital"
asset = "B"
type = "put"
strike = 95.0
pays = "cash"
cash = 2.0
maturity = 0.5)x",
     R"x(assets = ["B"]
maturity = 0.5
payoff = """
state paid = 0
let above = spot >= 95
if not above {
  above = true
  paid = 2
}
pay paid
""")x"},
    {R"x(product = "asian"
asset = "A"
type = "put"
strike = 100.0
maturity = 1.0
fixing_count = 12)x",
     R"x(assets = ["A"]
maturity = 1.0
fixing_count = 12
payoff = """
state total = 0
total = total + spot
if last { pay max(100 - total * (1 / dates), 0) }
""")x"},
    {R"x(product = "barrier"
asset = "A"
type = "put"
kind = "down_and_in"
barrier = 85.0
strike = 100.0
rebate = 2.0
maturity = 1.0
monitoring = "discrete"
fixing_count = 12
payment_lag = 0.02)x",
     R"x(assets = ["A"]
maturity = 1.0
fixing_count = 12
payment_lag = 0.02
payoff = """
state touched = false
if spot <= 85 { touched = true }
schedule maturity { pay where(touched, max(100 - spot, 0), 2) }
""")x"},
    {R"x(product = "barrier"
asset = "A"
type = "call"
kind = "up_and_out"
barrier = 120.0
strike = 100.0
rebate = 4.0
rebate_paid = "at_hit"
maturity = 1.0
monitoring = "discrete"
fixing_count = 12)x",
     R"x(assets = ["A"]
maturity = 1.0
fixing_count = 12
payoff = """
if spot >= 120 {
  pay 4
  call
}
if last { pay max(spot - 100, 0) }
""")x"},
    {R"x(product = "cliquet"
asset = "A"
type = "call"
local_cap = 0.05
local_floor = -0.02
global_floor = 0.01
maturity = 1.0
fixing_count = 12)x",
     R"x(assets = ["A"]
maturity = 1.0
fixing_count = 12
payoff = """
state total = 0
state previous = 100
let gain = clip(spot / previous - 1, -0.02, 0.05)
total = total + gain
previous = spot
if last { pay max(total, 0.01) }
""")x"},
    {R"x(product = "worst_of"
assets = ["A", "B"]
type = "put"
strike = 90.0
maturity = 1.0)x",
     R"x(assets = ["A", "B"]
maturity = 1.0
payoff = "pay max(90 - worst(spot), 0)")x"},
    {R"x(product = "best_of"
assets = ["A", "B"]
type = "call"
strike = 100.0
maturity = 1.0)x",
     R"x(assets = ["A", "B"]
maturity = 1.0
payoff = "pay max(best(spot) - 100, 0)")x"},
};

std::string config_of(const std::string& options, const std::string& market) {
  std::string text =
      "[pricing]\ncontrol_variates = \"none\"\nimportance_sampling = false\n" + options + market;
  int k = 0;
  for (const Pair& p : pairs) {
    text += "[[trades]]\nid = \"built-in " + std::to_string(k) + "\"\n" + p.builtin + "\n";
    text += "[[trades]]\nid = \"script " + std::to_string(k++) + "\"\nproduct = \"scripted\"\n" +
            p.scripted + "\n";
  }
  return text;
}

void check_pairs(const std::string& options, const std::string& market, int ranks = 1) {
  CAPTURE(options);
  const ModuleResult r = run_module_alone(
      {.config = config_of(options, market), .ranks = ranks, .stop = samples(8192)});
  REQUIRE(r.estimates.size() == 2 * std::size(pairs));
  for (std::size_t i = 0; i < r.estimates.size(); i += 2) {
    CAPTURE(r.estimates[i].name);
    CHECK(r.estimates[i].mean == r.estimates[i + 1].mean);
    CHECK(r.estimates[i].standard_error == r.estimates[i + 1].standard_error);
    CHECK(r.estimates[i].mean > 0);
  }
}

}  // namespace

TEST_CASE("scripts of gsim's own payoffs have their bits") {
  check_pairs("", two_assets);
  check_pairs("antithetic = true\n", two_assets);
  check_pairs("precision = \"float\"\n", two_assets);
  check_pairs("sampling = \"sobol\"\nreplicates = 8\n", two_assets);
  check_pairs("", two_assets, 3);
}

TEST_CASE("scripts of gsim's own payoffs have their bits under stochastic and local volatility") {
  const std::string market = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
model = "heston"
v0 = 0.04
kappa = 2.0
theta = 0.05
sigma = 0.4
rho = -0.6
[market.assets.B]
spot = 90.0
model = "merton"
volatility = 0.3
jump_intensity = 0.5
jump_mean = -0.1
jump_sd = 0.1
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.3], [0.3, 1.0]]
)";
  check_pairs("steps_per_year = 12\n", market);
}
