#pragma once
// Values of many options on a short rate on many paths.

#include <span>
#include <vector>

#include "src/modules/pricing/market/short_rate_model.hpp"

namespace gsim::pricing {

/// The sum of the values of options at one date as a function of the state. Options whose values
/// are smooth on the scale of the table are interpolated by cubic Hermite polynomials between 257
/// equally spaced states, with errors below 1e-5 of an option at the money; the others, close to
/// their expiry, are computed for each state.
class OptionTable {
 public:
  /// Between the smallest and the largest of the states; `options` must outlive the table.
  OptionTable(const std::vector<RateOption>& options, std::span<const double> log_states);
  double value(double log_state) const;

 private:
  double low_ = 0, spacing_ = 0;
  std::vector<RateOption::Value> nodes_;
  std::vector<const RateOption*> direct_;
};

}  // namespace gsim::pricing
