#pragma once
// Options on the rates of the two-factor model (two_factors.hpp) at a date before their expiry, for
// many states of the factors.
//
// At the expiry T the factors are (x_T, y_T) = (e^(-a tau) x, e^(-b tau) y) + noise, with the
// covariance C of a time tau. Let A be what the option receives at T, and q its gradient at a point
// where A = 0. Then q z and a second coordinate w of the point z = (x_T, y_T) have independent
// noise, and A changes its sign at q z = b(w), where b is nearly constant: it is tabulated once.
// Given w, the option is a sum of normal distribution functions (Brigo and Mercurio 2006, eq. 4.31,
// with other coordinates), and the mean over the noise of w is by Gauss and Hermite's rule, whose
// error is small because b is nearly constant: below 1e-8 of the payments. For two terms, caplets
// and options on zero-coupon bonds, b is constant and the formula exact (eq. 4.27).

#include <vector>

#include "src/modules/pricing/market/two_factors.hpp"

namespace gsim::pricing {

/// E[max(A(date), 0)] given the factors at an earlier date, in units of the numeraire. The sign of
/// the sum A must change at most once as each factor alone rises.
class TwoFactorOption {
 public:
  TwoFactorOption(const ShortRate& rate, const std::vector<RateTerm>& terms, double earlier,
                  double date);
  /// The expectation given the factors x and y at the earlier date.
  double value(double x, double y) const;

 private:
  struct Point {
    double x = 0, y = 0;
  };
  /// amount e^(-loading x_T - second_loading y_T) times the mean of its noise along p is the
  /// term's expectation; under its measure that noise has the mean -tilt.
  struct Term {
    double amount, loading, second_loading, tilt;
    std::vector<double> weight;  ///< [node] those of the rule, under the term's measure
  };
  /// What A is at a point, and its gradient.
  struct Slope {
    double sum = 0;
    Point gradient;
  };
  Slope slope_at(const std::vector<RateTerm>& terms, Point z) const;
  /// Sets the direction q: the gradient of A where it is 0, on the line along which it changes most
  /// within the total covariance.
  void set_direction(const std::vector<RateTerm>& terms, const FactorCovariance& total);
  /// Sets the table of b.
  void set_boundary(const std::vector<RateTerm>& terms, const FactorCovariance& total);
  double boundary(double w) const;

  std::vector<Term> terms_;
  double decay_x_ = 1, decay_y_ = 1;
  Point q_, p_;           ///< the noise is p_ u + (-q_.y, q_.x) spread_ v, with normals u and v
  double deviation_ = 0;  ///< of q z; 0: there is no noise
  double spread_ = 0;     ///< standard deviation of w
  bool is_always_paid_ = false;
  std::vector<double> nodes_;  ///< of Gauss and Hermite's rule
  double low_ = 0, spacing_ = 1;
  std::vector<double> boundary_, boundary_slope_;  ///< b and its derivative at low_ + i spacing_
};

}  // namespace gsim::pricing
