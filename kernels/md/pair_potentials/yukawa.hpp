#pragma once
// u(r) = amplitude e^(-kappa r) / r (Yukawa, Proc. Phys.-Math. Soc. Japan 17 (1935) 48): screened
// charges.
// gsim/md/pair_potentials/pair_potential.hpp describes the members.

#include "gsim/math/exp.hpp"
#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct Yukawa {
  static constexpr char name[] = "yukawa";
  static constexpr char doc[] = "amplitude exp(-kappa r) / r";
  static constexpr md::PotentialParameter parameters[] = {
      {"amplitude", "energy times length; repulsive where positive",
       md::ParameterUnit::energy_length(1), md::ParameterRange::any},
      {"kappa", "inverse screening length", md::ParameterUnit::per_length,
       md::ParameterRange::not_negative}};
  static constexpr int size = 2;
  static constexpr bool is_steep = false, is_charged = false;

  /// c = {amplitude, -kappa}.
  static void coefficients(const double* p, double scale, double* c) {
    c[0] = p[0] * scale;
    c[1] = -p[1];
  }
  static double closest(const double* /*p*/, double cutoff) { return cutoff / 20; }

  /// -du/dr / r, as a function of r^2.
  template <Real R>
  static GSIM_HD R force(R r2, const R* c) {
    const R r = sqrt(r2);
    return c[0] * exp<Strict>(c[1] * r) * fma(-c[1], r, R(1)) / (r2 * r);
  }
  template <Real R>
  static GSIM_HD R energy(R r2, const R* c) {
    const R r = sqrt(r2);
    return c[0] * exp<Strict>(c[1] * r) / r;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
