#pragma once
// u(r) = depth ((1 - e^(-alpha (r - r0)))^2 - 1) (Morse, Phys. Rev. 34 (1929) 57, eq. 4).
// gsim/md/pair_potentials/pair_potential.hpp describes the members.

#include "gsim/math/exp.hpp"
#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct Morse {
  static constexpr char name[] = "morse";
  static constexpr char doc[] = "depth ((1 - exp(-alpha (r - r0)))^2 - 1)";
  static constexpr md::PotentialParameter parameters[] = {
      {"depth", "depth of the well", md::ParameterUnit::energy, md::ParameterRange::not_negative},
      {"alpha", "inverse width of the well", md::ParameterUnit::per_length,
       md::ParameterRange::positive},
      {"r0", "distance of the minimum", md::ParameterUnit::length, md::ParameterRange::positive}};
  static constexpr int size = 4;
  static constexpr bool is_steep = false, is_charged = false;

  /// c = {depth, -alpha, alpha r0, 2 alpha depth}.
  static void coefficients(const double* p, double scale, double* c) {
    c[0] = p[0] * scale;
    c[1] = -p[1];
    c[2] = p[1] * p[2];
    c[3] = 2 * p[1] * p[0] * scale;
  }
  /// The distance at which u = 255 depth: there the exponential is 17 = e^2.833. If this
  /// distance is negative, u is smaller at all distances, and 0 is returned.
  static double closest(const double* p, double /*cutoff*/) {
    const double r = p[2] - 2.833 / p[1];
    return r > 0 ? r : 0;
  }

  /// -du/dr / r, as a function of r^2.
  template <Real R>
  static GSIM_HD R force(R r2, const R* c) {
    const R r = sqrt(r2);
    const R y = exp<Strict>(fma(c[1], r, c[2]));
    return c[3] * (y * y - y) / r;
  }
  template <Real R>
  static GSIM_HD R energy(R r2, const R* c) {
    const R y = exp<Strict>(fma(c[1], sqrt(r2), c[2]));
    return c[0] * (y * (y - R(2)));
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
