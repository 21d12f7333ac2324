#pragma once
// Elementary functions for set-up code, in double precision. They are gsim's own, so that discount
// factors, forwards and closed forms are bitwise identical on every machine.

#include <cmath>

#include "gsim/math/elementary.hpp"
#include "gsim/math/policy.hpp"

namespace gsim::pricing {

inline double exponential(double x) { return gsim::exp<Strict>(x); }
inline double logarithm(double x) { return gsim::log<Strict>(x); }
inline double square(double x) { return x * x; }
/// Distribution function of the standard normal.
inline double normal_cdf(double x) { return gsim::normal_cdf<Strict>(x); }
/// Density of the standard normal.
inline double normal_pdf(double x) {
  constexpr double inverse_sqrt_2pi = 0.39894228040143267794;
  return inverse_sqrt_2pi * exponential(-0.5 * x * x);
}
/// Inverse of the standard normal distribution function at p, 0 < p < 1.
inline double normal_quantile(double p) { return gsim::normal_inverse<Strict>(p); }
/// x^y for x > 0.
inline double power(double x, double y) { return exponential(y * logarithm(x)); }

}  // namespace gsim::pricing
