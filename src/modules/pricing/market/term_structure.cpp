#include "src/modules/pricing/market/term_structure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gsim/core/error.hpp"

namespace gsim::pricing {

StepFunction::StepFunction(std::vector<double> ends, std::vector<double> values)
    : ends_(std::move(ends)), values_(std::move(values)) {
  GSIM_EXPECT(!values_.empty() && ends_.size() == values_.size());
  ends_.pop_back();
}

StepFunction StepFunction::from_totals(const std::vector<double>& times,
                                       const std::vector<double>& totals) {
  std::vector<double> values(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double t0 = i == 0 ? 0 : times[i - 1], y0 = i == 0 ? 0 : totals[i - 1];
    values[i] = (totals[i] - y0) / (times[i] - t0);
  }
  return {times, values};
}

double SmoothPart::integral(double t) const {
  if (t <= 0) return t * value(0);
  const auto i =
      static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), t) - ends.begin());
  if (i == ends.size()) return tail * (t - ends.back());
  const double from = i == 0 ? 0 : ends[i - 1], u = (t - from) / (ends[i] - from);
  return u * (1 - u) * (first[i] + second[i] * u);
}

double SmoothPart::value(double t) const {
  const auto i = static_cast<std::size_t>(
      std::lower_bound(ends.begin(), ends.end(), std::max(t, 0.0)) - ends.begin());
  if (i == ends.size()) return tail;
  const double from = i == 0 ? 0 : ends[i - 1], length = ends[i] - from;
  const double u = (std::max(t, 0.0) - from) / length;
  return ((1 - 2 * u) * first[i] + (2 - 3 * u) * u * second[i]) / length;
}

StepFunction StepFunction::with_smooth_part(SmoothPart part) const {
  GSIM_EXPECT(part.ends.size() == values_.size() && part.first.size() == values_.size() &&
              part.second.size() == values_.size());
  StepFunction changed = *this;
  changed.smooth_ = std::make_shared<const SmoothPart>(std::move(part));
  return changed;
}

double StepFunction::value(double t) const {
  const auto i = std::lower_bound(ends_.begin(), ends_.end(), t) - ends_.begin();
  const double mean = values_[static_cast<std::size_t>(i)];
  return smooth_ == nullptr ? mean : mean + smooth_->value(t + smooth_from_);
}

double StepFunction::integral(double t1, double t2) const {
  double sum = 0, from = t1;
  for (std::size_t i = 0; i < ends_.size() && from < t2; ++i) {
    if (ends_[i] <= from) continue;
    const double to = std::min(ends_[i], t2);
    sum += values_[i] * (to - from);
    from = to;
  }
  if (from < t2) sum += values_.back() * (t2 - from);
  if (smooth_ == nullptr) return sum;
  return sum + (smooth_->integral(t2 + smooth_from_) - smooth_->integral(t1 + smooth_from_));
}

std::vector<double> StepFunction::knots() const {
  if (smooth_ == nullptr) return ends_;
  std::vector<double> times;
  double from = 0;
  for (const double end : smooth_->ends) {
    const double to = end - smooth_from_;
    if (to <= 0) continue;
    const double parts = std::ceil(12 * (to - from));
    for (double part = 1; part < parts; ++part) times.push_back(from + (to - from) * part / parts);
    times.push_back(to);
    from = to;
  }
  return times;
}

StepFunction StepFunction::with_values(std::vector<double> values) const {
  GSIM_EXPECT(values.size() == values_.size());
  StepFunction changed = *this;
  changed.values_ = std::move(values);
  return changed;
}

StepFunction StepFunction::from_date(double years) const {
  StepFunction later;
  later.values_.clear();
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    if (ends_[i] - years <= 0) continue;
    later.ends_.push_back(ends_[i] - years);
    later.values_.push_back(values_[i]);
  }
  later.values_.push_back(values_.back());
  later.smooth_ = smooth_;
  later.smooth_from_ = smooth_from_ + years;
  return later;
}

double StepFunction::minimum() const { return *std::min_element(values_.begin(), values_.end()); }

}  // namespace gsim::pricing
