#pragma once
// Lattices: the element at a position, its centre, and the distance to its sides. Positions are in
// the coordinates of the cell that the lattice fills. Coordinates of elements have their origin in
// the centre of the element, and are always computed from those of the cell.

#include "kernels/transport/geometry/geometry_view.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::GeometryView;
using transport::Lattice;
using transport::LatticeKind;

inline constexpr double half_sqrt3 = 0.8660254037844386;

/// The indices of an element. Rectangular lattices: along x, y and z, from 0. Hexagonal ones: i
/// along the first axis, j along the axis at 60 degrees from it, both 0 in the centre, and k along
/// z.
struct Element {
  std::int32_t i, j, k;
};

/// A side of an element has the number 2 n, plus 1 if a path that leaves through it is opposite to
/// normal n. The normals of a rectangular element are x, y, z (n = 0, 1, 2); those of a hexagonal
/// one are at 0, 60 and 120 degrees from its first axis (n = 0, 1, 2), and z.
inline constexpr std::int32_t hexagon_z_normal = 3;

/// The index of the element above the edge that is nearest to x along an axis, and the distance of
/// x from that edge in pitches. R is a double or a pack.
template <class R>
struct NearestEdge {
  R edge, off;
};
template <class R>
GSIM_HD NearestEdge<R> nearest_edge(R x, double inverse_pitch) {
  const R u = fma(x, R(inverse_pitch), R(0.5));  // element n extends from n to n + 1
  const R limit(0x1p30);                         // bounds the index to 32 bits
  const R bounded = select(u > -limit, select(u < limit, u, limit), -limit);
  const R edge = round_even(bounded);
  return {edge, bounded - edge};
}

/// The index of the element at x along an axis; near an edge that of the element which the path
/// enters. `elements`: the number of elements of a bounded lattice, at whose outer edges the
/// element inside is chosen; 0: the lattice is unbounded.
GSIM_HD std::int32_t index_along(double x, double d, double inverse_pitch, double tolerance,
                                 std::int32_t elements) {
  if (inverse_pitch == 0) return 0;
  const auto [edge, off] = nearest_edge(x, inverse_pitch);
  if (abs(off) > tolerance * inverse_pitch)
    return static_cast<std::int32_t>(off < 0 ? edge - 1 : edge);
  const auto above = static_cast<std::int32_t>(edge);
  if (above == 0 && elements > 0) return 0;
  if (above == elements && elements > 0) return elements - 1;
  return d < 0 || (d == 0 && off < 0) ? above - 1 : above;
}

/// Coordinates in which the first axis of hexagons is u.
struct Hexagonal {
  double u, v;
};
GSIM_HD Hexagonal hexagonal(const Lattice& l, const Vector3& x) {
  return l.is_swapped != 0 ? Hexagonal{x.y, x.x} : Hexagonal{x.x, x.y};
}
/// Component along normal n = 0, 1, 2.
GSIM_HD double along_normal(const Hexagonal& x, int n) {
  if (n == 0) return x.u;
  return fma(x.v, half_sqrt3, n == 1 ? 0.5 * x.u : -0.5 * x.u);
}
/// The offset of the neighbour across the side of normal n.
GSIM_HD Element neighbour_step(int n) { return {n == 0 ? 1 : n == 1 ? 0 : -1, n == 0 ? 0 : 1, 0}; }

/// The hexagon with the nearest centre; near an edge the one that the path enters. Rounds the three
/// cube coordinates, whose sum is zero, and corrects the one with the largest rounding error.
GSIM_HD Element hexagon_at(const Lattice& l, const Vector3& x, const Vector3& d, double tolerance) {
  const Hexagonal r = hexagonal(l, x);
  const double limit = 0x1p29;  // of indices, which have 32 bits
  double fj = r.v * l.inverse_pitch[0] / half_sqrt3, fi = fma(r.u, l.inverse_pitch[0], -0.5 * fj);
  fj = fj > -limit ? (fj < limit ? fj : limit) : -limit;
  fi = fi > -limit ? (fi < limit ? fi : limit) : -limit;
  const double fk = -fi - fj;
  double i = round_even(fi), j = round_even(fj);
  const double k = round_even(fk);
  const double off_i = abs(fi - i), off_j = abs(fj - j), off_k = abs(fk - k);
  if (off_i > off_j && off_i > off_k)
    i = -j - k;
  else if (off_j > off_k)
    j = -i - k;
  Element element{static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), 0};
  const Hexagonal direction = hexagonal(l, d);
  for (int n = 0; n < 3; ++n) {
    const Hexagonal local{r.u - l.pitch[0] * fma(0.5, element.j, element.i),
                          r.v - l.pitch[0] * half_sqrt3 * element.j};
    const double offset = along_normal(local, n), slope = along_normal(direction, n);
    if (0.5 * l.pitch[0] - abs(offset) > tolerance || !(offset * slope > 0)) continue;
    const Element step = neighbour_step(n);
    element.i += offset > 0 ? step.i : -step.i;
    element.j += offset > 0 ? step.j : -step.j;
  }
  return element;
}

