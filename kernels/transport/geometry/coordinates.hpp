#pragma once
// The coordinates of a particle: its flight (origin, direction, path length) in each of the nested
// universes that contain it.

#include "kernels/transport/geometry/geometry_view.hpp"

namespace gsim::transport {

/// One universe that contains the particle, with the flight in its coordinates.
struct Level {
  Vector3 origin;  ///< start of the flight
  Vector3 direction;
  /// Path length from the origin of the flight to the nearest boundary of this level or an outer
  /// one.
  double exit = 0;
  double element_exit =
      0;  ///< the same, to the side of the lattice element; negative: not computed
  std::int32_t universe = 0;
  std::int32_t cell = -1;
  std::int32_t exit_side = 0;  ///< Boundary::side
  std::int32_t lattice = -1;   ///< lattice with this universe in an element; -1: it fills a cell
  std::int32_t element[3] = {};
  std::int32_t exit_half_space = -1;  ///< Boundary::half_space
  std::int16_t exit_level = 0;        ///< level of the boundary at `exit`
  std::int16_t element_side = 0;      ///< side of the lattice element at `element_exit`
};
static_assert(sizeof(Level) == 104);

/// Coordinates for at most `size` levels.
template <int size>
struct CoordinatesOf {
  static constexpr int levels = size;
  /// Path length since the start of the flight, cm; a flight starts where the direction changes.
  double path = 0;
  std::int32_t depth = 0;           ///< levels in use; level[depth - 1].cell contains material
  std::int32_t computed_exits = 0;  ///< number of levels whose exits are computed
  /// The half-space that the particle has just entered, which contains it whatever the rounding of
  /// its position; -1: none.
  std::int32_t entered_half_space = -1;
  std::int32_t entered_level = 0;  ///< the level of that half-space's universe
  std::int32_t stalled = 0;        ///< number of successive crossings at the same position
  std::int32_t padding = 0;
  Level level[size];
};
using Coordinates = CoordinatesOf<max_levels>;
/// The flight in the root universe alone, for delta tracking without tallies of cells.
using RootCoordinates = CoordinatesOf<1>;

/// The point where a flight leaves its cell.
struct Boundary {
  /// Values of `side` other than an index into cell_surfaces.
  static constexpr std::int32_t none = -1;     ///< the flight never leaves the cell
  static constexpr std::int32_t unclear = -2;  ///< rounding has moved the position out of the cell
  static constexpr std::int32_t first_element_side = -3;  ///< -3 - s: side s of a lattice element

  double path = 0;  ///< path length from the origin of the flight, cm
  std::int32_t level = 0;
  std::int32_t side = none;
  std::int32_t half_space = -1;  ///< half-space of the surface that the path enters
};

enum class CrossingKind : std::int32_t {
  same_cell,   ///< a surface with the same cell on both sides
  next_cell,   ///< another cell, or another element or instance of the same one
  reflected,   ///< the same cell; a new flight
  translated,  ///< through a periodic boundary; a new flight
  leaked,      ///< through a vacuum boundary; position and cell are unchanged
  lost         ///< no cell, or no boundary: the geometry is wrong; levels are unchanged
};

struct Crossing {
  CrossingKind kind = CrossingKind::lost;
  /// The half-space behind the surface that was reached, in the coordinates of `level`: the
  /// particle has entered it unless a boundary condition applied; -1: the side of a lattice
  /// element.
  std::int32_t half_space = -1;
  std::int32_t level = 0;
};

/// The innermost cell at a position.
struct CellAt {
  std::int32_t cell = -1;  ///< -1: undefined
  std::int32_t material = Cell::void_material;
  /// The level of the cell; if undefined, of the universe that has no cell at the position.
  std::int32_t level = 0;
  /// The universe of that level; -1: the position is in no element of a lattice.
  std::int32_t universe = 0;
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::Boundary;
using transport::Cell;
using transport::CellAt;
using transport::Coordinates;
using transport::CoordinatesOf;
using transport::Crossing;
using transport::CrossingKind;
using transport::FillKind;
using transport::GeometryView;
using transport::Level;
using transport::RootCoordinates;

/// The particle's position in the coordinates of a level.
template <int levels>
GSIM_HD Vector3 position_at(const CoordinatesOf<levels>& c, const Level& level) {
  return along(level.origin, c.path, level.direction);
}
/// The particle's position in the root universe.
template <int levels>
GSIM_HD Vector3 position_of(const CoordinatesOf<levels>& c) {
  return position_at(c, c.level[0]);
}

/// Copies the levels of `from` that are in use; further levels of `to` are unchanged.
template <int size_of_to, int size_of_from>
GSIM_HD void copy_levels(CoordinatesOf<size_of_to>& to, const CoordinatesOf<size_of_from>& from) {
  to.path = from.path;
  to.depth = from.depth;
  to.computed_exits = from.computed_exits;
  to.entered_half_space = from.entered_half_space;
  to.entered_level = from.entered_level;
  to.stalled = from.stalled;
  to.level[0] = from.level[0];
  if constexpr (size_of_to > 1 && size_of_from > 1)
    for (std::int32_t k = 1; k < from.depth; ++k) to.level[k] = from.level[k];
}

}  // namespace transport_kernels
GSIM_TARGET_END
