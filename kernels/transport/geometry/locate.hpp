#pragma once
// Search for the cell at a position, from the root universe through fills and lattices to the
// material.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/geometry/coordinates.hpp"
#include "kernels/transport/geometry/lattices.hpp"
#include "kernels/transport/geometry/surfaces.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::CellSurface;
using transport::RegionStep;
using transport::SearchGrid;
using transport::Transformation;
using transport::Universe;

/// The region in which a position is known to be.
enum class SearchRegion { anywhere, inside_outer_boundary };

/// contains() where the region is evaluated from the step `at` on.
GSIM_TRANSPORT_DEVICE_NOINLINE bool expression_contains(const GeometryView& g, std::int32_t at,
                                                        Vector3 x, Vector3 d, std::int32_t known) {
  while (at >= 0) {
    const RegionStep& step = g.steps[at];
    at = is_inside(g, step.half_space, x, d, known) ? step.if_true : step.if_false;
  }
  return at == RegionStep::inside;
}
/// contains() where the region is an intersection of half-spaces.
template <SearchRegion where>
GSIM_HD bool intersection_contains(const GeometryView& g, const Cell& cell, const Vector3& x,
                                   const Vector3& d, std::int32_t known) {
  const CellSurface* side = g.cell_surfaces.data + cell.first_surface;
  const std::int32_t checked =
      where == SearchRegion::anywhere ? cell.surfaces : cell.surfaces - cell.outer_half_spaces;
  for (std::int32_t i = 0; i < checked; ++i)
    if (!is_inside(g, side[i].half_space, x, d, known)) return false;
  return true;
}

/// Whether the region of a cell contains x or, on its surface, the path along d; `known` as in
/// is_inside().
template <SearchRegion where = SearchRegion::anywhere>
GSIM_HD bool contains(const GeometryView& g, const Cell& cell, const Vector3& x, const Vector3& d,
                      std::int32_t known) {
  return converged(is_simple_kernel || cell.first_step < 0
                       ? intersection_contains<where>(g, cell, x, d, known)
                       : expression_contains(g, cell.first_step, x, d, known));
}

/// The cells of a universe that may contain x.
struct Candidates {
  const std::int32_t* cells;
  std::int32_t count;
};
GSIM_HD Candidates candidates_at(const GeometryView& g, const Universe& u, const Vector3& x) {
  if (u.grid >= 0) {
    const SearchGrid& grid = g.grids[u.grid];
    const double p[3] = {(x.x - grid.lower.x) * grid.per_length[0],
                         (x.y - grid.lower.y) * grid.per_length[1],
                         (x.z - grid.lower.z) * grid.per_length[2]};
    std::int32_t voxel = 0;
    bool is_in = true;
    for (int a = 2; a >= 0; --a) {
      is_in = is_in && p[a] >= 0 && p[a] < grid.count[a];
      voxel = voxel * grid.count[a] + (is_in ? static_cast<std::int32_t>(p[a]) : 0);
    }
    if (is_in) {
      const std::int32_t* first = g.voxels.data + grid.first_voxel + voxel;
      return {g.voxel_cells.data + first[0], first[1] - first[0]};
    }
  }
  return {g.universe_cells.data + u.first_cell, u.cells};
}

/// Directions in which cells are searched for at a position on surfaces, in this order: that of the
/// path; its opposite, at a corner of the outer boundary where no cell is ahead; and one in each of
/// the eight octants, for paths along an outer surface.
inline constexpr int probe_directions = 10;
GSIM_HD Vector3 probe_direction(const Vector3& d, int i) {
  if (i < 2) return d * (i == 0 ? 1.0 : -1.0);
  return {(i & 1) != 0 ? 0.48 : -0.48, (i & 2) != 0 ? 0.6 : -0.6, (i & 4) != 0 ? 0.64 : -0.64};
}

/// The first of the candidates that a path from x along d enters; -1: none.
template <SearchRegion where = SearchRegion::anywhere>
GSIM_HD std::int32_t first_containing(const GeometryView& g, const Candidates& list,
                                      const Vector3& x, const Vector3& d, std::int32_t known) {
  for (std::int32_t i = 0; i < list.count; ++i)
    if (contains<where>(g, g.cells[list.cells[i]], x, d, known)) return list.cells[i];
  return -1;
}
/// The first of the candidates that a path from x along another probe direction enters; -1: none.
GSIM_TRANSPORT_NOINLINE std::int32_t first_containing_in_other_directions(const GeometryView& g,
                                                                          Argument<Candidates> list,
                                                                          Vector3 x, Vector3 d,
                                                                          std::int32_t known) {
  std::int32_t cell = -1;
  for (int i = 1; i < probe_directions && cell < 0; ++i)
    cell = first_containing(g, list, x, probe_direction(d, i), known);
  return cell;
}

