#pragma once
// Roots of functions of one variable.

#include <cmath>
#include <optional>

namespace gsim::pricing {

/// The root of a continuous function between `low` and `high`, to the last bits of `x`; nothing if
/// the function has the same sign at both (or is NaN there). Inverse quadratic interpolation where
/// it is safe, otherwise bisection: Chandrupatla 1997, Advances in Engineering Software 28. It
/// stops by a rule on the numbers alone, after at most 200 evaluations, so that the root has the
/// same bits on every machine.
template <class Function>
std::optional<double> find_root(const Function& function, double low, double high) {
  constexpr int max_evaluations = 200;
  constexpr double relative = 2.3e-16, absolute = 1e-18;
  double x1 = low, f1 = function(x1), x2 = high, f2 = function(x2);
  if (!(f1 * f2 <= 0)) return std::nullopt;
  double x3 = x1, f3 = f1, share = 0.5;
  for (int i = 0; i < max_evaluations; ++i) {
    const double best = std::fabs(f1) < std::fabs(f2) ? x1 : x2;
    const double tolerance = 2 * relative * std::fabs(best) + absolute;
    const double width = std::fabs(x2 - x1);
    if (f1 == 0 || f2 == 0 || tolerance >= 0.5 * width) return best;
    share = std::fmin(1 - tolerance / width, std::fmax(tolerance / width, share));
    const double x = x1 + share * (x2 - x1), f = function(x);
    // x1 is the newest point; x2 is the other end of the bracket, and x3 the point before it.
    const bool is_same_side = (f > 0) == (f1 > 0);
    x3 = is_same_side ? x1 : x2;
    f3 = is_same_side ? f1 : f2;
    if (!is_same_side) {
      x2 = x1;
      f2 = f1;
    }
    x1 = x;
    f1 = f;
    const double xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
    share = 0.5;
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
      share =
          f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2);
  }
  return std::fabs(f1) < std::fabs(f2) ? x1 : x2;
}

}  // namespace gsim::pricing
