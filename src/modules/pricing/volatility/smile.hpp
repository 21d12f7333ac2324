#pragma once
// Smiles: the total implied variance w = sigma^2 T of one expiry T as a function of the
// log-moneyness k = ln(K / F), where F is the forward of the expiry. All smiles are defined for
// every k.

#include <memory>
#include <span>
#include <vector>

#include "src/modules/pricing/volatility/taylor.hpp"

namespace gsim::pricing {

class Smile {
 public:
  virtual ~Smile() = default;
  /// The total variance at log-moneyness k, with its derivatives with respect to k.
  virtual Taylor total_variance(double k) const = 0;
};

/// The variance at `distance` >= 0 beyond the end of a smile, with its slope in this direction
/// there: linear, or, where the variance falls, exponential towards half the variance at the end.
Taylor extrapolated_variance(double variance, double outward_slope, double distance);

/// A cubic spline through total variances with zero curvature at its ends, so that a linear
/// continuation has continuous curvature. One node is a constant variance.
class SplineSmile : public Smile {
 public:
  /// `k` increasing, `variances` positive, one for each k.
  SplineSmile(std::vector<double> k, std::vector<double> variances);
  Taylor total_variance(double k) const override;

 private:
  Taylor inside(double k) const;

  std::vector<double> k_, w_, curvature_;
};

/// Parameters of the raw SVI formula (Gatheral 2004, "A parsimonious arbitrage-free implied
/// volatility parameterization"): w(k) = a + b (rho (k - m) + sqrt((k - m)^2 + sigma^2)).
struct SviTerms {
  double a = 0, b = 0, rho = 0, m = 0, sigma = 0;
  /// a + b sigma sqrt(1 - rho^2), the smallest total variance.
  double smallest_variance() const;
};
/// The SVI slice of the SSVI surface w(k) = theta / 2 (1 + rho phi k + sqrt((phi k + rho)^2 + 1 -
/// rho^2)) (Gatheral and Jacquier 2014, "Arbitrage-free SVI volatility surfaces", eq. 4.1) for
/// the at-the-money total variance theta.
SviTerms ssvi_slice(double theta, double phi, double rho);

class SviSmile : public Smile {
 public:
  explicit SviSmile(const SviTerms& terms) : terms_(terms) {}
  Taylor total_variance(double k) const override;

 private:
  SviTerms terms_;
};

/// Parameters of the SABR model dF = alpha F^beta dW, dalpha = nu alpha dZ, of correlation rho.
struct SabrTerms {
  double alpha = 0, beta = 1, rho = 0, nu = 0;
};
/// Lognormal implied volatility at k = ln(K / F): Hagan, Kumar, Lesniewski and Woodward 2002,
/// "Managing smile risk", eq. 2.17a.
Taylor sabr_volatility(const SabrTerms& terms, double forward, double expiry, const Taylor& k);

/// The formula within five standard deviations of ln S (of the volatility at the forward) from the
/// forward; outside, extrapolated_variance().
class SabrSmile : public Smile {
 public:
  SabrSmile(const SabrTerms& terms, double forward, double expiry);
  Taylor total_variance(double k) const override;

 private:
  Taylor formula(double k) const;

  SabrTerms terms_;
  double forward_, expiry_, limit_;
};

}  // namespace gsim::pricing
