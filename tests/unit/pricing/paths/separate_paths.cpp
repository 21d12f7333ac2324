// The trades of a portfolio that converge last are simulated on separate paths: prices are
// unbiased, standard errors correct, and results bitwise identical for every division of the run.

#include "src/modules/pricing/paths/separate_paths.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

// The paths of this portfolio have two assets and 60 dates because of an Asian option that
// converges at the first evaluation. The other trades, whose values are known, depend on one asset
// at one date, or on both assets.
const std::string long_asian = trade_table(
    "deep asian",
    "product = \"asian\"\nasset = \"A\"\ntype = \"call\"\nstrike = 20.0\nmaturity = 1.0\n"
    "fixing_count = 60\n");
const std::string call = trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100);
const std::string digital =
    trade_table("digital", "product = \"digital\"\nasset = \"A\"\n" + call_100);
const std::string barrier =
    trade_table("down-out",
                "product = \"barrier\"\nkind = \"down_and_out\"\nbarrier = 85.0\nasset = \"A\"\n"
                "monitoring = \"continuous\"\n" +
                    call_100);
const std::string spread =
    trade_table("exchange",
                "product = \"spread\"\nassets = [\"A\", \"B\"]\ntype = \"call\"\nstrike = 0.0\n"
                "maturity = 1.0\n");
const std::string portfolio = two_assets + long_asian + call + digital + barrier + spread;

// A relative error that no trade meets.
StopRule targets(Index samples) {
  StopRule stop;
  stop.max_samples = samples;
  stop.relative_error = 1e-5;
  stop.absolute_error = 0;
  return stop;
}

// A relative error that only the Asian option meets, at the first evaluation.
StopRule loose_targets(Index samples) {
  StopRule stop = targets(samples);
  stop.relative_error = 3e-4;
  return stop;
}

std::vector<std::uint8_t> all_but_first(const PricingConfig& config) {
  std::vector<std::uint8_t> flags(config.trades.size(), 1);
  flags[0] = 0;
  return flags;
}

}  // namespace

TEST_CASE("separate paths are chosen when they take fewer steps than the portfolio's") {
  const PricingConfig config = read(portfolio);
  const Simulation shared = set_up(config, Arithmetic::strict, 1).simulation;
  CHECK(shared.grid.times.size() == 60);
  CHECK(shared.assets.size() == 2);
  // Five steps: one each for the call, the digital and the barrier option, two for the spread.
  CHECK(are_separate_paths_cheaper(config, shared, all_but_first(config)));
  // The Asian option alone takes 60 of the portfolio's 120 asset-steps.
  const std::vector<std::uint8_t> all(config.trades.size(), 1);
  CHECK(are_separate_paths_cheaper(config, shared, all));
  // Two Asian options on separate paths are not cheaper.
  const PricingConfig twice = read(portfolio + trade_table("second asian",
                                                           "product = \"asian\"\nasset = \"A\"\n"
                                                           "fixing_count = 60\n" +
                                                               call_100));
  const std::vector<std::uint8_t> all_twice(twice.trades.size(), 1);
  CHECK_FALSE(are_separate_paths_cheaper(twice, set_up(twice, Arithmetic::strict, 1).simulation,
                                         all_twice));
  // Never with Sobol points.
  const PricingConfig sobol = read("[pricing]\nsampling = \"sobol\"\nreplicates = 4\n" + portfolio);
  CHECK_FALSE(are_separate_paths_cheaper(sobol, set_up(sobol, Arithmetic::strict, 1).simulation,
                                         all_but_first(sobol)));
}

TEST_CASE("separate paths keep the control variate of the portfolio's paths") {
  const PricingConfig config = read(portfolio);
  const Simulation shared = set_up(config, Arithmetic::strict, 1).simulation;
  for (std::size_t i = 0; i < config.trades.size(); ++i) {
    CAPTURE(config.trades[i].id);
    const Simulation separate =
        separate_simulation(config, config.trades[i], Arithmetic::strict, 1);
    CHECK(separate.trades[0].control == shared.trades[i].control);
    CHECK(separate.trades[0].control_expectation ==
          doctest::Approx(shared.trades[i].control_expectation).epsilon(1e-12));
    CHECK(separate.trades[0].discount == shared.trades[i].discount);
    CHECK(separate.block_samples == shared.block_samples);
  }
}

