#include "src/modules/pricing/exercise/least_squares.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/superaccumulator.hpp"
#include "kernels/pricing/exercise/solve_regression.hpp"

using gsim::Index;
using gsim::Superaccumulator;
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

double accumulated(const std::vector<double>& terms) {
  Superaccumulator sum;
  for (const double term : terms) sum.add(term);
  return sum.value();
}

/// The normal equations of `functions` functions on random values, in blocks, and their solution
/// from the sums of all blocks.
struct Blocks {
  static constexpr Index count = 5;
  std::vector<double> sums;  // [block][sum]
  std::vector<double> expected;

  Blocks(Index functions, double dependence) {
    std::mt19937_64 engine(3);
    std::normal_distribution<double> normal;
    const auto n = static_cast<std::size_t>(functions), size = n * (n + 3) / 2;
    sums.resize(static_cast<std::size_t>(count) * size);
    for (std::size_t i = 0; i < 4000; ++i) {
      std::vector<double> phi{1};
      for (std::size_t f = 1; f < n; ++f) phi.push_back(normal(engine));
      if (n > 1) phi[n - 1] = dependence * phi[0] + (1 - dependence) * phi[n - 1];
      phi.push_back(normal(engine) + 3 * phi[n / 2]);
      double* sum = &sums[i % static_cast<std::size_t>(count) * size];
      for (std::size_t row = 0; row <= n; ++row)
        for (std::size_t column = 0; column <= row && column < n; ++column)
          *sum++ += phi[row] * phi[column];
    }
    std::vector<double> total;
    for (std::size_t k = 0; k < size; ++k) {
      std::vector<double> terms;
      for (std::size_t b = 0; b < static_cast<std::size_t>(count); ++b)
        terms.push_back(sums[b * size + k]);
      total.push_back(accumulated(terms));
    }
    const std::size_t split = n * (n + 1) / 2;
    expected =
        solve_normal_equations(std::span(total).first(split), std::span(total).subspan(split));
  }

  /// The coefficients that the executor finds at date 7, and the date at which it stops.
  std::vector<double> solution(std::int32_t& stopped) const {
    std::vector<double> coefficient(expected.size(), 0.0);
    const auto n = static_cast<std::int32_t>(expected.size());
    gsim::regression_solution(gsim::Executor::host(1),
                              {sums.data(), count, n, n, coefficient.data(), 7, &stopped});
    return coefficient;
  }
};

}  // namespace

TEST_CASE("an exact sum has the bits of a superaccumulator, or is left to it") {
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> mantissa(0.5, 1);
  std::uniform_int_distribution<int> exponent(0, 45), length(1, 9), sign(0, 1);
  const auto check = [](const std::vector<double>& terms) {
    double total = 0;
    REQUIRE(
        gsim::pricing_kernels::exact_sum(terms.data(), static_cast<Index>(terms.size()), 1, total));
    CHECK(total == accumulated(terms));
    CHECK(std::signbit(total) == std::signbit(accumulated(terms)));
  };
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> terms;
    for (int k = length(engine); k > 0; --k)
      terms.push_back(std::ldexp(sign(engine) != 0 ? mantissa(engine) : -mantissa(engine),
                                 exponent(engine) - 25));
    if (i % 3 == 0) terms.push_back(-terms.front());
    // Sums of integers above 2^53 are often half way between two doubles.
    if (i % 2 == 0)
      for (double& x : terms) x = std::ldexp(std::round(std::ldexp(x, 28)), 2);
    check(terms);
  }
  // 1/8 is half of the unit in the last place of 2^50.
  check({0x1p50, 1.125});
  check({0x1p50, 1.375});
  check({0x1p50, 1.125, 1 + 0x1p-30});
  check({-0x1p50, -1.125});
  check({0x1.fffffffffffffp49, 1.0625});
  check({0, -0.0});
  check({1.5, -1.5});
  double total = 0;
  const auto is_left = [&](const std::vector<double>& terms) {
    return !gsim::pricing_kernels::exact_sum(terms.data(), static_cast<Index>(terms.size()), 1,
                                             total);
  };
  CHECK(is_left({1, 1e-20}));
  CHECK(is_left({1e-300}));
  CHECK(is_left({1, std::numeric_limits<double>::infinity()}));
  CHECK(is_left({std::numeric_limits<double>::quiet_NaN(), 1}));
}

TEST_CASE("equations are solved from the sums of blocks with the same bits") {
  for (const Index functions : {1, 2, 9, 46, 65}) {
    const Blocks blocks(functions, 0.25);
    std::int32_t stopped = -1;
    CHECK(blocks.solution(stopped) == blocks.expected);
    CHECK(stopped == -1);
  }
}

TEST_CASE("equations that are nearly dependent, or not finite, are left to the host") {
  std::int32_t stopped = -1;
  const Blocks dependent(4, 1 - 1e-7);
  CHECK(dependent.solution(stopped) == std::vector<double>(4, 0.0));
  CHECK(stopped == 7);
  Blocks blocks(4, 0.25);
  CHECK(blocks.solution(stopped) == std::vector<double>(4, 0.0));  // stopped before
  stopped = -1;
  blocks.sums[5] = std::numeric_limits<double>::infinity();
  CHECK(blocks.solution(stopped) == std::vector<double>(4, 0.0));
  CHECK(stopped == 7);
}

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
