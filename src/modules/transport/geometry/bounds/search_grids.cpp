#include "src/modules/transport/geometry/bounds/search_grids.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "src/modules/transport/geometry/bounds/cell_boxes.hpp"

namespace gsim::transport {
namespace {

constexpr std::int32_t few_cells = 6;  // up to this number all cells are tested one after the other
constexpr double max_voxels = 64 * 1024;  // per universe
constexpr double max_tests = 2e8;         // of cells against voxels while the grid is made

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Range {
  double min, max;
};

/// The range of (u - centre)^2 for u in [lower, upper].
Range squared(double lower, double upper, double centre) {
  const double a = lower - centre, b = upper - centre;
  const double nearest = a <= 0 && b >= 0 ? 0 : std::min(std::abs(a), std::abs(b));
  const double farthest = std::max(std::abs(a), std::abs(b));
  return {nearest * nearest, farthest * farthest};
}

/// Bounds over a box of the function f that is 0 on the surface and negative inside; [-1, 1], which
/// allows both signs, where they are unknown.
Range range_of(const Surface& s, const SampleBox& box) {
  const auto form = static_cast<std::size_t>(s.form);
  if (s.form <= SurfaceForm::z_plane) return {box.lower[form] - s.p[0], box.upper[form] - s.p[0]};
  Range f{-s.p[3], -s.p[3]};
  if (s.form == SurfaceForm::plane) {
    for (std::size_t a = 0; a < 3; ++a) {
      f.min += std::min(s.p[a] * box.lower[a], s.p[a] * box.upper[a]);
      f.max += std::max(s.p[a] * box.lower[a], s.p[a] * box.upper[a]);
    }
    return f;
  }
  if (s.form > SurfaceForm::z_cylinder) return {-1, 1};
  const bool is_sphere = s.form == SurfaceForm::sphere;
  const std::size_t along = form - static_cast<std::size_t>(SurfaceForm::x_cylinder);
  f = {-s.p[is_sphere ? 3 : 2], -s.p[is_sphere ? 3 : 2]};
  for (std::size_t a = 0, next = 0; a < 3; ++a) {
    if (!is_sphere && a == along) continue;
    const Range part = squared(box.lower[a], box.upper[a], s.p[next++]);
    f.min += part.min;
    f.max += part.max;
  }
  return f;
}

/// Whether a box may contain points of a half-space.
bool may_touch(const Geometry& g, std::int32_t half_space, const SampleBox& box) {
  const Range f = range_of(g.surfaces[static_cast<std::size_t>(half_space >> 1)], box);
  return (half_space & 1) != 0 ? !(f.max < 0) : !(f.min > 0);
}

/// Whether a box may contain points of a cell.
bool may_touch(const Geometry& g, const Cell& cell, const SampleBox& box) {
  if (cell.first_step < 0) {
    for (const CellSurface& side : g.surfaces_of(cell))
      if (!may_touch(g, side.half_space, box)) return false;
    return true;
  }
  // Follows all branches of the evaluation of the region that points of the box may take.
  std::vector<std::int32_t> pending{cell.first_step};
  std::vector<bool> is_reached;
  while (!pending.empty()) {
    const std::int32_t at = pending.back();
    pending.pop_back();
    if (at == RegionStep::inside) return true;
    if (at < 0) continue;
    const auto index = static_cast<std::size_t>(at - cell.first_step);
    if (index >= is_reached.size()) is_reached.resize(index + 1);
    if (is_reached[index]) continue;
    is_reached[index] = true;
    const RegionStep& step = g.steps[static_cast<std::size_t>(at)];
    if (may_touch(g, step.half_space, box)) pending.push_back(step.if_true);
    if (may_touch(g, step.half_space ^ 1, box)) pending.push_back(step.if_false);
  }
  return false;
}

/// The box around those cells of a universe that are bounded, for each axis separately; upper below
/// lower along an axis where no cell is bounded.
SampleBox bounded_part(const Geometry& g, const Universe& universe) {
  SampleBox box{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  for (const std::int32_t cell : g.cells_of(universe)) {
    const SampleBox cell_box = box_of_cell(g, static_cast<std::size_t>(cell));
    for (std::size_t a = 0; a < 3; ++a) {
      if (!std::isfinite(cell_box.lower[a]) || !std::isfinite(cell_box.upper[a])) continue;
      box.lower[a] = std::min(box.lower[a], cell_box.lower[a]);
      box.upper[a] = std::max(box.upper[a], cell_box.upper[a]);
    }
  }
  return box;
}

/// A grid of about eight voxels per cell; axes without bounds are not divided.
SearchGrid divide(const Geometry& g, const Universe& universe) {
  const SampleBox box = bounded_part(g, universe);
  std::array<double, 3> lengths{};
  for (std::size_t a = 0; a < 3; ++a) lengths[a] = std::max(box.upper[a] - box.lower[a], 0.0);
  const double cells = universe.cells;
  const double target_voxels = std::min({8 * cells, max_voxels, max_tests / cells});
  SearchGrid grid;
  double edge = *std::max_element(lengths.begin(), lengths.end());
  for (double voxels = 0; edge > 0 && voxels < target_voxels; edge *= 0.9) {
    voxels = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      grid.count[a] = static_cast<std::int32_t>(std::max(lengths[a] / edge, 1.0));
      voxels *= grid.count[a];
    }
  }
  double* lower[3] = {&grid.lower.x, &grid.lower.y, &grid.lower.z};
  for (std::size_t a = 0; a < 3; ++a) {
    grid.count[a] = std::max(grid.count[a], 1);
    if (!(lengths[a] > 0)) continue;
    *lower[a] = box.lower[a];
    grid.per_length[a] = grid.count[a] / lengths[a];
  }
  return grid;
}

/// The box of a voxel, enlarged slightly against rounding.
SampleBox voxel_of(const SearchGrid& grid, const std::int32_t* at, double margin) {
  const double lower[3] = {grid.lower.x, grid.lower.y, grid.lower.z};
  SampleBox box{{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
  for (std::size_t a = 0; a < 3; ++a) {
    if (!(grid.per_length[a] > 0)) continue;
    const double edge = 1 / grid.per_length[a];
    box.lower[a] = lower[a] + at[a] * edge - margin - 1e-9 * edge;
    box.upper[a] = lower[a] + (at[a] + 1) * edge + margin + 1e-9 * edge;
  }
  return box;
}

/// Adds the grid of a universe, unless it would have a single voxel.
void add_grid(Geometry& g, Universe& universe) {
  SearchGrid grid = divide(g, universe);
  if (grid.count[0] * grid.count[1] * grid.count[2] < 2) return;
  grid.first_voxel = static_cast<std::int32_t>(g.voxels.size());
  std::int32_t at[3];
  for (at[2] = 0; at[2] < grid.count[2]; ++at[2])
    for (at[1] = 0; at[1] < grid.count[1]; ++at[1])
      for (at[0] = 0; at[0] < grid.count[0]; ++at[0]) {
        const SampleBox box = voxel_of(grid, at, 4 * g.tolerance);
        g.voxels.push_back(static_cast<std::int32_t>(g.voxel_cells.size()));
        for (const std::int32_t cell : g.cells_of(universe))
          if (may_touch(g, g.cells[static_cast<std::size_t>(cell)], box))
            g.voxel_cells.push_back(cell);
      }
  g.voxels.push_back(static_cast<std::int32_t>(g.voxel_cells.size()));
  universe.grid = static_cast<std::int32_t>(g.grids.size());
  g.grids.push_back(grid);
}

}  // namespace

void add_search_grids(Geometry& g) {
  for (Universe& universe : g.universes)
    if (universe.cells > few_cells) add_grid(g, universe);
}

}  // namespace gsim::transport
