#pragma once
// A bond and an angle with the energies of gsim's own styles `harmonic` and `cosine`, which must
// give the same results.
#include <gsim/md/bonded/angle_style.hpp>
#include <gsim/md/bonded/bond_style.hpp>

GSIM_TARGET_BEGIN
namespace md_kernels {

/// U = k (r - r0)^2.
struct Spring {
  static constexpr char name[] = "spring", doc[] = "U = k (r - r0)^2";
  static constexpr md::PotentialParameter parameters[] = {
      {"k", "half of the stiffness", md::ParameterUnit::energy_length(-2),
       md::ParameterRange::positive},
      {"r0", "length at rest", md::ParameterUnit::length, md::ParameterRange::positive}};
  static constexpr int size = 2;
  static void coefficients(const double* p, double* c) {
    c[0] = p[0];
    c[1] = p[1];
  }
  /// Length beyond which a bond ends the run.
  static double longest(const double* p) { return 2 * p[1]; }
  template <Real R>
  static GSIM_HD EnergyAndSlope<R> bond(R r, const R* c) {
    const R stretch = r - c[1];
    return {c[0] * stretch * stretch, R(2.0) * c[0] * stretch};
  }
};

/// U = k (1 + cos theta).
struct Straight {
  static constexpr char name[] = "straight", doc[] = "U = k (1 + cos theta)";
  static constexpr md::PotentialParameter parameters[] = {
      {"k", "stiffness", md::ParameterUnit::energy, md::ParameterRange::positive}};
  static constexpr int size = 1;
  static void coefficients(const double* p, double* c) { c[0] = p[0]; }
  template <Real R>
  static GSIM_HD EnergyAndSlope<R> angle(R cosine, const R* c) {
    return {fma(c[0], cosine, c[0]), c[0]};
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
