#pragma once
// Finitely extensible nonlinear elastic bonds: U = -k r0^2/2 ln(1 - (r/r0)^2), and for r < 2^(1/6)
// sigma also 4 epsilon ((sigma/r)^12 - (sigma/r)^6) + epsilon (K. Kremer and G. S. Grest, J. Chem.
// Phys. 92 (1990) 5057, Eq. 1-3; with epsilon = 0 the core is left to the pair potentials).

#include "gsim/math/log.hpp"
#include "gsim/md/bonded/bond_style.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct FeneBond {
  static constexpr char name[] = "fene",
                        doc[] = "finitely extensible nonlinear elastic bond (FENE)";
  static constexpr char lammps_style[] = "fene", longest_doc[] = "r0";
  static constexpr md::PotentialParameter parameters[] = {
      {"k",
       "U = -k r0^2/2 ln(1 - (r/r0)^2) plus the core of epsilon and sigma (Kremer and Grest 1990: "
       "k = 30, r0 = 1.5, epsilon = sigma = 1)",
       md::ParameterUnit::energy_length(-2), md::ParameterRange::positive},
      {"r0", "largest length, which the bond never reaches", md::ParameterUnit::length,
       md::ParameterRange::positive},
      {"epsilon",
       "depth of the repulsive Lennard-Jones core within the bond; with 0 the core is left to the "
       "pair potentials, which then must not exclude 1-2 pairs",
       md::ParameterUnit::energy, md::ParameterRange::not_negative, 0},
      {"sigma", "diameter of the Lennard-Jones core", md::ParameterUnit::length,
       md::ParameterRange::positive, 1}};
  static constexpr int size = 7;

  /// c = {k, r0^2, 1/r0^2, 24 epsilon sigma^6, 2 sigma^6, epsilon, 2^(1/3) sigma^2}.
  static void coefficients(const double* p, double* c) {
    constexpr double cube_root_of_2 = 1.2599210498948731648;
    const double s3 = p[3] * p[3] * p[3], s6 = s3 * s3;
    c[0] = p[0];
    c[1] = p[1] * p[1];
    c[2] = 1 / (p[1] * p[1]);
    c[3] = 24 * p[2] * s6;
    c[4] = 2 * s6;
    c[5] = p[2];
    c[6] = cube_root_of_2 * p[3] * p[3];
  }
  static double longest(const double* p) { return p[1]; }
  static const char* problem(const double* p, double longest) {
    return longest <= p[1] ? nullptr : "max_length of a FENE bond must be at most r0";
  }
  /// Bounds of |U| and |U'| in the range where 1 - (r/r0)^2 is above about 0.01 and r is above 0.7
  /// sigma. There the Lennard-Jones core has |U'| = 4664 epsilon / sigma and the virial r |U'| =
  /// 3265 epsilon, which is larger than its energy.
  static EnergyAndSlope<double> largest(const double* p, double /*longest*/) {
    const double pull = p[0] * p[1] / 0.01, push = 4664 * p[2] / p[3];
    const double spring = 10 * p[0] * p[1] * p[1], core = 3265 * p[2];
    return {spring > core ? spring : core, pull > push ? pull : push};
  }

  template <bool Energy, Real R>
  static GSIM_HD BondResponse<R> respond(R r2, const R* c) {
    const R k = c[0];
    const R one_minus_ratio2 = fma(-r2, c[2], R(1.0));
    const R core = c[3], twice_s6 = c[4];
    const R i2 = R(1.0) / r2;
    const R i6 = i2 * i2 * i2;
    const auto in_core = r2 < c[6];
    // 24 e s^6 (2 s^6/r^6 - 1)/r^8
    const R push = (core * i6) * fma(twice_s6, i6, R(-1.0)) * i2;
    BondResponse<R> result{select(in_core, push, R(0.0)) - k / one_minus_ratio2, R(0.0)};
    if constexpr (Energy) {
      const R e = c[5];
      // core / 6 = 4 e s^6; with s^6 = twice_s6 / 2.
      const R lj = (core * (1.0 / 6)) * i6 * fma(R(0.5) * twice_s6, i6, R(-1.0)) + e;
      const R spring = (k * c[1]) * R(-0.5) * log<Strict>(one_minus_ratio2);
      result.energy = spring + select(in_core, lj, R(0.0));
    }
    return result;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
