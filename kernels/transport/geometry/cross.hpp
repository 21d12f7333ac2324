#pragma once
// Crossing a boundary: into the next cell or lattice element, or by a boundary condition.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/geometry/boundary_conditions.hpp"
#include "kernels/transport/geometry/next_boundary.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Largest number of successive crossings at one position. A few occur at corners, tangents and
/// coincident surfaces. After more than this number the particle is moved on (recover()); after
/// more than twice as many it is lost.
inline constexpr std::int32_t stall_limit = 200;

/// Moves the particle on by eight tolerances and locates it in all levels again: for crossings
/// behind which no cell was found owing to rounding errors, and after too many crossings at one
/// position. The particle is lost if no cell contains the new position.
template <int levels>
GSIM_TRANSPORT_NOINLINE Crossing recover(const GeometryView& g, CoordinatesOf<levels>& c) {
  c.path += 8 * g.tolerance;
  return {locate(g, c) ? CrossingKind::next_cell : CrossingKind::lost, -1, 0};
}

template <int levels>
GSIM_HD Crossing cross_element(const GeometryView& g, CoordinatesOf<levels>& c, const Boundary& b) {
  Level& level = c.level[b.level];
  const Level& outer = c.level[b.level - 1];
  const Element e = element_across(g.lattices[level.lattice],
                                   {level.element[0], level.element[1], level.element[2]},
                                   Boundary::first_element_side - b.side);
  enter_element(g, level, position_in_fill(g, g.cells[outer.cell], outer.origin), e);
  c.entered_half_space = -1;
  if (!descend_from_universe(g, c, b.level, -1)) return recover(g, c);
  return {CrossingKind::next_cell, -1, b.level};
}

/// The first neighbour of the side that contains x; -1: none.
GSIM_HD std::int32_t neighbour_across(const GeometryView& g, const Level& level, const Boundary& b,
                                      const Vector3& x) {
  const CellSurface& side = g.cell_surfaces[b.side];
  for (std::int32_t i = 0; i < side.neighbours; ++i) {
    const std::int32_t cell = g.neighbours[side.first_neighbour + i];
    if (contains(g, g.cells[cell], x, level.direction, b.half_space)) return cell;
  }
  return -1;
}
/// The cell behind a surface: one of the neighbours, or any other cell of the universe.
GSIM_HD std::int32_t cell_across(const GeometryView& g, const Level& level, const Boundary& b,
                                 const Vector3& x) {
  const std::int32_t neighbour = converged(neighbour_across(g, level, b, x));
  if (neighbour >= 0) return neighbour;
  return find_cell_in(g, level.universe, x, level.direction, b.half_space);
}

template <int levels>
GSIM_HD Crossing cross_surface(const GeometryView& g, CoordinatesOf<levels>& c, const Boundary& b) {
  Level& level = c.level[b.level];
  const Vector3 x = position_at(c, level);
  const Cell& from = g.cells[level.cell];
  c.entered_half_space = b.half_space;
  c.entered_level = b.level;
  c.computed_exits = c.computed_exits < b.level ? c.computed_exits : b.level;
  // Only a region that is not an intersection of half-spaces can continue behind its surface.
  const bool is_same_cell =
      !is_simple_kernel && from.first_step >= 0 &&
      expression_contains(g, from.first_step, x, level.direction, b.half_space);
  if (is_same_cell) return {CrossingKind::same_cell, b.half_space, b.level};
  const std::int32_t cell = cell_across(g, level, b, x);
  if (cell < 0) return recover(g, c);
  level.cell = cell;
  if (!descend(g, c, b.level)) return recover(g, c);
  return {CrossingKind::next_cell, b.half_space, b.level};
}

/// Moves a particle that reaches a periodic surface to the other surface of the pair.
template <int levels>
GSIM_TRANSPORT_HOST_NOINLINE Crossing apply_translation(const GeometryView& g,
                                                        CoordinatesOf<levels>& c, const Surface& s,
                                                        std::int32_t entered) {
  const std::int32_t entered_half_space = translate(g, c, s);
  c.level[0].universe = g.root;
  c.level[0].lattice = -1;
  c.entered_half_space = entered_half_space;
  c.entered_level = 0;
  const bool is_found = descend_from_universe(g, c, 0, entered_half_space);
  return {is_found ? CrossingKind::translated : CrossingKind::lost, entered, 0};
}

