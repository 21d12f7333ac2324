#include "src/modules/pricing/market/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "gsim/core/error.hpp"

namespace gsim::pricing {
namespace {

std::size_t at(Index row, Index column, Index n) {
  return static_cast<std::size_t>(row * n + column);
}

// Sum of the squares of the elements above the diagonal.
double off_diagonal(const std::vector<double>& a, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j) sum += a[at(i, j, n)] * a[at(i, j, n)];
  return sum;
}

// One Jacobi rotation that makes a[p][q] zero (Golub and Van Loan, "Matrix Computations", 8.5.2).
void rotate(std::vector<double>& a, std::vector<double>& v, Index p, Index q, Index n) {
  const double apq = a[at(p, q, n)];
  if (apq == 0) return;
  const double tau = (a[at(q, q, n)] - a[at(p, p, n)]) / (2 * apq);
  const double t = (tau >= 0 ? 1.0 : -1.0) / (std::fabs(tau) + std::sqrt(1 + tau * tau));
  const double c = 1 / std::sqrt(1 + t * t), s = t * c;
  for (Index k = 0; k < n; ++k) {
    const double x = a[at(k, p, n)], y = a[at(k, q, n)];
    a[at(k, p, n)] = c * x - s * y;
    a[at(k, q, n)] = s * x + c * y;
  }
  for (Index k = 0; k < n; ++k) {
    const double x = a[at(p, k, n)], y = a[at(q, k, n)];
    a[at(p, k, n)] = c * x - s * y;
    a[at(q, k, n)] = s * x + c * y;
  }
  for (Index k = 0; k < n; ++k) {
    const double x = v[at(k, p, n)], y = v[at(k, q, n)];
    v[at(k, p, n)] = c * x - s * y;
    v[at(k, q, n)] = s * x + c * y;
  }
}

// The matrix with its negative eigenvalues set to zero.
std::vector<double> project_semidefinite(const std::vector<double>& matrix, Index n) {
  const Eigensystem e = eigensystem(matrix, n);
  std::vector<double> result(matrix.size(), 0.0);
  for (Index k = 0; k < n; ++k) {
    const double value = e.values[static_cast<std::size_t>(k)];
    if (value <= 0) continue;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        result[at(i, j, n)] += value * e.vectors[at(i, k, n)] * e.vectors[at(j, k, n)];
  }
  return result;
}

// Whether matrix + shift I has a Cholesky factor, hence all eigenvalues above -shift. Much faster
// than computing the eigenvalues.
bool has_cholesky(std::vector<double> l, Index n, double shift) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) {
      double sum = l[at(i, j, n)] + (i == j ? shift : 0.0);
      for (Index k = 0; k < j; ++k) sum -= l[at(i, k, n)] * l[at(j, k, n)];
      if (i == j && !(sum > 0)) return false;
      l[at(i, j, n)] = i == j ? std::sqrt(sum) : sum / l[at(j, j, n)];
    }
  return true;
}

}  // namespace

Eigensystem eigensystem(const std::vector<double>& symmetric, Index n) {
  std::vector<double> a = symmetric, v(symmetric.size(), 0.0);
  for (Index i = 0; i < n; ++i) v[at(i, i, n)] = 1;
  constexpr int max_sweeps = 60;  // convergence is quadratic; ten sweeps usually suffice
  for (int sweep = 0; sweep < max_sweeps && off_diagonal(a, n) > 1e-30; ++sweep)
    for (Index p = 0; p < n; ++p)
      for (Index q = p + 1; q < n; ++q) rotate(a, v, p, q, n);

  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return a[at(i, i, n)] < a[at(j, j, n)]; });
  Eigensystem result{std::vector<double>(static_cast<std::size_t>(n)),
                     std::vector<double>(symmetric.size())};
  for (Index k = 0; k < n; ++k) {
    const Index from = order[static_cast<std::size_t>(k)];
    result.values[static_cast<std::size_t>(k)] = a[at(from, from, n)];
    for (Index i = 0; i < n; ++i) result.vectors[at(i, k, n)] = v[at(i, from, n)];
  }
  return result;
}

bool is_positive_semidefinite(const std::vector<double>& matrix, Index n,
                              CorrelationDefect* defect) {
  if (has_cholesky(matrix, n, correlation_tolerance)) return true;
  const Eigensystem e = eigensystem(matrix, n);
  if (n == 0 || e.values.front() >= -correlation_tolerance) return true;
  defect->smallest_eigenvalue = e.values.front();
  double most_negative = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j) {
      const double contribution =
          matrix[at(i, j, n)] * e.vectors[at(i, 0, n)] * e.vectors[at(j, 0, n)];
      if (contribution < most_negative) {
        most_negative = contribution;
        defect->first = i;
        defect->second = j;
      }
    }
  return false;
}

std::vector<double> nearest_correlation(const std::vector<double>& matrix, Index n) {
  std::vector<double> y = matrix, correction(matrix.size(), 0.0);
  constexpr int max_iterations = 2000;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    std::vector<double> r(matrix.size());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = y[i] - correction[i];
    const std::vector<double> x = project_semidefinite(r, n);
    double change = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
      correction[i] = x[i] - r[i];
      change = std::max(change, std::fabs(x[i] - y[i]));
    }
    y = x;
    for (Index i = 0; i < n; ++i) y[at(i, i, n)] = 1;
    if (change < 1e-10) break;
  }
  return y;
}

std::vector<double> semidefinite_cholesky(const std::vector<double>& matrix, Index n) {
  constexpr double smallest_pivot = 1e-12;
  std::vector<double> l(matrix.size(), 0.0);
  for (Index j = 0; j < n; ++j) {
    double pivot = matrix[at(j, j, n)];
    for (Index k = 0; k < j; ++k) pivot -= l[at(j, k, n)] * l[at(j, k, n)];
    if (pivot <= smallest_pivot) continue;
    const double root = std::sqrt(pivot);
    l[at(j, j, n)] = root;
    for (Index i = j + 1; i < n; ++i) {
      double sum = matrix[at(i, j, n)];
      for (Index k = 0; k < j; ++k) sum -= l[at(i, k, n)] * l[at(j, k, n)];
      l[at(i, j, n)] = sum / root;
    }
  }
  return l;
}

std::vector<double> round_correlation(const std::vector<double>& matrix, Index n) {
  constexpr double unit = 1e6;
  const double shrink = 1 - 0.5 * static_cast<double>(n) / unit;
  std::vector<double> rounded(matrix.size());
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      rounded[at(i, j, n)] = i == j ? 1.0 : std::round(shrink * matrix[at(i, j, n)] * unit) / unit;
  return rounded;
}

MatrixDistance matrix_distance(const std::vector<double>& a, const std::vector<double>& b,
                               Index n) {
  MatrixDistance distance;
  double sum = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const double change = std::fabs(a[at(i, j, n)] - b[at(i, j, n)]);
      sum += change * change;
      if (change > distance.largest) distance = {0, change, i, j};
    }
  distance.frobenius = std::sqrt(sum);
  return distance;
}

std::string to_toml(const std::vector<double>& matrix, Index n) {
  std::string text = "[";
  for (Index i = 0; i < n; ++i) {
    text += i == 0 ? "[" : ", [";
    for (Index j = 0; j < n; ++j) {
      char cell[32];
      std::snprintf(cell, sizeof cell, "%s%.6f", j == 0 ? "" : ", ", matrix[at(i, j, n)]);
      text += cell;
    }
    text += "]";
  }
  return text + "]";
}

}  // namespace gsim::pricing
