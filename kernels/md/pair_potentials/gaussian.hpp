#pragma once
// u(r) = height e^(-r^2 / (2 width^2)): the Gaussian core model (Stillinger, J. Chem. Phys. 65
// (1976) 3968), or with a negative height an attractive well. Atoms may be at the same position.
// gsim/md/pair_potentials/pair_potential.hpp describes the members.

#include "gsim/math/exp.hpp"
#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct Gaussian {
  static constexpr char name[] = "gaussian";
  static constexpr char doc[] = "height exp(-r^2 / (2 width^2))";
  static constexpr md::PotentialParameter parameters[] = {
      {"height", "energy at distance zero", md::ParameterUnit::energy, md::ParameterRange::any},
      {"width", "standard deviation of the bell", md::ParameterUnit::length,
       md::ParameterRange::positive}};
  static constexpr int size = 3;
  static constexpr bool is_steep = false, is_charged = false;

  /// c = {height, -1 / (2 width^2), height / width^2}.
  static void coefficients(const double* p, double scale, double* c) {
    c[0] = p[0] * scale;
    c[1] = -1 / (2 * p[1] * p[1]);
    c[2] = p[0] * scale / (p[1] * p[1]);
  }
  static double closest(const double* /*p*/, double /*cutoff*/) { return 0; }

  /// -du/dr / r, as a function of r^2.
  template <Real R>
  static GSIM_HD R force(R r2, const R* c) {
    return c[2] * exp<Strict>(c[1] * r2);
  }
  template <Real R>
  static GSIM_HD R energy(R r2, const R* c) {
    return c[0] * exp<Strict>(c[1] * r2);
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
