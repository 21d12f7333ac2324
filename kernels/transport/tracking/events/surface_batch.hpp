#pragma once
// The particles of event-based surface tracking: a batch with their flights in the nested
// universes.

#include "kernels/transport/geometry/cell_lanes.hpp"
#include "kernels/transport/tracking/events/particle_batch.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Level::exit_level and exit_side as one number. Here sides of cells are counted from their first
/// one.
struct ExitCode {
  static constexpr std::int32_t levels = 8;
  static GSIM_HD std::int32_t of(std::int32_t level, std::int32_t side) {
    return side * levels + level;
  }
  static GSIM_HD std::int32_t level(std::int32_t code) { return code & (levels - 1); }
  static GSIM_HD std::int32_t side(std::int32_t code) { return code >> 3; }
};

/// Members of Coordinates. Element level * capacity + i of an array of levels belongs to particle
/// i.
struct SurfaceBatch : ParticleBatch {
  static constexpr int levels = 4;
  static constexpr int size = levels * capacity;

  VectorArrays<size> origin;
  VectorArrays<size> centre;  ///< of the lattice element; zero where there is none
  alignas(64) double exit[size], element_exit[size];
  alignas(64) std::int32_t exit_at[size];  ///< ExitCode of the exit
  alignas(64) std::int32_t element_side[size];
  alignas(64) std::int32_t cell_place[size];  ///< place of the cell in universe_cells
  alignas(64) std::int32_t region[size];      ///< SearchRegion::region of the cell
  alignas(64) std::int32_t lattice[size], element_i[size], element_j[size], element_k[size];
  alignas(64) std::int32_t depth[capacity], computed_exits[capacity];
  // The next boundary, to which the particles fly if they do not collide.
  alignas(64) double boundary_path[capacity], total[capacity];
  alignas(64) double k_at_boundary[capacity];      ///< k_track_length there
  alignas(64) std::int32_t boundary_at[capacity];  ///< its ExitCode

  static GSIM_HD int at(int level, int i) { return level * capacity + i; }
};

template <class Banks>
GSIM_HD void load_particle(History<Banks>& h, const SurfaceBatch& b, int i, std::int64_t flights) {
  load_flight(h, b, vector_at(b.origin, i), i, flights);
  const GeometryView& g = h.args.geometry;
  auto& c = h.particle.coordinates;
  c.depth = b.depth[i];
  c.computed_exits = b.computed_exits[i];
  for (int k = 0; k < c.depth; ++k) {
    const int at = SurfaceBatch::at(k, i);
    Level& level = c.level[k];
    level.origin = vector_at(b.origin, at);
    level.direction = h.particle.direction;
    level.cell = g.universe_cells[b.cell_place[at]];
    level.universe = g.cells[level.cell].universe;
    level.lattice = b.lattice[at];
    level.element[0] = b.element_i[at];
    level.element[1] = b.element_j[at];
    level.element[2] = b.element_k[at];
    level.element_exit = b.element_exit[at];
    level.element_side = b.element_side[at];
    if (k >= c.computed_exits) continue;
    level.exit = b.exit[at];
    level.exit_level = ExitCode::level(b.exit_at[at]);
    level.exit_side = ExitCode::side(b.exit_at[at]);
    level.exit_half_space = -1;
    if (level.exit_side < 0) continue;
    level.exit_side += g.cells[c.level[level.exit_level].cell].first_surface;
    level.exit_half_space = g.cell_surfaces[level.exit_side].half_space ^ 1;
  }
}
template <class Banks>
GSIM_HD void store_particle(const History<Banks>& h, SurfaceBatch& b, int i, std::int64_t flights) {
  store_flight(h, b, i, flights);
  const GeometryView& g = h.args.geometry;
  const auto& c = h.particle.coordinates;
  b.depth[i] = c.depth;
  b.computed_exits[i] = c.computed_exits;
  b.material[i] = g.cells[c.level[c.depth - 1].cell].fill;
  for (int k = 0; k < c.depth; ++k) {
    const int at = SurfaceBatch::at(k, i);
    const Level& level = c.level[k];
    put_vector(b.origin, at, level.origin);
    b.cell_place[at] = g.universes[level.universe].first_cell + g.search.numbers[level.cell];
    b.region[at] = g.search.regions[b.cell_place[at]].region;
    b.lattice[at] = level.lattice;
    const Element e{level.element[0], level.element[1], level.element[2]};
    put_vector(b.centre, at,
               level.lattice >= 0 ? centre_of(g.lattices[level.lattice], e) : Vector3{});
    b.element_i[at] = e.i;
    b.element_j[at] = e.j;
    b.element_k[at] = e.k;
    b.element_exit[at] = level.element_exit;
    b.element_side[at] = level.element_side;
    b.exit[at] = level.exit;
    if (k >= c.computed_exits) continue;
    const std::int32_t side = level.exit_side;
    b.exit_at[at] = ExitCode::of(
        level.exit_level,
        side < 0 ? side : side - g.cells[c.level[level.exit_level].cell].first_surface);
  }
}
GSIM_HD void copy_particle(SurfaceBatch& b, int to, int from) {
  copy_flight(b, to, from);
  copy_element(to, from, b.depth, b.computed_exits);
  for (int k = 0; k < b.depth[from]; ++k) {
    const int x = SurfaceBatch::at(k, to), y = SurfaceBatch::at(k, from);
    copy_vector(b.origin, x, y);
    copy_vector(b.centre, x, y);
    copy_element(x, y, b.exit, b.element_exit, b.exit_at, b.element_side, b.cell_place, b.region,
                 b.lattice, b.element_i, b.element_j, b.element_k);
  }
}

/// Records the levels that CellSearchLanes finds in the arrays of the batch.
struct LevelRecord {
  static constexpr SearchRegion where = SearchRegion::anywhere;

  const GeometryView& g;
  SurfaceBatch& b;
  const PlacesOf& at;
  Reals level;                 ///< the innermost one so far
  Reals region = Reals(-1.0);  ///< of the innermost cell so far

  GSIM_HD void enter_cell(Lanes lanes, Integers place) {
    const PlacesOf to = at.at_level(level).only(lanes);
    const Reals found = convert<double>(
        gather_pairs<transport::SearchRegion, Reals>(g.search.regions.data, place).first());
    region = select(lanes, found, region);
    to.put(b.cell_place, convert<double>(place));
    to.put(b.region, found);
  }
  GSIM_HD void enter_element(Lanes lanes, double lattice, Reals i, Reals j, Reals k,
                             const Positions& centre, const Positions& origin) {
    const PlacesOf to = next_level(lanes);
    to.put(b.lattice, Reals(lattice));
    to.put(b.element_i, i);
    to.put(b.element_j, j);
    to.put(b.element_k, k);
    to.put(b.centre, centre);
    to.put(b.origin, origin);
    to.put(b.element_exit, Reals(-1.0));
  }
  GSIM_HD void enter_universe(Lanes lanes, const Positions& origin) {
    const PlacesOf to = next_level(lanes);
    const Reals zero(0.0);
    to.put(b.lattice, Reals(-1.0));
    to.put(b.centre, Positions{zero, zero, zero});
    to.put(b.origin, origin);
  }

 private:
  GSIM_HD PlacesOf next_level(Lanes lanes) {
    level = select(lanes, level + 1.0, level);
    return at.at_level(level).only(lanes);
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
