// Values of exercise that are not finite numbers are reported, and give no right in silence.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "tests/unit/pricing/module_run.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

// Two trades on an asset: a script on four dates, and a European put.
std::string with_script(const std::string& script, const std::string& options = "") {
  return "[pricing]\n" + options +
         "[pricing.exercise]\npaths = 4096\nouter_paths = 64\ninner_paths = 64\n"
         "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100\nvolatility = 0.2\n"
         "[[trades]]\nid = \"note\"\nproduct = \"scripted\"\nassets = [\"A\"]\nmaturity = 1\n"
         "fixings = [0.25, 0.5, 0.75, 1.0]\npayoff = \"\"\"\n" +
         script +
         "\n\"\"\"\n[[trades]]\nid = \"put\"\nproduct = \"european\"\nasset = \"A\"\n"
         "type = \"put\"\nstrike = 100\nmaturity = 1\n";
}

void check_numerical_error(const std::string& config, const char* message) {
  CAPTURE(config);
  CHECK_THROWS_WITH_AS(run_module_alone({.config = config, .stop = samples(8192)}),
                       doctest::Contains(message), NumericalError);
}

const std::string failed_at_half = "what exercise at 0.5 years pays is not a finite number";

}  // namespace

TEST_CASE("values of exercise that are not finite name the trade, its place and the date") {
  // At 0.25 there is no right, which is no error.
  const auto from_half = [](const std::string& amount) {
    return with_script("if index >= 2 { exercise " + amount + " }");
  };
  check_numerical_error(from_half("log(90 - spot)"), "test.toml:11: trade `note`: ");
  check_numerical_error(from_half("log(90 - spot)"), failed_at_half.c_str());      // NaN
  check_numerical_error(from_half("1 / (spot - spot)"), failed_at_half.c_str());   // infinity
  check_numerical_error(from_half("-1 / (spot - spot)"), failed_at_half.c_str());  // minus infinity
  check_numerical_error(with_script("if index < 2 { exercise sqrt(90 - spot) }"),
                        "what exercise at 0.25 years");
  check_numerical_error(from_half("log(90 - spot)"), "on_error = \"skip\"");
  CHECK_THROWS_WITH_AS(run_module_alone(risk_run("[risk]\nmethods = [\"monte_carlo\"]\n" +
                                                 from_half("log(90 - spot)"))),
                       doctest::Contains("takes logarithms or roots of, or leave the trade out"),
                       NumericalError);
}

TEST_CASE("a value of exercise that is not finite in a scenario alone names the scenario") {
  const std::string keys =
      "[risk]\nmethods = []\ninner_samples = 1024\nresamples = 0\nexercise = \"refitted\"\n"
      "[[risk.stress]]\nname = \"crash\"\nspots = -0.9\n";
  CHECK_THROWS_WITH_AS(
      run_module_alone(risk_run(keys + with_script("if index >= 2 { exercise log(spot - 20) }"))),
      doctest::Contains(
          "trade `note`: its value is not a finite number in stress scenario `crash`"),
      NumericalError);
}

TEST_CASE(
    "such a trade is skipped where the configuration says so, on any ranks and after a resume") {
  const std::string config =
      with_script("if index >= 2 { exercise log(90 - spot) }", "on_error = \"skip\"\n");
  const ModuleResult whole = run_module_alone({.config = config, .stop = samples(8192)});
  CHECK(std::isnan(whole.estimates.at(0).mean));
  CHECK(whole.estimates.at(1).mean == doctest::Approx(5.57).epsilon(0.05));
  const auto has_reason = [](const ModuleResult& result) {
    for (const std::string& line : result.report.footer)
      if (line.find("skipped: test.toml:12: trade `note`: " + failed_at_half) != std::string::npos)
        return true;
    return false;
  };
  CHECK(has_reason(whole));
  const ModuleResult parts =
      run_module_alone({.config = config, .ranks = 3, .stop = samples(8192)});
  CHECK(parts.digest == whole.digest);
  const ModuleResult half =
      run_module_alone({.config = config, .stop = samples(8192), .stop_at = 1});
  const ModuleResult resumed = run_module_alone(
      {.config = config, .stop = samples(8192), .resume = &half.state, .resume_at = half.done});
  CHECK(resumed.digest == whole.digest);
  CHECK(has_reason(resumed));
}

TEST_CASE("a value that is not a number on a rare path is reported by its sample") {
  // No recorded path of the regressions and of the upper bound reaches 210, which is 4.2 standard
  // deviations away.
  const std::string rare =
      with_script("if index == 3 { exercise where(spot > 210, sqrt(100 - spot), 1) }");
  CHECK_NOTHROW(run_module_alone({.config = rare, .stop = samples(2048)}));
  CHECK_THROWS_WITH_AS(run_module_alone({.config = rare, .stop = samples(1 << 19)}),
                       doctest::Contains("trade `note`: a payoff is not a finite number"),
                       NumericalError);
}
