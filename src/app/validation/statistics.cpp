#include "statistics.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "gsim/math/elementary.hpp"
#include "gsim/math/policy.hpp"

namespace gsim::app {
namespace {

constexpr double smallest_tail = 1e-300;  // keeps normal_inverse() finite

}  // namespace

double incomplete_gamma(double a, double x) { return x <= 0 ? 0 : boost::math::gamma_p(a, x); }

double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  return x >= 1 ? 1 : boost::math::ibeta(a, b, x);
}

double normal_score(double t, double degrees) {
  if (degrees <= 0 || t == 0 || !std::isfinite(t)) return t;
  const double tail = 0.5 * incomplete_beta(degrees / (degrees + t * t), 0.5 * degrees, 0.5);
  const double magnitude = -gsim::normal_inverse<Strict>(std::max(tail, smallest_tail));
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
