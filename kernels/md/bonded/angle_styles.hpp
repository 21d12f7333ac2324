#pragma once
// Laws of angles (gsim/md/bonded/angle_style.hpp).

#include "gsim/math/atan.hpp"
#include "gsim/md/bonded/angle_style.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// U = K (theta - theta0)^2, theta in radians. At a straight angle, which has no plane, the force
/// of theta0 != pi has no direction either: it is zero there. Constants: K, theta0.
struct HarmonicAngle {
  static constexpr int constants = 2;
  template <bool Energy, Real R, class Types>
  static GSIM_HD AngleResponse<R> respond(const md::BondedJob& job, Types type,
                                          const AngleGeometry<R>& g) {
    const R k = constant<R>(job, type, constants, 0);
    const R bend = atan2<Strict>(g.cross, g.dot) - constant<R>(job, type, constants, 1);
    // Below a sine of 2^-26 the plane is rounding.
    const R least = g.arms * 0x1p-26;
    const R cross = select(g.cross > least, g.cross, least);
    return {(k + k) * bend / cross, k * bend * bend};
  }
};

/// U = K (1 + cos(theta)). Constants: K.
struct CosineAngle {
  static constexpr int constants = 1;
  template <bool Energy, Real R, class Types>
  static GSIM_HD AngleResponse<R> respond(const md::BondedJob& job, Types type,
                                          const AngleGeometry<R>& g) {
    const R slope = constant<R>(job, type, constants, 0) / g.arms;
    return {-slope, fma(slope, g.dot, constant<R>(job, type, constants, 0))};
  }
};

/// U = K (cos(theta) - cos(theta0))^2. Constants: K, cos(theta0).
struct CosineSquaredAngle {
  static constexpr int constants = 2;
  template <bool Energy, Real R, class Types>
  static GSIM_HD AngleResponse<R> respond(const md::BondedJob& job, Types type,
                                          const AngleGeometry<R>& g) {
    const R k = constant<R>(job, type, constants, 0);
    const R i = R(1.0) / g.arms;
    const R bend = fma(g.dot, i, -constant<R>(job, type, constants, 1));
    return {R(-2.0) * k * bend * i, k * bend * bend};
  }
};

}  // namespace md_kernels
GSIM_TARGET_END
