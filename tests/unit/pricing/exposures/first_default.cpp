// Probabilities of the first of two defaults against closed forms, and the adjustments that use
// them.

#include "src/modules/pricing/exposures/first_default.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace first_default_test {
namespace {

double sum(const std::vector<double>& x) {
  double total = 0;
  for (const double value : x) total += value;
  return total;
}

/// P(X < x, Y < y) of standard normals with a correlation, by Simpson's rule.
double both_below(double x, double y, double correlation) {
  constexpr int n = 20000;
  const double low = -9, h = (x - low) / n;
  double total = 0;
  for (int i = 0; i <= n; ++i) {
    const double z = low + i * h;
    const double rest =
        0.5 * std::erfc(-(y - correlation * z) / std::sqrt(2 * (1 - correlation * correlation)));
    total += (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * rest * std::exp(-0.5 * z * z);
  }
  return total * h / 3 / std::sqrt(2 * M_PI);
}

std::string config(const std::string& exposure, const std::string& set,
                   const std::string& trades = R"(
[[trades]]
id = "call"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 2.0
[[trades]]
id = "sold"
netting_set = "sold"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 2.0
quantity = -1.0
)") {
  return "[exposure]\nregression_paths = 4096\ntimes = [0.3, 1.0, 2.0]\n" + exposure +
         "[[exposure.netting_sets]]\nname = \"sold\"\ncredit = \"C\"\n"
         "[[exposure.netting_sets]]\nname = \"set\"\n" +
         set + R"([market]
rate = 0.03
[market.credit.C]
recovery = 0.4
times = [10.0]
hazard_rates = [0.05]
[market.credit.B]
recovery = 0.3
times = [10.0]
hazard_rates = [0.03]
[market.assets.A]
spot = 100.0
volatility = 0.25
)" +
         std::string(trades).replace(trades.find("id = \"call\""), 11,
                                     "id = \"call\"\nnetting_set = \"set\"");
}

}  // namespace

TEST_CASE("first default: independent defaults with constant hazard rates") {
  const CreditCurve c(StepFunction(0.05)), b(StepFunction(0.03));
  const std::vector<double> times = {0, 0.5, 2, 7};
  const std::vector<double> p = first_defaults(c, b, 0, times);
  REQUIRE(p.size() == 3);
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(p[k] ==
          doctest::Approx(0.625 * (std::exp(-0.08 * times[k]) - std::exp(-0.08 * times[k + 1])))
              .epsilon(1e-12));
}

TEST_CASE("first default: both orders and no default have the probability 1") {
  const CreditCurve c(StepFunction({1.0, 3.0, 10.0}, {0.01, 0.2, 0.05})),
      b(StepFunction({2.0, 10.0}, {0.15, 0.02}));
  const std::vector<double> times = {0, 0.7, 1.5, 4, 6};
  for (const double correlation : {-0.8, 0.0, 0.5, 0.95}) {
    CAPTURE(correlation);
    const double first = sum(first_defaults(c, b, correlation, times)),
                 second = sum(first_defaults(b, c, correlation, times));
    const double none =
        both_below(normal_quantile(c.survival(6)), normal_quantile(b.survival(6)), correlation);
    CHECK(first + second + none == doctest::Approx(1).epsilon(1e-7));
    // Until a default of one party the other survives the rather, the more both go together.
    CHECK(first < 1 - c.survival(6));
  }
  CHECK(sum(first_defaults(c, b, 0.9, times)) < sum(first_defaults(c, b, 0, times)));
}

TEST_CASE("first default: CVA and DVA of options are prices times its probability") {
  const ModuleResult r = run_module_alone(
      exposure_run(config("own_credit = \"B\"\nfirst_to_default = true\n", "credit = \"C\"\n")));
  const double price = column_of(r, "exposures/expected_positive")[4];
  const double defaults = 1 - std::exp(-0.16);
  const auto check = [&](const char* name, std::size_t set, double expected) {
    const double error = column_of(r, std::string(name) + "_error")[set];
    CAPTURE(name);
    CHECK(error > 0);
    CHECK(std::fabs(column_of(r, name)[set] - expected) < 4 * error);
  };
  check("netting_sets/cva", 1, 0.6 * price * 0.625 * defaults);
  check("netting_sets/dva", 0, 0.7 * price * 0.375 * defaults);
  CHECK(column_of(r, "netting_sets/cva")[0] == 0);
  const ModuleResult correlated =
      run_module_alone(exposure_run(config("own_credit = \"B\"\nfirst_to_default = true\n",
                                           "credit = \"C\"\ndefault_correlation = 0.7\n")));
  CHECK(column_of(correlated, "netting_sets/cva")[1] < column_of(r, "netting_sets/cva")[1]);
}

TEST_CASE("first default: what has no effect, or lacks a credit curve, is refused") {
  const auto expect = [](const std::string& part, const std::string& exposure,
                         const std::string& set) {
    std::string text = "no error";
    try {
      run_module_alone(exposure_run(config(exposure, set), 4096));
    } catch (const InputError& error) {
      text = error.what();
    }
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  expect("needs this party's own_credit", "first_to_default = true\n", "credit = \"C\"\n");
  expect("netting set `set`: the first default of both parties needs the credit",
         "own_credit = \"B\"\nfirst_to_default = true\n", "");
  expect("default_correlation has no effect", "own_credit = \"B\"\n",
         "credit = \"C\"\ndefault_correlation = 0.5\n");
  expect("default_correlation and wrong_way cannot be combined",
         "own_credit = \"B\"\nfirst_to_default = true\n",
         "credit = \"C\"\ndefault_correlation = 0.5\n[exposure.netting_sets.wrong_way]\n"
         "asset = \"A\"\ncorrelation = 0.5\nvolatility = 0.5\n");
}

}  // namespace first_default_test
