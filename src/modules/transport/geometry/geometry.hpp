#pragma once
// A geometry ready for tracking: the flat arrays that kernels read, and the names of all parts.

#include <span>
#include <string>
#include <vector>

#include "gsim/exec/array.hpp"
#include "kernels/transport/geometry/geometry_view.hpp"
#include "src/modules/transport/geometry/geometry_config.hpp"
#include "src/modules/transport/geometry/search_tables.hpp"

namespace gsim::transport {

/// The arrays in host memory. Indices follow the order of the configuration.
struct Geometry {
  std::vector<Surface> surfaces;
  std::vector<double> coefficients;
  std::vector<Cell> cells;
  std::vector<CellSurface> cell_surfaces;
  std::vector<std::int32_t> neighbours;
  std::vector<RegionStep> steps;
  std::vector<Universe> universes;
  std::vector<std::int32_t> universe_cells;
  std::vector<SearchGrid> grids;
  std::vector<std::int32_t> voxels, voxel_cells;
  std::vector<Lattice> lattices;
  std::vector<std::int32_t> lattice_universes;
  std::vector<Transformation> transformations;
  std::vector<OuterSurface> outer_surfaces;
  SearchArrays search;
  std::int32_t root = 0;
  std::int32_t levels = 1;  ///< largest number of nested levels, the root included
  double tolerance = 0x1p-33;

  std::vector<std::string> surface_names, cell_names, universe_names, lattice_names, material_names;
  /// Warnings about what may be a mistake: unused surfaces and universes, no outer boundary.
  std::vector<std::string> warnings;

  std::span<const CellSurface> surfaces_of(const Cell& cell) const {
    return std::span(cell_surfaces)
        .subspan(static_cast<std::size_t>(cell.first_surface),
                 static_cast<std::size_t>(cell.surfaces));
  }
  std::span<const std::int32_t> cells_of(const Universe& universe) const {
    return std::span(universe_cells)
        .subspan(static_cast<std::size_t>(universe.first_cell),
                 static_cast<std::size_t>(universe.cells));
  }
  /// Views of the arrays, valid while this object exists and its vectors do not change.
  GeometryView view() const;
};

/// Builds and checks the geometry; `materials` are names in the order of material indices. Throws
/// ConfigError for unknown names, universes that contain themselves or are nested deeper than
/// max_levels, lattices of the wrong size, periodic planes that do not name each other, and
/// boundary conditions outside the root universe.
Geometry build_geometry(const GeometryConfig& config, std::span<const std::string> materials);

/// The arrays of a Geometry in an executor's memory.
class GeometryArrays {
 public:
  GeometryArrays(const Executor& executor, const Geometry& geometry);
  GeometryView view() const;

 private:
  Array<Surface> surfaces_;
  Array<double> coefficients_;
  Array<Cell> cells_;
  Array<CellSurface> cell_surfaces_;
  Array<std::int32_t> neighbours_;
  Array<RegionStep> steps_;
  Array<Universe> universes_;
  Array<std::int32_t> universe_cells_;
  Array<SearchGrid> grids_;
  Array<std::int32_t> voxels_, voxel_cells_;
  Array<Lattice> lattices_;
  Array<std::int32_t> lattice_universes_;
  Array<Transformation> transformations_;
  Array<OuterSurface> outer_surfaces_;
  SearchArrays search_;  ///< in the memory of the host
  std::int32_t root_, levels_, is_simple_;
  double tolerance_;
};

}  // namespace gsim::transport
