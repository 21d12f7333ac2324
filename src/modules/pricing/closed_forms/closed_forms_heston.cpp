// European options under stochastic variance, with and without jumps, from their characteristic
// function.

#include <cmath>
#include <numbers>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/complex.hpp"
#include "src/modules/pricing/closed_forms/gauss_legendre.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

// E[exp(i z ln(S_T / F))] at z = u - i / 2: Heston's characteristic function in the form whose
// logarithm stays on its principal branch (Albrecher, Mayer, Schoutens and Tistaert 2007, "The
// little Heston trap", eq. 9), times that of the compensated jumps (Bates 1996).
Complex characteristic(const HestonTerms& h, double u) {
  const double t = h.maturity, s2 = h.sigma * h.sigma;
  const Complex iz{0.5, u};
  const Complex xi = Complex{h.kappa, 0} - (h.rho * h.sigma) * iz;
  const Complex d = square_root(xi * xi + Complex{s2 * (u * u + 0.25), 0});
  const Complex g = (xi - d) / (xi + d), decay = exponential(-t * d);
  const Complex one{1, 0}, denominator = one - g * decay;
  const Complex a =
      (h.kappa * h.theta / s2) * (t * (xi - d) - 2 * logarithm(denominator / (one - g)));
  const Complex b = (h.v0 / s2) * ((xi - d) * (one - decay) / denominator);
  const double jump_variance = h.jump_sd * h.jump_sd;
  const double mean_jump = exponential(h.jump_mean + 0.5 * jump_variance) - 1;
  const Complex jump = exponential(h.jump_mean * iz + (0.5 * jump_variance) * (iz * iz));
  return exponential(a + b + (h.jump_intensity * t) * (jump - one - mean_jump * iz));
}

// Mean annual variance of the log-spot.
double mean_variance(const HestonTerms& h) {
  return heston_mean_variance(h.v0, h.kappa, h.theta, h.maturity) +
         h.jump_intensity * (square(h.jump_mean) + square(h.jump_sd));
}

}  // namespace

std::vector<double> heston_calls(double forward, std::span<const double> strikes,
                                 const HestonTerms& h) {
  constexpr double negligible = 1e-12;
  constexpr int max_panels = 40, rules = 4;
  std::vector<double> moneyness, integrals(strikes.size(), 0.0);
  for (const double strike : strikes) moneyness.push_back(logarithm(forward / strike));
  const auto add = [&](double u, double weight) {
    const Complex phi = characteristic(h, u);
    for (std::size_t i = 0; i < moneyness.size(); ++i) {
      const auto angle = sincos<Strict>(u * moneyness[i]);
      integrals[i] += weight * (phi.re * angle.cos - phi.im * angle.sin) / (u * u + 0.25);
    }
  };
  // The first panel is no wider than the distance of the integrand's poles at u = +-i / 2.
  double from = 0, to = std::fmin(0.5, 1 / std::sqrt(mean_variance(h) * h.maturity));
  for (int panel = 0; panel < max_panels; ++panel) {
    const double half = 0.5 * (to - from) / rules;
    for (int rule = 0; rule < rules; ++rule) {
      const double middle = from + (2 * rule + 1) * half;
      for (int k = 0; k < 5; ++k)
        for (const double side : {-1.0, 1.0})
          add(middle + side * half * gauss_x[k], half * gauss_w[k]);
    }
    const Complex phi = characteristic(h, to);
    if (std::sqrt(phi.re * phi.re + phi.im * phi.im) < negligible * to) break;
    from = to;
    to *= 2;
  }
  std::vector<double> calls;
  for (std::size_t i = 0; i < strikes.size(); ++i)
    calls.push_back(forward - std::sqrt(forward * strikes[i]) * integrals[i] / std::numbers::pi);
  return calls;
}

double heston(double sign, double forward, double strike, const HestonTerms& h, double discount) {
  if (strike <= 0) return sign > 0 ? discount * (forward - strike) : 0.0;
  const double moneyness = logarithm(forward / strike);
  const auto integrand = [&](double u) {
    const Complex phi = characteristic(h, u);
    const auto angle = sincos<Strict>(u * moneyness);
    return (phi.re * angle.cos - phi.im * angle.sin) / (u * u + 0.25);
  };
  // The characteristic function decays on the scale of the inverse standard deviation, and then
  // exponentially. The integral is summed over panels of doubling width until the contribution of a
  // panel is negligible.
  constexpr double negligible = 1e-17;
  constexpr int max_panels = 40;
  double from = 0, to = 1 / std::sqrt(mean_variance(h) * h.maturity), integral = 0;
  for (int panel = 0; panel < max_panels; ++panel) {
    integral += integrate(integrand, from, to, 1e-14);
    const Complex phi = characteristic(h, to);
    if (std::sqrt(phi.re * phi.re + phi.im * phi.im) < negligible * to) break;
    from = to;
    to *= 2;
  }
  const double call = forward - std::sqrt(forward * strike) * integral / std::numbers::pi;
  return discount * std::fmax(sign > 0 ? call : call - forward + strike, 0.0);
}

}  // namespace gsim::pricing
