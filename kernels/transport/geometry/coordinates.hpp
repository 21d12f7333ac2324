#pragma once
// Where a particle is: a flight (origin, direction, distance flown) seen from each of the nested
// universes around it.

#include "kernels/transport/geometry/geometry_view.hpp"

namespace gsim::transport {

/// One universe around the particle, in its own coordinates.
struct Level {
  Vector3 origin;  ///< where the flight began
  Vector3 direction;
  /// Distance from the flight's origin to the nearest boundary of this level or one outside of it.
  double exit = 0;
  double element_exit = 0;  ///< … of the lattice element; negative: not reckoned yet
  std::int32_t universe = 0;
  std::int32_t cell = -1;
  std::int32_t exit_level = 0;
  std::int32_t exit_side = 0;  ///< Boundary::side
  std::int32_t lattice = -1;   ///< whose element this universe is; -1: it fills a cell
  std::int32_t element[3] = {};
  std::int32_t element_side = 0;
  std::int32_t exit_half_space = -1;  ///< Boundary::half_space
};

struct Coordinates {
  /// Distance flown since the flight began; a flight begins where the direction changes.
  double path = 0;
  std::int32_t depth = 0;     ///< levels in use; level[depth - 1].cell holds material
  std::int32_t reckoned = 0;  ///< levels whose exits are reckoned
  /// A half-space that holds because its surface was just crossed, in the universe of known_level;
  /// -1: none.
  std::int32_t known = -1;
  std::int32_t known_level = 0;
  std::int32_t stalled = 0;  ///< crossings in a row without way between them
  std::int32_t padding = 0;
  Level level[max_levels];
};

/// The end of the way through a cell.
struct Boundary {
  /// Values of `side` beside an index into cell_surfaces.
  static constexpr std::int32_t none = -1;     ///< nothing ahead
  static constexpr std::int32_t unclear = -2;  ///< the position has left the cell by rounding
  static constexpr std::int32_t first_element_side = -3;  ///< -3 - s: side s of a lattice element

  double path = 0;  ///< distance from the flight's origin
  std::int32_t level = 0;
  std::int32_t side = none;
  std::int32_t half_space = -1;  ///< that the path enters, of a surface
};

enum class CrossingKind : std::int32_t {
  same_cell,   ///< a surface within the cell, or one that the cell goes on behind
  next_cell,   ///< another cell, or another element or instance of the same one
  reflected,   ///< the same cell, and a new flight
  translated,  ///< through a periodic boundary: a new flight
  leaked,      ///< through a vacuum boundary: the history ends; position and cell stay
  lost         ///< no cell here, or no way out: the geometry is wrong; position and levels stay
};

struct Crossing {
  CrossingKind kind = CrossingKind::lost;
  /// The half-space entered (for boundary conditions: the one not entered), in the coordinates of
  /// `level`; -1 for a lattice element's side.
  std::int32_t half_space = -1;
  std::int32_t level = 0;
};

/// The innermost cell at a position.
struct CellAt {
  std::int32_t cell = -1;  ///< -1: undefined
  std::int32_t material = Cell::void_material;
  std::int32_t level = 0;     ///< of the cell; where undefined: of the universe that has no cell
  std::int32_t universe = 0;  ///< in which it is, or was sought; -1: no element of the lattice
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::Boundary;
using transport::Cell;
using transport::CellAt;
using transport::Coordinates;
using transport::Crossing;
using transport::CrossingKind;
using transport::FillKind;
using transport::GeometryView;
using transport::Level;

/// The particle's place in the coordinates of a level.
GSIM_HD Vector3 position_at(const Coordinates& c, const Level& level) {
  return along(level.origin, c.path, level.direction);
}
/// The particle's place in space.
GSIM_HD Vector3 position_of(const Coordinates& c) { return position_at(c, c.level[0]); }

/// Copies what is in use of `from`; levels of `to` that are not in use stay as they are.
GSIM_HD void copy_levels(Coordinates& to, const Coordinates& from) {
  to.path = from.path;
  to.depth = from.depth;
  to.reckoned = from.reckoned;
  to.known = from.known;
  to.known_level = from.known_level;
  to.stalled = from.stalled;
  to.level[0] = from.level[0];
  for (std::int32_t k = 1; k < from.depth; ++k) to.level[k] = from.level[k];
}

}  // namespace transport_kernels
GSIM_TARGET_END
