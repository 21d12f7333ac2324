#pragma once
// U = k (r - r0)^2, without a factor 1/2, as in LAMMPS.

#include "gsim/md/bonded/bond_style.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct HarmonicBond {
  static constexpr char name[] = "harmonic", doc[] = "a spring, U = k (r - r0)^2";
  static constexpr char lammps_style[] = "harmonic", longest_doc[] = "2 r0";
  static constexpr md::PotentialParameter parameters[] = {
      {"k", "U = k (r - r0)^2, without a factor 1/2, as in LAMMPS",
       md::ParameterUnit::energy_length(-2), md::ParameterRange::positive},
      {"r0", "equilibrium length", md::ParameterUnit::length, md::ParameterRange::not_negative}};
  static constexpr int size = 2;

  /// c = {k, r0}.
  static void coefficients(const double* p, double* c) {
    c[0] = p[0];
    c[1] = p[1];
  }
  static double longest(const double* p) { return 2 * p[1]; }
  static const char* problem(const double* p, double longest) {
    return longest > p[1] ? nullptr : "max_length must be above r0";
  }
  static EnergyAndSlope<double> largest(const double* p, double longest) {
    const double stretch = p[1] > longest - p[1] ? p[1] : longest - p[1];
    return {2 * p[0] * stretch * longest, 2 * p[0] * stretch};
  }

  template <bool Energy, Real R>
  static GSIM_HD BondResponse<R> respond(R r2, const R* c) {
    const R k = c[0], r0 = c[1];
    const R r = sqrt(r2);
    // With r0 = 0 the force of two atoms at the same position is zero.
    const R ratio = select(r0 == R(0.0), R(0.0), r0 / r);
    const R twice = k + k;
    BondResponse<R> result{fma(twice, ratio, -twice), R(0.0)};
    if constexpr (Energy) {
      const R stretch = r - r0;
      result.energy = k * stretch * stretch;
    }
    return result;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
