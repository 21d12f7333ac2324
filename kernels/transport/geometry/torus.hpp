#pragma once
// Tori with elliptic sections: f = (w / b)^2 + ((rho - a) / c)^2 - 1, rho^2 = u^2 + v^2, with a the
// major radius, b the semi-axis along the axis and c the one across: Surface::p[3], p[4], p[5].

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/geometry/polynomial_roots.hpp"
#include "kernels/transport/geometry/surface_terms.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Position from the centre with the axis last.
GSIM_HD Vector3 axis_last(SurfaceForm form, const Vector3& r) {
  if (form == SurfaceForm::x_torus) return {r.y, r.z, r.x};
  if (form == SurfaceForm::y_torus) return {r.z, r.x, r.y};
  return r;
}
/// The inverse of axis_last().
GSIM_HD Vector3 axis_restored(SurfaceForm form, const Vector3& r) {
  if (form == SurfaceForm::x_torus) return {r.z, r.x, r.y};
  if (form == SurfaceForm::y_torus) return {r.y, r.z, r.x};
  return r;
}

GSIM_HD double torus_value(const Surface& s, const Vector3& r) {
  const double w = r.z / s.p[4];
  const double h = (sqrt(fma(r.x, r.x, r.y * r.y)) - s.p[3]) / s.p[5];
  return fma(w, w, fma(h, h, -1.0));
}
GSIM_HD Vector3 torus_gradient(const Surface& s, const Vector3& r) {
  const double rho = sqrt(fma(r.x, r.x, r.y * r.y));
  const double across = 2 * (rho - s.p[3]) / (s.p[5] * s.p[5]);
  const double per_rho = rho > 0 ? across / rho : 0;
  return {r.x * per_rho, r.y * per_rho, 2 * r.z / (s.p[4] * s.p[4])};
}

/// The equation of the torus along m + half u d, u in [-1, 1], as a quartic in u: with
/// q = (w / b)^2 + (rho^2 + a^2) / c^2 - 1, f = 0 is q = 2 a rho / c^2, and both sides are squared.
GSIM_HD void torus_quartic(const Surface& s, const Vector3& m, const Vector3& d, double half,
                           double* quartic) {
  const double per_b2 = 1 / (s.p[4] * s.p[4]), per_c2 = 1 / (s.p[5] * s.p[5]);
  const double rho2[3] = {fma(m.x, m.x, m.y * m.y), 2 * half * fma(m.x, d.x, m.y * d.y),
                          half * half * fma(d.x, d.x, d.y * d.y)};
  const double q0 = fma(m.z * m.z, per_b2, fma(fma(s.p[3], s.p[3], rho2[0]), per_c2, -1.0));
  const double q1 = fma(2 * half * m.z * d.z, per_b2, rho2[1] * per_c2);
  const double q2 = fma(half * half * d.z * d.z, per_b2, rho2[2] * per_c2);
  const double scale = 4 * s.p[3] * s.p[3] * per_c2 * per_c2;
  quartic[0] = fma(q0, q0, -scale * rho2[0]);
  quartic[1] = fma(2 * q0, q1, -scale * rho2[1]);
  quartic[2] = fma(2 * q0, q2, fma(q1, q1, -scale * rho2[2]));
  quartic[3] = 2 * q1 * q2;
  quartic[4] = q2 * q2;
}

/// Two Newton steps on f, from a root of the quartic.
GSIM_HD double polished_torus_root(const Surface& s, const Vector3& r, const Vector3& d, double t) {
  for (int i = 0; i < 2; ++i) {
    const Vector3 x = along(r, t, d);
    const double step = torus_value(s, x) / dot(torus_gradient(s, x), d);
    // Near a tangent the derivative is too inaccurate for a step; the root of the quartic is kept.
    if (!(abs(step) <= 1e-6 * s.p[4])) break;
    t -= step;
  }
  return t;
}

/// The distance t >= 0 along r + t d (from the centre, axis last) from which on sign * f is
/// negative for longer than `tolerance`; sign * f is positive at 0, up to rounding.
GSIM_TRANSPORT_NOINLINE double torus_exit(const Surface& s, double sign, Vector3 r, Vector3 d,
                                          double tolerance) {
  const double size2 = fma(s.p[4], s.p[4], (s.p[3] + s.p[5]) * (s.p[3] + s.p[5]));
  const double middle = -dot(r, d);
  const Vector3 m = along(r, middle, d);
  const double half2 = size2 - dot(m, m);
  double edges[6] = {};
  int count = 1;  // edges[0] is the start of the ray
  double end = 1;
  if (half2 > 0) {
    // Half of the chord in a sphere around the torus, with a margin for rounding.
    const double half = sqrt(half2) * (1 + 0x1p-20);
    end = middle + half > 0 ? middle + half : 0;
    double quartic[5], roots[4];
    torus_quartic(s, m, d, half, quartic);
    const double lower = -middle / half > -1 ? -middle / half : -1;
    const int found = lower < 1 ? quartic_roots_between(quartic, lower, 1, roots) : 0;
    for (int i = 0; i < found; ++i) {
      const double t = polished_torus_root(s, r, d, fma(half, roots[i], middle));
      if (t > edges[count - 1]) edges[count++] = t;
    }
    end += half;
  }
  edges[count] = end > edges[count - 1] ? end : edges[count - 1] + 1;
  for (int i = 0; i < count; ++i)
    if (edges[i + 1] - edges[i] > tolerance &&
        sign * torus_value(s, along(r, 0.5 * (edges[i] + edges[i + 1]), d)) < 0)
      return edges[i];
  return no_distance;
}

}  // namespace transport_kernels
GSIM_TARGET_END
