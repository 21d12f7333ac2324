#pragma once
// u(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6) (Jones, Proc. R. Soc. A 106 (1924) 463).
// gsim/md/pair_potentials/pair_potential.hpp describes the members.

#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct LennardJones {
  static constexpr char name[] = "lennard_jones";
  static constexpr char doc[] = "4 epsilon ((sigma/r)^12 - (sigma/r)^6)";
  static constexpr md::PotentialParameter parameters[] = {
      {"epsilon", "depth of the well", md::ParameterUnit::energy, md::ParameterRange::not_negative},
      {"sigma", "distance of zero energy", md::ParameterUnit::length,
       md::ParameterRange::positive}};
  static constexpr int size = 2;
  static constexpr bool is_steep = true, is_charged = false;

  /// c = {48 epsilon sigma^12, -24 epsilon sigma^6}.
  static void coefficients(const double* p, double scale, double* c) {
    const double s3 = p[1] * p[1] * p[1], s6 = s3 * s3;
    c[0] = 48 * p[0] * s6 * s6 * scale;
    c[1] = -24 * p[0] * s6 * scale;
  }
  /// At this distance u = 255 epsilon and -du/dr = 4664 epsilon / sigma.
  static double closest(const double* p, double /*cutoff*/) { return 0.7 * p[1]; }

  /// -du/dr / r, as a function of r^2.
  template <Real R>
  static GSIM_HD R force(R r2, const R* c) {
    const R i2 = R(1) / r2;
    const R i6 = i2 * i2 * i2;
    return fma(c[0], i6, c[1]) * (i6 * i2);
  }
  template <Real R>
  static GSIM_HD R energy(R r2, const R* c) {
    using T = scalar_of<R>;
    const R i2 = R(1) / r2;
    const R i6 = i2 * i2 * i2;
    return fma(c[0] * R(T(1.0 / 12)), i6, c[1] * R(T(1.0 / 6))) * i6;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
