#pragma once
// The forms of surfaces whose equations tracking solves.

#include <cstdint>

namespace gsim::transport {

/// The surface is f = 0, and f > 0 on its positive side. With the parameters p (lengths in cm):
///   planes      x - p0, y - p0, z - p0; p0 x + p1 y + p2 z - p3 with |(p0, p1, p2)| = 1
///   sphere      (x - p0)^2 + (y - p1)^2 + (z - p2)^2 - p3
///   cylinders   (u - p0)^2 + (v - p1)^2 - p2, where (u, v) are the other two of x, y, z in order
///   cones       (u - u0)^2 + (v - v0)^2 - p3 (w - w0)^2, apex (p0, p1, p2), w along the axis
///   quadric     of r = (x, y, z) - (p0, p1, p2), with c the 10 coefficients: c0 rx^2 + c1 ry^2 +
///               c2 rz^2 + c3 rx ry + c4 ry rz + c5 rx rz + c6 rx + c7 ry + c8 rz + c9
///   tori        (w / p4)^2 + ((rho - p3) / p5)^2 - 1 about the centre (p0, p1, p2); rho is the
///               distance from the axis, p3 the major radius
///   quartic     of r as for a quadric, with the 35 coefficients of a Polynomial
/// Planes come first, tori after the forms up to second order: kernels compare values.
enum class SurfaceForm : std::int16_t {
  x_plane,
  y_plane,
  z_plane,
  plane,
  sphere,
  x_cylinder,
  y_cylinder,
  z_cylinder,
  x_cone,
  y_cone,
  z_cone,
  quadric,
  x_torus,
  y_torus,
  z_torus,
  quartic
};

}  // namespace gsim::transport
