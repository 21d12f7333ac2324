#pragma once
// u(r) = epsilon (sigma / r)^12: soft spheres (Hoover et al., J. Chem. Phys. 52 (1970) 4931).
// gsim/md/pair_potentials/pair_potential.hpp describes the members.

#include <gsim/md/pair_potentials/pair_potential.hpp>

GSIM_TARGET_BEGIN
namespace md_kernels {

struct Skeleton {
  static constexpr char name[] = "skeleton";
  static constexpr char doc[] = "epsilon (sigma / r)^12";
  static constexpr md::PotentialParameter parameters[] = {
      {"epsilon", "energy at r = sigma", md::ParameterUnit::energy,
       md::ParameterRange::not_negative},
      {"sigma", "diameter of an atom", md::ParameterUnit::length, md::ParameterRange::positive}};
  static constexpr int size = 2;
  static constexpr bool is_steep = true, is_charged = false;

  /// c = {epsilon sigma^12, 12 epsilon sigma^12}.
  static void coefficients(const double* p, double scale, double* c) {
    const double s3 = p[1] * p[1] * p[1], s12 = s3 * s3 * s3 * s3;
    c[0] = p[0] * s12 * scale;
    c[1] = 12 * c[0];
  }
  /// At this distance u = 72 epsilon.
  static double closest(const double* p, double /*cutoff*/) { return 0.7 * p[1]; }

  /// -du/dr / r as a function of r^2, which avoids a square root.
  template <Real R>
  static GSIM_HD R force(R r2, const R* c) {
    const R i2 = R(1) / r2;
    const R i6 = i2 * i2 * i2;
    return c[1] * (i6 * i6) * i2;
  }
  template <Real R>
  static GSIM_HD R energy(R r2, const R* c) {
    const R i2 = R(1) / r2;
    const R i6 = i2 * i2 * i2;
    return c[0] * (i6 * i6);
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