/// The element that contains x or, on a side, that the path along d enters.
GSIM_HD Element element_at(const Lattice& l, const Vector3& x, const Vector3& d, double tolerance) {
  const Vector3 r{x.x - l.origin.x, x.y - l.origin.y, x.z - l.origin.z};
  const bool is_bounded = l.outer < 0;
  Element e{0, 0, 0};
  if (l.kind == LatticeKind::hexagonal) {
    e = hexagon_at(l, r, d, tolerance);
  } else {
    e.i = index_along(r.x, d.x, l.inverse_pitch[0], tolerance, is_bounded ? l.count[0] : 0);
    e.j = index_along(r.y, d.y, l.inverse_pitch[1], tolerance, is_bounded ? l.count[1] : 0);
  }
  e.k = index_along(r.z, d.z, l.inverse_pitch[2], tolerance, is_bounded ? l.count[2] : 0);
  return e;
}

/// The universe in an element; -1: none.
GSIM_HD std::int32_t universe_of(const GeometryView& g, const Lattice& l, const Element& e) {
  std::int32_t column = e.i, row = e.j, nx = l.count[0], ny = l.count[1];
  if (l.kind == LatticeKind::hexagonal) {
    const std::int32_t radius = l.count[0] - 1;
    column += radius;
    row += radius;
    nx = ny = 2 * radius + 1;
  }
  const bool is_in =
      column >= 0 && column < nx && row >= 0 && row < ny && e.k >= 0 && e.k < l.count[2];
  if (!is_in) return l.outer;
  const std::int32_t universe =
      g.lattice_universes[l.first_universe + (Index{e.k} * ny + row) * nx + column];
  return universe >= 0 ? universe : l.outer;
}

GSIM_HD Vector3 centre_of(const Lattice& l, const Element& e) {
  const double z = fma(l.pitch[2], e.k, l.origin.z);
  if (l.kind == LatticeKind::rectangular)
    return {fma(l.pitch[0], e.i, l.origin.x), fma(l.pitch[1], e.j, l.origin.y), z};
  const double u = l.pitch[0] * fma(0.5, e.j, e.i), v = l.pitch[0] * half_sqrt3 * e.j;
  return l.is_swapped != 0 ? Vector3{l.origin.x + v, l.origin.y + u, z}
                           : Vector3{l.origin.x + u, l.origin.y + v, z};
}

/// The exit of a path from an element.
struct ElementExit {
  double distance;
  std::int32_t side;
};

/// Updates the exit by the pair of sides at +-half_width along normal n; `x` and `d` are components
/// along the normal.
GSIM_HD void consider_sides(ElementExit& exit, int n, double half_width, double x, double d) {
  if (d == 0) return;
  const double to_side = fma(d > 0 ? 1.0 : -1.0, -x, half_width), rate = abs(d);
  const double distance = to_side > 0 ? to_side / rate : 0;
  if (distance < exit.distance) exit = {distance, 2 * n + (d > 0 ? 0 : 1)};
}

/// The nearest side along the path from x, in the coordinates of the element.
GSIM_HD ElementExit element_exit(const Lattice& l, const Vector3& x, const Vector3& d) {
  ElementExit exit{__builtin_huge_val(), 0};
  if (l.kind == LatticeKind::rectangular) {
    if (l.inverse_pitch[0] != 0) consider_sides(exit, 0, 0.5 * l.pitch[0], x.x, d.x);
    if (l.inverse_pitch[1] != 0) consider_sides(exit, 1, 0.5 * l.pitch[1], x.y, d.y);
    if (l.has_layers != 0) consider_sides(exit, 2, 0.5 * l.pitch[2], x.z, d.z);
    return exit;
  }
  const Hexagonal position = hexagonal(l, x), direction = hexagonal(l, d);
  for (int n = 0; n < 3; ++n)
    consider_sides(exit, n, 0.5 * l.pitch[0], along_normal(position, n),
                   along_normal(direction, n));
  if (l.has_layers != 0) consider_sides(exit, hexagon_z_normal, 0.5 * l.pitch[2], x.z, d.z);
  return exit;
}

/// The element across a side.
GSIM_HD Element element_across(const Lattice& l, const Element& e, std::int32_t side) {
  const int n = side >> 1, sign = (side & 1) != 0 ? -1 : 1;
  const bool is_hexagon = l.kind == LatticeKind::hexagonal;
  if (n == (is_hexagon ? hexagon_z_normal : 2)) return {e.i, e.j, e.k + sign};
  const Element step = is_hexagon ? neighbour_step(n) : Element{n == 0 ? 1 : 0, n == 1 ? 1 : 0, 0};
  return {e.i + sign * step.i, e.j + sign * step.j, e.k};
}

}  // namespace transport_kernels
GSIM_TARGET_END
