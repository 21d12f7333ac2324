#pragma once
// u(r) = a e^(-r/rho) - c / r^6 (Buckingham, Proc. R. Soc. A 168 (1938) 264). It has a maximum at a
// small distance and diverges to minus infinity below it.
// gsim/md/pair_potentials/pair_potential.hpp describes the members.

#include "gsim/math/exp.hpp"
#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct Buckingham {
  static constexpr char name[] = "buckingham";
  static constexpr char doc[] = "a exp(-r / rho) - c / r^6";
  static constexpr md::PotentialParameter parameters[] = {
      {"a", "strength of the repulsion", md::ParameterUnit::energy,
       md::ParameterRange::not_negative},
      {"rho", "range of the repulsion", md::ParameterUnit::length, md::ParameterRange::positive},
      {"c", "strength of the dispersion", md::ParameterUnit::energy_length(6),
       md::ParameterRange::not_negative}};
  static constexpr int size = 4;
  static constexpr bool is_steep = false, is_charged = false;

  /// c = {scale a, -1/rho, scale c, scale a/rho}.
  static void coefficients(const double* p, double scale, double* c) {
    c[0] = p[0] * scale;
    c[1] = -1 / p[1];
    c[2] = p[2] * scale;
    c[3] = p[0] * scale / p[1];
  }
  /// The distance at which the energy has its maximum, rounded down to a multiple of cutoff / 1024;
  /// NaN if it has none up to the cutoff. Without dispersion (c = 0) the force is finite
  /// everywhere, and the distance is 0.
  static double closest(const double* p, double cutoff) {
    double c[size];
    coefficients(p, 1, c);
    if (p[2] == 0) return 0;
    const double step = cutoff / 1024;
    const auto repels = [&](double r) { return force(r * r, c) > 0; };
    double r = cutoff;
    while (r > step && !repels(r)) r -= step;  // beyond the minimum
    if (r <= step) return nan_of<double>();
    while (r > step && repels(r)) r -= step;
    return r;
  }

  /// -du/dr / r, as a function of r^2.
  template <Real R>
  static GSIM_HD R force(R r2, const R* c) {
    const R r = sqrt(r2), i2 = R(1) / r2;
    return fma(R(-6) * c[2] * (i2 * i2 * i2), i2, c[3] * exp<Strict>(c[1] * r) / r);
  }
  template <Real R>
  static GSIM_HD R energy(R r2, const R* c) {
    const R i2 = R(1) / r2;
    return fma(-c[2], i2 * i2 * i2, c[0] * exp<Strict>(c[1] * sqrt(r2)));
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
