// Trades with early exercise in scenarios: policies of today's market, and policies found anew,
// beside a recursion in the market of the scenario.

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/pricing/exercise/recursions.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

// A put that may be exercised four times a year, while the volatility rises from 15 to 55 %.
std::string put_in_turmoil(const std::string& exercise, const std::string& keys = "") {
  return "[risk]\nmethods = []\ninner_samples = 65536\nexercise = \"" + exercise + "\"\n" + keys +
         "[[risk.stress]]\nname = \"calm\"\nspots = 0.0001\n"
         "[[risk.stress]]\nname = \"turmoil\"\nvolatilities = 0.4\n"
         "[pricing.exercise]\npaths = 16384\n[market]\nrate = 0.08\n[market.assets.A]\nspot = 90\n"
         "volatility = 0.15\n[[trades]]\nid = \"put\"\nproduct = \"european\"\nasset = \"A\"\n"
         "type = \"put\"\nstrike = 100\nmaturity = 1\nexercise = \"bermudan\"\nexercise_count = "
         "4\n";
}

double put_by_recursion(double volatility) {
  const SpotContract put{[](int period, int, double spot) -> SpotContract::Event {
                           const double pays = std::fmax(100 - spot, 0.0);
                           return {0, period == 4 ? pays : 0, true, pays};
                         },
                         1, 4, 0};
  return value_of_spot(put, {.spot = 90, .rate = 0.08, .volatility = volatility});
}

bool has_warning(const ModuleResult& result, const char* text) {
  for (const std::string& warning : result.warnings)
    if (warning.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("frozen exercise policies lose value after large changes, and refitted ones do not") {
  const double gain = put_by_recursion(0.55) - put_by_recursion(0.15);
  const ModuleResult frozen = run_module_alone(risk_run(put_in_turmoil("frozen")));
  const ModuleResult refitted = run_module_alone(risk_run(put_in_turmoil("refitted")));
  const std::vector<double> frozen_gain = column_of(frozen, "stress/gain");
  const std::vector<double> refitted_gain = column_of(refitted, "stress/gain");
  const double error = column_of(refitted, "stress/gain_error")[1];
  CAPTURE(gain);
  CAPTURE(frozen_gain[1]);
  CAPTURE(refitted_gain[1]);
  CAPTURE(error);
  CHECK(std::fabs(refitted_gain[1] - gain) < 4 * error + 0.01);
  CHECK(frozen_gain[1] < gain - 8 * error - 0.1);
  // After a small change both have the same value, to first order.
  CHECK(refitted_gain[0] == doctest::Approx(frozen_gain[0]).epsilon(0.03));
  CHECK(has_warning(frozen, "risk.exercise = \"refitted\""));
  CHECK(!has_warning(refitted, "exercised in the states of today's market"));
}

TEST_CASE("refitted policies have the same bits on any number of ranks") {
  const std::string config = put_in_turmoil("refitted", "resamples = 0\n");
  ModuleRun run = risk_run(config);
  const ModuleResult one = run_module_alone(run);
  run.ranks = 3;
  CHECK(run_module_alone(run).digest == one.digest);
}

TEST_CASE("with refitted policies the right to exercise today is kept where its value is known") {
  // The fixing of today is known, and so is what exercise today pays: 180 less the mean of 110, 90
  // and 100, more than any later exercise in a market with so high a rate.
  const ModuleResult result = run_module_alone(risk_run(
      "[risk]\nmethods = []\ninner_samples = 1024\nresamples = 0\nexercise = \"refitted\"\n"
      "[[risk.stress]]\nname = \"calm\"\nspots = 0.0001\n"
      "[pricing.exercise]\npaths = 4096\n[market]\nrate = 0.2\n[market.assets.A]\nspot = 100\n"
      "volatility = 0.2\n[[trades]]\nid = \"asian\"\nproduct = \"asian\"\nasset = \"A\"\n"
      "type = \"put\"\nstrike = 180\nmaturity = 1\npast_fixings = [110.0, 90.0]\n"
      "fixings = [0.0, 0.5, 1.0]\nexercise = \"american\"\n"));
  CHECK(column_of(result, "trades/value")[0] == doctest::Approx(80));
  CHECK(column_of(result, "stress/gain")[0] == 0);
}

TEST_CASE("a bond is exercised in the states of today's market when the rate changes") {
  // After a small change this is worth as much as the best policy.
  const auto gain = [](const std::string& exercise) {
    const ModuleResult result = run_module_alone(risk_run(
        "[risk]\nmethods = []\ninner_samples = 16384\nresamples = 0\nexercise = \"" + exercise +
        "\"\n[[risk.stress]]\nname = \"rise\"\nrate = 0.001\n[pricing.exercise]\npaths = 8192\n"
        "[market]\nrate = 0.03\n[market.rates.R]\nmean_reversion = 0.1\nvolatility = 0.012\n"
        "[[trades]]\nid = \"bond\"\nproduct = \"bond\"\nrate = \"R\"\nend = 3\ncoupon = 0.03\n"
        "quantity = 100\nexercise = \"bermudan\"\nexercise_count = 24\n"));
    return column_of(result, "stress/gain").at(0);
  };
  const double refitted = gain("refitted");
  CHECK(refitted < -0.1);
  CHECK(std::fabs(gain("frozen") - refitted) < 0.03);
}
