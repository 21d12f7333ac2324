// European options on two assets.

#include <cmath>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/gauss_legendre.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

// Derivative, with respect to u, of the bivariate normal distribution function at correlation
// sin(theta), theta = 2 atan(u): 1/(2 pi) exp(-(x^2 + y^2 - 2 x y sin theta) / (2 cos^2 theta))
// dtheta/du.
double plackett(double x, double y, double u) {
  constexpr double inverse_pi = 0.31830988618379067154;
  const double s = 2 * u / (1 + u * u), c = (1 - u * u) / (1 + u * u);
  return inverse_pi / (1 + u * u) * exponential(-(x * x + y * y - 2 * x * y * s) / (2 * c * c));
}

// Undiscounted call with strike > 0 on the larger or the smaller asset (Stulz 1982; Haug 1998,
// section 2.11).
double extreme_call(bool best, const double (&f)[2], double strike, const double (&variances)[2],
                    double rho) {
  const double sd1 = std::sqrt(variances[0]), sd2 = std::sqrt(variances[1]);
  const double s = std::sqrt(variances[0] + variances[1] - 2 * rho * sd1 * sd2);
  const double d = logarithm(f[0] / f[1]) / s + 0.5 * s;
  const double y1 = logarithm(f[0] / strike) / sd1 + 0.5 * sd1;
  const double y2 = logarithm(f[1] / strike) / sd2 + 0.5 * sd2;
  const double rho1 = (sd1 - rho * sd2) / s, rho2 = (sd2 - rho * sd1) / s;
  if (best)
    return f[0] * bivariate_normal_cdf(y1, d, rho1) + f[1] * bivariate_normal_cdf(y2, s - d, rho2) -
           strike * (1 - bivariate_normal_cdf(sd1 - y1, sd2 - y2, rho));
  return f[0] * bivariate_normal_cdf(y1, -d, -rho1) +
         f[1] * bivariate_normal_cdf(y2, d - s, -rho2) -
         strike * bivariate_normal_cdf(y1 - sd1, y2 - sd2, rho);
}

}  // namespace

double bivariate_normal_cdf(double x, double y, double rho) {
  constexpr int panels = 48;
  const double end = rho / (1 + std::sqrt(1 - rho * rho));  // tan(asin(rho) / 2)
  double sum = 0;
  for (int p = 0; p < panels; ++p)
    sum += gauss_legendre([&](double u) { return plackett(x, y, u); }, end * p / panels,
                          end * (p + 1) / panels);
  return normal_cdf(x) * normal_cdf(y) + sum;
}

double two_asset_extreme(bool best, double sign, const double (&forwards)[2], double strike,
                         const double (&variances)[2], double rho, double discount) {
  const double call = extreme_call(best, forwards, strike, variances, rho);
  if (sign > 0) return discount * call;
  // max(S1, S2) = S2 + max(S1 - S2, 0), min(S1, S2) = S1 - max(S1 - S2, 0).
  const double variance =
      variances[0] + variances[1] - 2 * rho * std::sqrt(variances[0] * variances[1]);
  const double exchange_value = exchange(1, forwards[0], forwards[1], variance, 1);
  const double expectation = best ? forwards[1] + exchange_value : forwards[0] - exchange_value;
  return discount * (strike - expectation + call);
}

}  // namespace gsim::pricing