TEST_CASE("prices on separate paths agree with closed forms within their standard errors") {
  const double forward = 100 * std::exp(0.05), discount = std::exp(-0.05);
  BarrierTerms down_out;
  down_out.sign = 1;
  down_out.strike = 100;
  down_out.barrier = 85;
  const double spread_variance = 0.04 + 0.09 - 2 * 0.5 * 0.2 * 0.3;
  const std::vector<std::pair<const char*, double>> values{
      {"call", black(1, forward, 100, 0.04, discount)},
      {"digital", cash_digital(1, forward, 100, 0.04, discount)},
      {"down-out", continuous_barrier({100, 0.05, 0, 0.2, 1}, down_out)},
      {"exchange", exchange(1, forward, 90 * std::exp(0.03), spread_variance, discount)}};
  for (const char* options : {"", "[pricing]\nantithetic = true\n"}) {
    CAPTURE(options);
    double squares = 0;
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 15; ++seed) {
      const std::string config = options + portfolio;
      const ModuleResult separate =
          run_module_alone({.config = config, .stop = loose_targets(1 << 16), .seed = seed});
      CHECK(find(separate, "deep asian").converged);
      for (const auto& [id, value] : values) {
        CAPTURE(id);
        const Estimate& e = find(separate, id);
        CHECK_FALSE(e.converged);
        CHECK(e.count == 1 << 16);
        const double z = (e.mean - value) / e.standard_error;
        CAPTURE(z);
        CHECK(std::fabs(z) < 4.5);
        squares += z * z;
        ++count;
      }
    }
    // The mean square of 60 nearly independent deviations of variance 1 has the standard error
    // 0.18.
    CHECK(std::fabs(squares / count - 1) < 0.5);
  }
}

TEST_CASE(
    "separate paths give other samples after a trade has converged, and are not used before") {
  StopRule no_targets;
  no_targets.max_samples = 1 << 15;
  const ModuleResult shared = run_module_alone({.config = portfolio, .stop = no_targets});
  const ModuleResult separate =
      run_module_alone({.config = portfolio, .stop = loose_targets(1 << 15)});
  const ModuleResult no_separate_paths =
      run_module_alone({.config = portfolio, .stop = targets(1 << 15)});
  CHECK(find(separate, "call").mean != find(shared, "call").mean);
  CHECK(find(no_separate_paths, "call").mean == find(shared, "call").mean);
}

TEST_CASE("separate paths: same bits on any ranks, threads and slices, and after a restart") {
  const StopRule stop = loose_targets(1 << 16);
  const ModuleResult one_rank = run_module_alone({.config = portfolio, .stop = stop});
  CHECK(find(one_rank, "deep asian").converged);
  for (const int ranks : {2, 3}) {
    const ModuleResult many_ranks = run_module_alone(
        {.config = portfolio, .ranks = ranks, .threads = 2, .slice = 3, .stop = stop});
    CHECK(many_ranks.results == one_rank.results);
    CHECK(many_ranks.state == one_rank.state);
  }
  for (const Index at : {2, 5, 9}) {
    CAPTURE(at);
    const ModuleResult stopped =
        run_module_alone({.config = portfolio, .ranks = 3, .stop = stop, .stop_at = at});
    const ModuleResult resumed = run_module_alone({.config = portfolio,
                                                   .ranks = 2,
                                                   .slice = 1,
                                                   .stop = stop,
                                                   .resume = &stopped.state,
                                                   .resume_at = at});
    CHECK(resumed.results == one_rank.results);
    CHECK(resumed.state == one_rank.state);
  }
}
