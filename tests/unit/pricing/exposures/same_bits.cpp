// Exposures are bitwise identical for every division of the work, and for resumed runs.

#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/exercise/exercise_policies.hpp"
#include "src/modules/pricing/exposures/netting_set_values.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string two_sets = R"([exposure]
times = [0.25, 0.5, 1.0]
regression_paths = 4096
own_credit = "C"
[[exposure.netting_sets]]
name = "first"
credit = "C"
[exposure.netting_sets.wrong_way]
asset = "A"
correlation = 0.5
volatility = 0.7
[[exposure.netting_sets]]
name = "second"
[exposure.netting_sets.collateral]
margin_period = 0.04
threshold = 2.0
[pricing]
steps_per_year = 8
[market]
rate = 0.02
[market.credit.C]
times = [10.0]
hazard_rates = [0.03]
[market.assets.A]
spot = 100.0
volatility = 0.2
[market.assets.H]
model = "heston"
spot = 50.0
v0 = 0.04
kappa = 2.0
theta = 0.05
sigma = 0.3
rho = -0.6
[market.correlation]
assets = ["A", "H"]
matrix = [[1.0, 0.4], [0.4, 1.0]]
[[trades]]
id = "call"
netting_set = "first"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 1.0
[[trades]]
id = "basket"
netting_set = "first"
product = "basket"
assets = ["A", "H"]
type = "put"
strike = 70.0
maturity = 0.75
quantity = -2.0
[[trades]]
id = "asian"
netting_set = "second"
product = "asian"
asset = "H"
type = "call"
strike = 50.0
maturity = 1.0
fixing_count = 4
[[trades]]
id = "put"
netting_set = "second"
product = "european"
asset = "A"
type = "put"
strike = 110.0
maturity = 0.75
exercise = "bermudan"
exercise_dates = [0.25, 0.5]
payment_lag = 0.1
[[trades]]
id = "note"
netting_set = "second"
product = "scripted"
assets = ["A", "H"]
maturity = 1.0
payment_lag = 0.1
fixing_count = 4
payoff = """
state missed = 0
if worst(spot) >= 45 { pay missed + 1; missed = 0 } else { missed = missed + 1 }
schedule maturity { pay 20 }
"""
)";

/// Trades on short rates of two currencies and on an asset, netted and with collateral.
const std::string rates_and_asset = R"([exposure]
times = [0.25, 0.5, 1.0]
regression_paths = 4096
[[exposure.netting_sets]]
name = "set"
[exposure.netting_sets.collateral]
margin_period = 0.04
threshold = 2.0
[market]
currency = "USD"
rate = 0.03
[market.currencies.EUR]
rate = 0.01
[market.fx.EURUSD]
spot = 1.2
volatility = 0.1
[market.rates.R]
mean_reversion = 0.05
volatility = 0.01
[market.rates.E]
currency = "EUR"
mean_reversion = 0.02
volatility = 0.012
[market.assets.A]
spot = 100.0
volatility = 0.2
[market.correlation]
assets = ["R", "E", "EURUSD", "A"]
matrix = [[1.0, 0.5, -0.3, 0.3], [0.5, 1.0, 0.1, 0.2], [-0.3, 0.1, 1.0, 0.1], [0.3, 0.2, 0.1, 1.0]]
[[trades]]
id = "swap"
product = "swap"
rate = "E"
strike = 0.01
end = 3.0
quantity = 100.0
[[trades]]
id = "swaption"
product = "swaption"
rate = "R"
type = "payer"
strike = 0.03
maturity = 1.0
end = 3.0
quantity = -100.0
[[trades]]
id = "bond"
product = "bond"
kind = "floating"
rate = "R"
spread = 0.02
end = 3.0
exercise = "bermudan"
exercise_dates = [1.0, 2.0]
exercise_prices = [1.037, 1.019]
exercised_by = "issuer"
[[trades]]
id = "call"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 1.0
)";

