#include "src/modules/pricing/market/term_structure.hpp"

#include <algorithm>
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

double StepFunction::value(double t) const {
  const auto i = std::lower_bound(ends_.begin(), ends_.end(), t) - ends_.begin();
  return values_[static_cast<std::size_t>(i)];
}

double StepFunction::integral(double t1, double t2) const {
  double sum = 0, from = t1;
  for (std::size_t i = 0; i < ends_.size() && from < t2; ++i) {
    if (ends_[i] <= from) continue;
    const double to = std::min(ends_[i], t2);
    sum += values_[i] * (to - from);
    from = to;
  }
  return from < t2 ? sum + values_.back() * (t2 - from) : sum;
}

std::vector<double> StepFunction::knots() const { return ends_; }

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
  return later;
}

double StepFunction::minimum() const { return *std::min_element(values_.begin(), values_.end()); }

}  // namespace gsim::pricing
