// Measures of risk are bitwise identical for every division of the work.

#include <fstream>

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

/// A portfolio with closed forms, simulated trades and early exercise, all methods and a history.
class Portfolio {
 public:
  Portfolio() {
    std::ofstream file(path_);
    file << "date,A,B,A volatility,rate\n";
    for (int i = 0; i < 30; ++i)
      file << "day " << i << ',' << 100 + (7 * i) % 5 << ',' << 50 - (3 * i) % 4 << ','
           << 0.2 + 0.01 * ((5 * i) % 3) << ',' << 0.001 * (i % 7) << '\n';
  }
  std::string config() const {
    return "[risk]\nhistory = \"" + path_ + "\"" + R"(
methods = ["monte_carlo", "delta_normal", "delta_gamma", "historical"]
levels = [0.9, 0.95]
inner_samples = 1024
resamples = 50
cube = true
[[risk.stress]]
name = "crash"
spots = -0.2
volatilities = 0.1
[pricing]
steps_per_year = 12
[pricing.exercise]
paths = 4096
upper_bound = false
[market]
rate = 0.02
[market.assets.A]
spot = 100.0
volatility = 0.2
[market.assets.B]
model = "heston"
spot = 50.0
v0 = 0.04
kappa = 2.0
theta = 0.05
sigma = 0.3
rho = -0.6
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.4], [0.4, 1.0]]
[[trades]]
id = "call"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 0.5
[[trades]]
id = "basket"
product = "basket"
assets = ["A", "B"]
type = "put"
strike = 70.0
maturity = 0.5
[[trades]]
id = "early"
product = "european"
asset = "A"
type = "put"
strike = 105.0
maturity = 0.5
exercise = "bermudan"
exercise_count = 4
)";
  }

 private:
  gsim::test::ScratchFolder folder_;
  std::string path_ = folder_ / "history.csv";
};

void check_same(const ModuleResult& a, const ModuleResult& b) {
  CHECK(a.results == b.results);
  CHECK(a.state == b.state);
  CHECK(a.digest == b.digest);
}

}  // namespace

TEST_CASE("risk: all datasets have the same bits on any number of ranks and threads") {
  const Portfolio portfolio;
  const ModuleRun run = risk_run(portfolio.config(), 40);
  const ModuleResult one_rank = run_module_alone(run);
  CHECK(one_rank.estimates.size() == 16);
  for (const int ranks : {2, 7}) {
    CAPTURE(ranks);
    ModuleRun other = run;
    other.ranks = ranks;
    other.threads = ranks % 2 + 1;
    other.slice = 11;
    const ModuleResult shared = run_module_alone(other);
    check_same(one_rank, shared);
    CHECK(shared.plan.units_at_once == ranks);  // threads share the samples of a scenario
  }
}

TEST_CASE("risk: a resumed run has the bits of one that was not interrupted") {
  const Portfolio portfolio;
  const ModuleRun run = risk_run(portfolio.config(), 40);
  const ModuleResult whole = run_module_alone(run);
  for (const Index stop : {3, 25, 60, static_cast<int>(whole.done)}) {
    CAPTURE(stop);
    ModuleRun first = run;
    first.stop_at = stop;
    const ModuleResult part = run_module_alone(first);
    ModuleRun second = run;
    second.ranks = 3;
    second.resume = &part.state;
    second.resume_at = stop;
    second.update = true;
    check_same(whole, run_module_alone(second));
  }
}
