#pragma once
// Values with their first and second derivatives with respect to one variable, so that formulas of
// smiles are written once.

#include <cmath>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {

/// A function of one variable at a point: value, slope and curvature (second derivative).
struct Taylor {
  double value = 0, slope = 0, curvature = 0;

  Taylor(double constant = 0) : value(constant) {}  // NOLINT: a number is a constant function
  Taylor(double v, double first, double second) : value(v), slope(first), curvature(second) {}
};

inline Taylor operator+(const Taylor& a, const Taylor& b) {
  return {a.value + b.value, a.slope + b.slope, a.curvature + b.curvature};
}
inline Taylor operator-(const Taylor& a, const Taylor& b) {
  return {a.value - b.value, a.slope - b.slope, a.curvature - b.curvature};
}
inline Taylor operator*(const Taylor& a, const Taylor& b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope,
          a.curvature * b.value + 2 * a.slope * b.slope + a.value * b.curvature};
}
/// f(a) for a function f with these derivatives at a.value.
inline Taylor compose(const Taylor& a, double value, double first, double second) {
  return {value, first * a.slope, second * a.slope * a.slope + first * a.curvature};
}
inline Taylor inverse(const Taylor& a) {
  const double i = 1 / a.value;
  return compose(a, i, -i * i, 2 * i * i * i);
}
inline Taylor operator/(const Taylor& a, const Taylor& b) { return a * inverse(b); }
inline Taylor square_root(const Taylor& a) {
  const double root = std::sqrt(a.value);
  return compose(a, root, 0.5 / root, -0.25 / (root * a.value));
}
inline Taylor exponential(const Taylor& a) {
  const double e = exponential(a.value);
  return compose(a, e, e, e);
}
inline Taylor logarithm(const Taylor& a) {
  const double i = 1 / a.value;
  return compose(a, logarithm(a.value), i, -i * i);
}

}  // namespace gsim::pricing
