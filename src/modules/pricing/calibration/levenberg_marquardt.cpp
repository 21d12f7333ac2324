#include "src/modules/pricing/calibration/levenberg_marquardt.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/exercise/least_squares.hpp"

namespace gsim::pricing {
namespace {

double sum_of_squares(const std::vector<double>& residuals) {
  double sum = 0;
  for (const double r : residuals) sum += r * r;
  return sum;
}

class Minimiser {
 public:
  Minimiser(const FitResiduals& evaluate, const std::vector<FitParameter>& parameters,
            std::size_t residuals)
      : evaluate_(evaluate), bounds_(parameters), slopes_(parameters.size() * residuals) {
    for (const FitParameter& p : parameters)
      fit_.parameters.push_back(std::clamp(p.start, p.lower, p.upper));
    fit_.residuals.resize(residuals);
    evaluate_(fit_.parameters, fit_.residuals);
    squares_ = sum_of_squares(fit_.residuals);
  }

  Fit minimise() {
    constexpr int max_iterations = 300;
    while (fit_.iterations < max_iterations && !fit_.has_converged) {
      ++fit_.iterations;
      differentiate();
      fit_.has_converged = !improve();
    }
    return std::move(fit_);
  }

 private:
  /// Central differences, one-sided at a bound.
  void differentiate() {
    constexpr double relative_step = 1e-5;
    std::vector<double> at = fit_.parameters, above(fit_.residuals.size()), below(above);
    for (std::size_t j = 0; j < at.size(); ++j) {
      const double x = at[j], range = bounds_[j].upper - bounds_[j].lower;
      const double step = relative_step * std::fmin(std::fmax(std::fabs(x), 1e-2 * range), range);
      at[j] = std::fmin(x + step, bounds_[j].upper);
      const double high = at[j];
      evaluate_(at, above);
      at[j] = std::fmax(x - step, bounds_[j].lower);
      const double low = at[j];
      evaluate_(at, below);
      at[j] = x;
      for (std::size_t i = 0; i < above.size(); ++i)
        slope(i, j) = high > low ? (above[i] - below[i]) / (high - low) : 0.0;
    }
  }

  /// Steps with more and more damping until one reduces the sum of squares by more than rounding;
  /// returns whether there is one.
  bool improve() {
    constexpr double largest_damping = 1e12, smallest_damping = 1e-12, negligible = 1e-14;
    std::vector<double> residuals(fit_.residuals.size());
    for (; damping_ < largest_damping; damping_ *= 8) {
      const std::vector<double> at = stepped();
      evaluate_(at, residuals);
      const double squares = sum_of_squares(residuals);
      if (!(squares < squares_ * (1 - negligible))) continue;
      fit_.parameters = at;
      fit_.residuals = residuals;
      squares_ = squares;
      damping_ = std::fmax(0.1 * damping_, smallest_damping);
      return true;
    }
    damping_ = 1;
    return false;
  }

  /// The parameters after a damped step, within their bounds. A parameter at a bound towards which
  /// the sum of squares falls is fixed.
  std::vector<double> stepped() const {
    std::vector<double> lower, right;
    for (std::size_t j = 0; j < bounds_.size(); ++j) {
      const double b = -product(j);
      for (std::size_t k = 0; k <= j; ++k)
        lower.push_back((is_fixed(j) || is_fixed(k)) ? (j == k ? 1.0 : 0.0)
                                                     : product(j, k) * (j == k ? 1 + damping_ : 1));
      right.push_back(is_fixed(j) ? 0 : b);
    }
    const std::vector<double> step = solve_normal_equations(lower, right);
    std::vector<double> at = fit_.parameters;
    for (std::size_t j = 0; j < at.size(); ++j)
      at[j] = std::clamp(at[j] + step[j], bounds_[j].lower, bounds_[j].upper);
    return at;
  }

  bool is_fixed(std::size_t j) const {
    const double x = fit_.parameters[j], gradient = product(j);
    return (x <= bounds_[j].lower && gradient > 0) || (x >= bounds_[j].upper && gradient < 0);
  }

  double& slope(std::size_t i, std::size_t j) { return slopes_[i * bounds_.size() + j]; }
  double slope(std::size_t i, std::size_t j) const { return slopes_[i * bounds_.size() + j]; }
  /// Of the slopes by parameters j and k.
  double product(std::size_t j, std::size_t k) const {
    double sum = 0;
    for (std::size_t i = 0; i < fit_.residuals.size(); ++i) sum += slope(i, j) * slope(i, k);
    return sum;
  }
  /// Of the slopes by parameter j and the residuals: half the gradient of the sum of squares.
  double product(std::size_t j) const {
    double sum = 0;
    for (std::size_t i = 0; i < fit_.residuals.size(); ++i) sum += slope(i, j) * fit_.residuals[i];
    return sum;
  }

  const FitResiduals& evaluate_;
  const std::vector<FitParameter>& bounds_;
  std::vector<double> slopes_;  ///< [residual][parameter]
  Fit fit_;
  double squares_ = 0, damping_ = 1e-3;
};

}  // namespace

double Fit::root_mean_square() const {
  return residuals.empty()
             ? 0
             : std::sqrt(sum_of_squares(residuals) / static_cast<double>(residuals.size()));
}

Fit levenberg_marquardt(const FitResiduals& evaluate, const std::vector<FitParameter>& parameters,
                        std::size_t residuals) {
  return Minimiser(evaluate, parameters, residuals).minimise();
}

}  // namespace gsim::pricing
