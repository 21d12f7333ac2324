#pragma once
// Piecewise constant functions of time, whose integrals are exact sums. Instantaneous variances
// have this form, and rates and dividend yields, unless they are interpolated smoothly.

#include <memory>
#include <vector>

namespace gsim::pricing {

/// The difference of a smooth function from its means over intervals, by its integral from 0: on
/// interval i, from ends[i-1] (or 0) to ends[i], the integral is u (1 - u) (first[i] + second[i]
/// u), where u rises from 0 to 1; after the last end it rises with slope `tail`.
struct SmoothPart {
  std::vector<double> ends, first, second;
  double tail = 0;

  double integral(double t) const;
  /// The left limit of the derivative of integral() (at t = 0: the right limit).
  double value(double t) const;
};

/// value(t) = values[i] for ends[i-1] < t <= ends[i]; the last value is extrapolated. A constant
/// function has one value and no ends. A smooth function has means over intervals as values, and a
/// SmoothPart that is added to them.
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

  /// The function plus a smooth part on the same intervals, which it keeps when its values change.
  StepFunction with_smooth_part(SmoothPart part) const;

  /// The left limit at t (at t = 0: the right limit).
  double value(double t) const;
  /// Integral from 0 to t.
  double integral(double t) const { return integral(0, t); }
  /// Integral from t1 to t2 >= t1.
  double integral(double t1, double t2) const;
  /// Times at which the value changes; of a smooth function, times at most a month apart up to the
  /// last end of its intervals.
  std::vector<double> knots() const;
  /// One value per interval between the knots.
  const std::vector<double>& values() const { return values_; }
  /// The function with other values on the same intervals.
  StepFunction with_values(std::vector<double> values) const;
  /// The function of the time from a later date on, `years` after today: value(t + years). With
  /// negative years, from an earlier one on; the first value is extended to it.
  StepFunction from_date(double years) const;
  double minimum() const;  ///< of the values, without a smooth part

 private:
  std::vector<double> ends_;  ///< one entry fewer than values_
  std::vector<double> values_;
  std::shared_ptr<const SmoothPart> smooth_;  ///< null: the function is piecewise constant
  double smooth_from_ = 0;                    ///< the time of `smooth_` at time 0
};

}  // namespace gsim::pricing
