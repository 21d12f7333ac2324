#pragma once
// U = k (cos(theta) - cos(theta0))^2.

#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"
#include "gsim/md/bonded/angle_style.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct CosineSquaredAngle {
  static constexpr char name[] = "cosine_squared";
  static constexpr char doc[] = "U = k (cos theta - cos theta0)^2";
  static constexpr char lammps_style[] = "cosine/squared";
  static constexpr md::PotentialParameter parameters[] = {
      {"k", "stiffness", md::ParameterUnit::energy, md::ParameterRange::any},
      {"theta0", "equilibrium angle", md::ParameterUnit::degrees, md::ParameterRange::angle}};
  static constexpr int size = 2;

  /// c = {k, cos(theta0)}.
  static void coefficients(const double* p, double* c) {
    c[0] = p[0];
    c[1] = sincospi<Strict>(p[1] / 180).cos;
  }
  /// |U'| and |U| are at most 4 |k|; the larger bound 2 pi |k|, which all angle styles use,
  /// is returned for both.
  static EnergyAndSlope<double> largest(const double* p) {
    const double slope = 2 * 3.14159265358979323846 * (p[0] < 0 ? -p[0] : p[0]);
    return {slope, slope};
  }

  template <Real R>
  static GSIM_HD AngleResponse<R> respond(const AngleGeometry<R>& g, const R* c) {
    const R k = c[0];
    const R i = R(1.0) / g.arms;
    const R bend = fma(g.dot, i, -c[1]);
    return {R(-2.0) * k * bend * i, k * bend * bend};
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
