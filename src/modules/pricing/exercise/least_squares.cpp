#include "src/modules/pricing/exercise/least_squares.hpp"

#include <cmath>

#include "gsim/core/error.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"

namespace gsim::pricing {
namespace {

constexpr double smallest_eigenvalue = 1e-11;

/// A square matrix, row by row.
class Matrix {
 public:
  explicit Matrix(std::size_t n) : n_(n), values_(n * n) {}
  std::size_t size() const { return n_; }
  double& operator()(std::size_t i, std::size_t j) { return values_[i * n_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * n_ + j]; }

 private:
  std::size_t n_;
  std::vector<double> values_;
};

/// Replaces the lower triangle of a by its Cholesky factor; false if a pivot is too small.
bool factorise(Matrix& a) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    double pivot = a(j, j);
    for (std::size_t k = 0; k < j; ++k) pivot -= a(j, k) * a(j, k);
    if (!(pivot > smallest_pivot)) return false;
    a(j, j) = std::sqrt(pivot);
    for (std::size_t i = j + 1; i < a.size(); ++i) {
      double sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= a(i, k) * a(j, k);
      a(i, j) = sum / a(j, j);
    }
  }
  return true;
}

std::vector<double> substitute(const Matrix& factor, std::vector<double> x) {
  const std::size_t n = factor.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= factor(i, k) * x[k];
    x[i] /= factor(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= factor(k, i) * x[k];
    x[i] /= factor(i, i);
  }
  return x;
}

/// Rotates rows and columns p and q of the symmetric matrix a so that a(p, q) vanishes, and the
/// columns of v with them.
void rotate(Matrix& a, Matrix& v, std::size_t p, std::size_t q) {
  if (a(p, q) == 0) return;
  const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
  const double t = (theta >= 0 ? 1.0 : -1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    const double kp = a(k, p), kq = a(k, q);
    a(k, p) = c * kp - s * kq;
    a(k, q) = s * kp + c * kq;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double pk = a(p, k), qk = a(q, k);
    a(p, k) = c * pk - s * qk;
    a(q, k) = s * pk + c * qk;
    const double vp = v(k, p), vq = v(k, q);
    v(k, p) = c * vp - s * vq;
    v(k, q) = s * vp + c * vq;
  }
}

/// The solution of smallest norm of a x = b without the directions of small eigenvalues.
std::vector<double> solve_truncated(Matrix a, const std::vector<double>& b) {
  constexpr int max_sweeps = 30;
  const std::size_t n = a.size();
  Matrix v(n);
  for (std::size_t i = 0; i < n; ++i) v(i, i) = 1;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double off_diagonal = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) off_diagonal += a(p, q) * a(p, q);
    if (off_diagonal < 1e-30) break;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) rotate(a, v, p, q);
  }
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::fmax(largest, a(i, i));
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(a(i, i) > smallest_eigenvalue * largest)) continue;
    double projection = 0;
    for (std::size_t k = 0; k < n; ++k) projection += v(k, i) * b[k];
    for (std::size_t k = 0; k < n; ++k) x[k] += v(k, i) * (projection / a(i, i));
  }
  return x;
}

}  // namespace

std::vector<double> solve_normal_equations(std::span<const double> lower,
                                           std::span<const double> right) {
  const std::size_t n = right.size();
  GSIM_EXPECT(lower.size() == n * (n + 1) / 2);
  Matrix a(n);
  std::vector<double> scale(n), b(n);
  const auto at = [&](std::size_t i, std::size_t j) { return lower[i * (i + 1) / 2 + j]; };
  // A function that is zero on all paths gets the coefficient 0.
  for (std::size_t i = 0; i < n; ++i) scale[i] = at(i, i) > 0 ? 1 / std::sqrt(at(i, i)) : 0;
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = right[i] * scale[i];
    for (std::size_t j = 0; j <= i; ++j) a(i, j) = a(j, i) = at(i, j) * scale[i] * scale[j];
  }
  Matrix factor = a;
  std::vector<double> x = factorise(factor) ? substitute(factor, b) : solve_truncated(a, b);
  for (std::size_t i = 0; i < n; ++i) x[i] *= scale[i];
  return x;
}

}  // namespace gsim::pricing
