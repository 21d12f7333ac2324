// Limits of generators and tables are detected when a run is planned, and the message names the key
// to change.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/test_executor.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

struct PlanResult {
  std::string error;
  std::vector<std::string> warnings;
  WorkPlan plan;
};

// The steps of `gsim check`: configure and plan, without simulating a path.
PlanResult plan_of(const std::string& text, Index samples = 0) {
  PlanResult result;
  run_in_process(1, [&](Communicator comm) {
    const auto module = pricing::test::make_pricing_module();
    ConfigFile file = ConfigFile::parse(text, "test.toml");
    Context context{comm, gsim::test::test_executor(1)};
    context.stop.max_samples = samples;
    context.warn = [&](const std::string& line) { result.warnings.push_back(line); };
    try {
      configure(*module, file);
      result.plan = module->plan(context);
    } catch (const InputError& error) {
      result.error = error.what();
    }
  });
  return result;
}

void check_contains(const std::string& message, std::initializer_list<const char*> parts) {
  CAPTURE(message);
  for (const char* part : parts) {
    CAPTURE(part);
    CHECK(contains(message, part));
  }
}

const std::string long_dated_call =
    "[[trades]]\nid = \"LONG\"\nproduct = \"european\"\nasset = \"H\"\ntype = \"call\"\n"
    "strike = 100.0\nmaturity = 106.005\n";
const std::string black_scholes =
    "[market]\nrate = 0.01\n[market.assets.H]\nspot = 100.0\nvolatility = 0.2\n";

const std::string one_year_call =
    "[[trades]]\nid = \"C\"\nproduct = \"european\"\nasset = \"H\"\ntype = \"call\"\n"
    "strike = 100.0\nmaturity = 1.0\n";

std::string heston(double kappa, double sigma, double rho) {
  return "[market]\nrate = 0.03\n[market.assets.H]\nspot = 100.0\nmodel = \"heston\"\n"
         "v0 = 0.04\ntheta = 0.04\nkappa = " +
         std::to_string(kappa) + "\nsigma = " + std::to_string(sigma) +
         "\nrho = " + std::to_string(rho) + "\n" + one_year_call;
}

}  // namespace

TEST_CASE(
    "Sobol points: more dimensions than the table has are refused, and the message counts the "
    "normals") {
  const std::string sobol = "[pricing]\nsampling = \"sobol\"\n";
  // 2 normals at each of 100 steps a year: 10601 steps exceed the limit, 10600 do not.
  check_contains(
      plan_of(sobol + lewis_market + long_dated_call).error,
      {"test.toml:2:", "21201 dimensions at most", "need 21202",
       "2 normals (one per asset and one per stochastic variance) at each of 10601",
       "trade `LONG` (test.toml:", "lower pricing.steps_per_year from 100 to 99", "pseudo_random"});
  CHECK(plan_of(sobol + "steps_per_year = 99\n" + lewis_market + long_dated_call).error == "");
  CHECK(plan_of(lewis_market + long_dated_call).error == "");
  // The steps are set by the fixings here, independently of steps_per_year.
  const std::string daily =
      "[[trades]]\nid = \"DAILY\"\nproduct = \"asian\"\nasset = \"H\"\ntype = \"call\"\n"
      "strike = 100.0\nmaturity = 100.0\nfixing_count = 21202\n";
  const std::string error = plan_of(sobol + black_scholes + daily).error;
  check_contains(error, {"need 21202", "trade `DAILY`", "several runs"});
  CHECK_FALSE(contains(error, "steps_per_year"));
}

TEST_CASE("Sobol points: more than 2^32 in each scrambling are refused") {
  const std::string config = "[pricing]\nsampling = \"sobol\"\nreplicates = 4\n" + black_scholes +
                             "[[trades]]\nid = \"C\"\nproduct = \"european\"\nasset = \"H\"\n"
                             "type = \"call\"\nstrike = 100.0\nmaturity = 1.0\n";
  const Index max_samples = Index{4} << 32;
  CHECK(plan_of(config, max_samples).error == "");
  check_contains(plan_of(config, max_samples + 1).error,
                 {"test.toml:2:", "stop.samples = 17179869185", "2^32", "replicates = 4",
                  "17179869184 or less"});
  check_contains(plan_of(black_scholes + config.substr(config.find("[[trades]]")),
                         std::numeric_limits<Index>::max())
                     .error,
                 {"stop.samples = 9223372036854775807", "2^50"});
}

TEST_CASE("fewer samples than one set of Sobol points: a warning states the number of samples") {
  const std::string trade =
      "[[trades]]\nid = \"C\"\nproduct = \"european\"\nasset = \"H\"\ntype = \"call\"\n"
      "strike = 100.0\nmaturity = 1.0\n";
  const std::string sobol = "[pricing]\nsampling = \"sobol\"\nreplicates = 8\n";
  const PlanResult few = plan_of(sobol + black_scholes + trade, 10000);
  REQUIRE(few.warnings.size() == 1);
  check_contains(few.warnings[0],
                 {"stop.samples = 10000", "rounded up to 32768", "replicates = 8"});
  CHECK(few.plan.total_units == 8);
  CHECK(plan_of(sobol + black_scholes + trade, 32768).warnings.empty());
  CHECK(plan_of(black_scholes + trade, 100).warnings.empty());
}

