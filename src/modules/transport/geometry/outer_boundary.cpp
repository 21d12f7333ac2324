#include "src/modules/transport/geometry/outer_boundary.hpp"

#include <algorithm>

namespace gsim::transport {
namespace {

/// Whether the cell is an intersection of half-spaces, one of which is `half_space`.
bool is_within(const Geometry& g, std::int32_t index, std::int32_t half_space) {
  const Cell& cell = g.cells[static_cast<std::size_t>(index)];
  const auto sides = g.surfaces_of(cell);
  return cell.first_step < 0 && std::any_of(sides.begin(), sides.end(), [&](const CellSurface& s) {
           return s.half_space == half_space;
         });
}

}  // namespace

void find_outer_boundary(Geometry& g) {
  const auto in_root = g.cells_of(g.universes[static_cast<std::size_t>(g.root)]);
  const auto contains_root = [&](std::int32_t half_space) {
    return std::all_of(in_root.begin(), in_root.end(),
                       [&](std::int32_t cell) { return is_within(g, cell, half_space); });
  };
  for (OuterSurface& outer : g.outer_surfaces)
    for (const std::int32_t side : {2 * outer.surface, 2 * outer.surface + 1})
      if (outer.inside < 0 && contains_root(side)) outer.inside = side;
  const auto is_outer = [&](const CellSurface& s) {
    return std::any_of(g.outer_surfaces.begin(), g.outer_surfaces.end(),
                       [&](const OuterSurface& outer) { return outer.inside == s.half_space; });
  };
  for (const std::int32_t index : in_root) {
    Cell& cell = g.cells[static_cast<std::size_t>(index)];
    if (cell.first_step >= 0) continue;
    const auto first = g.cell_surfaces.begin() + cell.first_surface;
    const auto first_outer = std::stable_partition(
        first, first + cell.surfaces, [&](const CellSurface& s) { return !is_outer(s); });
    cell.outer_half_spaces = static_cast<std::int32_t>(first + cell.surfaces - first_outer);
  }
}

}  // namespace gsim::transport
