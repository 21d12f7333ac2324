#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {
namespace {

template <class T>
View<const T> view_of(const std::vector<T>& v) {
  return {v.data(), static_cast<Index>(v.size())};
}

}  // namespace

GeometryView Geometry::view() const {
  return {.surfaces = view_of(surfaces),
          .coefficients = view_of(coefficients),
          .cells = view_of(cells),
          .cell_surfaces = view_of(cell_surfaces),
          .neighbours = view_of(neighbours),
          .steps = view_of(steps),
          .universes = view_of(universes),
          .universe_cells = view_of(universe_cells),
          .grids = view_of(grids),
          .voxels = view_of(voxels),
          .voxel_cells = view_of(voxel_cells),
          .lattices = view_of(lattices),
          .lattice_universes = view_of(lattice_universes),
          .transformations = view_of(transformations),
          .outer_surfaces = view_of(outer_surfaces),
          .search = search.view(),
          .root = root,
          .levels = levels,
          .is_simple = 0,  // only launches choose kernels
          .tolerance = tolerance};
}

GeometryArrays::GeometryArrays(const Executor& executor, const Geometry& g)
    : surfaces_(executor, g.surfaces),
      coefficients_(executor, g.coefficients),
      cells_(executor, g.cells),
      cell_surfaces_(executor, g.cell_surfaces),
      neighbours_(executor, g.neighbours),
      steps_(executor, g.steps),
      universes_(executor, g.universes),
      universe_cells_(executor, g.universe_cells),
      grids_(executor, g.grids),
      voxels_(executor, g.voxels),
      voxel_cells_(executor, g.voxel_cells),
      lattices_(executor, g.lattices),
      lattice_universes_(executor, g.lattice_universes),
      transformations_(executor, g.transformations),
      outer_surfaces_(executor, g.outer_surfaces),
      search_(g.search),
      root_(g.root),
      levels_(g.levels),
      is_simple_(is_simple(g) ? 1 : 0),
      tolerance_(g.tolerance) {}

GeometryView GeometryArrays::view() const {
  return {.surfaces = surfaces_.view(),
          .coefficients = coefficients_.view(),
          .cells = cells_.view(),
          .cell_surfaces = cell_surfaces_.view(),
          .neighbours = neighbours_.view(),
          .steps = steps_.view(),
          .universes = universes_.view(),
          .universe_cells = universe_cells_.view(),
          .grids = grids_.view(),
          .voxels = voxels_.view(),
          .voxel_cells = voxel_cells_.view(),
          .lattices = lattices_.view(),
          .lattice_universes = lattice_universes_.view(),
          .transformations = transformations_.view(),
          .outer_surfaces = outer_surfaces_.view(),
          .search = surfaces_.executor().is_cuda() ? SearchTables{} : search_.view(),
          .root = root_,
          .levels = levels_,
          .is_simple = is_simple_,
          .tolerance = tolerance_};
}

}  // namespace gsim::transport
