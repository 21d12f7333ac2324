#pragma once
// Gauss-Legendre quadrature for closed forms that contain an integral.

#include <cmath>

namespace gsim::pricing {

/// Abscissas and weights of the 10-point Gauss-Legendre rule on [-1, 1] (Abramowitz and Stegun
/// 1964, table 25.4), positive half.
inline constexpr double gauss_x[] = {0.14887433898163121, 0.43339539412924719, 0.67940956829902441,
                                     0.86506336668898451, 0.97390652851717172};
inline constexpr double gauss_w[] = {0.29552422471475287, 0.26926671930999636, 0.21908636251598204,
                                     0.14945134915058059, 0.06667134430868814};

/// Integral of f over [from, to] by one 10-point rule.
template <class F>
double gauss_legendre(const F& f, double from, double to) {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += gauss_w[k] * (f(middle - half * gauss_x[k]) + f(middle + half * gauss_x[k]));
  return half * sum;
}

/// Integral of f over [from, to] by adaptive bisection: an interval is halved while the sum over
/// its two halves differs from the rule on the whole interval by more than `tolerance`; at most
/// 2^12 parts.
template <class F>
double integrate(const F& f, double from, double to, double tolerance, int halvings = 12) {
  const double middle = 0.5 * (from + to);
  const double one_rule = gauss_legendre(f, from, to);
  const double left = gauss_legendre(f, from, middle), right = gauss_legendre(f, middle, to);
  if (halvings == 0 || !(std::fabs(left + right - one_rule) > tolerance)) return left + right;
  return integrate(f, from, middle, tolerance, halvings - 1) +
         integrate(f, middle, to, tolerance, halvings - 1);
}

}  // namespace gsim::pricing
