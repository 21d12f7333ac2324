// Exposures of payoffs of the returns of periods, against integrals over these returns, and the
// warning where the variables of the regressions leave out some of the past.

#include <algorithm>
#include <cmath>
#include <functional>

#include <doctest/doctest.h>

#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace exposures_of_periods {
namespace {

constexpr double rate = 0.05, sd = 0.2, drift = rate - 0.5 * sd * sd;

ModuleResult run(const std::string& exposure, const std::string& terms) {
  return run_module_alone(exposure_run(
      "[exposure]\n" + exposure +
      "[[exposure.netting_sets]]\nname = \"set\"\n[market]\nrate = 0.05\n[market.assets.A]\n"
      "spot = 100.0\nvolatility = 0.2\n[[trades]]\nid = \"a\"\nasset = \"A\"\nmaturity = 1.0\n"
      "quantity = 1000\n" +
      terms));
}

/// E[f(Z)] of a standard normal Z, by Simpson's rule.
double expectation(const std::function<double(double)>& f) {
  constexpr int n = 600;
  constexpr double reach = 8, h = 2 * reach / n;
  double sum = 0;
  for (int i = 0; i <= n; ++i) {
    const double z = -reach + i * h;
    sum += (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * f(z) * std::exp(-0.5 * z * z);
  }
  return sum * h / 3 / std::sqrt(2 * M_PI);
}

/// The logarithmic return over `years` whose normal variable is z.
double log_return(double years, double z) { return drift * years + sd * std::sqrt(years) * z; }

bool has_warning(const ModuleResult& r) {
  return std::any_of(r.warnings.begin(), r.warnings.end(), [](const std::string& line) {
    return line.find("more of the past") != std::string::npos;
  });
}

const std::string cliquet =
    "product = \"cliquet\"\ntype = \"call\"\nfixing_count = 2\nlocal_floor = -0.05\nlocal_cap = "
    "0.08\nglobal_floor = 0.0\n";

}  // namespace

TEST_CASE("a variance swap at and between its dates: exposures agree with integrals of returns") {
  const ModuleResult r =
      run("times = [0.4, 0.5]\n", "product = \"variance_swap\"\nstrike = 0.04\nfixing_count = 4\n");
  CHECK_FALSE(has_warning(r));
  // What is expected of a period or a part of one that has a return of x so far.
  const auto expected_square = [](double x, double years) {
    return (x + drift * years) * (x + drift * years) + sd * sd * years;
  };
  const double dates[] = {0.4, 0.5};
  for (std::size_t k = 0; k < 2; ++k) {
    const double left = 0.5 - dates[k];  // of the second quarter
    for (const double sign : {1.0, -1.0}) {
      const double value = expectation([&](double first) {
        const double known = log_return(0.25, first) * log_return(0.25, first);
        return expectation([&](double second) {
          const double x = log_return(0.25 - left, second);
          const double sum = known + expected_square(x, left) + 2 * expected_square(0, 0.25);
          return std::fmax(sign * (sum - 0.04), 0.0);
        });
      });
      const std::string column =
          std::string("exposures/discounted_") + (sign > 0 ? "positive" : "negative");
      const double expected = 1000 * std::exp(-rate) * value;
      CAPTURE(column);
      CAPTURE(k);
      CAPTURE(expected);
      CAPTURE(column_of(r, column)[k + 1]);
      CAPTURE(column_of(r, column + "_error")[k + 1]);
      CHECK(std::fabs(column_of(r, column)[k + 1] - expected) <
            4 * column_of(r, column + "_error")[k + 1]);
    }
  }
}

TEST_CASE("a cliquet at its date: the quantile of its value is the value at a quantile") {
  const ModuleResult r = run("times = [0.5]\nquantile = 0.6\n", cliquet);
  CHECK_FALSE(has_warning(r));
  const auto clipped = [](double z) {
    return std::clamp(std::exp(log_return(0.5, z)) - 1, -0.05, 0.08);
  };
  const double first = clipped(0.2533471031357997);
  const double expected = 1000 * std::exp(-0.5 * rate) *
                          expectation([&](double z) { return std::fmax(first + clipped(z), 0.0); });
  CAPTURE(expected);
  CHECK(std::fabs(column_of(r, "exposures/potential_future")[1] - expected) <
        4 * column_of(r, "exposures/potential_future_error")[1] + 0.002 * expected);
}

TEST_CASE("a cliquet between its dates: a warning, also where it may be exercised early") {
  CHECK(has_warning(run("times = [0.25, 0.5]\nregression_paths = 4096\n", cliquet)));
  CHECK(has_warning(run("times = [0.7]\nregression_paths = 4096\n",
                        cliquet + "exercise = \"bermudan\"\nexercise_dates = [0.5]\n")));
}

}  // namespace exposures_of_periods
