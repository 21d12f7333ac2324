#pragma once
// Piecewise constant functions of time, whose integrals are exact sums. Rates, dividend yields and
// instantaneous variances all have this form.

#include <vector>

namespace gsim::pricing {

/// value(t) = values[i] for ends[i-1] < t <= ends[i]; the last value is extrapolated. A constant
/// function has one value and no ends.
class StepFunction {
 public:
  StepFunction(double flat = 0) : values_{flat} {}  // NOLINT: a number is a flat function
  /// `ends` is increasing and positive, with one entry per value; the last end is not used.
  StepFunction(std::vector<double> ends, std::vector<double> values);
  /// The function whose integral from 0 to times[i] is totals[i]. The integral is linear between
  /// the times and extrapolated with constant slope: forward rates from zero rates, forward
  /// variances from total variances.
  static StepFunction from_totals(const std::vector<double>& times,
                                  const std::vector<double>& totals);

  /// The left limit at t (at t = 0: the right limit).
  double value(double t) const;
  /// Integral from 0 to t.
  double integral(double t) const { return integral(0, t); }
  /// Integral from t1 to t2 >= t1.
  double integral(double t1, double t2) const;
  /// Times at which the value changes.
  std::vector<double> knots() const;
  /// One value per interval between the knots.
  const std::vector<double>& values() const { return values_; }
  /// The function with other values on the same intervals.
  StepFunction with_values(std::vector<double> values) const;
  /// The function of the time from a later date on, `years` after today: value(t + years). With
  /// negative years, from an earlier one on; the first value is extended to it.
  StepFunction from_date(double years) const;
  double minimum() const;

 private:
  std::vector<double> ends_;  ///< one entry fewer than values_
  std::vector<double> values_;
};

}  // namespace gsim::pricing
