#pragma once
// Potentials u that are modified to vanish smoothly at the cutoff r_c.
//
// xplor: S(r) u(r), where S falls from 1 at r_i to 0 at r_c (Brooks et al., J. Comput. Chem. 4
// (1983) 187, eq. 12; X-PLOR): with x = r^2,
//   S = (x_c - x)^2 (x_c + 2 x - 3 x_i) / (x_c - x_i)^3 for r > r_i,
//   dS/dr / r = 12 (x_c - x) (x_i - x) / (x_c - x_i)^3.
// force_shift: u(r) - u(r_c) + (r - r_c) f_c with f_c = -u'(r_c) (Allen and Tildesley, Computer
// Simulation of Liquids, 2nd ed., eq. 5.10); the constant part is the shift that every potential
// has (cluster_forces.hpp). Potentials between charges have no xplor, since it would need their
// energy, whose computation takes most of the time.

#include "gsim/md/pair_potentials/pair_potential.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

template <class Potential>
struct Smoothed {
  static constexpr int smoothing_size = 4, size = Potential::size + smoothing_size;
  static constexpr bool is_steep = Potential::is_steep, is_charged = Potential::is_charged;

  /// c = {x_c, x_i, 1 / (x_c - x_i)^3, f_c}, followed by the coefficients of Potential. Without
  /// xplor x_i = x_c and the third is 0.
  static void coefficients(double cutoff, double inner, double force_at_cutoff, double* c) {
    const double difference = cutoff * cutoff - inner * inner;
    c[0] = cutoff * cutoff;
    c[1] = inner * inner;
    c[2] = difference > 0 ? 1 / (difference * difference * difference) : 0;
    c[3] = force_at_cutoff;
  }

  template <Real R>
  static GSIM_HD R force(R r2, const R* c) {
    R f = Potential::force(r2, c + smoothing_size);
    if constexpr (!Potential::is_charged) {
      const R u = Potential::energy(r2, c + smoothing_size);
      const R a = c[0] - r2, slope = R(12) * a * (c[1] - r2) * c[2];
      f = select(r2 < c[1], f, fma(-slope, u, switching(r2, a, c) * f));
    }
    return f - c[3] / sqrt(r2 + R(1e-30f));  // soft potentials allow r = 0
  }
  template <Real R>
  static GSIM_HD R energy(R r2, const R* c) {
    R u = Potential::energy(r2, c + smoothing_size);
    if constexpr (!Potential::is_charged) u = select(r2 < c[1], u, switching(r2, c[0] - r2, c) * u);
    return fma(c[3], sqrt(r2), u);
  }

 private:
  /// S(r); a = x_c - x.
  template <Real R>
  static GSIM_HD R switching(R r2, R a, const R* c) {
    return a * a * fma(R(2), r2, fma(R(-3), c[1], c[0])) * c[2];
  }
};

/// Whether a potential can be smoothed: potentials that are read from tables cannot.
template <class Potential>
inline constexpr bool can_be_smoothed = requires(double r2, const double* c) {
  Potential::force(r2, c);
};

/// The functions of a potential, with or without tables.
template <class Potential, class R>
GSIM_HD R force_of(R r2, const R* c, const scalar_of<R>* data) {
  if constexpr (requires { Potential::force(r2, c, data); })
    return Potential::force(r2, c, data);
  else
    return Potential::force(r2, c);
}
template <class Potential, class R>
GSIM_HD R energy_of(R r2, const R* c, const scalar_of<R>* data) {
  if constexpr (requires { Potential::energy(r2, c, data); })
    return Potential::energy(r2, c, data);
  else
    return Potential::energy(r2, c);
}

}  // namespace md_kernels
GSIM_TARGET_END
