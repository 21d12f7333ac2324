#pragma once
// Surfaces f = 0 of polynomials f of the fourth degree at most. Positions are relative to the
// centre of the surface. Coefficients are in the order of gsim::transport::Polynomial: those of
// x^i y^j z^k in the order of i, j, k.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/geometry/polynomial_roots.hpp"
#include "kernels/transport/geometry/surface_terms.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Number of coefficients of a polynomial of the fourth degree in x, y and z.
inline constexpr int quartic_coefficients = 35;

/// f(r), for the coefficients c.
GSIM_TRANSPORT_DEVICE_NOINLINE double quartic_value(const double* c, Vector3 r) {
  const double* at = c + quartic_coefficients;
  double value = 0;
  for (int i = 4; i >= 0; --i) {
    double in_yz = 0;
    for (int j = 4 - i; j >= 0; --j) {
      double in_z = 0;
      for (int k = 4 - i - j; k >= 0; --k) in_z = fma(in_z, r.z, *--at);
      in_yz = fma(in_yz, r.y, in_z);
    }
    value = fma(value, r.x, in_yz);
  }
  return value;
}

/// Multiplies p, of degree 3 at most, by a + b u; `p` has five coefficients, the lowest first.
GSIM_HD void multiply(double* p, double a, double b) {
  for (int n = 4; n > 0; --n) p[n] = fma(p[n], a, p[n - 1] * b);
  p[0] *= a;
}
/// Adds the polynomial q to p.
GSIM_HD void add(double* p, const double* q) {
  for (int n = 0; n < 5; ++n) p[n] += q[n];
}

/// f(r + u d) as a polynomial in u.
GSIM_TRANSPORT_NOINLINE void quartic_along(const double* c, const Vector3& r, const Vector3& d,
                                           double* p) {
  const double* at = c + quartic_coefficients;
  for (int n = 0; n < 5; ++n) p[n] = 0;
  for (int i = 4; i >= 0; --i) {
    double in_yz[5] = {};
    for (int j = 4 - i; j >= 0; --j) {
      double in_z[5] = {};
      for (int k = 4 - i - j; k >= 0; --k) {
        multiply(in_z, r.z, d.z);
        in_z[0] += *--at;
      }
      multiply(in_yz, r.y, d.y);
      add(in_yz, in_z);
    }
    multiply(p, r.x, d.x);
    add(p, in_yz);
  }
}

/// The gradient: each term c x^i y^j z^k contributes
/// c i x^(i-1) y^j z^k to the derivative along x.
GSIM_TRANSPORT_NOINLINE Vector3 quartic_gradient(const double* c, Vector3 r) {
  Vector3 gradient{};
  double x = 1, x_derivative = 0;
  for (int i = 0; i <= 4; ++i) {
    double y = 1, y_derivative = 0;
    for (int j = 0; j <= 4 - i; ++j) {
      double z = 1, z_derivative = 0;
      for (int k = 0; k <= 4 - i - j; ++k, ++c) {
        gradient.x = fma(*c * x_derivative, y * z, gradient.x);
        gradient.y = fma(*c * y_derivative, x * z, gradient.y);
        gradient.z = fma(*c * z_derivative, x * y, gradient.z);
        z_derivative = fma(z_derivative, r.z, z);
        z *= r.z;
      }
      y_derivative = fma(y_derivative, r.y, y);
      y *= r.y;
    }
    x_derivative = fma(x_derivative, r.x, x);
    x *= r.x;
  }
  return gradient;
}

/// The side that a path of direction d enters at r, where |f(r)| <= `on_surface`; true: f > 0. The
/// sign of f is that of its linear term along the path if the linear and the quadratic term
/// together exceed `on_surface` before they return to 0, else that of the first higher term that
/// is not 0.
GSIM_TRANSPORT_NOINLINE bool quartic_side(const double* c, Vector3 r, Vector3 d,
                                          double on_surface) {
  double p[5];
  quartic_along(c, r, d, p);
  if (p[1] * p[1] > 4 * abs(p[2]) * on_surface && p[1] != 0) return p[1] > 0;
  for (int n = 2; n < 5; ++n)
    if (p[n] != 0) return p[n] > 0;
  return p[0] >= 0;
}

/// Intersections of a ray with a quartic: increasing distances, the first of which is 0.
struct QuarticEdges {
  double at[6] = {};
  int count = 1;
  GSIM_HD void add(double t) {
    if (t > at[count - 1] && count < 5) at[count++] = t;
  }
};

/// Two Newton steps on f, from a root t of the polynomial along the ray; steps of more than 1e-6
/// `scale` are not made.
GSIM_HD double polished_quartic_root(const double* c, const Vector3& r, const Vector3& d, double t,
                                     double scale) {
  for (int i = 0; i < 2; ++i) {
    const Vector3 x = along(r, t, d);
    const double step = quartic_value(c, x) / dot(quartic_gradient(c, x), d);
    if (!(abs(step) <= 1e-6 * scale)) break;  // near a tangent the derivative is too inaccurate
    t -= step;
  }
  return t;
}

/// The distance t >= 0 along r + t d at which sign * f becomes negative over a length of more than
/// `tolerance`; sign * f is positive at 0, up to rounding. no_distance if there is none.
///
/// The roots are computed in u = (t - closest) / scale, where r + closest d is the point of the ray
/// nearest to the centre: those in [-1, 1] directly, others as 1 / u from the coefficients in
/// reverse order. No bound of the surface is needed.
GSIM_TRANSPORT_NOINLINE double quartic_exit(const double* c, double sign, Vector3 r, Vector3 d,
                                            double tolerance) {
  const double closest = -dot(r, d);
  const Vector3 m = along(r, closest, d);
  double scale = sqrt(dot(m, m));
  if (!(scale > 1)) scale = 1;
  double p[5], reversed[5];
  quartic_along(c, m, d, p);
  double factor = 1;
  for (int n = 0; n < 5; ++n, factor *= scale) p[n] *= factor;
  for (int n = 0; n < 5; ++n) reversed[n] = p[4 - n];
  constexpr double min_inverse = 0x1p-40;  // roots with a smaller 1 / u count as infinitely far
  const double start = -closest / scale;
  QuarticEdges edges;
  double roots[4];
  const auto add = [&](double u) {
    const double far = abs(u) > 1 ? abs(u) : 1.0;
    edges.add(polished_quartic_root(c, r, d, fma(scale, u, closest), far * scale));
  };
  if (start < -1) {
    const int found = quartic_roots_between(reversed, -1, 1 / start, roots);
    for (int i = found - 1; i >= 0; --i) add(1 / roots[i]);
  }
  if (start < 1) {
    const int found = quartic_roots_between(p, start > -1 ? start : -1.0, 1, roots);
    for (int i = 0; i < found; ++i) add(roots[i]);
  }
  const double max_inverse = start > 1 ? 1 / start : 1.0;
  if (max_inverse > min_inverse) {
    const int found = quartic_roots_between(reversed, min_inverse, max_inverse, roots);
    for (int i = found - 1; i >= 0; --i) add(1 / roots[i]);
  }
  const double last = edges.at[edges.count - 1];
  // Beyond the last intersection the sign does not change: the end of that interval is arbitrary.
  edges.at[edges.count] = last + (last > scale ? last : scale);
  for (int i = 0; i < edges.count; ++i)
    if (edges.at[i + 1] - edges.at[i] > tolerance &&
        sign * quartic_value(c, along(r, 0.5 * (edges.at[i] + edges.at[i + 1]), d)) < 0)
      return edges.at[i];
  return no_distance;
}

}  // namespace transport_kernels
GSIM_TARGET_END
