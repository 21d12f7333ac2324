#pragma once
// A constructive solid geometry as flat arrays: surfaces divide space into half-spaces, cells are
// boolean expressions of half-spaces, universes are sets of cells that fill space, and a cell is
// filled with a material, a universe or a lattice of universes. Lengths are in cm.
//
// src/modules/transport/geometry builds these arrays; functors of this folder read them.

#include <cstdint>

#include "gsim/exec/view.hpp"
#include "gsim/math/vector3.hpp"
#include "gsim/transport/surface_form.hpp"

namespace gsim::transport {

/// Largest number of levels of nested universes at a position, the root included.
inline constexpr int max_levels = 8;

/// Boundary condition of a particle that reaches the surface from a cell of the root universe.
enum class SurfaceBoundary : std::int16_t { transmission, vacuum, reflective, periodic, white };

/// A surface in the form that tracking reads; SurfaceForm gives f(x, y, z) and the parameters p.
struct Surface {
  SurfaceForm form = SurfaceForm::x_plane;
  SurfaceBoundary boundary = SurfaceBoundary::transmission;
  std::int32_t link = -1;  ///< periodic plane: its partner; quadric, quartic: its first coefficient
  double p[6] = {};
  /// |f| up to which a position counts as on the surface: GeometryView::tolerance times the
  /// gradient. For planes, spheres and cylinders; for others it is computed at the position.
  double on_surface = 0;
};
static_assert(sizeof(Surface) == 64);  // a cache line

// A half-space is 2 * surface, + 1 for the positive side; -1 is none.

/// One of the half-spaces of a cell or, if the cell is not an intersection, one of its surfaces.
struct CellSurface {
  std::int32_t half_space = -1;
  /// Cells of the same universe that are probably on the other side of the surface,
  /// GeometryView::neighbours[first_neighbour …]: those whose region expressions have the opposite
  /// half-space. A particle may enter other cells, too.
  std::int32_t first_neighbour = 0;
  std::int32_t neighbours = 0;
};

/// A step of the evaluation of a region, which branches to one of two later steps.
struct RegionStep {
  static constexpr std::int32_t inside = -1, outside = -2;
  std::int32_t half_space = -1;
  std::int32_t if_true = inside, if_false = outside;  ///< a step, or the result
};

enum class FillKind : std::int32_t { material, universe, lattice };

struct Cell {
  static constexpr std::int32_t void_material = -1;
  FillKind fill_kind = FillKind::material;
  std::int32_t fill = void_material;  ///< material, universe or lattice
  std::int32_t transformation = -1;   ///< of its fill; -1: none
  std::int32_t universe = 0;
  std::int32_t first_surface = 0;  ///< in cell_surfaces
  std::int32_t surfaces = 0;
  std::int32_t first_step = -1;  ///< in steps; -1: the intersection of its half-spaces
  /// Number of half-spaces at the end of its list that belong to outer boundaries (OuterSurface).
  std::int32_t outer_half_spaces = 0;
};

/// A regular grid of voxels over a universe of many cells, each with the cells that may overlap it.
struct SearchGrid {
  Vector3 lower;
  double per_length[3] = {};  ///< voxels per cm along each axis
  std::int32_t count[3] = {};
  std::int32_t first_voxel = 0;  ///< in voxels; the list of voxel i ends where that of i + 1 begins
};

struct Universe {
  std::int32_t first_cell = 0;  ///< in universe_cells
  std::int32_t cells = 0;
  std::int32_t grid = -1;  ///< in grids; -1: all cells are searched
};

/// Rotation and translation of the fill of a cell: its coordinates are rotation (x - translation).
struct Transformation {
  double rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vector3 translation;
  std::int32_t is_rotated = 0;
  std::int32_t padding = 0;
};

enum class LatticeKind : std::int32_t { rectangular, hexagonal };

/// The centre of an element is the origin of its universe. Outside of the lattice there are further
/// elements, filled with `outer`.
///
/// Hexagonal: element (i, j) is centred at centre + pitch (i + j / 2, sqrt(3) / 2 j) in (x, y), or
/// in (y, x) where `is_swapped`; rings count from 1, and the table has 2 rings - 1 elements per
/// side, with (0, 0) in its middle.
struct Lattice {
  LatticeKind kind = LatticeKind::rectangular;
  std::int32_t has_layers = 0;          ///< whether elements have a finite height, pitch[2]
  std::int32_t is_swapped = 0;          ///< hexagonal: x and y are exchanged
  std::int32_t outer = -1;              ///< universe; -1: undefined
  std::int32_t count[3] = {1, 1, 1};    ///< hexagonal: rings, rings, elements along z
  std::int32_t first_universe = 0;      ///< in lattice_universes, x fastest, then y, then z
  Vector3 origin;                       ///< centre of element (0, 0, 0)
  double pitch[3] = {0, 0, 0};          ///< hexagonal: {p, p, height}, p between flat sides
  double inverse_pitch[3] = {0, 0, 0};  ///< 1 / pitch; 0 where there is one element
};

/// A surface with a boundary condition. If the regions of all cells of the root universe are
/// intersections that contain the same half-space of this surface, particles never leave that
/// half-space, and the surface is an outer boundary of the geometry.
struct OuterSurface {
  std::int32_t surface = 0;
  std::int32_t inside = -1;  ///< that half-space; -1: the surface is not an outer boundary
};

// Tables for event-based tracking on hosts, which searches for the cells of several particles at
// once. Cells with the same half-spaces, in universes whose cells have the same half-spaces in the
// same order, have one region: that of the first such cell.

/// A universe.
struct SearchUniverse {
  std::int32_t first_cell = 0;  ///< Universe::first_cell
  /// The first universe whose cells have the same regions, which are intersections of half-spaces;
  /// -1: cells are searched one by one.
  std::int32_t shape = -1;
};
/// The fill of a cell.
struct SearchFill {
  static constexpr std::int32_t material = 0, universe = 1, lattice = 2, other = 3;
  std::int32_t kind = material;
  std::int32_t fill = Cell::void_material;
};
/// The region of a cell: the first cell with this region, and the cell's place in its universe.
struct SearchRegion {
  std::int32_t region = -1, number = 0;
};
/// Half the widths of a lattice element along x, y, z; infinite where it is unbounded.
struct SearchLattice {
  double half_width[3] = {};
};
static_assert(sizeof(SearchUniverse) == 8 && sizeof(SearchFill) == 8 && sizeof(SearchRegion) == 8);

struct SearchTables {
  View<const SearchUniverse> universes;  ///< by universe
  View<const SearchUniverse> elements;   ///< in the order of lattice_universes
  View<const SearchFill> fills;          ///< in the order of universe_cells
  View<const SearchRegion> regions;      ///< in the order of universe_cells
  View<const std::int32_t> numbers;      ///< by cell: its place in its universe
  View<const SearchLattice> lattices;    ///< by lattice
  /// Largest number of nested levels; 0: the geometry has other regions than intersections of
  /// planes, spheres and cylinders along an axis, or search grids, transformations or hexagonal
  /// lattices.
  std::int32_t levels = 0;
};

struct GeometryView {
  View<const Surface> surfaces;
  View<const double> coefficients;  ///< of quadrics and quartics
  View<const Cell> cells;
  View<const CellSurface> cell_surfaces;
  View<const std::int32_t> neighbours;
  View<const RegionStep> steps;
  View<const Universe> universes;
  View<const std::int32_t> universe_cells;
  View<const SearchGrid> grids;
  View<const std::int32_t> voxels;       ///< index of the first of its cells in voxel_cells
  View<const std::int32_t> voxel_cells;  ///< lists of the cells that may overlap a voxel
  View<const Lattice> lattices;
  View<const std::int32_t> lattice_universes;  ///< -1: no universe
  View<const Transformation> transformations;
  View<const OuterSurface> outer_surfaces;
  SearchTables search;
  std::int32_t root = 0;    ///< universe
  std::int32_t levels = 1;  ///< largest number of nested levels, the root included
  /// 1: all surfaces are planes, spheres or cylinders along an axis, all cells are intersections of
  /// half-spaces, and no fill is moved or rotated. Devices have kernels for such geometries.
  std::int32_t is_simple = 0;
  /// Distance within which a position counts as on a surface, and surfaces as coincident, cm. Much
  /// larger than rounding errors of positions, much smaller than any feature of a geometry.
  double tolerance = 0x1p-33;
};

}  // namespace gsim::transport