/// The first cell of a universe that a path from x along d enters; -1: none, the geometry is
/// undefined at x.
template <SearchRegion where = SearchRegion::anywhere>
GSIM_HD std::int32_t find_cell(const GeometryView& g, std::int32_t universe, const Vector3& x,
                               const Vector3& d, std::int32_t known) {
  if (universe < 0) return -1;
  const Candidates list = candidates_at(g, g.universes[universe], x);
  const std::int32_t cell = converged(first_containing<where>(g, list, x, d, known));
  return converged(cell >= 0 ? cell : first_containing_in_other_directions(g, list, x, d, known));
}

/// find_cell() for callers that need it rarely: devices call it instead of inlining it again.
GSIM_TRANSPORT_DEVICE_NOINLINE std::int32_t find_cell_in(const GeometryView& g,
                                                         std::int32_t universe, Vector3 x,
                                                         Vector3 d, std::int32_t known) {
  return find_cell(g, universe, x, d, known);
}

/// A position or direction in the coordinates of the fill of a cell.
GSIM_HD Vector3 position_in_fill(const GeometryView& g, const Cell& cell, const Vector3& x) {
  if (is_simple_kernel || cell.transformation < 0) return x;
  const Transformation& t = g.transformations[cell.transformation];
  const Vector3 moved = x - t.translation;
  return t.is_rotated != 0 ? product(t.rotation, moved) : moved;
}
GSIM_HD Vector3 direction_in_fill(const GeometryView& g, const Cell& cell, const Vector3& d) {
  if (is_simple_kernel || cell.transformation < 0) return d;
  const Transformation& t = g.transformations[cell.transformation];
  return t.is_rotated != 0 ? product(t.rotation, d) : d;
}

/// Sets the universe and origin of a level to those of a lattice element; `origin` is the origin of
/// the flight in the coordinates of the lattice.
GSIM_HD void enter_element(const GeometryView& g, Level& level, const Vector3& origin,
                           const Element& e) {
  const Lattice& lattice = g.lattices[level.lattice];
  level.element[0] = e.i;
  level.element[1] = e.j;
  level.element[2] = e.k;
  level.universe = universe_of(g, lattice, e);
  level.origin = origin - centre_of(lattice, e);
  level.element_exit = -1;
}

/// Sets up the level inside of `outer`, whose cell is filled with a universe or lattice.
GSIM_HD void enter_fill(const GeometryView& g, const Cell& cell, const Level& outer, double path,
                        Level& inner) {
  const Vector3 origin = position_in_fill(g, cell, outer.origin);
  inner.direction = direction_in_fill(g, cell, outer.direction);
  if (cell.fill_kind == FillKind::universe) {
    inner.lattice = -1;
    inner.universe = cell.fill;
    inner.origin = origin;
    return;
  }
  inner.lattice = cell.fill;
  const Lattice& lattice = g.lattices[cell.fill];
  enter_element(
      g, inner, origin,
      element_at(lattice, along(origin, path, inner.direction), inner.direction, g.tolerance));
}

/// descend() where the cell of level `k` is filled with a universe or lattice.
template <int levels>
GSIM_TRANSPORT_DEVICE_NOINLINE bool descend_into_fill(const GeometryView& g,
                                                      CoordinatesOf<levels>& c, int k) {
  for (;; ++k) {
    const Cell& cell = g.cells[c.level[k].cell];
    if (cell.fill_kind == FillKind::material) break;
    enter_fill(g, cell, c.level[k], c.path, c.level[k + 1]);
    Level& inner = c.level[k + 1];
    inner.cell = find_cell(g, inner.universe, position_at(c, inner), inner.direction, -1);
    if (inner.cell < 0) {
      c.depth = k + 2;
      return false;
    }
  }
  c.depth = k + 1;
  return true;
}
/// Locates the levels inside of level `k`, whose cell is known. False: undefined; level c.depth - 1
/// has no cell.
template <int levels>
GSIM_HD bool descend(const GeometryView& g, CoordinatesOf<levels>& c, int k) {
  if (g.cells[c.level[k].cell].fill_kind != FillKind::material) return descend_into_fill(g, c, k);
  c.depth = k + 1;
  return true;
}

/// Locates the levels from level `k` on, whose universe, origin and direction are known.
template <int levels>
GSIM_TRANSPORT_NOINLINE bool descend_from_universe(const GeometryView& g, CoordinatesOf<levels>& c,
                                                   int k, std::int32_t known) {
  Level& level = c.level[k];
  c.computed_exits = c.computed_exits < k ? c.computed_exits : k;
  level.cell = find_cell(g, level.universe, position_at(c, level), level.direction, known);
  if (level.cell >= 0) return descend(g, c, k);
  c.depth = k + 1;
  return false;
}

