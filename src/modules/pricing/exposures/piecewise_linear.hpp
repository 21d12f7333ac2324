#pragma once
// Least squares fits by continuous piecewise linear functions of one variable.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gsim::pricing {

/// Knots for the fit of a function of a variable with these values, of which there is at least one:
/// the least and the largest of 1024 of them, and 32 quantiles of these, with more at both ends.
/// They increase by more than the 1024th part of the whole at a time.
std::vector<double> knots_for(const std::vector<double>& values);

/// Where values of a variable are between increasing knots.
class PlacesBetweenKnots {
 public:
  /// Knots are further apart than their whole range divided by this number.
  static constexpr int cells = 1024;
  /// At least one knot. Values beyond the first and the last knot are placed there.
  PlacesBetweenKnots(std::vector<double> knots, const std::vector<double>& values);

  const std::vector<double>& knots() const { return knots_; }
  std::size_t size() const { return positions_.size(); }
  /// The index of the knot below a value or, from the second knot on, at most at the knot after it.
  std::size_t interval(std::size_t i) const { return intervals_[i]; }
  /// From 0 at that knot to 1 at the next one.
  double position(std::size_t i) const { return positions_[i]; }
  /// At value i, the function that is linear between the knots, at which it has the values
  /// `at_knots`.
  double interpolate(const std::vector<double>& at_knots, std::size_t i) const {
    const double w = positions_[i];
    const double* const left = &at_knots[intervals_[i]];
    return knots_.size() == 1 ? *left : (1 - w) * left[0] + w * left[1];
  }

 private:
  std::vector<double> knots_, positions_;
  std::vector<std::uint8_t> intervals_;
};

/// The sums of the normal equations of fits z_i g(x_i) to numbers y_i, where g is linear between
/// knots.
class PiecewiseLinearSums {
 public:
  /// Of samples with z = 1.
  PiecewiseLinearSums(const PlacesBetweenKnots& x, const std::vector<double>& y);
  PiecewiseLinearSums(const PlacesBetweenKnots& x, const std::vector<double>& z,
                      const std::vector<double>& y);

  struct Fit {
    std::vector<double> at_knots;  ///< values of g at all knots
    std::size_t parameters = 0;    ///< the number of knots at which g bends, with both ends
    double gain = 0;               ///< by which the fit lowers the sum of squares of y
  };
  /// The fit that bends at every `stride`-th knot only. The value at a knot is 0 if the samples do
  /// not determine it.
  Fit fit(std::size_t stride) const;

 private:
  /// Of an interval between knots, with w the position in it: the sums of z^2 times (1-w)^2,
  /// w (1-w) and w^2, and of z y times 1-w and w.
  struct Interval {
    double left = 0, mixed = 0, right = 0, left_y = 0, right_y = 0;
    void add(double w, double z, double y) {
      const double to_left = z * (1 - w), to_right = z * w;
      left += to_left * to_left;
      mixed += to_left * to_right;
      right += to_right * to_right;
      left_y += to_left * y;
      right_y += to_right * y;
    }
  };
  std::vector<double> knots_;
  std::vector<Interval> intervals_;
};

}  // namespace gsim::pricing
