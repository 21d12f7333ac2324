#include "src/modules/pricing/market/correlation.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

using namespace gsim;
using namespace gsim::pricing;

namespace {

/// The n x n matrix l times its transpose.
std::vector<double> product_with_transpose(const std::vector<double>& l, Index n) {
  std::vector<double> a(l.size(), 0.0);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      for (Index k = 0; k < n; ++k)
        a[static_cast<std::size_t>(i * n + j)] +=
            l[static_cast<std::size_t>(i * n + k)] * l[static_cast<std::size_t>(j * n + k)];
  return a;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("eigenvalues of a matrix known by hand") {
  // Four assets with equal correlation 0.5: eigenvalues 1 - 0.5 (three times) and 1 + 3 * 0.5.
  std::vector<double> a(16, 0.5);
  for (std::size_t i = 0; i < 4; ++i) a[5 * i] = 1;
  const Eigensystem e = eigensystem(a, 4);
  for (std::size_t k = 0; k < 3; ++k) CHECK(e.values[k] == doctest::Approx(0.5));
  CHECK(e.values[3] == doctest::Approx(2.5));
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(std::fabs(e.vectors[4 * i + 3]) == doctest::Approx(0.5));
}

TEST_CASE("the factor times its transpose is the matrix, for singular matrices, too") {
  const std::vector<double> regular{1, 0.75, 0.45, 0.75, 1, 0.55, 0.45, 0.55, 1};
  CHECK(largest_difference(product_with_transpose(semidefinite_cholesky(regular, 3), 3), regular) <
        1e-15);
  const std::vector<double> singular{1, 0.5, -1, 0.5, 1, -0.5, -1, -0.5, 1};
  CHECK(largest_difference(product_with_transpose(semidefinite_cholesky(singular, 3), 3),
                           singular) < 1e-12);
  const std::vector<double> all_one(9, 1.0);
  CHECK(largest_difference(product_with_transpose(semidefinite_cholesky(all_one, 3), 3), all_one) <
        1e-12);
}

TEST_CASE("the nearest correlation matrix of Higham 2002, section 4") {
  const std::vector<double> a{1, 1, 0, 1, 1, 1, 0, 1, 1};
  CorrelationDefect defect;
  CHECK_FALSE(is_positive_semidefinite(a, 3, &defect));
  CHECK(defect.smallest_eigenvalue == doctest::Approx(1 - std::sqrt(2.0)));
  const std::vector<double> x = nearest_correlation(a, 3);
  CHECK(x[1] == doctest::Approx(0.7607).epsilon(1e-4));
  CHECK(x[2] == doctest::Approx(0.1573).epsilon(1e-3));
  CHECK(eigensystem(x, 3).values[0] > -1e-8);
}

TEST_CASE(
    "the nearest correlation matrix: its distance, its rounding, and a scan for a nearer one") {
  const std::vector<double> a{1, 1, 0, 1, 1, 1, 0, 1, 1};
  const std::vector<double> x = nearest_correlation(a, 3);
  CHECK(matrix_distance(a, x, 3).frobenius == doctest::Approx(0.5278).epsilon(1e-4));
  CorrelationDefect defect;
  CHECK(is_positive_semidefinite(round_correlation(x, 3), 3, &defect));
  // A scan over correlation matrices with the elements r, q and p finds none that is nearer.
  double nearest = 10;
  for (int i = 0; i <= 200; ++i)
    for (int j = 0; j <= 200; ++j) {
      const double r = std::cos(0.005 * i), p = std::cos(0.005 * j);
      const double q = r * p - std::sqrt((1 - r * r) * (1 - p * p));  // the minimum for r and p
      nearest = std::fmin(nearest, matrix_distance(a, {1, r, q, r, 1, p, q, p, 1}, 3).frobenius);
    }
  CHECK(nearest == doctest::Approx(0.5278).epsilon(1e-4));
}

TEST_CASE("the Cholesky test of large matrices agrees with their eigenvalues") {
  constexpr Index n = 60;
  std::vector<double> a(n * n, -1.0 / (n - 1));  // smallest eigenvalue 0
  for (std::size_t i = 0; i < n; ++i) a[i * (n + 1)] = 1;
  CorrelationDefect defect;
  CHECK(is_positive_semidefinite(a, n, &defect));
  for (std::size_t i = 0; i < n; ++i) a[i * (n + 1)] = 1 - 1e-7;
  CHECK_FALSE(is_positive_semidefinite(a, n, &defect));
  CHECK(defect.smallest_eigenvalue == doctest::Approx(-1e-7).epsilon(1e-4));
  a.assign(n * n, 0.9);
  for (std::size_t i = 0; i < n; ++i) a[i * (n + 1)] = 1;
  a[5] = a[5 * n] = -0.9;
  const std::vector<double> rounded = round_correlation(nearest_correlation(a, n), n);
  CHECK(is_positive_semidefinite(rounded, n, &defect));
  // With 0.9 for this pair, too, the matrix is a correlation matrix at the distance 1.8 sqrt(2).
  CHECK(matrix_distance(a, rounded, n).frobenius < 2.7);
}

TEST_CASE("the reported pair is the one that is inconsistent with the others") {
  // Four assets with mutual correlations 0.8, except one pair with -0.8.
  std::vector<double> a(16, 0.8);
  for (std::size_t i = 0; i < 4; ++i) a[5 * i] = 1;
  a[4 * 1 + 3] = a[4 * 3 + 1] = -0.8;
  CorrelationDefect defect;
  REQUIRE_FALSE(is_positive_semidefinite(a, 4, &defect));
  CHECK(defect.first == 1);
  CHECK(defect.second == 3);
}
