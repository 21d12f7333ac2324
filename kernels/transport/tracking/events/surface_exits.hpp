#pragma once
// The exits of particles from their cells and lattice elements in the lanes of packs, with the bits
// of compute_exit().

#include "kernels/transport/geometry/next_boundary.hpp"
#include "kernels/transport/tracking/events/surface_batch.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The distance from x to the side of an element that a path of slope d leads to; `x` and `d` are
/// components along the normals of the sides, as in consider_sides().
GSIM_HD Reals distance_to_side(Reals half_width, Reals x, Reals d) {
  const Reals zero(0.0);
  const Reals to_side = fma(select(d > zero, Reals(1.0), Reals(-1.0)), -x, half_width);
  return select(to_side > zero, to_side / abs(d), zero);
}
/// The distance to the nearest side of the element of `lattice`, and the number of the side, as in
/// element_exit().
struct ElementExitLanes {
  Reals distance, side;
};
GSIM_HD ElementExitLanes element_exit(const GeometryView& g, Reals lattice, const Positions& x,
                                      const Positions& d) {
  ElementExitLanes exit{Reals(no_distance), Reals(0.0)};
  const double* const half_widths = g.search.lattices.data->half_width;
  const Integers first = convert<std::int32_t>(lattice * 3.0);
  const auto consider = [&](int axis, Reals along_axis, Reals slope) {
    const Reals half_width = gather(half_widths + axis, first), zero(0.0);
    const Reals distance = distance_to_side(half_width, along_axis, slope);
    const Lanes is_nearer = (slope != zero) & (distance < exit.distance);
    exit.distance = select(is_nearer, distance, exit.distance);
    exit.side = select(is_nearer, select(slope > zero, Reals(2.0 * axis), Reals(2.0 * axis + 1)),
                       exit.side);
  };
  consider(0, x.x, d.x);
  consider(1, x.y, d.y);
  consider(2, x.z, d.z);
  return exit;
}

/// Computes the exits at a level of the particles at `at` in the lanes of `used`, where their cells
/// have the region of `cell`; those of outer levels are known. x: the positions at this level.
GSIM_HD void compute_exits(const GeometryView& g, SurfaceBatch& b, int level, const Cell& cell,
                           const PlacesOf& at, Lanes used, Reals path, const Positions& x,
                           const Positions& d) {
  const PlacesOf here = at.at_level(level);
  const Reals tolerance(g.tolerance);
  const auto code = [level](std::int32_t side) {
    return static_cast<double>(ExitCode::of(level, side));
  };
  Reals exit(no_distance), exit_at(code(Boundary::none));
  if (level > 0) {
    const PlacesOf outer = at.at_level(level - 1);
    exit = outer.reals(b.exit);
    exit_at = outer.integers(b.exit_at);
    const Reals lattice = here.integers(b.lattice);
    const Lanes in_lattice = used & (lattice >= Reals(0.0));
    if (any(in_lattice)) {
      Reals at_side = here.reals(b.element_exit), side = here.integers(b.element_side);
      const Lanes is_new = in_lattice & (at_side < Reals(0.0));
      if (any(is_new)) {
        const auto e = element_exit(g, select(is_new, lattice, Reals(0.0)), x, d);
        at_side = select(is_new, path + e.distance, at_side);
        side = select(is_new, e.side, side);
        const PlacesOf to = here.only(is_new);
        to.put(b.element_exit, at_side);
        to.put(b.element_side, side);
      }
      const Lanes is_nearer = in_lattice & (at_side < exit - tolerance);
      exit = select(is_nearer, at_side, exit);
      exit_at =
          select(is_nearer,
                 code(Boundary::first_element_side) - side * static_cast<double>(ExitCode::levels),
                 exit_at);
    }
  }
  Reals nearest(no_distance), nearest_at(code(Boundary::none));
  for (std::int32_t i = 0; i < cell.surfaces; ++i) {
    const std::int32_t half_space = g.cell_surfaces[cell.first_surface + i].half_space;
    const Reals distance = exit_distance(g, half_space, x, d);
    const Lanes is_nearer = distance < nearest;
    nearest = select(is_nearer, distance, nearest);
    nearest_at = select(is_nearer, Reals(code(i)), nearest_at);
  }
  const Reals end = path + nearest;
  const Lanes is_nearer = end < exit - tolerance;
  const PlacesOf to = here.only(used);
  to.put(b.exit, select(is_nearer, end, exit));
  to.put(b.exit_at, select(is_nearer, nearest_at, exit_at));
}
/// The same for particles at `places`.
GSIM_TRANSPORT_NOINLINE void compute_exits(const GeometryView& g, SurfaceBatch& b, int level,
                                           const Cell& cell, const std::int32_t* places) {
  const PlacesOf at(places);
  const Positions d = at.vectors(b.direction);
  const Reals path = at.reals(b.path);
  const Positions x = along(at.at_level(level).vectors(b.origin), path, d);
  compute_exits(g, b, level, cell, at, path == path, path, x, d);
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
