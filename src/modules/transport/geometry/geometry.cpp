#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {
namespace {

template <class T>
View<const T> view_of(const std::vector<T>& v) {
  return {v.data(), static_cast<Index>(v.size())};
}

}  // namespace

GeometryView Geometry::view() const {
  return {view_of(surfaces),
          view_of(coefficients),
          view_of(cells),
          view_of(cell_surfaces),
          view_of(neighbours),
          view_of(steps),
          view_of(universes),
          view_of(universe_cells),
          view_of(grids),
          view_of(voxels),
          view_of(voxel_cells),
          view_of(lattices),
          view_of(lattice_universes),
          view_of(transformations),
          view_of(outer_surfaces),
          search.view(),
          root,
          levels,
          0,  // is_simple: only launches choose kernels
          tolerance};
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
  return {surfaces_.view(),
          coefficients_.view(),
          cells_.view(),
          cell_surfaces_.view(),
          neighbours_.view(),
          steps_.view(),
          universes_.view(),
          universe_cells_.view(),
          grids_.view(),
          voxels_.view(),
          voxel_cells_.view(),
          lattices_.view(),
          lattice_universes_.view(),
          transformations_.view(),
          outer_surfaces_.view(),
          surfaces_.executor().is_cuda() ? SearchTables{} : search_.view(),
          root_,
          levels_,
          is_simple_,
          tolerance_};
}

}  // namespace gsim::transport
