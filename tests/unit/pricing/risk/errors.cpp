// Messages about configurations of the module risk.

#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

const std::string calls = R"(
[[trades]]
id = "a"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 1.0
[[trades]]
id = "b"
product = "european"
asset = "B"
type = "call"
strike = 100.0
maturity = 1.0
)";

/// The message of a run with these keys of [risk].
std::string message_of(const std::string& risk, const std::string& market = two_assets) {
  try {
    run_module_alone(risk_run("[risk]\n" + risk + market + calls, 8));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_part(const std::string& text, const std::string& part) {
  CAPTURE(text);
  CHECK(text.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("risk: a target for the value of the portfolio is refused") {
  expect_part(message_of("[pricing]\ntotal_error = 1.0\n"),
              "pricing.total_error: the module risk has other estimates");
}

TEST_CASE("risk: a trade's target_error is refused") {
  expect_part(message_of("[[trades]]\nid = \"t\"\nproduct = \"european\"\nasset = \"A\"\n"
                         "type = \"call\"\nstrike = 100.0\nmaturity = 1.0\ntarget_error = 1.0\n"),
              "target_error: the module risk estimates no prices");
}

TEST_CASE("risk: invalid keys are refused with the reason") {
  expect_part(message_of("methods = [\"montecarlo\"]"), "did you mean `monte_carlo`?");
  expect_part(message_of("methods = [\"monte_carlo\", \"monte_carlo\"]"), "appears twice");
  expect_part(message_of("methods = []"), "[risk] asks for no scenario");
  expect_part(message_of("methods = [\"historical\"]"), "the method historical needs a history");
  expect_part(message_of("inner_samples = 1500"), "1500 is not a multiple of 1024");
  expect_part(message_of("degrees_of_freedom = 2"), "has no variance");
  expect_part(message_of("levels = [1.0]"), "levels");
  expect_part(message_of("methods = [\"delta_normal\"]\ndegrees_of_freedom = 5"),
              "only simulated scenarios may follow a t distribution");
}

TEST_CASE("risk: factors and correlations that are not known are refused") {
  const std::string factor = "[[risk.factors]]\ndeviation = 0.2\nfactor = ";
  expect_part(message_of(factor + "\"C\""), "`C` is no risk factor of this portfolio");
  expect_part(message_of(factor + "\"A\"\n" + factor + "\"A\""), "the factor `A` appears twice");
  expect_part(message_of("", R"(
[market]
rate = 0.0
[market.assets.A]
spot = 100.0
volatility = 0.2
[market.assets.B]
spot = 100.0
volatility = 0.2
)"),
              "the correlation of `B` and `A` is not known");
  expect_part(
      message_of("[risk.correlation]\nfactors = [\"A\", \"B\"]\nmatrix = [[1.0, 0.5], [0.4, "
                 "1.0]]"),
      "not symmetric");
  expect_part(message_of("[risk.correlation]\nfactors = [\"A\", \"rate\"]\nmatrix = [[1.0, 0.5]]"),
              "2 rows of 2 correlations");
  expect_part(message_of(factor + "\"A\"\n" + factor + "\"B\"\n" + factor +
                         "\"rate\"\n[risk.correlation]\nfactors = [\"A\", \"B\", \"rate\"]\n"
                         "matrix = [[1.0, 0.9, 0.9], [0.9, 1.0, -0.9], [0.9, -0.9, 1.0]]"),
              "the correlations of the factors are inconsistent");
}

TEST_CASE("risk: a portfolio of rates needs the deviations of its factors") {
  std::string text;
  try {
    run_module_alone(risk_run(R"([risk]
[market]
rate = 0.03
[market.rates.R]
mean_reversion = 0.05
volatility = 0.01
[[trades]]
id = "s"
product = "swap"
rate = "R"
strike = 0.03
end = 5.0
)"));
  } catch (const InputError& error) {
    text = error.what();
  }
  CHECK(text.find("no factor changes: trades depend on rates alone") != std::string::npos);
}

TEST_CASE("risk: invalid stress scenarios and histories are refused") {
  const std::string stress = "[[risk.stress]]\nname = \"s\"\n";
  expect_part(message_of(stress + "factors = [\"A\"]"), "scenario `s`: 1 factors, but 0 changes");
  expect_part(message_of(stress + "factors = [\"A\"]\nchanges = [-1.0]"),
              "cannot change by -100 %");
  expect_part(message_of(stress + stress), "scenario `s`: the name appears twice");
  const gsim::test::ScratchFolder folder;
  const std::string path = folder / "history.csv";
  const auto with_history = [&](const std::string& text, const std::string& keys = "") {
    std::ofstream(path) << text;
    return message_of("methods = [\"historical\"]\nhistory = \"" + path + "\"\n" + keys);
  };
  expect_part(with_history("date,C\n1,2.0\n2,3.0\n"), "C");
  expect_part(with_history("date\nmonday\ntuesday\n"), "no column is named after a risk factor");
  expect_part(with_history("date,A\n1,2.0\n2,-3.0\n"), "A");
  expect_part(with_history("date,A,B\n1,2.0,3.0\n2,,3.0\n3,2.0,3.0\n"), "has no level of `A`");
  expect_part(with_history("date,A\n2026-01-02,2.0\n2026-01-01,3.0\n2025-12-31,3.0\n"),
              "put the rows in order of time");
  expect_part(with_history("date,A\n1,2.0\n2,3.0\n"), "too few rows for two changes over 1 row");
  const std::string levels = "date,A\na,2.0\nb,3.0\nc,2.0\nd,3.0\n";
  expect_part(with_history(levels, "history_until = \"b\""),
              "too few rows until b for two changes over 1 row");
  expect_part(with_history(levels, "history_until = \"e\""), "no row has the date `e`");
  expect_part(with_history(levels, "history_changes = 1"), "quantiles need two changes at least");
  expect_part(with_history(levels, "history_until = \"c\"\nhistory_changes = 3"),
              "3 rows until c are too few for 3 changes over 1 row");
}

TEST_CASE("risk: keys of [pricing] without an effect are refused") {
  const auto pricing = [](const std::string& key) {
    return message_of("methods = [\"monte_carlo\"]\n[pricing]\n" + key);
  };
  expect_part(pricing("sampling = \"sobol\""), "the module risk does not use Sobol points");
  expect_part(pricing("greeks = [\"delta\"]"), "the module risk estimates no Greeks");
  expect_part(pricing("precision = \"float\""), "double precision");
}
