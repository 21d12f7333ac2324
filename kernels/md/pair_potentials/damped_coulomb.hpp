#pragma once
// u(r) = k q_i q_j erfc(alpha r) / r: the real-space part of Ewald's sum (Ewald, Ann. Phys. 369
// (1921) 253), and with its force shifted to zero at the cutoff the damped shifted force of Fennell
// and Gezelter, J. Chem. Phys. 124 (2006) 234104, eqs. 18 and 19. alpha = 0: Coulomb's law.
// gsim/md/pair_potentials/pair_potential.hpp describes the members.

#include "gsim/math/erf.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct DampedCoulomb {
  static constexpr char name[] = "damped_coulomb";
  static constexpr char doc[] = "q_i q_j erfc(alpha r) / r";
  static constexpr md::PotentialParameter parameters[] = {
      {"constant", "energy of two unit charges at unit distance",
       md::ParameterUnit::energy_length(1), md::ParameterRange::positive},
      {"alpha", "inverse length of the damping", md::ParameterUnit::per_length,
       md::ParameterRange::not_negative}};
  static constexpr int size = 4;
  static constexpr bool is_steep = false, is_charged = true;

  /// c = {k, alpha, 2 k alpha / sqrt(pi), -alpha^2}.
  static void coefficients(const double* p, double scale, double* c) {
    constexpr double two_over_root_pi = 1.12837916709551257390;
    c[0] = p[0] * scale;
    c[1] = p[1];
    c[2] = two_over_root_pi * p[1] * p[0] * scale;
    c[3] = -p[1] * p[1];
  }
  static double closest(const double* /*p*/, double cutoff) { return cutoff / 20; }

  /// -du/dr / r, as a function of r^2.
  template <Real R>
  static GSIM_HD R force(R r2, const R* c) {
    const R r = sqrt(r2), gauss = exp<Strict>(c[3] * r2);
    return fma(c[2], gauss, c[0] * complement(c[1] * r, gauss) / r) / r2;
  }
  template <Real R>
  static GSIM_HD R energy(R r2, const R* c) {
    const R r = sqrt(r2);
    return c[0] * complement(c[1] * r, exp<Strict>(c[3] * r2)) / r;
  }

 private:
  /// erfc(x), x >= 0, from x and e^(-x^2). In float by Hastings's approximation, whose error is at
  /// most 1.5e-7 e^(-x^2) (Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26).
  template <Real R>
  static GSIM_HD R complement(R x, R gauss) {
    if constexpr (sizeof(scalar_of<R>) == 8) {
      return erfc<Strict>(x);
    } else {
      const R t = R(1) / fma(R(0.3275911f), x, R(1));
      const R p = fma(t,
                      fma(t, fma(t, fma(t, R(1.061405429f), R(-1.453152027f)), R(1.421413741f)),
                          R(-0.284496736f)),
                      R(0.254829592f));
      return p * t * gauss;
    }
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
