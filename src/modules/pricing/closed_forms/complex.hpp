#pragma once
// Complex arithmetic for set-up code, based on gsim's own functions, because the rounding of
// std::complex depends on the standard library.

#include <cmath>
#include <numbers>

#include "gsim/math/elementary.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {

struct Complex {
  double re = 0, im = 0;
};
inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline Complex operator*(double a, Complex b) { return {a * b.re, a * b.im}; }
inline Complex operator/(Complex a, Complex b) {
  const double norm = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / norm, (a.im * b.re - a.re * b.im) / norm};
}

inline Complex exponential(Complex z) {
  const auto angle = sincos<Strict>(z.im);
  const double radius = exponential(z.re);
  return {radius * angle.cos, radius * angle.sin};
}

/// The square root with a non-negative real part.
inline Complex square_root(Complex z) {
  const double radius = std::sqrt(z.re * z.re + z.im * z.im);
  const double larger = std::sqrt(0.5 * (radius + std::fabs(z.re)));
  if (larger == 0) return {};
  const double smaller = 0.5 * std::fabs(z.im) / larger;
  const double re = z.re >= 0 ? larger : smaller, im = z.re >= 0 ? smaller : larger;
  return {re, z.im < 0 ? -im : im};
}

/// atan(x), |x| <= 1: the angle is halved three times, then its power series is summed.
inline double arc_tangent(double x) {
  for (int i = 0; i < 3; ++i) x = x / (1 + std::sqrt(1 + x * x));
  double sum = 0;
  for (int k = 21; k >= 1; k -= 2) sum = 1.0 / k - x * x * sum;
  return 8 * x * sum;
}

/// Argument of z, in (-pi, pi].
inline double angle_of(Complex z) {
  const double x = std::fabs(z.re), y = std::fabs(z.im);
  double angle = 0;  // in the first quadrant
  if (x > 0 || y > 0)
    angle = y <= x ? arc_tangent(y / x) : 0.5 * std::numbers::pi - arc_tangent(x / y);
  if (z.re < 0) angle = std::numbers::pi - angle;
  return z.im < 0 ? -angle : angle;
}

/// Principal branch of the logarithm.
inline Complex logarithm(Complex z) {
  return {0.5 * logarithm(z.re * z.re + z.im * z.im), angle_of(z)};
}

}  // namespace gsim::pricing
