#pragma once
// U = k (1 + cos(theta)).

#include "gsim/md/bonded/angle_style.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct CosineAngle {
  static constexpr char name[] = "cosine";
  static constexpr char doc[] = "U = k (1 + cos theta), with its minimum at 180 degrees";
  static constexpr char lammps_style[] = "cosine";
  static constexpr md::PotentialParameter parameters[] = {
      {"k", "stiffness", md::ParameterUnit::energy, md::ParameterRange::any}};
  static constexpr int size = 1;

  /// c = {k}.
  static void coefficients(const double* p, double* c) { c[0] = p[0]; }
  /// |U'| and |U| are at most 2 |k|; the larger bound 2 pi |k|, which all angle styles use,
  /// is returned for both.
  static EnergyAndSlope<double> largest(const double* p) {
    const double slope = 2 * 3.14159265358979323846 * (p[0] < 0 ? -p[0] : p[0]);
    return {slope, slope};
  }

  template <Real R>
  static GSIM_HD AngleResponse<R> respond(const AngleGeometry<R>& g, const R* c) {
    const R slope = c[0] / g.arms;
    return {-slope, fma(slope, g.dot, c[0])};
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
