// Exposures of payoffs of the returns of periods, with and without early exercise, against
// integrals over these returns.

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

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

namespace {

/// Midpoints and weights of a standard normal variable.
struct NormalNodes {
  std::vector<double> z, weight;
  explicit NormalNodes(int n) {
    constexpr double reach = 7;
    const double h = 2 * reach / n;
    for (int i = 0; i < n; ++i) {
      z.push_back(-reach + (i + 0.5) * h);
      weight.push_back(h * std::exp(-0.5 * z.back() * z.back()) / std::sqrt(2 * M_PI));
    }
  }
  template <class F>
  double mean(const F& f) const {
    double sum = 0;
    for (std::size_t i = 0; i < z.size(); ++i)
      if (weight[i] > 1e-12) sum += weight[i] * f(z[i]);
    return sum;
  }
};

/// Checks the discounted exposure of a sign in row k, with a bias of regressions up to `share`.
void check_exposure(const ModuleResult& r, std::size_t k, double sign, double expected,
                    double share = 0.01) {
  const std::string column =
      std::string("exposures/discounted_") + (sign > 0 ? "positive" : "negative");
  CAPTURE(column);
  CAPTURE(k);
  CAPTURE(expected);
  const double value = column_of(r, column)[k], error = column_of(r, column + "_error")[k];
  CAPTURE(value);
  CAPTURE(error);
  CHECK(std::fabs(value - expected) < 4 * error + share * expected);
}

/// The sums of two clipped returns of half a year, floored, and what is paid for them if exercise
/// is possible after the first.
struct TwoPeriods {
  bool is_early;
  NormalNodes nodes{120};
  double discount = std::exp(-rate);

  static double clipped(double x) { return std::clamp(std::exp(x) - 1, -0.07, 0.05); }
  static double paid(double sum) { return std::fmax(sum, -0.03); }
  /// With the return x of the second period so far and `years` left of it.
  double value(double first, double x, double years) const {
    return discount *
           nodes.mean([&](double z) { return paid(first + clipped(x + log_return(years, z))); });
  }
  double exercised(double first) const { return std::exp(-0.5 * rate) * paid(first); }
  bool is_held(double first) const { return !is_early || value(first, 0, 0.5) >= exercised(first); }
  /// With the return x of the first period so far and `years` left of it.
  double value_in_first(double x, double years) const {
    return nodes.mean([&](double z) {
      const double first = clipped(x + log_return(years, z)), held = value(first, 0, 0.5);
      return is_early ? std::fmax(held, exercised(first)) : held;
    });
  }
};

}  // namespace

TEST_CASE("a cliquet at and between its dates: exposures agree with integrals over returns") {
  for (const bool is_early : {false, true}) {
    CAPTURE(is_early);
    std::string terms =
        "product = \"cliquet\"\ntype = \"call\"\nfixing_count = 2\nlocal_floor = -0.07\n"
        "local_cap = 0.05\nglobal_floor = -0.03\n";
    if (is_early) terms += "exercise = \"bermudan\"\nexercise_dates = [0.5]\n";
    // Which paths are held depends on the noise of the policies.
    const char* const paths = is_early ? "regression_paths = 65536\n" : "";
    const ModuleResult r = run(std::string("times = [0.25, 0.5, 0.75]\n") + paths, terms);
    CHECK_FALSE(has_warning(r));
    const TwoPeriods c{is_early};
    for (const double sign : {1.0, -1.0}) {
      check_exposure(r, 1, sign, 1000 * c.nodes.mean([&](double z) {
        return std::fmax(sign * c.value_in_first(log_return(0.25, z), 0.25), 0.0);
      }));
      check_exposure(r, 2, sign, 1000 * c.nodes.mean([&](double z) {
        const double first = TwoPeriods::clipped(log_return(0.5, z));
        const double value = c.is_held(first) ? c.value(first, 0, 0.5) : c.exercised(first);
        return std::fmax(sign * value, 0.0);
      }));
      check_exposure(r, 3, sign, 1000 * NormalNodes(is_early ? 600 : 120).mean([&](double z) {
        const double first = TwoPeriods::clipped(log_return(0.5, z));
        if (!c.is_held(first)) return 0.0;
        return c.nodes.mean([&](double y) {
          return std::fmax(sign * c.value(first, log_return(0.25, y), 0.25), 0.0);
        });
      }));
    }
  }
}

