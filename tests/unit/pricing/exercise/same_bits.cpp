// Early exercise gives the same bits for every division of the work, and after a resumed run.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "tests/unit/pricing/copied_parts.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

constexpr const char* portfolio = R"(
[pricing]
steps_per_year = 12
[pricing.exercise]
dates_per_year = 6
paths = 12288
outer_paths = 192
inner_paths = 64
[market]
rate = 0.05
[market.assets.A]
spot = 100
volatility = 0.2
[market.assets.B]
spot = 100
dividend = 0.1
volatility = 0.3
[market.assets.H]
model = "bates"
spot = 100
v0 = 0.04
kappa = 2
theta = 0.04
sigma = 0.4
rho = -0.6
jump_intensity = 0.5
jump_mean = -0.1
jump_sd = 0.1
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.5], [0.5, 1.0]]
[[trades]]
id = "put"
product = "european"
asset = "A"
type = "put"
strike = 105
maturity = 1
exercise = "american"
[[trades]]
id = "today"
product = "european"
asset = "A"
type = "put"
strike = 160
maturity = 1
exercise = "american"
[[trades]]
id = "bates"
product = "european"
asset = "H"
type = "put"
strike = 105
maturity = 1
exercise = "american"
[[trades]]
id = "best"
product = "best_of"
assets = ["A", "B"]
type = "call"
strike = 100
maturity = 1
exercise = "bermudan"
exercise_count = 4
[[trades]]
id = "basket"
product = "basket"
assets = ["A", "B"]
weights = [0.5, 0.5]
type = "put"
strike = 105
maturity = 1
exercise = "bermudan"
exercise_dates = [0.25, 0.5]
[[trades]]
id = "asian"
product = "asian"
asset = "A"
type = "call"
strike = 105
maturity = 1
fixing_count = 6
exercise = "american"
[[trades]]
id = "barrier"
product = "barrier"
asset = "A"
type = "put"
strike = 105
kind = "down_and_out"
barrier = 80
maturity = 1
exercise = "american"
[[trades]]
id = "lookback"
product = "lookback"
asset = "A"
type = "put"
kind = "floating"
maturity = 1
exercise = "american"
[[trades]]
id = "start"
product = "forward_start"
asset = "B"
type = "call"
start = 0.25
moneyness = 1.0
maturity = 1
exercise = "american"
[[trades]]
id = "short position"
product = "digital"
asset = "A"
type = "put"
strike = 100
cash = 10
quantity = -3
maturity = 1
exercise = "american"
)";

// Payoffs of which exercise may cost, and those that launchers evaluate.
constexpr const char* path_dependent = R"(
[pricing]
steps_per_year = 12
antithetic = true
greeks = ["delta"]
[pricing.exercise]
dates_per_year = 4
paths = 12288
outer_paths = 192
inner_paths = 64
[market]
rate = 0.05
[market.assets.A]
spot = 100
dividend = 0.04
volatility = 0.2
[[trades]]
id = "variance"
product = "variance_swap"
asset = "A"
strike = 0.04
maturity = 1
fixing_count = 4
exercise = "american"
[[trades]]
id = "rebate"
product = "barrier"
asset = "A"
type = "put"
strike = 105
kind = "down_and_out"
barrier = 85
rebate = 4
rebate_paid = "at_hit"
maturity = 1
exercise = "american"
[[trades]]
id = "plugin"
product = "european_copy"
asset = "A"
strike = 95
maturity = 1
exercise = "american"
[[trades]]
id = "script"
product = "scripted"
assets = ["A"]
maturity = 1
fixing_count = 4
payoff = """
pay where(spot >= 90, 1, -1)
if spot < 110 { exercise max(105 - spot, 0) }
"""
)";

void check_same(const ModuleResult& a, const ModuleResult& b) {
  CHECK(a.results == b.results);
  CHECK(a.state == b.state);
  CHECK(a.digest == b.digest);
}

}  // namespace

TEST_CASE("exercise policies and bounds have the same bits on any number of ranks and threads") {
  const ModuleResult one_rank = run_module_alone({.config = portfolio, .stop = samples(4 * 4096)});
  CHECK(one_rank.estimates.size() == 10);
  for (const Estimate& e : one_rank.estimates) {
    CAPTURE(e.name);
    CHECK(std::isfinite(e.mean));
  }
  for (const int ranks : {2, 7}) {
    CAPTURE(ranks);
    check_same(one_rank, run_module_alone({.config = portfolio,
                                           .ranks = ranks,
                                           .threads = 1 + ranks % 2,
                                           .stop = samples(4 * 4096)}));
  }
}

TEST_CASE("policies of payoffs with launchers have the same bits for every division of the work") {
  const auto run = [](int ranks, int threads, const ModuleResult* part) {
    return run_module_alone({.config = path_dependent,
                             .ranks = ranks,
                             .threads = threads,
                             .stop = samples(4 * 4096),
                             .resume = part != nullptr ? &part->state : nullptr,
                             .resume_at = part != nullptr ? 2 : 0,
                             .payoffs = {&european_copy}});
  };
  const ModuleResult whole = run(1, 1, nullptr);
  CHECK(whole.estimates.size() == 4);
  check_same(whole, run(2, 1, nullptr));
  check_same(whole, run(3, 2, nullptr));
  check_same(whole, run(7, 1, nullptr));
  const ModuleResult part = run_module_alone({.config = path_dependent,
                                              .stop = samples(4 * 4096),
                                              .stop_at = 2,
                                              .payoffs = {&european_copy}});
  check_same(whole, run(2, 2, &part));
}

TEST_CASE("policies of payoffs with launchers in single precision") {
  const ModuleResult doubles = run_module_alone(
      {.config = path_dependent, .stop = samples(4 * 4096), .payoffs = {&european_copy}});
  std::string config = path_dependent;
  config.replace(config.find("antithetic"), 0, "precision = \"float\"\n");
  const ModuleResult floats =
      run_module_alone({.config = config, .stop = samples(4 * 4096), .payoffs = {&european_copy}});
  for (std::size_t t = 0; t < 4; ++t) {
    const Estimate &a = doubles.estimates.at(t), &b = floats.estimates.at(t);
    CAPTURE(a.name);
    // The same paths up to rounding, few of which are exercised at another date; their extremes
    // between dates are drawn anew.
    const double errors = a.name == "rebate" ? 4 * std::hypot(1, 1) : 0.2;
    CHECK(std::fabs(a.mean - b.mean) <= errors * a.standard_error);
  }
}

TEST_CASE("a resumed run with early exercise ends with the bits of an uninterrupted one") {
  const ModuleResult whole = run_module_alone({.config = portfolio, .stop = samples(8 * 4096)});
  const ModuleResult part =
      run_module_alone({.config = portfolio, .stop = samples(8 * 4096), .stop_at = 3});
  check_same(whole, run_module_alone({.config = portfolio,
                                      .ranks = 2,
                                      .stop = samples(8 * 4096),
                                      .resume = &part.state,
                                      .resume_at = 3}));
}

TEST_CASE("options that are exercised today have a certain price") {
  const ModuleResult result = run_module_alone({.config = portfolio, .stop = samples(4 * 4096)});
  const Estimate& today = result.estimates.at(1);
  CHECK(today.mean == doctest::Approx(60).epsilon(1e-14));
  CHECK(today.standard_error == 0);
}
