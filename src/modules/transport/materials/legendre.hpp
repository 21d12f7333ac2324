#pragma once
// Densities of the scattering cosine mu from their Legendre moments f_l = integral of f(mu) P_l(mu)
// over [-1, 1], f_0 = 1:
//   f(mu) = sum over l of (2 l + 1) / 2 f_l P_l(mu).

#include <span>
#include <vector>

namespace gsim::transport {

/// The density at `mu`.
double legendre_density(std::span<const double> moments, double mu);

/// The same density as a sum of Chebyshev polynomials: coefficients c_k of T_k, as many as moments.
std::vector<double> chebyshev_coefficients(std::span<const double> moments);

/// A bound of |f''| on [-1, 1]: |P_l''| is largest at 1, (l-1) l (l+1) (l+2) / 8.
double curvature_bound(std::span<const double> moments);

/// The cosine with the smallest density, and this density.
struct Minimum {
  double mu, density;
};
Minimum smallest_density(std::span<const double> moments);

}  // namespace gsim::transport
