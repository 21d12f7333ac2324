#pragma once
// Surfaces for tracking: the side of a position, the distance to the surface, and the normal.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/geometry/lanes.hpp"
#include "kernels/transport/geometry/quartic.hpp"
#include "kernels/transport/geometry/simple_kernel.hpp"
#include "kernels/transport/geometry/torus.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

GSIM_HD Vector3 from_centre(const Surface& s, const Vector3& x) {
  return {x.x - s.p[0], x.y - s.p[1], x.z - s.p[2]};
}

/// f at x (geometry_view.hpp) for any form.
GSIM_TRANSPORT_NOINLINE double value_of_any_form(const GeometryView& g, const Surface& s,
                                                 Vector3 x) {
  if (is_plane(s.form)) return plane_terms(s, x, {}).value;
  if (is_torus(s.form)) return torus_value(s, axis_last(s.form, from_centre(s, x)));
  if (s.form == SurfaceForm::quartic)
    return quartic_value(listed_coefficients(g, s), from_centre(s, x));
  return ray_terms(g, s, x, {}).c;
}
/// f at x. Only the most frequent forms are inlined.
GSIM_HD double surface_value(const GeometryView& g, const Surface& s, const Vector3& x) {
  if (is_plane(s.form)) return plane_terms(s, x, {}).value;
  if (is_simple_kernel || is_round(s.form)) return round_terms(s, x, {}).c;
  return value_of_any_form(g, s, x);
}
/// Terms of a sphere, a cylinder or another surface of second order.
GSIM_HD RayTerms terms_of_second_order(const GeometryView& g, const Surface& s, const Vector3& x,
                                       const Vector3& d) {
  return is_simple_kernel ? round_terms(s, x, d) : ray_terms(g, s, x, d);
}

/// surface_gradient() for forms other than planes, spheres and cylinders along an axis.
GSIM_HD Vector3 gradient_of_other_form(const GeometryView& g, const Surface& s, const Vector3& x) {
  const double* p = s.p;
  switch (s.form) {
    case SurfaceForm::x_cone:
      return {-2 * p[3] * (x.x - p[0]), 2 * (x.y - p[1]), 2 * (x.z - p[2])};
    case SurfaceForm::y_cone:
      return {2 * (x.x - p[0]), -2 * p[3] * (x.y - p[1]), 2 * (x.z - p[2])};
    case SurfaceForm::z_cone:
      return {2 * (x.x - p[0]), 2 * (x.y - p[1]), -2 * p[3] * (x.z - p[2])};
    case SurfaceForm::quadric:
      return quadric_gradient(listed_coefficients(g, s), from_centre(s, x));
    case SurfaceForm::quartic:
      return quartic_gradient(listed_coefficients(g, s), from_centre(s, x));
    default:
      return axis_restored(s.form, torus_gradient(s, axis_last(s.form, from_centre(s, x))));
  }
}

/// The gradient of f at x; its length is used for tolerances only.
GSIM_TRANSPORT_DEVICE_NOINLINE Vector3 surface_gradient(const GeometryView& g, const Surface& s,
                                                        Vector3 x) {
  const double* p = s.p;
  switch (s.form) {
    case SurfaceForm::x_plane:
      return {1, 0, 0};
    case SurfaceForm::y_plane:
      return {0, 1, 0};
    case SurfaceForm::z_plane:
      return {0, 0, 1};
    case SurfaceForm::plane:
      return {p[0], p[1], p[2]};
    case SurfaceForm::sphere:
      return from_centre(s, x) * 2;
    case SurfaceForm::x_cylinder:
      return {0, 2 * (x.y - p[0]), 2 * (x.z - p[1])};
    case SurfaceForm::y_cylinder:
      return {2 * (x.x - p[0]), 0, 2 * (x.z - p[1])};
    case SurfaceForm::z_cylinder:
      return {2 * (x.x - p[0]), 2 * (x.y - p[1]), 0};
    default:
      return is_simple_kernel ? Vector3{} : gradient_of_other_form(g, s, x);
  }
}

/// The unit normal at x, towards the positive side; zero at an apex, which has none.
GSIM_HD Vector3 surface_normal(const GeometryView& g, const Surface& s, const Vector3& x) {
  const Vector3 gradient = surface_gradient(g, s, x);
  const double squared = dot(gradient, gradient);
  return squared > 0 ? gradient * (1 / sqrt(squared)) : Vector3{};
}

/// The side of the surface that a path of direction d enters from x, where f is `value`. If x is on
/// the surface, the side follows from the slope of f or, if the path stays within the tolerance,
/// from its curvature.
GSIM_TRANSPORT_NOINLINE bool side_at_surface(const GeometryView& g, const Surface& s, double value,
                                             Vector3 x, Vector3 d) {
  double on_surface = s.on_surface;
  if (!is_simple_kernel && !(on_surface > 0)) {
    const Vector3 gradient = surface_gradient(g, s, x);
    on_surface = g.tolerance * (sqrt(dot(gradient, gradient)) + g.tolerance);
  }
  if (abs(value) > on_surface) return value > 0;
  if (is_plane(s.form)) {
    const double slope = plane_terms(s, x, d).slope;
    return slope != 0 ? slope > 0 : value >= 0;
  }
  if (!is_simple_kernel && is_torus(s.form)) {
    const double slope = dot(surface_gradient(g, s, x), d);
    // If f hardly changes over a step of 2^-14 of the smaller semi-axis, the side is that at its
    // end.
    const double step = 0x1p-14 * (s.p[4] < s.p[5] ? s.p[4] : s.p[5]);
    if (abs(slope) * step > 2 * on_surface) return slope > 0;
    return surface_value(g, s, along(x, step, d)) >= 0;
  }
  if (!is_simple_kernel && s.form == SurfaceForm::quartic)
    return quartic_side(listed_coefficients(g, s), from_centre(s, x), d, on_surface);
  const RayTerms q = terms_of_second_order(g, s, x, d);
  if (q.b * q.b > 4 * abs(q.a) * on_surface) return q.b > 0;
  return q.a != 0 ? q.a > 0 : q.c >= 0;
}

