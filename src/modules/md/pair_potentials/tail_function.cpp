// Long-range corrections (Frenkel and Smit, Understanding Molecular Simulation, 2nd ed., eqs. 3.2.4
// and 3.2.8, per pair of types): U = 2 pi / V sum_ab N_a N_b int u r^2 dr,
// p V = 2 pi / (3 V) sum_ab N_a N_b int -u' r^3 dr, over r > r_c.

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/pair_potentials/pair_table.hpp"

namespace gsim::md {
namespace {

/// The integral of f over [a, b] by the five-point rule of Gauss and Legendre on 64 parts: exact
/// for polynomials up to degree 9, such as powers of 1/r after the substitution below.
template <class F>
double integral(double a, double b, const F& f) {
  constexpr int parts = 64;
  const double root = 2 * std::sqrt(10.0 / 7);
  const double inner = std::sqrt(5 - root) / 3, outer = std::sqrt(5 + root) / 3;
  const double w70 = 13 * std::sqrt(70.0);
  const std::array<double, 5> x{-outer, -inner, 0, inner, outer};
  const std::array<double, 5> w{(322 - w70) / 900, (322 + w70) / 900, 128.0 / 225,
                                (322 + w70) / 900, (322 - w70) / 900};
  const double half = 0.5 * (b - a) / parts;
  double sum = 0;
  for (int p = 0; p < parts; ++p)
    for (std::size_t k = 0; k < 5; ++k) sum += w[k] * f(a + half * (2 * p + 1 + x[k]));
  return sum * half;
}

struct Integrals {
  double energy = 0, pressure = 0;
};

/// The integrals for one potential: beyond the cutoff, in t = r_c / r, where dr = -r_c / t^2 dt;
/// and with xplor between inner radius and cutoff.
Integrals tail_integrals(const PairPotential& potential) {
  const PairFunction u(potential);
  const double rc = u.cutoff();
  Integrals sum;
  sum.energy = integral(0, 1, [&](double t) {
    const double r = rc / t;
    return u.bare_energy(r) * r * r * (r / t);
  });
  sum.pressure = integral(0, 1, [&](double t) {
    const double r = rc / t;
    return u.bare_force(r) * r * r * r * (r / t);
  });
  if (potential.smoothing == Smoothing::xplor) {
    sum.energy += integral(potential.inner, rc,
                           [&](double r) { return (u.bare_energy(r) - u.energy(r)) * r * r; });
    sum.pressure += integral(potential.inner, rc,
                             [&](double r) { return (u.bare_force(r) - u.force(r)) * r * r * r; });
  }
  return sum;
}

/// InputError for a potential whose tail correction is not known, not defined or not finite.
void check(const PairPotential& p) {
  const auto refuse = [&](const char* why) {
    throw InputError(fmt::format("tail = true, but {}; set tail = false", why));
  };
  if (p.samples) refuse("a tabulated potential is unknown beyond its cutoff");
  if (p.smoothing == Smoothing::shift || p.smoothing == Smoothing::force_shift)
    refuse(
        "a shifted potential differs from the untruncated one at every distance, not only beyond "
        "the cutoff (use "
        "smoothing = \"cut\" or \"xplor\")");
  if (p.kind->name == "yukawa" && p.parameters[1] == 0)
    refuse("Yukawa's potential without screening reaches to infinity");
}

}  // namespace

TailFunction::TailFunction(const PairTable& table) {
  const int n = table.types();
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      Integrals sum;
      for (const PairPotential& p : table.between(a, b)) {
        check(p);
        const Integrals tail = tail_integrals(p);
        sum.energy += tail.energy;
        sum.pressure += tail.pressure;
      }
      energy_.push_back(sum.energy);
      pressure_.push_back(sum.pressure);
    }
}

TailCorrection TailFunction::at(const std::vector<Index>& counts, double volume) const {
  constexpr double two_pi = 6.28318530717958647693;
  TailCorrection sum;
  const std::size_t n = counts.size();
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      const double pairs = static_cast<double>(counts[a]) * static_cast<double>(counts[b]);
      sum.energy += two_pi / volume * pairs * energy_[a * n + b];
      sum.pressure_volume += two_pi / (3 * volume) * pairs * pressure_[a * n + b];
    }
  return sum;
}

}  // namespace gsim::md
