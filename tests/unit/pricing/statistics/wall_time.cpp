// A run that reaches its wall-time limit between evaluation points reports all its samples.

#include <doctest/doctest.h>

#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

// Without importance sampling, which is selected at the first evaluation point.
const char* const portfolio = R"(
[pricing]
importance_sampling = false
[market]
rate = 0.03
[market.assets.S]
spot = 100.0
volatility = 0.2
[[trades]]
id = "call"
product = "european"
asset = "S"
type = "call"
strike = 100.0
maturity = 1.0
[[trades]]
id = "put"
product = "european"
asset = "S"
type = "put"
strike = 80.0
maturity = 0.5
)";

}  // namespace

TEST_CASE("estimates between evaluation points use all samples up to then") {
  // Blocks of 4096 samples: before the first evaluation point, and after it.
  for (const Index blocks : {1, 5}) {
    ModuleRun run{.config = portfolio, .ranks = 2, .slice = 1, .stop = samples(1 << 20)};
    run.stop_at = blocks;
    run.update = true;
    const ModuleResult stopped = run_module_alone(run);
    REQUIRE(stopped.done == blocks);
    const ModuleResult complete = run_module_alone(
        {.config = portfolio, .stop = samples(blocks * 4096)});  // ends after `blocks` blocks
    REQUIRE(complete.done == blocks);
    for (std::size_t t = 0; t < 2; ++t) {
      CHECK(stopped.estimates[t].count == blocks * 4096);
      CHECK(stopped.estimates[t].mean == complete.estimates[t].mean);
      CHECK(stopped.estimates[t].standard_error == complete.estimates[t].standard_error);
    }
    CHECK(stopped.results.datasets.at("trades/price") ==
          complete.results.datasets.at("trades/price"));
    CHECK(stopped.report.rows == complete.report.rows);
  }
}
