#include "src/modules/transport/geometry/outer_boundary.hpp"

#include <algorithm>

namespace gsim::transport {
namespace {

bool names(const Geometry& g, std::int32_t index, std::int32_t half_space) {
  const Cell& cell = g.cells[static_cast<std::size_t>(index)];
  const auto sides = g.surfaces_of(cell);
  return cell.first_step < 0 && std::any_of(sides.begin(), sides.end(), [&](const CellSurface& s) {
           return s.half_space == half_space;
         });
}

}  // namespace

void find_outer_boundary(Geometry& g) {
  const auto in_root = g.cells_of(g.universes[static_cast<std::size_t>(g.root)]);
  const auto holds_root = [&](std::int32_t half_space) {
    return std::all_of(in_root.begin(), in_root.end(),
                       [&](std::int32_t cell) { return names(g, cell, half_space); });
  };
  for (OuterSurface& outer : g.outer_surfaces)
    for (const std::int32_t side : {2 * outer.surface, 2 * outer.surface + 1})
      if (outer.inside < 0 && holds_root(side)) outer.inside = side;
  const auto is_wall = [&](const CellSurface& s) {
    return std::any_of(g.outer_surfaces.begin(), g.outer_surfaces.end(),
                       [&](const OuterSurface& outer) { return outer.inside == s.half_space; });
  };
  for (const std::int32_t index : in_root) {
    Cell& cell = g.cells[static_cast<std::size_t>(index)];
    if (cell.first_step >= 0) continue;
    const auto first = g.cell_surfaces.begin() + cell.first_surface;
    const auto walls = std::stable_partition(first, first + cell.surfaces,
                                             [&](const CellSurface& s) { return !is_wall(s); });
    cell.outer_sides = static_cast<std::int32_t>(first + cell.surfaces - walls);
  }
}

}  // namespace gsim::transport