TEST_CASE(
    "a spot whose mean no run can estimate is rejected; one that needs many samples gives a "
    "warning") {
  const auto merton = [](const char* jump_mean) {
    return "[market]\nrate = 0.03\n[market.assets.H]\nspot = 100.0\nmodel = \"merton\"\n"
           "volatility = 0.2\njump_intensity = 1.0\njump_mean = " +
           std::string(jump_mean) + "\njump_sd = 0.1\n" + one_year_call;
  };
  // Relative entropies of the measure with the spot as numeraire with respect to the risk-neutral
  // one, for the jump means -0.1, 2.0, 2.5, 3.0 and 5.0: 0.03, 8.7, 19.6, 41 and 596; the limit is
  // ln(2^50) = 34.7.
  CHECK(plan_of(merton("-0.1"), 4096).warnings.empty());
  for (const char* mean : {"2.0", "2.5"}) {
    const PlanResult difficult = plan_of(merton(mean), 16384);
    CHECK(difficult.error == "");
    REQUIRE(difficult.warnings.size() == 1);
    check_contains(difficult.warnings[0],
                   {"asset `H`", "jump_mean = 2", "at most 16384", "log-spot"});
  }
  CHECK(contains(plan_of(merton("2.0"), 16384).warnings[0], "or raise stop.samples"));
  CHECK_FALSE(contains(plan_of(merton("2.5"), 16384).warnings[0], "raise stop.samples"));
  CHECK(plan_of(merton("2.0"), Index{1} << 40).warnings.empty());
  for (const char* mean : {"3.0", "5.0"})
    check_contains(plan_of(merton(mean)).error,
                   {"test.toml:3:", "asset `H`", "jump_mean = ", "2^50", "check the jumps"});
  // A volatility that was entered in percent.
  const auto black = [](const char* volatility) {
    return "[market]\nrate = 0.03\n[market.assets.H]\nspot = 100.0\nvolatility = " +
           std::string(volatility) + "\n" + one_year_call;
  };
  CHECK(plan_of(black("1.0"), 4096).warnings.empty());
  CHECK(plan_of(black("5.0"), 4096).warnings.size() == 1);
  check_contains(plan_of(black("10.0")).error, {"its volatility", "20 % a year is 0.2"});
  // The variance explodes in the measure with the spot as numeraire: rho sigma > kappa.
  check_contains(plan_of(heston(1, 30, 0.9)).error, {"sigma = 30, rho = 0.9"});
}

TEST_CASE("mean reversion that is too fast for the steps gives a warning or an error") {
  CHECK(plan_of(heston(25, 0.5, -0.7)).warnings.empty());
  const PlanResult fast = plan_of(heston(50, 0.5, -0.7));
  REQUIRE(fast.warnings.size() == 1);
  check_contains(fast.warnings[0], {"asset `H`", "kappa = 50", "is 0.5: above", "0.1 %",
                                    "pricing.steps_per_year from 100 to 200"});
  CHECK(plan_of("[pricing]\nsteps_per_year = 200\n" + heston(50, 0.5, -0.7)).warnings.empty());
  CHECK(plan_of(heston(300, 0.5, -0.7)).error == "");
  check_contains(plan_of(heston(1000, 0.5, -0.7)).error,
                 {"test.toml:3:", "kappa = 1000", "1 %", "steps_per_year from 100 to 4000"});
  check_contains(plan_of(heston(1e7, 0.5, -0.7)).error, {"black_scholes", "volatility = 0.2"});
  const PlanResult high_sigma = plan_of(heston(1, 10, -0.7));
  REQUIRE(high_sigma.warnings.size() == 1);
  check_contains(high_sigma.warnings[0], {"sigma = 10", "steps_per_year from 100 to 200"});
}

TEST_CASE("errors of too many time steps or jumps name trade, asset and key") {
  const std::string small_steps = "[pricing]\nsteps_per_year = 1000000\n";
  check_contains(plan_of(small_steps + lewis_market + long_dated_call).error,
                 {"trade `LONG` needs 106005000 time steps", "10000000 at most",
                  "pricing.steps_per_year from 1e+06 to 94335 or less"});
  const std::string merton =
      "[market]\nrate = 0.01\n[market.assets.H]\nspot = 100.0\nmodel = \"merton\"\n"
      "volatility = 0.2\njump_intensity = 2.0\njump_mean = -0.1\njump_sd = 0.1\n";
  check_contains(
      plan_of(merton + long_dated_call).error,
      {"test.toml:3:", "asset `H`", "jump_intensity = 2", "212 jumps in the longest time step"});
}

TEST_CASE("Sobol points of too many dimensions for smoothed payoffs") {
  std::string text = "[market]\nrate = 0.01\n", names, matrix;
  for (int a = 0; a < 8; ++a) {
    text += fmt::format("[market.assets.A{}]\nspot = 100.0\nvolatility = 0.2\n", a);
    names += fmt::format("\"A{}\",", a);
    matrix += "[";
    for (int b = 0; b < 8; ++b) matrix += a == b ? "1.0," : "0.0,";
    matrix += "],";
  }
  text += fmt::format("[market.correlation]\nassets = [{}]\nmatrix = [{}]\n", names, matrix);
  for (int i = 0; i < 2000; ++i)  // at 2000 dates, and half of them at further ones
    text += fmt::format(
        "[[trades]]\nid = \"D{}\"\nproduct = \"digital\"\nasset = \"A{}\"\ntype = \"call\"\n"
        "strike = 100.0\nmaturity = {}\n",
        i, i % 8, 0.001 * (i + 1));
  const std::string sobol = "[pricing]\nsampling = \"sobol\"\n", greeks = "greeks = [\"delta\"]\n";
  CHECK(plan_of(sobol + text).error.empty());
  check_contains(plan_of(sobol + greeks + text).error,
                 {"test.toml:2", "Greeks of these digital and barrier options need 24000",
                  "greeks_method = \"bump\""});
  CHECK(plan_of(sobol + greeks + "greeks_method = \"bump\"\n" + text).error.empty());
}
