#pragma once
// Boundary conditions. All of them start a new flight on the surface.

#include "gsim/transport/directions.hpp"
#include "kernels/transport/geometry/locate.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::SurfaceBoundary;

/// Whether it is a plane of constant x, y or z.
GSIM_HD bool is_axis_plane(const Surface& s) { return s.form <= SurfaceForm::z_plane; }

/// The position on a surface near x; on planes of constant x, y or z it is exact. V is a vector of
/// doubles or of packs.
template <class V>
GSIM_HD V on_surface(const Surface& s, const V& x) {
  if (s.form == SurfaceForm::x_plane) return {s.p[0], x.y, x.z};
  if (s.form == SurfaceForm::y_plane) return {x.x, s.p[0], x.z};
  if (s.form == SurfaceForm::z_plane) return {x.x, x.y, s.p[0]};
  return x;
}

/// d reflected in a plane of constant x, y or z.
template <class V>
GSIM_HD V mirrored_in_axis_plane(const Surface& s, const V& d) {
  if (s.form == SurfaceForm::x_plane) return {-d.x, d.y, d.z};
  if (s.form == SurfaceForm::y_plane) return {d.x, -d.y, d.z};
  return {d.x, d.y, -d.z};
}
/// d reflected in a surface with the unit normal n.
GSIM_HD Vector3 mirrored(const Surface& s, const Vector3& n, const Vector3& d) {
  if (is_axis_plane(s)) return mirrored_in_axis_plane(s, d);
  return unit(along(d, -2 * dot(n, d), n));
}

/// Moves the flight from a periodic plane to its partner, which is parallel to it. Returns the
/// half-space of the partner that is entered.
template <int levels>
GSIM_HD std::int32_t translate(const GeometryView& g, CoordinatesOf<levels>& c, const Surface& s) {
  const Surface& partner = g.surfaces[s.link];
  const Vector3 d = c.level[0].direction, x = position_of(c);
  const Vector3 n = surface_gradient(g, partner, x);
  const Vector3 moved = along(x, -surface_value(g, partner, x), n);
  const std::int32_t stalled = c.stalled;
  begin_flight(c, on_surface(partner, moved), d);
  c.stalled = stalled;
  return 2 * s.link + (dot(n, d) > 0 ? 1 : 0);
}

/// Starts the flight from a reflective or white surface back into the geometry; `entered` is the
/// half-space behind the surface. `random.uniform()` returns numbers uniform in (0, 1).
template <int levels, class Random>
GSIM_HD void start_reflected_flight(const GeometryView& g, CoordinatesOf<levels>& c,
                                    std::int32_t entered, Random&& random) {
  const Surface& s = g.surfaces[entered >> 1];
  const Vector3 x = on_surface(s, position_of(c));
  const Vector3 n = surface_normal(g, s, x);
  Vector3 d = c.level[0].direction;
  if (s.boundary == SurfaceBoundary::reflective) {
    d = mirrored(s, n, d);
  } else {
    const double u1 = random.uniform();
    const double u2 = random.uniform();
    // The cosine mu with the normal has the density 2 mu.
    d = turned(n * ((entered & 1) != 0 ? -1.0 : 1.0), sqrt(u1), u2);
  }
  const std::int32_t stalled = c.stalled;
  turn(g, c, x, d);
  c.stalled = stalled;
  c.entered_half_space = entered ^ 1;
  c.entered_level = 0;
}

}  // namespace transport_kernels
GSIM_TARGET_END
