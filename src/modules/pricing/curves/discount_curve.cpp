#include "src/modules/pricing/curves/discount_curve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {

DiscountCurve::DiscountCurve(Interpolation interpolation, std::vector<double> times,
                             std::vector<double> totals)
    : interpolation_(interpolation), times_(std::move(times)), totals_(std::move(totals)) {
  GSIM_EXPECT(!times_.empty() && times_.size() == totals_.size());
  bends_.resize(times_.size());
  update_bends();
}

void DiscountCurve::set_total(std::size_t i, double total) {
  totals_[i] = total;
  update_bends();
}

void DiscountCurve::update_bends() {
  if (interpolation_ == Interpolation::log_linear) return;  // they are 0
  for (std::size_t i = 0; i < bends_.size(); ++i) bends_[i] = bend(i);
}

double DiscountCurve::mean_forward(std::size_t i) const {
  return (totals_[i] - total_before(i)) / (times_[i] - time_before(i));
}

// The derivative of -ln D at node k (node 0 is today) of the parabola through the node and its
// neighbours; at the ends, of the parabola through the three nearest nodes.
double DiscountCurve::slope(std::size_t node) const {
  const std::size_t last = times_.size();
  const auto h = [&](std::size_t i) { return times_[i] - time_before(i); };
  const auto weighted = [&](std::size_t inner, std::size_t outer) {
    return ((2 * h(inner) + h(outer)) * mean_forward(inner) - h(inner) * mean_forward(outer)) /
           (h(inner) + h(outer));
  };
  if (last == 1) return mean_forward(0);
  if (node == 0) return weighted(0, 1);
  if (node == last) return weighted(last - 1, last - 2);
  return (h(node - 1) * mean_forward(node) + h(node) * mean_forward(node - 1)) /
         (h(node - 1) + h(node));
}

// The filter that keeps cubic interpolation monotone where the data are: Hyman 1983, "Accurate
// monotonicity preserving cubic interpolation", SIAM J. Sci. Stat. Comput. 4, in the extended form
// of Dougherty, Edelman and Hyman 1989, Math. Comp. 52; for rates: Hagan and West 2006,
// "Interpolation methods for curve construction", Applied Mathematical Finance 13.
double DiscountCurve::filtered_slope(std::size_t node) const {
  const std::size_t last = times_.size();
  const double unfiltered = slope(node);
  const auto limited = [&](double sign_of, double limit) {
    return unfiltered * sign_of > 0
               ? std::copysign(std::fmin(std::fabs(unfiltered), limit), unfiltered)
               : 0.0;
  };
  if (node == 0 || node == last) {
    const double chord = mean_forward(node == 0 ? 0 : last - 1);
    return limited(chord, 3 * std::fabs(chord));
  }
  const auto h = [&](std::size_t i) { return times_[i] - time_before(i); };
  const double left = mean_forward(node - 1), right = mean_forward(node);
  const double middle = (left * h(node) + right * h(node - 1)) / (h(node - 1) + h(node));
  double limit = 3 * std::fmin(std::fmin(std::fabs(left), std::fabs(right)), std::fabs(middle));
  // Two intervals on one side with bends of the same sign as at the node allow a steeper slope.
  const auto extend = [&](std::size_t inner, std::size_t outer, double bend) {
    const double chord = mean_forward(inner), next = mean_forward(outer);
    const double outer_bend = chord - next;
    const double one_sided =
        (chord * (2 * h(inner) + h(outer)) - next * h(inner)) / (h(outer) + h(inner));
    if (outer_bend * bend > 0 && middle * one_sided > 0 && middle * outer_bend > 0)
      limit = std::fmax(limit, 1.5 * std::fmin(std::fabs(middle), std::fabs(one_sided)));
  };
  if (node > 1) extend(node - 1, node - 2, right - left);
  if (node + 1 < last) extend(node, node + 1, left - right);
  return limited(middle, limit);
}

DiscountCurve::Bend DiscountCurve::bend(std::size_t i) const {
  const double length = times_[i] - time_before(i), chord = mean_forward(i);
  switch (interpolation_) {
    case Interpolation::log_linear:
      break;
    case Interpolation::linear_zero: {
      if (i == 0) break;
      const double change = totals_[i] / times_[i] - totals_[i - 1] / times_[i - 1];
      return {-change * length, 0};
    }
    case Interpolation::monotone_cubic: {
      const double begin = filtered_slope(i), end = filtered_slope(i + 1);
      return {length * (begin - chord), -length * (begin + end - 2 * chord)};
    }
  }
  return {0, 0};
}

double DiscountCurve::last_forward() const {
  const std::size_t i = times_.size() - 1;
  const Bend b = bends_[i];
  return mean_forward(i) - (b.first + b.second) / (times_[i] - time_before(i));
}

double DiscountCurve::total(double t) const {
  const auto i =
      static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), t) - times_.begin());
  if (i == times_.size()) return totals_.back() + last_forward() * (t - times_.back());
  if (t == times_[i]) return totals_[i];
  const double from = t - time_before(i), u = from / (times_[i] - time_before(i));
  const Bend b = bends_[i];
  return total_before(i) + mean_forward(i) * from + u * (1 - u) * (b.first + b.second * u);
}

double DiscountCurve::discount(double t) const { return exponential(-total(t)); }

double DiscountCurve::zero_rate(double t) const { return total(t) / t; }

StepFunction DiscountCurve::forward_rates() const {
  StepFunction means = StepFunction::from_totals(times_, totals_);
  if (interpolation_ == Interpolation::log_linear) return means;
  SmoothPart part;
  part.ends = times_;
  for (const Bend b : bends_) {
    part.first.push_back(b.first);
    part.second.push_back(b.second);
  }
  part.tail = last_forward() - mean_forward(times_.size() - 1);
  return means.with_smooth_part(std::move(part));
}

}  // namespace gsim::pricing
