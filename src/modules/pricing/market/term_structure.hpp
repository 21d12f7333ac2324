#pragma once
// Functions of time that market data are made of: piecewise constant, so that their integrals are
// exact sums. Rates, dividend yields and instantaneous variances all take this form.

#include <vector>

namespace gsim::pricing {

/// value(t) = values[i] for ends[i-1] < t <= ends[i]; the last value holds for ever. Flat functions
/// have one value and no ends.
class StepFunction {
 public:
  StepFunction(double flat = 0) : values_{flat} {}  // NOLINT: a number is a flat function
  /// `ends` rising and positive, one per value; the last end is not used.
  StepFunction(std::vector<double> ends, std::vector<double> values);
  /// The function whose integral to times[i] is totals[i] (the integral is linear in between, its
  /// slope held outside): forward rates from zero rates, forward variances from total variances.
  static StepFunction from_totals(const std::vector<double>& times,
                                  const std::vector<double>& totals);

  /// The value just before t (at t = 0: just after).
  double value(double t) const;
  /// Integral from 0 to t.
  double integral(double t) const { return integral(0, t); }
  /// Integral from t1 to t2 >= t1.
  double integral(double t1, double t2) const;
  /// Times at which the value changes.
  std::vector<double> knots() const;
  double minimum() const;

 private:
  std::vector<double> ends_;  ///< one fewer than values_
  std::vector<double> values_;
};

}  // namespace gsim::pricing
