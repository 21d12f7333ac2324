#pragma once
// The distance to the next boundary of a cell.
//
// A flight leaves a cell that is an intersection of half-spaces where it first leaves one of them.
// The distances assume that the position is in all of them, so that positions slightly outside by
// rounding are no special case: the distances need no tolerance. Exits of outer levels remain valid
// during a flight: a crossing recomputes only the levels that it changes.

#include "kernels/transport/geometry/locate.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::OuterSurface;

/// The nearest exit from the cell of a level, as a distance from x.
struct CellExit {
  double distance;
  std::int32_t side, half_space;  ///< as in Boundary
};
/// cell_exit() of a cell that is not an intersection of half-spaces. The position determines on
/// which side of each surface the cell is. At corners, and after a collision on a surface, a path
/// along d may enter another cell: other directions are tried.
GSIM_TRANSPORT_NOINLINE CellExit exit_of_expression(const GeometryView& g, const Cell& cell,
                                                    Vector3 x, Vector3 d, std::int32_t known) {
  int probe = 0;
  while (probe < probe_directions &&
         !expression_contains(g, cell.first_step, x, probe_direction(d, probe), known))
    ++probe;
  if (probe == probe_directions) return {0, Boundary::unclear, -1};
  const Vector3 probed = probe_direction(d, probe);
  CellExit exit{no_distance, Boundary::none, -1};
  const std::int32_t last = cell.first_surface + cell.surfaces;
  for (std::int32_t i = cell.first_surface; i < last; ++i) {
    std::int32_t half_space = g.cell_surfaces[i].half_space;
    if (!is_inside(g, half_space, x, probed, known)) half_space ^= 1;
    const double distance = exit_distance(g, half_space, x, d);
    if (distance < exit.distance) exit = {distance, i, half_space ^ 1};
  }
  return exit;
}
/// The nearest exit from the cell along d from x; `known` as in is_inside().
GSIM_HD CellExit cell_exit(const GeometryView& g, const Cell& cell, const Vector3& x,
                           const Vector3& d, std::int32_t known) {
  if (!is_simple_kernel && cell.first_step >= 0) return exit_of_expression(g, cell, x, d, known);
  CellExit exit{no_distance, Boundary::none, -1};
  const std::int32_t last = cell.first_surface + cell.surfaces;
  for (std::int32_t i = cell.first_surface; i < last; ++i) {
    const std::int32_t half_space = g.cell_surfaces[i].half_space;
    const double distance = exit_distance(g, half_space, x, d);
    if (distance < exit.distance) exit = {distance, i, half_space ^ 1};
  }
  return exit;
}

/// Computes the exit of level k; those of outer levels are known. Of exits closer to each other
/// than g.tolerance the outer one is used, behind which all inner levels are located again.
template <int levels>
GSIM_HD void compute_exit(const GeometryView& g, CoordinatesOf<levels>& c, int k) {
  Level& level = c.level[k];
  const Vector3 x = position_at(c, level);
  double exit = no_distance;
  std::int32_t at_level = k, side = Boundary::none, half_space = -1;
  if (k > 0) {
    const Level& outer = c.level[k - 1];
    exit = outer.exit;
    at_level = outer.exit_level;
    side = outer.exit_side;
    half_space = outer.exit_half_space;
    if (level.lattice >= 0) {
      if (level.element_exit < 0) {
        const ElementExit e = element_exit(g.lattices[level.lattice], x, level.direction);
        level.element_exit = c.path + e.distance;
        level.element_side = static_cast<std::int16_t>(e.side);
      }
      if (level.element_exit < exit - g.tolerance) {
        exit = level.element_exit;
        at_level = k;
        side = Boundary::first_element_side - level.element_side;
        half_space = -1;
      }
    }
  }
  const std::int32_t known = c.entered_level == k ? c.entered_half_space : -1;
  const CellExit cell = cell_exit(g, g.cells[level.cell], x, level.direction, known);
  if (c.path + cell.distance < exit - g.tolerance) {
    exit = c.path + cell.distance;
    at_level = k;
    side = cell.side;
    half_space = cell.half_space;
  }
  level.exit = exit;
  level.exit_level = static_cast<std::int16_t>(at_level);
  level.exit_side = side;
  level.exit_half_space = half_space;
}

