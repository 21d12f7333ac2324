#pragma once
// U = k (theta - theta0)^2, theta in radians. The atoms of a straight angle span no plane, so
// that with theta0 != pi the force has no direction; it is then zero.

#include "gsim/core/angle.hpp"
#include "gsim/math/atan.hpp"
#include "gsim/md/bonded/angle_style.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct HarmonicAngle {
  static constexpr char name[] = "harmonic";
  static constexpr char doc[] = "U = k (theta - theta0)^2, theta in radians, without a factor 1/2";
  static constexpr char lammps_style[] = "harmonic";
  static constexpr md::PotentialParameter parameters[] = {
      {"k", "stiffness", md::ParameterUnit::energy_angle(-2), md::ParameterRange::any},
      {"theta0", "equilibrium angle", md::ParameterUnit::degrees, md::ParameterRange::angle}};
  static constexpr int size = 2;

  /// c = {k, theta0 in radians}.
  static void coefficients(const double* p, double* c) {
    c[0] = p[0];
    c[1] = p[1] * radians_per_degree;
  }
  /// Bounds: |U'| <= 2 pi |k| and |U| <= pi^2 |k|. The bound of U' is smaller than that of U by a
  /// factor of pi/2; it is returned for both, as by the other angle styles: sums can hold 2^12
  /// times these bounds.
  static EnergyAndSlope<double> largest(const double* p) {
    const double slope = 2 * 3.14159265358979323846 * (p[0] < 0 ? -p[0] : p[0]);
    return {slope, slope};
  }

  template <Real R>
  static GSIM_HD AngleResponse<R> respond(const AngleGeometry<R>& g, const R* c) {
    const R k = c[0];
    const R bend = atan2<Strict>(g.cross, g.dot) - c[1];
    // Below a sine of 2^-26 the plane of the angle is lost in rounding errors.
    const R min_cross = g.arms * 0x1p-26;
    const R cross = select(g.cross > min_cross, g.cross, min_cross);
    return {(k + k) * bend / cross, k * bend * bend};
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
