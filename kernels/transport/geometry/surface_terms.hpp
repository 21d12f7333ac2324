#pragma once
// Surfaces up to second order along a ray: f(x + t d) = a t^2 + 2 b t + c.
//
// A number R is a double, or a pack whose lanes are different rays (lanes.hpp); a vector V has
// three of them.

#include <type_traits>

#include "kernels/transport/geometry/geometry_view.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::GeometryView;
using transport::Surface;
using transport::SurfaceForm;

inline constexpr double no_distance = __builtin_huge_val();

/// `discriminant` = b^2 - a c, computed so that it is accurate for rays that start far away.
template <class R>
struct RayTermsOf {
  R a, b, c, discriminant;
};
using RayTerms = RayTermsOf<double>;
/// The number of which a vector has three.
template <class V>
using component_of = std::remove_cvref_t<decltype(V::x)>;

/// Terms of u^2 + v^2 - radius_squared. b^2 - a c is a r^2 - (u dv - v du)^2 by Lagrange's
/// identity.
template <class R>
GSIM_HD RayTermsOf<R> circle_terms(R u, R v, R du, R dv, double radius_squared) {
  const R a = fma(du, du, dv * dv);
  const R moment = fma(u, dv, -(v * du));
  return {a, fma(u, du, v * dv), fma(u, u, fma(v, v, R(-radius_squared))),
          fma(a, R(radius_squared), -(moment * moment))};
}

template <class V>
GSIM_HD RayTermsOf<component_of<V>> sphere_terms(const V& r, const V& d, double radius_squared) {
  using R = component_of<V>;
  const V moment = cross_product(r, d);
  const R a = dot(d, d);
  return {a, dot(r, d), dot(r, r) - radius_squared,
          fma(a, R(radius_squared), -dot(moment, moment))};
}

/// Terms of u^2 + v^2 - s w^2; the discriminant follows from Lagrange's identity for this quadratic
/// form.
GSIM_HD RayTerms cone_terms(double u, double v, double w, double du, double dv, double dw,
                            double s) {
  const double uv = fma(u, dv, -(v * du)), uw = fma(u, dw, -(w * du)), vw = fma(v, dw, -(w * dv));
  return {fma(du, du, fma(dv, dv, -s * dw * dw)), fma(u, du, fma(v, dv, -s * w * dw)),
          fma(u, u, fma(v, v, -s * w * w)), fma(s, fma(uw, uw, vw * vw), -(uv * uv))};
}

/// Gradient of a quadric at the position r relative to its centre. Coefficients `c`: of x^2, y^2,
/// z^2, x y, y z, z x, x, y, z and 1.
GSIM_HD Vector3 quadric_gradient(const double* c, const Vector3& r) {
  return {fma(2 * c[0], r.x, fma(c[3], r.y, fma(c[5], r.z, c[6]))),
          fma(2 * c[1], r.y, fma(c[3], r.x, fma(c[4], r.z, c[7]))),
          fma(2 * c[2], r.z, fma(c[4], r.y, fma(c[5], r.x, c[8])))};
}
GSIM_HD double quadric_value(const double* c, const Vector3& r) {
  return fma(r.x, fma(c[0], r.x, fma(c[3], r.y, fma(c[5], r.z, c[6]))),
             fma(r.y, fma(c[1], r.y, fma(c[4], r.z, c[7])), fma(r.z, fma(c[2], r.z, c[8]), c[9])));
}
GSIM_HD RayTerms quadric_terms(const double* c, const Vector3& r, const Vector3& d) {
  const double a = fma(d.x, fma(c[0], d.x, fma(c[3], d.y, c[5] * d.z)),
                       fma(d.y, fma(c[1], d.y, c[4] * d.z), c[2] * d.z * d.z));
  const double b = 0.5 * dot(quadric_gradient(c, r), d);
  const double value = quadric_value(c, r);
  const double product = a * value;  // b^2 - a c with one rounding (Kahan)
  return {a, b, value, fma(b, b, -product) + fma(-a, value, product)};
}

GSIM_HD bool is_plane(SurfaceForm form) { return form <= SurfaceForm::plane; }
/// Whether it is a sphere, or a cylinder along an axis.
GSIM_HD bool is_round(SurfaceForm form) {
  return form >= SurfaceForm::sphere && form <= SurfaceForm::z_cylinder;
}
GSIM_HD bool is_torus(SurfaceForm form) {
  return form >= SurfaceForm::x_torus && form <= SurfaceForm::z_torus;
}

/// The coefficients of a quadric or quartic.
GSIM_HD const double* listed_coefficients(const GeometryView& g, const Surface& s) {
  return &g.coefficients[s.link];
}