/// The boundary that next_boundary() has found since the last change of the flight or its levels.
template <int levels>
GSIM_HD Boundary found_boundary(const CoordinatesOf<levels>& c) {
  const Level& level = c.level[c.depth - 1];
  const double path = level.exit > c.path ? level.exit : c.path;
  return {path, level.exit_level, level.exit_side, level.exit_half_space};
}
/// The boundary where the flight leaves its cell, at or after c.path. Levels must be located. The
/// side is Boundary::none where there is no boundary, in a geometry without an outer boundary.
template <int levels>
GSIM_HD Boundary next_boundary(const GeometryView& g, CoordinatesOf<levels>& c) {
  const std::int32_t depth = c.depth;
  for (std::int32_t k = c.computed_exits; k < depth; ++k) compute_exit(g, c, k);
  c.computed_exits = depth;
  return found_boundary(c);
}

/// Whether x, or the region that a path along d enters at x, is inside of all outer boundaries.
GSIM_HD bool is_inside_outer_boundary(const GeometryView& g, const Vector3& x, const Vector3& d) {
  for (Index i = 0; i < g.outer_surfaces.size; ++i) {
    const std::int32_t inside = g.outer_surfaces[i].inside;
    if (inside >= 0 && !is_inside(g, inside, x, d, -1)) return false;
  }
  return true;
}

/// The nearest surface with a boundary condition along the flight, for delta tracking. Only level 0
/// is used, whose flight is inside of the outer boundaries.
template <int levels>
GSIM_HD Boundary next_outer_surface(const GeometryView& g, const CoordinatesOf<levels>& c) {
  const Level& root = c.level[0];
  const Vector3 x = position_of(c), d = root.direction;
  const std::int32_t known = c.entered_level == 0 ? c.entered_half_space : -1;
  Boundary nearest{no_distance, 0, Boundary::none, -1};
  for (Index i = 0; i < g.outer_surfaces.size; ++i) {
    const OuterSurface& outer = g.outer_surfaces[i];
    std::int32_t inside = outer.inside;
    if (inside < 0) {
      const std::int32_t positive = 2 * outer.surface + 1;
      inside = is_inside(g, positive, x, d, known) ? positive : positive ^ 1;
    }
    const double path = c.path + exit_distance(g, inside, x, d);
    if (path < nearest.path) nearest = {path, 0, static_cast<std::int32_t>(i), inside ^ 1};
  }
  return nearest;
}

#if !defined(__CUDACC__)
/// The lanes whose positions x are inside of all outer boundaries, and not on one of them. The
/// surfaces are planes, spheres or cylinders along an axis.
template <class R>
GSIM_HD mask_of<R> are_inside_outer_boundary(const GeometryView& g, const LaneVector<R>& x) {
  auto is_inside = x.x == x.x;
  for (Index i = 0; i < g.outer_surfaces.size; ++i) {
    const std::int32_t inside = g.outer_surfaces[i].inside;
    const Surface& s = g.surfaces[inside >> 1];
    const R value = value_of_simple_form(s, x);
    is_inside = is_inside & (((inside & 1) != 0 ? value : -value) > R(s.on_surface));
  }
  return is_inside;
}

/// Boundary of the lanes of a pack, in the root universe; integers as reals.
template <class R>
struct OuterBoundaryLanes {
  R path, side, half_space;
};
/// The same for flights at the path `path` and the positions x, in a geometry whose surfaces with
/// boundary conditions are outer boundaries, and planes, spheres or cylinders along an axis.
template <class R>
GSIM_HD OuterBoundaryLanes<R> next_outer_surface(const GeometryView& g, R path,
                                                 const LaneVector<R>& x, const LaneVector<R>& d) {
  OuterBoundaryLanes<R> nearest{R(no_distance), R(static_cast<double>(Boundary::none)), R(-1.0)};
  for (Index i = 0; i < g.outer_surfaces.size; ++i) {
    const std::int32_t inside = g.outer_surfaces[i].inside;
    const R at = path + exit_distance(g, inside, x, d);
    const auto is_nearer = at < nearest.path;
    nearest.path = select(is_nearer, at, nearest.path);
    nearest.side = select(is_nearer, R(static_cast<double>(i)), nearest.side);
    nearest.half_space = select(is_nearer, R(static_cast<double>(inside ^ 1)), nearest.half_space);
  }
  return nearest;
}
#endif

}  // namespace transport_kernels
GSIM_TARGET_END
