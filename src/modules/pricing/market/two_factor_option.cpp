#include "src/modules/pricing/market/two_factor_option.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gsim/core/types.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/joined_terms.hpp"

namespace gsim::pricing {
namespace {

constexpr double reach = 16;  // standard deviations, beyond which probabilities do not matter

/// A root of a function that rises through 0 between `low` and `high`, by bisection.
template <class Function>
double root_of(const Function& f, double low, double high) {
  for (int i = 0; i < 100 && high - low > 1e-15 * (1e-3 + std::fabs(low)); ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) > 0 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

/// The variance of x X + y Y.
double variance_of(double x, double y, const FactorCovariance& c) {
  return variance_of(RateTerm{0, x, y}, c);
}

}  // namespace

TwoFactorOption::Slope TwoFactorOption::slope_at(const std::vector<RateTerm>& terms,
                                                 Point z) const {
  Slope s;
  for (const RateTerm& term : terms) {
    const double value = term.amount * exponential(-term.loading * z.x - term.second_loading * z.y);
    s.sum += value;
    s.gradient.x -= term.loading * value;
    s.gradient.y -= term.second_loading * value;
  }
  return s;
}

void TwoFactorOption::set_direction(const std::vector<RateTerm>& terms,
                                    const FactorCovariance& total) {
  constexpr int steps = 3;
  Point z;
  for (int i = 0; i < steps; ++i) {
    q_ = slope_at(terms, z).gradient;
    const double sd = std::sqrt(variance_of(q_.x, q_.y, total));
    if (!(sd > 0)) return;
    const Point along{(total.x * q_.x + total.xy * q_.y) / sd,
                      (total.xy * q_.x + total.y * q_.y) / sd};
    const auto sum = [&](double s) { return slope_at(terms, {s * along.x, s * along.y}).sum; };
    if (!(sum(-reach) < 0 && sum(reach) > 0)) return;
    const double s = root_of(sum, -reach, reach);
    z = {s * along.x, s * along.y};
  }
  q_ = slope_at(terms, z).gradient;
}

void TwoFactorOption::set_boundary(const std::vector<RateTerm>& terms,
                                   const FactorCovariance& total) {
  const bool is_constant = terms.size() == 2;
  const Index intervals = is_constant ? 1 : 64;
  // Where the factors are almost one, w is almost constant, and the table is wider than its range.
  constexpr double least = 1e-8;  // share of the variance
  const double variance = variance_of(-p_.y, p_.x, total),
               largest = (square(p_.x) + square(p_.y)) * (total.x + total.y);
  low_ = -reach * std::sqrt(variance + least * largest) / deviation_;
  spacing_ = low_ < 0 ? -2 * low_ / static_cast<double>(intervals) : 1;
  const double furthest = reach * std::sqrt(variance_of(q_.x, q_.y, total));
  for (Index i = 0; i <= intervals; ++i) {
    const double w = low_ + static_cast<double>(i) * spacing_;
    const auto point = [&](double level) {
      const double u = level / deviation_;
      return Point{p_.x * u - q_.y * w, p_.y * u + q_.x * w};
    };
    const auto sum = [&](double level) { return slope_at(terms, point(level)).sum; };
    double level = sum(furthest) > 0 ? -furthest : furthest, slope = 0;
    if (sum(-furthest) < 0 && sum(furthest) > 0) {
      level = root_of(sum, -furthest, furthest);
      const Point g = slope_at(terms, point(level)).gradient;
      slope = -(g.y * q_.x - g.x * q_.y) * deviation_ / (g.x * p_.x + g.y * p_.y);
    }
    boundary_.push_back(level);
    boundary_slope_.push_back(is_constant ? 0 : slope);
  }
}

TwoFactorOption::TwoFactorOption(const ShortRate& rate, const std::vector<RateTerm>& terms,
                                 double earlier, double date) {
  const double years = date - earlier;
  const FactorCovariance noise = factor_covariance(rate, years),
                         total = factor_covariance(rate, date);
  decay_x_ = exponential(-rate.mean_reversion * years);
  decay_y_ = exponential(-rate.second->mean_reversion * years);
  const std::vector<RateTerm> list = joined_terms(terms);
  const auto has_sign = [&](double sign) {
    return std::any_of(list.begin(), list.end(),
                       [&](const RateTerm& t) { return sign * t.amount > 0; });
  };
  if (!has_sign(1)) return;
  set_direction(list, total);
  deviation_ = std::sqrt(variance_of(q_.x, q_.y, noise));
  // Gauss and Hermite's rule with three points (Abramowitz and Stegun 1964, table 25.10).
  constexpr double node = 1.7320508075688772, outer_weight = 1.0 / 6, inner_weight = 2.0 / 3;
  std::vector<double> weights;
  const bool is_line = list.size() <= 2;
  is_always_paid_ = !has_sign(-1);
  if (deviation_ > 0) {
    p_ = {(noise.x * q_.x + noise.xy * q_.y) / deviation_,
          (noise.xy * q_.x + noise.y * q_.y) / deviation_};
    const double determinant = noise.x * noise.y - noise.xy * noise.xy;
    spread_ = std::sqrt(std::fmax(determinant, 0.0)) / deviation_;
    nodes_ = is_line ? std::vector<double>{0} : std::vector<double>{-node, 0, node};
    if (is_line)
      weights = {1};
    else
      weights = {outer_weight, inner_weight, outer_weight};
    if (!is_always_paid_) set_boundary(list, total);
  }
  for (const RateTerm& term : list) {
    const double tilt = term.loading * p_.x + term.second_loading * p_.y;
    const double further = spread_ * (term.second_loading * q_.x - term.loading * q_.y);
    Term t{
        term.amount * exponential(0.5 * square(tilt)), term.loading, term.second_loading, tilt, {}};
    for (std::size_t k = 0; k < weights.size(); ++k)
      t.weight.push_back(is_line ? exponential(0.5 * square(further))
                                 : weights[k] * exponential(-further * nodes_[k]));
    terms_.push_back(std::move(t));
  }
}

double TwoFactorOption::boundary(double w) const {
  const auto last = static_cast<Index>(boundary_.size()) - 1;
  const double at = std::clamp((w - low_) / spacing_, 0.0, static_cast<double>(last));
  const auto i = static_cast<std::size_t>(std::min(static_cast<Index>(at), last - 1));
  const double u = at - static_cast<double>(i), v = 1 - u;
  return v * v * ((1 + 2 * u) * boundary_[i] + u * spacing_ * boundary_slope_[i]) +
         u * u * ((1 + 2 * v) * boundary_[i + 1] - v * spacing_ * boundary_slope_[i + 1]);
}

double TwoFactorOption::value(double x, double y) const {
  const double mean_x = decay_x_ * x, mean_y = decay_y_ * y;
  double limits[3] = {};
  if (!boundary_.empty()) {
    const double level = q_.x * mean_x + q_.y * mean_y;
    const double w = (p_.x * mean_y - p_.y * mean_x) / deviation_;
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      limits[k] = (boundary(w + spread_ * nodes_[k]) - level) / deviation_;
  }
  double sum = 0;
  for (const Term& term : terms_) {
    double share = nodes_.empty() ? 1 : 0;
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      share += term.weight[k] * (is_always_paid_ ? 1 : normal_cdf(-(limits[k] + term.tilt)));
    sum += term.amount * exponential(-term.loading * mean_x - term.second_loading * mean_y) * share;
  }
  return std::fmax(sum, 0.0);
}

}  // namespace gsim::pricing
