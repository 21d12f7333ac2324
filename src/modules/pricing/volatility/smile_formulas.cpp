// Smiles by formula: SVI and SABR.

#include <array>
#include <cmath>

#include "src/modules/pricing/volatility/smile.hpp"

namespace gsim::pricing {
namespace {

/// ln((sqrt(1 - 2 rho z + z^2) + z - rho) / (1 - rho)) / z for z >= 0 (Hagan et al. 2002, eq.
/// 2.17b); for small z from the series sum_n P_n(rho) z^n / (n + 1) of its integral with the
/// Legendre polynomials P_n.
Taylor log_ratio_right(double rho, const Taylor& z) {
  constexpr double small = 0.05;
  if (z.value > small) {
    const Taylor root = square_root(z * z - 2 * rho * z + 1);
    return logarithm((root + z - rho) / (1 - rho)) / z;
  }
  constexpr int terms = 14;
  std::array<double, terms> legendre{1, rho};
  for (int n = 2; n < terms; ++n) {
    const auto i = static_cast<std::size_t>(n);
    legendre[i] = ((2 * n - 1) * rho * legendre[i - 1] - (n - 1) * legendre[i - 2]) / n;
  }
  Taylor sum = 0;
  for (std::size_t n = terms; n-- > 0;) sum = sum * z + legendre[n] / static_cast<double>(n + 1);
  return sum;
}

Taylor log_ratio(double rho, const Taylor& z) {
  return z.value < 0 ? log_ratio_right(-rho, Taylor(0) - z) : log_ratio_right(rho, z);
}

}  // namespace

double SviTerms::smallest_variance() const { return a + b * sigma * std::sqrt(1 - rho * rho); }

SviTerms ssvi_slice(double theta, double phi, double rho) {
  const double root = std::sqrt(1 - rho * rho);
  return {0.5 * theta * (1 - rho * rho), 0.5 * theta * phi, rho, -rho / phi, root / phi};
}

Taylor SviSmile::total_variance(double k) const {
  const double x = k - terms_.m, root = std::sqrt(x * x + terms_.sigma * terms_.sigma);
  return {terms_.a + terms_.b * (terms_.rho * x + root), terms_.b * (terms_.rho + x / root),
          terms_.b * terms_.sigma * terms_.sigma / (root * root * root)};
}

Taylor sabr_volatility(const SabrTerms& s, double forward, double expiry, const Taylor& k) {
  const double b = 1 - s.beta;
  // (F K)^((1 - beta) / 2)
  const Taylor mean = exponential(b * (logarithm(forward) + 0.5 * k));
  const Taylor k2 = k * k;
  const Taylor scale = mean * (1 + b * b / 24 * k2 + b * b * b * b / 1920 * (k2 * k2));
  const Taylor z = (-s.nu / s.alpha) * mean * k;
  const Taylor correction = 1 + expiry * (b * b / 24 * s.alpha * s.alpha / (mean * mean) +
                                          0.25 * s.rho * s.beta * s.nu * s.alpha / mean +
                                          (2 - 3 * s.rho * s.rho) / 24 * s.nu * s.nu);
  return s.alpha / (scale * log_ratio(s.rho, z)) * correction;
}

SabrSmile::SabrSmile(const SabrTerms& terms, double forward, double expiry)
    : terms_(terms), forward_(forward), expiry_(expiry) {
  limit_ = 5 * std::sqrt(formula(0).value);
}

Taylor SabrSmile::formula(double k) const {
  const Taylor volatility = sabr_volatility(terms_, forward_, expiry_, {k, 1, 0});
  return expiry_ * (volatility * volatility);
}

Taylor SabrSmile::total_variance(double k) const {
  if (std::fabs(k) <= limit_) return formula(k);
  const double side = k < 0 ? -1 : 1;
  const Taylor end = formula(side * limit_);
  const Taylor outside = extrapolated_variance(end.value, side * end.slope, std::fabs(k) - limit_);
  return {outside.value, side * outside.slope, outside.curvature};
}

}  // namespace gsim::pricing
