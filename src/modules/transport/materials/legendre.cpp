#include "src/modules/transport/materials/legendre.hpp"

#include <cmath>

#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"

namespace gsim::transport {

double legendre_density(std::span<const double> moments, double mu) {
  double before = 0, now = 1, sum = 0;  // P_{l-1}, P_l
  for (std::size_t l = 0; l < moments.size(); ++l) {
    const auto n = static_cast<double>(l);
    sum += (n + 0.5) * moments[l] * now;
    const double next = ((2 * n + 1) * mu * now - n * before) / (n + 1);
    before = now;
    now = next;
  }
  return sum;
}

std::vector<double> chebyshev_coefficients(std::span<const double> moments) {
  // Quadrature at the n zeros of T_n, exact for polynomials of degree below n.
  const std::size_t n = moments.size();
  const auto angle = [&](std::size_t j) {  // in half turns
    return (static_cast<double>(j) + 0.5) / static_cast<double>(n);
  };
  std::vector<double> c(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    const double f = legendre_density(moments, gsim::sincospi<Strict>(angle(j)).cos);
    for (std::size_t k = 0; k < n; ++k)
      c[k] += f * gsim::sincospi<Strict>(static_cast<double>(k) * angle(j)).cos;
  }
  for (std::size_t k = 0; k < n; ++k) c[k] *= (k == 0 ? 1.0 : 2.0) / static_cast<double>(n);
  return c;
}

double curvature_bound(std::span<const double> moments) {
  double bound = 0;
  for (std::size_t l = 2; l < moments.size(); ++l) {
    const auto n = static_cast<double>(l);
    bound += (n + 0.5) * std::abs(moments[l]) * (n - 1) * n * (n + 1) * (n + 2) / 8;
  }
  return bound;
}

Minimum smallest_density(std::span<const double> moments) {
  // Extrema of a polynomial of degree L are at least about 1/L^2 apart: the density is sampled at
  // equidistant angles, eight between any two extrema, followed by ternary search around the
  // smallest samples.
  const int samples = 16 * static_cast<int>(moments.size()) + 1;
  const auto density = [&](double mu) { return legendre_density(moments, mu); };
  std::vector<double> at(static_cast<std::size_t>(samples)), f(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    at[i] = -gsim::sincospi<Strict>(static_cast<double>(i) / (samples - 1)).cos;
    f[i] = density(at[i]);
  }
  Minimum smallest{at[0], f[0]};
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::size_t before = i == 0 ? i : i - 1, after = i + 1 == at.size() ? i : i + 1;
    if (f[i] > f[before] || f[i] > f[after]) continue;
    double low = at[before], high = at[after];
    for (int step = 0; step < 80; ++step) {
      const double third = (high - low) / 3;
      if (density(low + third) < density(high - third))
        high -= third;
      else
        low += third;
    }
    for (const double mu : {at[i], (low + high) / 2})
      if (density(mu) < smallest.density) smallest = {mu, density(mu)};
  }
  return smallest;
}

}  // namespace gsim::transport