/// Products on one asset that need regressions: extremes of the path, the past of the path, early
/// exercise, a script that may be exercised.
const std::string products_on_one_asset = R"([exposure]
times = [0.1, 0.5, 0.7, 1.0]
paths = 4096
regression_paths = 4096
[[exposure.netting_sets]]
name = "set"
[pricing]
steps_per_year = 16
exercise = { paths = 4096, upper_bound = false }
[market]
rate = 0.02
[market.assets.A]
spot = 100.0
volatility = 0.2
[[trades]]
id = "put"
product = "european"
asset = "A"
type = "put"
strike = 105.0
maturity = 1.0
exercise = "bermudan"
exercise_count = 4
[[trades]]
id = "touch"
product = "barrier"
asset = "A"
type = "call"
kind = "up_and_out"
strike = 100.0
barrier = 130.0
rebate = 5.0
rebate_paid = "at_hit"
maturity = 1.0
[[trades]]
id = "knock-in"
product = "barrier"
asset = "A"
type = "put"
kind = "down_and_in"
strike = 100.0
barrier = 85.0
maturity = 0.8
[[trades]]
id = "window"
product = "window_barrier"
asset = "A"
type = "put"
kind = "down_and_in"
strike = 100.0
barrier = 85.0
maturity = 0.8
monitoring = "continuous"
window_start = 0.3
[[trades]]
id = "asian"
product = "asian"
asset = "A"
type = "put"
strike = 105.0
maturity = 1.0
fixing_count = 4
exercise = "bermudan"
exercise_dates = [0.5, 0.75]
[[trades]]
id = "cliquet"
product = "cliquet"
asset = "A"
type = "call"
maturity = 1.0
fixing_count = 4
local_floor = -0.05
local_cap = 0.05
[[trades]]
id = "note"
product = "scripted"
assets = ["A"]
maturity = 1.0
fixing_count = 4
payoff = """
pay where(spot >= 90, 1, 0)
if spot < 95 { exercise 98 }
schedule maturity { pay min(spot, 100) }
"""
)";

/// The values on the paths of one unit, with groups of trades of a number of bytes.
NettingSetValues values_in_groups(const std::string& text, double bytes, int threads) {
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  PricingConfig config;
  ExposureOptions options;
  file.read([&](Section& top) {
    describe_pricing(top, config, builtin_payoffs(), builtin_path_models());
    describe_exposure(top, config, options);
  });
  Context context{Communicator::self(), gsim::test::test_executor(threads)};
  context.seed = 3;
  find_exercise_policies(config, context);
  const std::vector<double> dates = make_exposure_dates(options).valuations;
  return NettingSetValuation(config, options, dates, context, bytes).evaluate(1);
}

void check_same(const ModuleResult& a, const ModuleResult& b) {
  CHECK(a.results == b.results);
  CHECK(a.state == b.state);
  CHECK(a.digest == b.digest);
}

}  // namespace

TEST_CASE("exposures: all datasets have the same bits on any number of ranks and threads") {
  for (const std::string& config : {two_sets, rates_and_asset}) {
    const ModuleRun run = exposure_run(config, 8 * 4096);
    const ModuleResult one_rank = run_module_alone(run);
    CHECK(one_rank.done == 8);
    for (const int ranks : {4, 7}) {
      CAPTURE(ranks);
      ModuleRun other = run;
      other.ranks = ranks;
      other.threads = ranks % 2 + 1;
      other.slice = 5;
      const ModuleResult shared = run_module_alone(other);
      check_same(one_rank, shared);
      CHECK(shared.plan.units_at_once == ranks);
    }
  }
}

TEST_CASE("exposures: values do not depend on the trades that are recorded together") {
  for (const std::string& config : {two_sets, rates_and_asset, products_on_one_asset}) {
    const NettingSetValues alone = values_in_groups(config, 0, 1);
    for (const double bytes : {1e6, largest_group_bytes}) {
      const NettingSetValues together = values_in_groups(config, bytes, 2);
      CHECK(together.today == alone.today);
      CHECK(together.before == alone.before);
      CHECK(together.after == alone.after);
    }
  }
}

TEST_CASE("exposures: a resumed run has the bits of one that was not interrupted") {
  for (const std::string& config : {two_sets, rates_and_asset}) {
    const ModuleRun run = exposure_run(config, 8 * 4096);
    const ModuleResult whole = run_module_alone(run);
    ModuleRun first = run;
    first.stop_at = 3;
    const ModuleResult part = run_module_alone(first);
    ModuleRun second = run;
    second.ranks = 3;
    second.resume = &part.state;
    second.resume_at = 3;
    check_same(whole, run_module_alone(second));
  }
}
