#include "statistics.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/math/elementary.hpp"
#include "gsim/math/policy.hpp"

namespace gsim::app {
namespace {

// Lentz's method needs a first value that is not zero.
constexpr double tiny = 1e-300;

double away_from_zero(double x) { return std::fabs(x) < tiny ? tiny : x; }

}  // namespace

double incomplete_gamma(double a, double x) {
  if (x <= 0) return 0;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {  // series 6.5.29
    double term = 1 / a, sum = term;
    for (int n = 1; n < 10000 && term > 1e-16 * sum; ++n) sum += term *= x / (a + n);
    return front * sum;
  }
  double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;  // continued fraction 6.5.31
  for (int n = 1; n < 10000; ++n) {
    const double an = -n * (n - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    const double factor = c * d;
    h *= factor;
    if (std::fabs(factor - 1) < 1e-15) break;
  }
  return 1 - front * h;
}

double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast below the mean; above it, I_x(a, b) = 1 - I_(1-x)(b, a).
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(1 - x, b, a);
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x)) /
                       a;
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), h = d;
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    h *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    h *= c * d;
    if (std::fabs(c * d - 1) < 1e-15) break;
  }
  return front * h;
}

double normal_score(double t, double degrees) {
  if (degrees <= 0 || t == 0 || !std::isfinite(t)) return t;
  const double tail = 0.5 * incomplete_beta(degrees / (degrees + t * t), 0.5 * degrees, 0.5);
  const double magnitude = -gsim::normal_inverse<Strict>(std::max(tail, tiny));
  return std::copysign(magnitude, t);
}

double combined_degrees(double first, double first_degrees, double second, double second_degrees) {
  const auto part = [](double variance, double degrees) {
    return degrees > 0 ? variance * variance / degrees : 0.0;
  };
  const double parts = part(first, first_degrees) + part(second, second_degrees);
  return parts > 0 ? (first + second) * (first + second) / parts : 0;
}

}  // namespace gsim::app
