#include "src/modules/pricing/exercise/least_squares.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

using gsim::Index;
using gsim::pricing::solve_normal_equations;

namespace {

// The normal equations of the values y = f(x) on functions of x.
struct Fit {
  std::vector<double> lower, right;

  template <class Functions, class Value>
  Fit(const std::vector<double>& xs, const Functions& functions, const Value& value) {
    const std::size_t n = functions(xs.front()).size();
    lower.resize(n * (n + 1) / 2);
    right.resize(n);
    for (const double x : xs) {
      const std::vector<double> phi = functions(x);
      for (std::size_t i = 0; i < n; ++i) {
        right[i] += phi[i] * value(x);
        for (std::size_t j = 0; j <= i; ++j) lower[i * (i + 1) / 2 + j] += phi[i] * phi[j];
      }
    }
  }
};

std::vector<double> points() {
  std::vector<double> xs;
  for (int i = 0; i <= 40; ++i) xs.push_back(-2 + 0.1 * i);
  return xs;
}

}  // namespace

TEST_CASE("a polynomial is fitted by its own coefficients") {
  const Fit fit(
      points(),
      [](double x) {
        return std::vector<double>{1, x, x * x - 1, x * x * x - 3 * x};
      },
      [](double x) { return 2 - 3 * x + 0.5 * (x * x - 1) + 0.25 * (x * x * x - 3 * x); });
  const std::vector<double> c = solve_normal_equations(fit.lower, fit.right);
  CHECK(c[0] == doctest::Approx(2).epsilon(1e-12));
  CHECK(c[1] == doctest::Approx(-3).epsilon(1e-12));
  CHECK(c[2] == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(c[3] == doctest::Approx(0.25).epsilon(1e-12));
}

TEST_CASE("dependent functions share the fit, with the smallest coefficients") {
  // The third function is the sum of the others up to 1e-9 of itself.
  const Fit fit(
      points(),
      [](double x) {
        return std::vector<double>{1, x, 1 + x + 1e-9 * std::sin(9 * x)};
      },
      [](double x) { return 3 + 2 * x; });
  const std::vector<double> c = solve_normal_equations(fit.lower, fit.right);
  for (const double x : points())
    CHECK(c[0] + c[1] * x + c[2] * (1 + x) == doctest::Approx(3 + 2 * x).epsilon(1e-6));
  for (const double one : c) CHECK(std::fabs(one) < 3);
}

TEST_CASE("a function that is zero on all paths has the coefficient 0") {
  const Fit fit(
      points(),
      [](double x) {
        return std::vector<double>{1, 0, x};
      },
      [](double x) { return 1 + 4 * x; });
  const std::vector<double> c = solve_normal_equations(fit.lower, fit.right);
  CHECK(c[0] == doctest::Approx(1));
  CHECK(c[1] == 0);
  CHECK(c[2] == doctest::Approx(4));
}