TEST_CASE("a Bermudan variance swap: exposures agree with integrals over returns") {
  const ModuleResult r =
      run("times = [0.25, 0.5, 0.75]\n",
          "product = \"variance_swap\"\nstrike = 0.04\nfixing_count = 4\nexercise = \"bermudan\"\n"
          "exercise_dates = [0.5]\n");
  const NormalNodes nodes{100};
  const double one = std::exp(-rate), half = std::exp(-0.5 * rate);
  const auto square_of = [](double z) { return log_return(0.25, z) * log_return(0.25, z); };
  const double mean = nodes.mean(square_of);
  // Of the sum of the first two squares: the value if the trade is held, and what exercise pays.
  const auto held = [&](double sum) { return one * (sum + 2 * mean - 0.04); };
  const auto exercised = [&](double sum) { return half * (2 * sum - 0.04); };
  for (const double sign : {1.0, -1.0}) {
    double values[3] = {};
    for (std::size_t i = 0; i < nodes.z.size(); ++i) {
      const double first = square_of(nodes.z[i]), weight = 1000 * nodes.weight[i];
      values[0] += weight * std::fmax(sign * nodes.mean([&](double z) {
                     return std::fmax(held(first + square_of(z)), exercised(first + square_of(z)));
                   }),
                                      0.0);
      values[1] += weight * nodes.mean([&](double z) {
        const double sum = first + square_of(z);
        return std::fmax(sign * std::fmax(held(sum), exercised(sum)), 0.0);
      });
      values[2] += weight * nodes.mean([&](double z) {
        const double sum = first + square_of(z);
        if (held(sum) < exercised(sum)) return 0.0;
        return nodes.mean([&](double y) {
          return std::fmax(sign * one * (sum + square_of(y) + mean - 0.04), 0.0);
        });
      });
    }
    for (std::size_t k = 0; k < 3; ++k) check_exposure(r, k + 1, sign, values[k]);
  }
}

TEST_CASE("a Bermudan forward: exposures agree with integrals over spots") {
  // Without a drift of the spot, exercise at 0.5 pays for spots above the strike.
  const ModuleResult r = run_module_alone(exposure_run(
      "[exposure]\ntimes = [0.25, 0.5, 0.75]\n[[exposure.netting_sets]]\nname = \"set\"\n[market]\n"
      "rate = 0.06\n[market.assets.A]\nspot = 100.0\ndividend = 0.06\nvolatility = 0.2\n"
      "[[trades]]\nid = \"a\"\nasset = \"A\"\nproduct = \"forward\"\nstrike = 98.0\nmaturity = "
      "1.0\nexercise = \"bermudan\"\nexercise_dates = [0.5]\n"));
  const NormalNodes nodes{200};
  const auto discount = [](double t) { return std::exp(-0.06 * t); };
  const auto after = [](double spot, double t, double z) {
    return spot * std::exp(-0.02 * t + 0.2 * std::sqrt(t) * z);
  };
  const auto held = [&](double spot) { return discount(1) * (spot - 98); };
  const auto exercised = [&](double spot) { return discount(0.5) * (spot - 98); };
  for (const double sign : {1.0, -1.0}) {
    const double values[] = {nodes.mean([&](double y) {
                               const double spot = after(100, 0.25, y);
                               return std::fmax(sign * nodes.mean([&](double z) {
                                 const double half = after(spot, 0.25, z);
                                 return std::fmax(held(half), exercised(half));
                               }),
                                                0.0);
                             }),
                             nodes.mean([&](double z) {
                               const double half = after(100, 0.5, z);
                               return std::fmax(sign * std::fmax(held(half), exercised(half)), 0.0);
                             }),
                             NormalNodes(2000).mean([&](double y) {
                               const double half = after(100, 0.5, y);
                               if (held(half) < exercised(half)) return 0.0;
                               return nodes.mean([&](double z) {
                                 return std::fmax(sign * held(after(half, 0.25, z)), 0.0);
                               });
                             })};
    for (std::size_t k = 0; k < 3; ++k) check_exposure(r, k + 1, sign, values[k]);
  }
}

}  // namespace exposures_of_periods
