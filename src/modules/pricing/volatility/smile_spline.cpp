// Splines in total variance, with extrapolation that keeps it positive.

#include <algorithm>
#include <utility>

#include "src/modules/pricing/volatility/smile.hpp"

namespace gsim::pricing {
namespace {

/// Second derivatives at the nodes of the natural cubic spline, by Gaussian elimination of its
/// tridiagonal equations (Press et al., "Numerical Recipes", section 3.3).
std::vector<double> natural_curvatures(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> curvature(n, 0.0), ratio(n, 0.0), right(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = x[i] - x[i - 1], after = x[i + 1] - x[i];
    const double slopes = (y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before;
    const double pivot = 2 * (before + after) - before * ratio[i - 1];
    ratio[i] = after / pivot;
    right[i] = (6 * slopes - before * right[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) curvature[i] = right[i] - ratio[i] * curvature[i + 1];
  return curvature;
}

}  // namespace

Taylor extrapolated_variance(double variance, double outward_slope, double distance) {
  if (outward_slope >= 0) return {variance + outward_slope * distance, outward_slope, 0};
  const double length = -0.5 * variance / outward_slope;
  const double decay = exponential(-distance / length);
  return {variance + outward_slope * length * (1 - decay), outward_slope * decay,
          -outward_slope / length * decay};
}

SplineSmile::SplineSmile(std::vector<double> k, std::vector<double> variances)
    : k_(std::move(k)), w_(std::move(variances)), curvature_(k_.size(), 0.0) {
  if (k_.size() > 2) curvature_ = natural_curvatures(k_, w_);
}

Taylor SplineSmile::inside(double k) const {
  const auto above = std::upper_bound(k_.begin() + 1, k_.end() - 1, k) - k_.begin();
  const auto i = static_cast<std::size_t>(above) - 1;
  const double h = k_[i + 1] - k_[i], c0 = curvature_[i], c1 = curvature_[i + 1];
  const double b = (k - k_[i]) / h, a = 1 - b;
  return {a * w_[i] + b * w_[i + 1] + ((a * a * a - a) * c0 + (b * b * b - b) * c1) * h * h / 6,
          (w_[i + 1] - w_[i]) / h + ((3 * b * b - 1) * c1 - (3 * a * a - 1) * c0) * h / 6,
          a * c0 + b * c1};
}

Taylor SplineSmile::total_variance(double k) const {
  if (k_.size() == 1) return {w_.front()};
  if (k > k_.back())
    return extrapolated_variance(w_.back(), inside(k_.back()).slope, k - k_.back());
  if (k >= k_.front()) return inside(k);
  const Taylor left = extrapolated_variance(w_.front(), -inside(k_.front()).slope, k_.front() - k);
  return {left.value, -left.slope, left.curvature};
}

}  // namespace gsim::pricing
