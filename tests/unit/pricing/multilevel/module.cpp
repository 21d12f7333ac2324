// The module multilevel: same bits, its messages, and its sums.

#include <cmath>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "tests/unit/pricing/multilevel/multilevel_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

void check_same(const ModuleResult& a, const ModuleResult& b) {
  CHECK(a.results == b.results);
  CHECK(a.state == b.state);
  CHECK(a.digest == b.digest);
}

std::string message_of(const std::string& config) {
  try {
    run_module_alone(multilevel_run(config));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_part(const std::string& text, const std::string& part) {
  CAPTURE(text);
  CHECK(contains(text, part));
}

const std::string table = "[multilevel]\ntarget = 0.5\n";

std::string with_trade(const std::string& keys, const std::string& market = lewis_market) {
  return table + market + trade_table("t", "asset = \"H\"\nmaturity = 1.0\n" + keys);
}

}  // namespace

TEST_CASE("multilevel: the sums of blocks are merged exactly") {
  std::vector<double> y, p;
  for (int i = 0; i < 96; ++i) {
    y.push_back(std::sin(3.0 * i) + (i % 7 == 0 ? 4 : 0));
    p.push_back(2 * y.back() + i);
  }
  const LevelSums whole = level_sums(y, p);
  const std::span<const double> ys(y), ps(p);
  const LevelSums merged =
      merge(level_sums(ys.first(32), ps.first(32)), level_sums(ys.subspan(32), ps.subspan(32)));
  CHECK(merged.count == 96);
  CHECK(merged.mean == doctest::Approx(whole.mean));
  CHECK(merged.variance() == doctest::Approx(whole.variance()));
  CHECK(merged.m3 == doctest::Approx(whole.m3));
  CHECK(merged.kurtosis() == doctest::Approx(whole.kurtosis()));
  CHECK(merged.fine_variance() == doctest::Approx(whole.fine_variance()));
}

namespace {

/// A level of `blocks` blocks of 4096 samples, whose corrections have a mean and a variance.
Level level_with(double mean, double variance, Index blocks, double cost) {
  LevelSums s;
  s.count = static_cast<double>(blocks * 4096);
  s.mean = mean;
  s.m2 = variance * (s.count - 1);
  s.m4 = 3 * s.m2 * s.m2 / s.count;  // normal
  s.fine_mean = 10;
  s.fine_m2 = 100 * s.count;
  return {{s}, cost, blocks, false};
}

}  // namespace

TEST_CASE("multilevel: the noise of the corrections does not hide the bias") {
  // The means of the corrections are 0 by chance; their standard error is 0.1 on the last level.
  const double noise = 0.01 * 8192;
  std::vector<Level> levels = {level_with(10, 100, 1 << 12, 1), level_with(0, 1, 1 << 8, 3),
                               level_with(0, noise, 2, 6)};
  MultilevelEstimate e = estimate_levels(levels, 2, false);
  CHECK(e.bias_of_means == 0);
  CHECK(e.bias > 0.1);
  CHECK(e.bias_level == 2);
  // The order of these means is unknown, taken as 1/2: the bias is at most 0.1 / (sqrt(2) - 1).
  const double target = 0.3;
  CHECK(e.standard_error < target / std::sqrt(2.0));
  NextSamples next = next_samples(levels, e, target, 2, 4096, 9);
  CHECK(!next.has_converged);
  CHECK(!next.empty());
  // On the last allowed level there are more samples, and the bias is not called too large.
  next = next_samples(levels, e, target, 2, 4096, 2);
  CHECK(!next.has_converged);
  CHECK(!next.is_at_finest);
  REQUIRE(next.blocks.size() == 3);
  CHECK(next.blocks[2] > 0);
  // Without the noise the same means are sufficient.
  levels[2] = level_with(0, noise / 100, 2, 6);
  e = estimate_levels(levels, 2, false);
  CHECK(next_samples(levels, e, target, 2, 4096, 9).has_converged);
}

TEST_CASE("multilevel: few contributing samples of level 0 do not converge") {
  std::vector<Level> levels = {level_with(10, 1e-6, 2, 1), level_with(0, 1e-9, 2, 3),
                               level_with(0, 1e-9, 2, 6)};
  CHECK(next_samples(levels, estimate_levels(levels, 2, false), 1, 2, 4096, 9).has_converged);
  LevelSums& first = levels[0].replicates[0];
  first.m4 = first.m2 * first.m2 / 20;  // 20 contributing samples
  const NextSamples next = next_samples(levels, estimate_levels(levels, 2, false), 1, 2, 4096, 9);
  CHECK(!next.has_converged);
  CHECK(next.blocks == std::vector<Index>{14, 0, 0});
  // Without any variance the error is unknown, unless the payoff is not random.
  first.m2 = first.m4 = first.fine_m2 = 0;
  CHECK(std::isnan(estimate_levels(levels, 2, false).standard_error));
  levels[0].is_certain = true;
  CHECK(next_samples(levels, estimate_levels(levels, 2, false), 1, 2, 4096, 9).has_converged);
}

TEST_CASE("multilevel: same bits on any ranks and threads, in any slices, and after a resume") {
  for (const char* options : {"", "[pricing]\nsampling = \"sobol\"\nreplicates = 8\n"}) {
    CAPTURE(options);
    const ModuleRun base = multilevel_run(displaced_config(0.4, options));
    const ModuleResult whole = run_module_alone(base);
    CHECK(whole.done > 40);
    for (const int ranks : {2, 7}) {
      ModuleRun run = base;
      run.ranks = ranks;
      run.threads = 2;
      run.slice = 5;
      check_same(whole, run_module_alone(run));
    }
    for (const Index at : {Index{7}, Index{42}, whole.done - 1}) {
      CAPTURE(at);
      ModuleRun first = base;
      first.ranks = 3;
      first.stop_at = at;
      const ModuleResult stopped = run_module_alone(first);
      ModuleRun second = base;
      second.ranks = 2;
      second.resume = &stopped.state;
      second.resume_at = at;
      check_same(whole, run_module_alone(second));
    }
  }
}

TEST_CASE("multilevel: the last evaluation of a resumed run is one of a run from the beginning") {
  const std::unique_ptr<Module> module = multilevel_run("").make();
  ConfigFile file = ConfigFile::parse(displaced_config(0.4), "test.toml");
  configure(*module, file);
  run_in_process(1, [&](Communicator comm) {
    module->plan(Context{comm, gsim::test::test_executor(1)});
    module->prepare();
    const Index first = module->next_evaluation(0);
    module->advance(0, first);
    module->evaluate(first);
    CHECK(module->next_evaluation(first - 1) == first);
    CHECK(module->next_evaluation(first) > first);
  });
}

TEST_CASE("multilevel: samples without a payment leave the error unknown") {
  const std::string call = "product = \"european\"\ntype = \"call\"\n";
  ModuleRun run = multilevel_run(with_trade("quantity = 1e-6\nstrike = 20000.0\n" + call));
  run.stop = samples(1 << 18);
  const ModuleResult r = run_module_alone(run);
  CHECK(!r.estimates[0].converged);
  CHECK(std::isnan(r.estimates[0].standard_error));
  expect_part(r.estimates[0].remark, "the error is unknown");
  expect_part(r.report.footer.front(), "missed");
}

TEST_CASE("multilevel: a digital is certain on a level of one step only") {
  // The market is flat: the expectation over the only step of level 0 is the price.
  const ModuleResult r = run_module_alone(multilevel_run(
      table + displaced_market() +
      trade_table("d", std::string("asset = \"A\"\nmaturity = 1.0\n") + displaced_trades[1].keys)));
  CHECK(r.estimates[0].converged);
  CHECK(numbers_of(r, "levels/error_of_mean")[0] < 1e-12);
}

TEST_CASE("multilevel: warns of keys without effect, and of too few samples") {
  ModuleRun run =
      multilevel_run(table +
                     "[pricing]\ncontrol_variates = \"none\"\nimportance_sampling = false\n"
                     "replicates = 16\n[pricing.exercise]\npaths = 8192\n" +
                     lewis_market + lewis_call);
  run.stop = samples(100);
  std::string warnings;
  for (const std::string& line : run_module_alone(run).warnings) warnings += line + "\n";
  for (const char* key : {"control_variates", "importance_sampling", "replicates", "exercise"})
    expect_part(warnings, fmt::format("pricing.{} has no effect on the module multilevel", key));
  expect_part(warnings, "stop.samples = 100 is raised to 24576");
}

TEST_CASE("multilevel: a run that ends within a round has estimates of what it has") {
  ModuleRun run = multilevel_run(displaced_config(0.05));
  run.stop = samples(100 * 4096);
  const ModuleResult r = run_module_alone(run);
  CHECK(r.done == 100);
  for (std::size_t t = 0; t < std::size(displaced_trades); ++t) {
    CHECK(!r.estimates[t].converged);
    CHECK(r.estimates[t].count > 0);
    CHECK(std::fabs(r.estimates[t].mean - displaced_trades[t].value) <
          4 * r.estimates[t].standard_error + 1);
  }
}

TEST_CASE("multilevel: the bias on the last allowed level is not taken for small") {
  const ModuleResult r = run_module_alone(
      multilevel_run("[multilevel]\ntarget = 0.1\nlevels = 3\n" + displaced_market() +
                     trade_table("lookback", std::string("asset = \"A\"\nmaturity = 1.0\n") +
                                                 displaced_trades[2].keys)));
  CHECK(!r.estimates[0].converged);
  expect_part(r.estimates[0].remark, "raise multilevel.levels");
}

TEST_CASE("multilevel: what it does not support is refused") {
  const std::string call = "product = \"european\"\ntype = \"call\"\nstrike = 100.0\n";
  expect_part(message_of(lewis_market + lewis_call), "multilevel");
  expect_part(message_of("[multilevel]\ntarget = 0.0\n" + lewis_market + lewis_call), "target");
  expect_part(message_of(table + "refinement = 3\n" + lewis_market + lewis_call),
              "the ratio must be 2 or 4");
  expect_part(message_of(table + "refinement = 4\nlevels = 16\n" + lewis_market + lewis_call),
              "the finest level would have");
  expect_part(message_of(table + "[pricing]\ngreeks = [\"delta\"]\n" + lewis_market + lewis_call),
              "pricing.greeks: the module multilevel does not support it");
  expect_part(message_of(table + "[pricing]\nsteps_per_year = 50\n" + lewis_market + lewis_call),
              "pricing.steps_per_year: the steps of the module multilevel are those of its levels");
  expect_part(message_of(table + one_asset +
                         trade_table("t", "product = \"european\"\nasset = \"A\"\n" + call_100)),
              "multilevel Monte Carlo has nothing to gain");
  expect_part(message_of(with_trade("product = \"european\"\nexercise = \"american\"\n"
                                    "type = \"put\"\nstrike = 100.0\n")),
              "no early exercise");
  expect_part(message_of(with_trade("product = \"cliquet\"\ntype = \"call\"\nfixing_count = 4\n"
                                    "local_cap = 0.1\n")),
              "supports the products european, digital, asian, lookback and barrier");
  expect_part(message_of(with_trade("product = \"barrier\"\nkind = \"up_and_out\"\n"
                                    "barrier = 120.0\nmonitoring = \"discrete\"\n"
                                    "fixing_count = 4\ntype = \"call\"\nstrike = 100.0\n")),
              "continuous monitoring only");
  expect_part(message_of(with_trade("product = \"asian\"\nfixing_count = 12\ntype = \"call\"\n"
                                    "strike = 100.0\n")),
              "its 12 fixings are not dates of levels with 1 × 2^level steps");
  expect_part(message_of(with_trade(call,
                                    "[market]\nrate = 0.0\n[market.assets.H]\n"
                                    "spot = 100.0\nmodel = \"merton\"\nvolatility = 0.2\n"
                                    "jump_intensity = 1.0\njump_mean = 0.0\n"
                                    "jump_sd = 0.1\n")),
              "supports the models heston, local_volatility and black_scholes");
  expect_part(message_of(with_trade(call,
                                    "[market]\nrate = 0.0\n[market.assets.H]\n"
                                    "spot = 100.0\nmodel = \"heston\"\nv0 = 0.04\n"
                                    "kappa = 1.0\ntheta = 0.04\nsigma = 0.5\nrho = 0.0\n"
                                    "dividends = [{ time = 0.5, cash = 2.0 }]\n")),
              "has no discrete dividends");
  ModuleRun run = multilevel_run(table + lewis_market + lewis_call);
  run.stop.relative_error = 0.01;
  CHECK_THROWS_AS(run_module_alone(run), InputError);
}
