#include "src/modules/pricing/exposures/option_table.hpp"

#include <algorithm>

#include "gsim/core/types.hpp"

namespace gsim::pricing {

OptionTable::OptionTable(const std::vector<RateOption>& options,
                         std::span<const double> log_states) {
  constexpr Index intervals = 256;
  // The error of cubic Hermite interpolation is spacing^4 / 384 times the fourth derivative, which
  // is about 0.4 deviation^-3 times the derivative of A where an option is at the money.
  constexpr double spacings_per_deviation = 4;
  const auto [least, largest] = std::minmax_element(log_states.begin(), log_states.end());
  low_ = *least;
  spacing_ = (*largest - *least) / static_cast<double>(intervals);
  std::vector<const RateOption*> smooth;
  for (const RateOption& option : options)
    (spacing_ > 0 && option.deviation() >= spacings_per_deviation * spacing_ ? smooth : direct_)
        .push_back(&option);
  if (smooth.empty()) return;
  for (Index i = 0; i <= intervals; ++i) {
    RateOption::Value sum{0, 0};
    for (const RateOption* const option : smooth) {
      const RateOption::Value at = option->value(low_ + static_cast<double>(i) * spacing_);
      sum.value += at.value;
      sum.slope += at.slope;
    }
    nodes_.push_back(sum);
  }
}

double OptionTable::value(double log_state) const {
  double sum = 0;
  for (const RateOption* const option : direct_) sum += option->value(log_state).value;
  if (nodes_.empty()) return sum;
  const double at = (log_state - low_) / spacing_;
  const auto last = static_cast<Index>(nodes_.size()) - 2;
  const auto i = static_cast<std::size_t>(std::clamp(static_cast<Index>(at), Index{0}, last));
  const RateOption::Value &a = nodes_[i], &b = nodes_[i + 1];
  const double u = at - static_cast<double>(i), v = 1 - u;
  return sum + v * v * ((1 + 2 * u) * a.value + u * spacing_ * a.slope) +
         u * u * ((1 + 2 * v) * b.value - v * spacing_ * b.slope);
}

}  // namespace gsim::pricing