/// Whether a path of direction d from x enters the positive side. Positions within the tolerance
/// count as on the surface, so that coincident surfaces are crossed together and at corners the
/// cell is found that the path enters.
GSIM_HD bool is_positive_ahead(const GeometryView& g, std::int32_t surface, const Vector3& x,
                               const Vector3& d) {
  const Surface& s = g.surfaces[surface];
  const double value = surface_value(g, s, x);
  if (converged((is_simple_kernel || s.on_surface > 0) && abs(value) > s.on_surface))
    return value > 0;
  return side_at_surface(g, s, value, x, d);
}

/// Whether x is in the half-space; `known` is a half-space that is known to contain it, since its
/// surface was just crossed, or -1.
GSIM_HD bool is_inside(const GeometryView& g, std::int32_t half_space, const Vector3& x,
                       const Vector3& d, std::int32_t known) {
  const bool is_positive =
      converged((half_space ^ known) >> 1 == 0 ? (known & 1) != 0
                                               : is_positive_ahead(g, half_space >> 1, x, d));
  return is_positive == ((half_space & 1) != 0);
}

/// The distance along d at which a path from x leaves the side of `sign` of a plane.
GSIM_HD double plane_exit(const Surface& s, double sign, const Vector3& x, const Vector3& d) {
  const PlaneTerms plane = plane_terms(s, x, d);
  const double slope = sign * plane.slope, value = sign * plane.value;
  if (!(slope < 0)) return no_distance;
  return value > 0 ? value / -slope : 0;
}
#if !defined(__CUDACC__)
/// The same for lanes, with the same bits.
template <class R>
GSIM_HD R plane_exit(const Surface& s, double sign, const LaneVector<R>& x,
                     const LaneVector<R>& d) {
  const auto plane = plane_terms(s, x, d);
  const R zero(0.0), slope = sign * plane.slope, value = sign * plane.value;
  return select(slope < zero, select(value > zero, value / -slope, zero), R(no_distance));
}
/// f at x of a plane, a sphere or a cylinder along an axis.
template <class R>
GSIM_HD R value_of_simple_form(const Surface& s, const LaneVector<R>& x) {
  return is_plane(s.form) ? plane_terms(s, x, {}).value : round_terms(s, x, {}).c;
}
/// exit_distance() for lanes. The surface must be a plane, a sphere or a cylinder along an axis.
template <class R>
GSIM_HD R exit_distance(const GeometryView& g, std::int32_t half_space, const LaneVector<R>& x,
                        const LaneVector<R>& d) {
  const Surface& s = g.surfaces[half_space >> 1];
  const double sign = (half_space & 1) != 0 ? 1.0 : -1.0;
  if (is_plane(s.form)) return plane_exit(s, sign, x, d);
  const auto q = round_terms(s, x, d);
  return falling_root(sign * q.a, sign * q.b, sign * q.c, q.discriminant);
}
#endif
/// exit_distance() for any form; `sign`: of the side of the surface that the path leaves.
GSIM_TRANSPORT_NOINLINE double exit_of_any_form(const GeometryView& g, const Surface& s,
                                                double sign, Vector3 x, Vector3 d) {
  if (is_plane(s.form)) return plane_exit(s, sign, x, d);
  if (is_torus(s.form))
    return torus_exit(s, sign, axis_last(s.form, from_centre(s, x)), axis_last(s.form, d),
                      g.tolerance);
  if (s.form == SurfaceForm::quartic)
    return quartic_exit(listed_coefficients(g, s), sign, from_centre(s, x), d, g.tolerance);
  const RayTerms q = ray_terms(g, s, x, d);
  return falling_root(sign * q.a, sign * q.b, sign * q.c, q.discriminant);
}
/// The distance along d at which a path from x leaves the half-space, which contains x up to
/// rounding; infinity if it does not leave it. Only the most frequent forms are inlined.
GSIM_HD double exit_distance(const GeometryView& g, std::int32_t half_space, const Vector3& x,
                             const Vector3& d) {
  const Surface& s = g.surfaces[half_space >> 1];
  const double sign = (half_space & 1) != 0 ? 1.0 : -1.0;
  if (is_plane(s.form)) return plane_exit(s, sign, x, d);
  if (!is_simple_kernel && !is_round(s.form)) return exit_of_any_form(g, s, sign, x, d);
  const RayTerms q = round_terms(s, x, d);
  return falling_root(sign * q.a, sign * q.b, sign * q.c, q.discriminant);
}

}  // namespace transport_kernels
GSIM_TARGET_END
