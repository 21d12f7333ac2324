// Today's exposures, which are the values today of the trades, with their errors.

#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string two_models = R"([market]
rate = 0.03
[market.assets.A]
spot = 100.0
volatility = 0.25
[market.assets.H]
model = "heston"
spot = 100.0
v0 = 0.04
kappa = 2.0
theta = 0.06
sigma = 0.4
rho = -0.6
)";
const std::string one_set =
    "[exposure]\ntimes = [1.0]\nregression_paths = 4096\n"
    "[[exposure.netting_sets]]\nname = \"set\"\n";
const char* const columns_of_today[] = {"exposures/expected_positive", "exposures/potential_future",
                                        "exposures/discounted_positive"};

std::string matures_in_a_year(const std::string& id, const std::string& terms) {
  return "[[trades]]\nid = \"" + id + "\"\nmaturity = 1.0\n" + terms + "\n";
}

}  // namespace

TEST_CASE("exposures today: values that are simulated have errors that fit their spread") {
  const std::string trades =
      matures_in_a_year("asian",
                        "product = \"asian\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\n"
                        "fixing_count = 4\nquantity = 2") +
      matures_in_a_year("cliquet",
                        "product = \"cliquet\"\nasset = \"H\"\ntype = \"call\"\nfixing_count = 2\n"
                        "local_floor = 0.0\nlocal_cap = 0.1\nmoneyness = 1.0\nquantity = 100.0") +
      matures_in_a_year("call",
                        "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 110.0");
  const ModuleResult prices =
      run_module_alone({.config = two_models + trades, .stop = samples(1 << 19)});
  double value = 0, value_error = 0;
  for (const Estimate& price : prices.estimates) {
    value += price.mean;
    value_error = std::hypot(value_error, price.standard_error);
  }
  double sum = 0, squares = 0;
  constexpr int seeds = 8;
  for (int seed = 1; seed <= seeds; ++seed) {
    ModuleRun run = exposure_run(one_set + two_models + trades, 8 * 4096);
    run.seed = static_cast<std::uint64_t>(seed);
    const ModuleResult r = run_module_alone(run);
    for (const char* column : columns_of_today) {
      CAPTURE(column);
      CAPTURE(seed);
      const double error = column_of(r, std::string(column) + "_error")[0];
      const double z = (column_of(r, column)[0] - value) / std::hypot(error, value_error);
      CAPTURE(z);
      CHECK(error > 0.002);
      CHECK(std::fabs(z) < 5);  // a t statistic with 7 degrees of freedom
    }
    const double z =
        (column_of(r, columns_of_today[0])[0] - value) /
        std::hypot(column_of(r, std::string(columns_of_today[0]) + "_error")[0], value_error);
    sum += z;
    squares += square(z);
  }
  // Of t statistics with 7 degrees of freedom, whose variance is 1.4, the mean of eight has the
  // standard deviation 0.42, and that of their squares about 1.07.
  CHECK(std::fabs(sum / seeds) < 3.5 * 0.42);
  CHECK(squares / seeds > 0.3);
  CHECK(squares / seeds < 1.4 + 2.5 * 1.07);
}

TEST_CASE("exposures today: values that formulas give are certain") {
  const ModuleResult r = run_module_alone(exposure_run(
      one_set + two_models +
          matures_in_a_year(
              "call", "product = \"european\"\nasset = \"H\"\ntype = \"call\"\nstrike = 110.0"),
      8 * 4096));
  const ModuleResult price = run_module_alone(
      {.config =
           two_models + matures_in_a_year("call",
                                          "product = \"european\"\nasset = \"H\"\ntype = \"call\"\n"
                                          "strike = 110.0"),
       .stop = samples(1 << 18)});
  for (const char* column : columns_of_today) {
    CHECK(column_of(r, std::string(column) + "_error")[0] < 1e-12);
    CHECK(std::fabs(column_of(r, column)[0] - price.estimates[0].mean) <
          4 * price.estimates[0].standard_error);
  }
}
