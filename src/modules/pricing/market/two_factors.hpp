#pragma once
// The two-factor Gaussian model G2++ of a short rate (Brigo and Mercurio 2006, "Interest Rate
// Models - Theory and Practice", section 4.2), r = x + y + phi(t) with
//   dx = -a x dt + sigma dW_1,   dy = -b y dt + eta dW_2,   dW_1 dW_2 = rho dt,
// and phi such that today's curve is met. With the zero-coupon bond of a date T, which no payment
// follows, as numeraire, x and y have means that depend on the time alone. Without these they are
// Ornstein-Uhlenbeck processes with mean 0, for which the same names are used here. With
//   B(z, tau) = (1 - e^(-z tau)) / z
// a zero-coupon bond in units of N(t) = P(t, T) / P(0, T) is (eq. 4.14, divided by its mean)
//   P(t, U) / N(t) = P(0, U) e^(-l x - m y - v / 2),
//   l = B(a, U - t) - B(a, T - t),   m = B(b, U - t) - B(b, T - t),
// where v is the variance of l x + m y.

#include <vector>

#include "src/modules/pricing/market/gaussian_rates.hpp"
#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// Variances of the factors and their covariance.
struct FactorCovariance {
  double x = 0, xy = 0, y = 0;
};

/// Of the changes of the factors over `years` from known values; at a date that is as far away.
FactorCovariance factor_covariance(const ShortRate& rate, double years);

/// The variance of loading x + second_loading y.
double variance_of(const RateTerm& term, const FactorCovariance& covariance);

/// The term with the amount 0 and the loadings l and m of a bond that pays at `payment`, at `date`.
RateTerm bond_loadings(const ShortRate& rate, double date, double payment);

/// E[A] or E[max(A, 0)], where A is the sum of the terms, for factors with these covariances. As
/// each factor alone rises, the sign of A must change at most once.
///
/// Of two terms, a bond and its price, the option has Black's formula (Brigo and Mercurio 2006, eq.
/// 4.27). Otherwise it is an integral over one factor of the expectation given that factor, which
/// is a sum of normal distribution functions (eq. 4.31). The integral is over the factor that
/// matters less, so that its integrand is smooth, and by the trapezoidal rule, whose error falls
/// faster than every power of the number of points (Trefethen and Weideman 2014, "The exponentially
/// convergent trapezoidal rule", SIAM Review 56, 385). Points are doubled until the result changes
/// by less than 1e-13 of the payments. Where both factors are almost one, so that the integrand has
/// a bend, it is by Gauss's rule and adaptive bisection, with the same tolerance in each part.
double two_factor_expectation(const std::vector<RateTerm>& terms,
                              const FactorCovariance& covariance, bool is_option);

}  // namespace gsim::pricing
