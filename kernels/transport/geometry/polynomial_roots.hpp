#pragma once
// Real roots of a polynomial in an interval. Between two adjacent stationary points, the roots of
// the derivative, there is at most one root, which is bracketed. This is slower than closed
// formulas, but has no cancellation; the number of operations is bounded.

#include "gsim/math/scalar.hpp"
#include "gsim/transport/noinline.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// c[0] + c[1] x + … + c[degree] x^degree
template <int degree>
GSIM_HD double polynomial_at(const double* c, double x) {
  double value = c[degree];
  for (int i = degree - 1; i >= 0; --i) value = fma(value, x, c[i]);
  return value;
}

/// The root in [lower, upper], at whose ends the polynomial has opposite signs: by Newton steps
/// within a shrinking bracket, and bisection where they leave it.
template <int degree>
GSIM_HD double bracketed_root(const double* c, const double* derivative, double lower, double upper,
                              double value_at_lower) {
  double x = 0.5 * (lower + upper);
  for (int i = 0; i < 64; ++i) {
    const double value = polynomial_at<degree>(c, x);
    if (value == 0) return x;
    ((value > 0) == (value_at_lower > 0) ? lower : upper) = x;
    double next = x - value / polynomial_at<degree - 1>(derivative, x);
    if (!(next > lower && next < upper)) next = 0.5 * (lower + upper);
    // The bracket cannot be divided further, or the step has no effect.
    if (next == x || !(next > lower && next < upper)) return next;
    x = next;
  }
  return x;
}

/// Writes the simple roots in [lower, upper] in increasing order and returns their number, at most
/// `degree`. Roots where the sign does not change may be missed.
template <int degree>
GSIM_HD int roots_between(const double* c, double lower, double upper, double* roots) {
  if constexpr (degree == 1) {
    const double at_lower = fma(c[1], lower, c[0]), at_upper = fma(c[1], upper, c[0]);
    if ((at_lower > 0) == (at_upper > 0)) return 0;
    const double root = -c[0] / c[1];
    roots[0] = root > lower ? (root < upper ? root : upper) : lower;
    return 1;
  } else {
    double derivative[degree], edges[degree + 1];
    for (int i = 0; i < degree; ++i) derivative[i] = (i + 1) * c[i + 1];
    edges[0] = lower;
    const int stationary = roots_between<degree - 1>(derivative, lower, upper, edges + 1);
    edges[stationary + 1] = upper;
    int found = 0;
    double at_left = polynomial_at<degree>(c, lower);
    for (int i = 0; i <= stationary; ++i) {
      const double at_right = polynomial_at<degree>(c, edges[i + 1]);
      if ((at_left > 0) != (at_right > 0))
        roots[found++] = bracketed_root<degree>(c, derivative, edges[i], edges[i + 1], at_left);
      at_left = at_right;
    }
    return found;
  }
}

/// roots_between() for a polynomial of the fourth degree.
GSIM_TRANSPORT_DEVICE_NOINLINE int quartic_roots_between(const double* c, double lower,
                                                         double upper, double* roots) {
  return roots_between<4>(c, lower, upper, roots);
}

}  // namespace transport_kernels
GSIM_TARGET_END
