#pragma once
// Sampling of directions: isotropic, and at a given angle to another direction.

#include "gsim/math/trig.hpp"
#include "gsim/math/vector3.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The direction with polar cosine `mu` to the z axis and azimuth 2 pi `turn`, as a vector V of
/// three numbers R: doubles, or packs whose lanes are different directions.
template <class V, class R>
GSIM_HD V direction_from(R mu, R turn) {
  const R zero(0.0), square = fma(-mu, mu, R(1.0));
  const R sine = sqrt(select(square > zero, square, zero));
  const auto circle = gsim::sincos_2pi<Strict>(turn);
  return {sine * circle.cos, sine * circle.sin, mu};
}
GSIM_HD Vector3 direction_about_z(double mu, double turn) {
  return direction_from<Vector3>(mu, turn);
}
template <class Random>
GSIM_HD Vector3 isotropic_direction(Random& random) {
  const double mu = fma(2.0, random.uniform(), -1.0);
  return direction_about_z(mu, random.uniform());
}

/// Transforms `local` from a frame with the unit vector `axis` as z axis to the frame in which
/// `axis` is given. The other two axes are those of T. Duff et al., "Building an orthonormal basis,
/// revisited", J. Comput. Graph. Tech. 6(1) (2017) 1.
GSIM_HD Vector3 from_frame(const Vector3& axis, const Vector3& local) {
  const double sign = copysign(1.0, axis.z);
  const double a = -1.0 / (sign + axis.z);
  const double b = axis.x * axis.y * a;
  const double ax = axis.x * axis.x * a, ay = axis.y * axis.y * a;
  const double lx = local.x, ly = local.y, lz = local.z;
  return {fma(fma(sign, ax, 1.0), lx, fma(b, ly, axis.x * lz)),
          fma(sign * b, lx, fma(sign + ay, ly, axis.y * lz)),
          fma(-sign * axis.x, lx, fma(-axis.y, ly, axis.z * lz))};
}

/// `direction` rotated by the angle of cosine `mu` at azimuth 2 pi `turn` about it. One step of
/// Newton's method normalises the result, so that lengths do not drift over many collisions.
GSIM_HD Vector3 turned(const Vector3& direction, double mu, double turn) {
  const Vector3 d = from_frame(direction, direction_about_z(mu, turn));
  return d * fma(dot(d, d), -0.5, 1.5);
}

}  // namespace transport_kernels
GSIM_TARGET_END