/// Whether all levels from the root universe on are defined.
GSIM_TRANSPORT_NOINLINE bool are_levels_defined(const GeometryView& g, Argument<RootCoordinates> c,
                                                std::int32_t known) {
  Coordinates all;
  copy_levels(all, c);
  return descend_from_universe(g, all, 0, known);
}
GSIM_HD bool descend_from_universe(const GeometryView& g, RootCoordinates& c, int /*k*/,
                                   std::int32_t known) {
  return are_levels_defined(g, c, known);
}

/// Locates all levels at the current position. False: undefined in the universe of level
/// c.depth - 1 or, if that is -1, outside of the lattice.
template <int levels>
GSIM_HD bool locate(const GeometryView& g, CoordinatesOf<levels>& c) {
  c.level[0].universe = g.root;
  c.level[0].lattice = -1;
  c.entered_half_space = -1;
  return descend_from_universe(g, c, 0, -1);
}

/// Starts a flight at x along the unit vector d; to be followed by locate().
template <int levels>
GSIM_HD void begin_flight(CoordinatesOf<levels>& c, const Vector3& x, const Vector3& d) {
  c.path = 0;
  c.stalled = 0;
  c.entered_half_space = -1;
  c.entered_level = 0;
  c.depth = c.computed_exits = 0;
  c.level[0].origin = x;
  c.level[0].direction = d;
}

/// Sets the flight of a level to that of the level `outer`; the cells are unchanged.
GSIM_HD void turn_level(const GeometryView& g, const Level& outer, Level& inner) {
  const Cell& cell = g.cells[outer.cell];
  inner.direction = direction_in_fill(g, cell, outer.direction);
  inner.origin = position_in_fill(g, cell, outer.origin);
  if (inner.lattice < 0) return;
  const Element e{inner.element[0], inner.element[1], inner.element[2]};
  inner.origin = inner.origin - centre_of(g.lattices[inner.lattice], e);
  inner.element_exit = -1;
}
/// Starts a flight at x, the current position, in another direction; the cells are unchanged.
template <int levels>
GSIM_HD void turn(const GeometryView& g, CoordinatesOf<levels>& c, const Vector3& x,
                  const Vector3& d) {
  c.path = 0;
  c.stalled = 0;
  c.computed_exits = 0;
  c.entered_half_space = -1;
  c.level[0].origin = x;
  c.level[0].direction = d;
  if constexpr (levels > 1)
    for (int k = 1; k < c.depth; ++k) turn_level(g, c.level[k - 1], c.level[k]);
}
/// Starts a flight at the current position in the direction d, as after a collision.
template <int levels>
GSIM_HD void turn(const GeometryView& g, CoordinatesOf<levels>& c, const Vector3& d) {
  turn(g, c, position_of(c), d);
}

/// The innermost cell and the material at x, for delta tracking, which needs no outer levels. On a
/// surface, `d` selects the side.
template <SearchRegion where = SearchRegion::anywhere>
GSIM_HD CellAt cell_at(const GeometryView& g, const Vector3& x, const Vector3& d) {
  Level here, inner;
  here.origin = x;
  here.direction = d;
  CellAt found;
  found.universe = g.root;
  for (;; ++found.level) {
    found.cell = find_cell<where>(g, found.universe, here.origin, here.direction, -1);
    if (found.cell < 0) return found;
    const Cell& cell = g.cells[found.cell];
    if (cell.fill_kind == FillKind::material) {
      found.material = cell.fill;
      return found;
    }
    enter_fill(g, cell, here, 0, inner);
    here.origin = inner.origin;
    here.direction = inner.direction;
    found.universe = inner.universe;
  }
}

/// cell_at() for callers that need it rarely: devices call it instead of inlining it again.
GSIM_TRANSPORT_DEVICE_NOINLINE CellAt cell_anywhere_at(const GeometryView& g, Vector3 x,
                                                       Vector3 d) {
  return cell_at(g, x, d);
}

/// Whether two cells of one universe contain x. On a surface, `d` selects the side.
GSIM_TRANSPORT_NOINLINE bool is_overlapping(const GeometryView& g, Vector3 x, Vector3 d) {
  Level here, inner;
  here.origin = x;
  here.direction = d;
  std::int32_t universe = g.root;
  while (universe >= 0) {
    const Candidates list = candidates_at(g, g.universes[universe], here.origin);
    std::int32_t cell = -1;
    for (std::int32_t i = 0; i < list.count; ++i) {
      if (!contains(g, g.cells[list.cells[i]], here.origin, here.direction, -1)) continue;
      if (cell >= 0) return true;
      cell = list.cells[i];
    }
    if (cell < 0 || g.cells[cell].fill_kind == FillKind::material) return false;
    enter_fill(g, g.cells[cell], here, 0, inner);
    here.origin = inner.origin;
    here.direction = inner.direction;
    universe = inner.universe;
  }
  return false;
}

}  // namespace transport_kernels
GSIM_TARGET_END