/// Applies the boundary condition of the surface, which must have one (not transmission).
template <int levels, class Random>
GSIM_HD Crossing apply_condition(const GeometryView& g, CoordinatesOf<levels>& c,
                                 std::int32_t entered, Random&& random) {
  const Surface& s = g.surfaces[entered >> 1];
  if (s.boundary == SurfaceBoundary::vacuum) return {CrossingKind::leaked, entered, 0};
  if (s.boundary == SurfaceBoundary::periodic) return apply_translation(g, c, s, entered);
  start_reflected_flight(g, c, entered, random);
  return {CrossingKind::reflected, entered, 0};
}

/// Advances the path to the boundary, and counts successive crossings at one position. True: there
/// are too many.
template <int levels>
GSIM_HD bool is_stuck(const GeometryView& g, CoordinatesOf<levels>& c, const Boundary& b) {
  c.stalled = b.path - c.path <= g.tolerance ? c.stalled + 1 : 0;
  c.path = b.path > c.path ? b.path : c.path;
  return c.stalled > stall_limit;
}

/// Moves the particle to the boundary that next_boundary() returned, and across it.
/// `random.uniform()` returns uniform numbers in (0, 1). A white boundary draws two of them, all
/// other boundaries none.
template <int levels, class Random>
GSIM_HD Crossing cross(const GeometryView& g, CoordinatesOf<levels>& c, const Boundary& b,
                       Random&& random) {
  if (b.side == Boundary::none) return {CrossingKind::lost, -1, b.level};
  if (is_stuck(g, c, b)) {
    if (c.stalled > 2 * stall_limit) return {CrossingKind::lost, b.half_space, b.level};
    return recover(g, c);
  }
  if (b.side <= Boundary::first_element_side) return cross_element(g, c, b);
  if (b.side == Boundary::unclear) {
    if (!descend_from_universe(g, c, b.level,
                               c.entered_level == b.level ? c.entered_half_space : -1))
      return recover(g, c);
    return {CrossingKind::next_cell, -1, b.level};
  }
  const bool has_condition =
      b.level == 0 && g.surfaces[b.half_space >> 1].boundary != SurfaceBoundary::transmission;
  if (!has_condition) return cross_surface(g, c, b);
  const Level& root = c.level[0];
  const Cell& from = g.cells[root.cell];
  if (!is_simple_kernel && from.first_step >= 0 &&
      expression_contains(g, from.first_step, along(root.origin, b.path, root.direction),
                          root.direction, b.half_space))
    return cross_surface(g, c, b);
  return apply_condition(g, c, b.half_space, random);
}

template <int levels, class Random>
GSIM_HD Crossing apply_outer_condition(const GeometryView& g, CoordinatesOf<levels>& c,
                                       std::int32_t entered, Random&& random) {
  c.depth = 0;  // in delta tracking the flight has not been located in cells
  return apply_condition(g, c, entered, random);
}

/// Moves the particle to the surface that next_outer_surface() returned, and across it. The
/// boundary condition is applied if the surface bounds the cell of the root universe that the
/// flight leaves there; otherwise the flight continues (same_cell).
template <int levels, class Random>
GSIM_HD Crossing cross_outer_surface(const GeometryView& g, CoordinatesOf<levels>& c,
                                     const Boundary& b, Random&& random) {
  if (b.side == Boundary::none) return {CrossingKind::lost, -1, 0};
  if (is_stuck(g, c, b)) return {CrossingKind::lost, b.half_space, 0};
  if (g.outer_surfaces[b.side].inside >= 0)
    return apply_outer_condition(g, c, b.half_space, random);
  const Level& root = c.level[0];
  const Vector3 x = position_of(c), back = root.direction * -1;
  const std::int32_t from = find_cell_in(g, g.root, x, back, b.half_space ^ 1);
  if (from < 0) return {CrossingKind::lost, b.half_space, 0};
  if (contains(g, g.cells[from], x, root.direction, b.half_space)) {
    c.entered_half_space = b.half_space;
    c.entered_level = 0;
    return {CrossingKind::same_cell, b.half_space, 0};
  }
  return apply_outer_condition(g, c, b.half_space, random);
}

}  // namespace transport_kernels
GSIM_TARGET_END