/// Terms of a surface of second order.
GSIM_HD RayTerms ray_terms(const GeometryView& g, const Surface& s, const Vector3& x,
                           const Vector3& d) {
  const double* p = s.p;
  switch (s.form) {
    case SurfaceForm::x_cylinder:
      return circle_terms(x.y - p[0], x.z - p[1], d.y, d.z, p[2]);
    case SurfaceForm::y_cylinder:
      return circle_terms(x.x - p[0], x.z - p[1], d.x, d.z, p[2]);
    case SurfaceForm::z_cylinder:
      return circle_terms(x.x - p[0], x.y - p[1], d.x, d.y, p[2]);
    case SurfaceForm::sphere:
      return sphere_terms({x.x - p[0], x.y - p[1], x.z - p[2]}, d, p[3]);
    case SurfaceForm::x_cone:
      return cone_terms(x.y - p[1], x.z - p[2], x.x - p[0], d.y, d.z, d.x, p[3]);
    case SurfaceForm::y_cone:
      return cone_terms(x.x - p[0], x.z - p[2], x.y - p[1], d.x, d.z, d.y, p[3]);
    case SurfaceForm::z_cone:
      return cone_terms(x.x - p[0], x.y - p[1], x.z - p[2], d.x, d.y, d.z, p[3]);
    default:
      return quadric_terms(listed_coefficients(g, s), {x.x - p[0], x.y - p[1], x.z - p[2]}, d);
  }
}

/// Terms of a sphere, or of a cylinder along an axis.
template <class V>
GSIM_HD RayTermsOf<component_of<V>> round_terms(const Surface& s, const V& x, const V& d) {
  const double* p = s.p;
  switch (s.form) {
    case SurfaceForm::x_cylinder:
      return circle_terms(x.y - p[0], x.z - p[1], d.y, d.z, p[2]);
    case SurfaceForm::y_cylinder:
      return circle_terms(x.x - p[0], x.z - p[1], d.x, d.z, p[2]);
    case SurfaceForm::z_cylinder:
      return circle_terms(x.x - p[0], x.y - p[1], d.x, d.y, p[2]);
    default:
      return sphere_terms({x.x - p[0], x.y - p[1], x.z - p[2]}, d, p[3]);
  }
}

/// f at x, and its slope along d, of a plane.
template <class R>
struct PlaneTermsOf {
  R value, slope;
};
using PlaneTerms = PlaneTermsOf<double>;
template <class V>
GSIM_HD PlaneTermsOf<component_of<V>> plane_terms(const Surface& s, const V& x, const V& d) {
  const double* p = s.p;
  switch (s.form) {
    case SurfaceForm::x_plane:
      return {x.x - p[0], d.x};
    case SurfaceForm::y_plane:
      return {x.y - p[0], d.y};
    case SurfaceForm::z_plane:
      return {x.z - p[0], d.z};
    default:
      return {dot({p[0], p[1], p[2]}, x) - p[3], dot({p[0], p[1], p[2]}, d)};
  }
}

/// The distance t >= 0 at which f(t) = a t^2 + 2 b t + c becomes negative; f(0) = c is positive, or
/// negative only because of rounding. f decreases only at the root (-b - sqrt(b^2 - a c)) / a, for
/// either sign of a; each branch uses the form without cancellation. If c is negative because of
/// rounding, the distance is 0 where f decreases at 0, and otherwise the next root at which f
/// decreases, so that positions near the surface need no tolerance.
GSIM_HD double falling_root(double a, double b, double c, double discriminant) {
  // For a c <= 0, b^2 - a c is a sum of positive terms, which is accurate also where b and c are
  // both small (a ray along a tangent).
  const double product = a * c;
  if (product <= 0) discriminant = fma(b, b, -product);
  if (b > 0) {
    if (!(a < 0)) return no_distance;
    return discriminant > 0 ? (b + sqrt(discriminant)) / -a : 0;
  }
  const double denominator = discriminant >= 0 ? sqrt(discriminant) - b : 0;
  if (!(denominator > 0)) return c < 0 || (c == 0 && a < 0) ? 0 : no_distance;
  if (!(c > 0)) return 0;
  const double t = c / denominator;
  return a > 0 && a * t > -b ? -b / a : t;  // not beyond the point of closest approach
}
#if !defined(__CUDACC__)
/// The same for lanes, with the same bits.
template <class R>
requires(lanes_of<R> > 1) GSIM_HD R falling_root(R a, R b, R c, R discriminant) {
  const R zero(0.0), product = a * c;
  discriminant = select(product <= zero, fma(b, b, -product), discriminant);
  const R root = sqrt(select(discriminant > zero, discriminant, zero));
  const auto rises = b > zero, is_real = discriminant >= zero;
  const R denominator = select(is_real, root - b, zero);
  R t = select(rises, b + root, c) / select(rises, -a, denominator);
  const auto is_beyond = (!rises) & (a > zero) & (a * t > -b);
  if (any(is_beyond)) t = select(is_beyond, -b / a, t);
  const R later = select(a < zero, select(discriminant > zero, t, zero), R(no_distance));
  const R here = select((c < zero) | ((c == zero) & (a < zero)), zero, R(no_distance));
  const R next = select(denominator > zero, select(c > zero, t, zero), here);
  return select(rises, later, next);
}
#endif

}  // namespace transport_kernels
GSIM_TARGET_END
