#pragma once
// Directions: the cosine of the scattering angle from its law, and a direction turned by it.
//
// Linear laws are inverted in closed form. Laws of higher order are sampled by rejection under a
// bound that is constant in each of equal bins, chosen in proportion to the bounds: exact, whatever
// the order, at no loss of accuracy where a density comes near to zero, and a few hundred bytes a
// law. (Inverting a tabulated distribution would take as many reads and only come near to the law.)
// The tables are built so that less than a quarter of the tries is rejected.
//
// Densities are sums of Chebyshev polynomials here, which Clenshaw's recurrence evaluates stably in
// two operations a term, without the constants of Legendre's.

#include "gsim/math/trig.hpp"
#include "kernels/transport/geometry/vector3.hpp"
#include "kernels/transport/materials.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Inverse of the distribution of f(mu) = (1 + a mu) / 2 on [-1, 1], |a| <= 1, at u: the root of
/// a mu^2 + 2 mu + 2 - a - 4 u = 0 that lies there, without cancellation for any a.
GSIM_HD double linear_cosine(double a, double u) {
  const double b = 1.0 - a;
  const double mu = fma(4.0, u, a - 2.0) / (1.0 + sqrt(fma(4.0 * a, u, b * b)));
  return mu > 1.0 ? 1.0 : mu < -1.0 ? -1.0 : mu;
}

/// sum of c_k T_k(x), k = 0 … order (C. W. Clenshaw, Math. Comp. 9 (1955) 118).
GSIM_HD double chebyshev_sum(const double* c, std::int32_t order, double x) {
  const double twice = x + x;
  double b1 = 0, b2 = 0;
  for (std::int32_t k = order; k > 0; --k) {
    const double b = fma(twice, b1, c[k] - b2);
    b2 = b1;
    b1 = b;
  }
  return fma(x, b1, c[0] - b2);
}

/// A cosine from law `angle` of `m`.
template <class Random>
GSIM_HD double sample_angle(const MaterialView& m, std::int32_t angle, Random& random) {
  const transport::AngleLaw& law = m.angles[angle];
  const transport::AngleSlot* const slots = m.angle_slots.data + law.first_slot;
  for (;;) {
    const AliasPlace at = alias_place(law.slots, random.uniform());
    const std::int32_t slot = at.rest < slots[at.slot].threshold ? at.slot : slots[at.slot].alias;
    if (law.order < 0) return slots[slot].value;
    const double mu = fma((slot + random.uniform()) / law.slots, 2.0, -1.0);
    const double density =
        chebyshev_sum(m.coefficients.data + law.first_coefficient, law.order, mu);
    if (random.uniform() * slots[slot].value < density) return mu;
  }
}

/// The direction whose cosine with the z axis is `mu`, at `turn` of a full turn about it.
GSIM_HD Vector3 direction_about_z(double mu, double turn) {
  const double square = fma(-mu, mu, 1.0);
  const double sine = sqrt(square > 0.0 ? square : 0.0);
  const auto circle = gsim::sincos_2pi<Strict>(turn);
  return {sine * circle.cos, sine * circle.sin, mu};
}
template <class Random>
GSIM_HD Vector3 isotropic_direction(Random& random) {
  const double mu = fma(2.0, random.uniform(), -1.0);
  return direction_about_z(mu, random.uniform());
}

/// `local`, given in a frame whose z axis is the unit vector `axis`, in the frame that axis is
/// given in. The other two axes are those of T. Duff et al., "Building an orthonormal basis,
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

/// `direction` turned by the angle whose cosine is `mu`, at `turn` of a full turn about it. A step
/// of Newton's method brings the length back to 1, so that it does not drift over many collisions.
GSIM_HD Vector3 turned(const Vector3& direction, double mu, double turn) {
  const Vector3 d = from_frame(direction, direction_about_z(mu, turn));
  return scaled(d, fma(dot(d, d), -0.5, 1.5));
}

}  // namespace transport_kernels
GSIM_TARGET_END
