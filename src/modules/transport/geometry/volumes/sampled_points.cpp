#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/random/uniform.hpp"
#include "kernels/transport/geometry/geometry.hpp"

namespace gsim::transport {
namespace {

using namespace transport_kernels;

auto key_of(const GeometryFault& f) {
  return std::tuple(f.universe, f.cells[0], f.cells[1], f.parent);
}

/// Adds a fault, or increases the count of an equal one; keeps the list sorted.
void add_fault(std::vector<GeometryFault>& faults, const GeometryFault& fault) {
  const auto at = std::lower_bound(
      faults.begin(), faults.end(), fault,
      [](const GeometryFault& a, const GeometryFault& b) { return key_of(a) < key_of(b); });
  if (at == faults.end() || key_of(*at) != key_of(fault)) {
    faults.insert(at, fault);
    return;
  }
  at->count += fault.count;
  if (fault.first < at->first) {
    at->first = fault.first;
    at->position = fault.position;
    at->local_position = fault.local_position;
  }
}

/// Whether x is beyond a surface with a boundary condition: outside a surface that encloses the
/// geometry, or in a place that belongs to a cell of the root universe if surfaces with boundary
/// conditions are left out of the cells' regions.
bool is_beyond_boundary(const GeometryView& g, const Vector3& x, const Vector3& d) {
  for (Index i = 0; i < g.outer_surfaces.size; ++i)
    if (g.outer_surfaces[i].inside >= 0 && !is_inside(g, g.outer_surfaces[i].inside, x, d, -1))
      return true;
  const auto holds = [&](std::int32_t half_space) {
    return g.surfaces[half_space >> 1].boundary != SurfaceBoundary::transmission ||
           is_inside(g, half_space, x, d, -1);
  };
  const Universe& root = g.universes[g.root];
  for (std::int32_t i = 0; i < root.cells; ++i) {
    const Cell& cell = g.cells[g.universe_cells[root.first_cell + i]];
    if (cell.first_step >= 0) {
      std::int32_t at = cell.first_step;
      while (at >= 0)
        at = holds(g.steps[at].half_space) ? g.steps[at].if_true : g.steps[at].if_false;
      if (at == RegionStep::inside) return true;
      continue;
    }
    bool is_in = true;
    for (std::int32_t k = 0; k < cell.surfaces && is_in; ++k)
      is_in = holds(g.cell_surfaces[cell.first_surface + k].half_space);
    if (is_in) return true;
  }
  return false;
}

/// Calls note(other) for each cell of the level's universe, with an index above level.cell, that
/// also contains x.
template <class Note>
void for_each_overlap(const GeometryView& g, const Level& level, const Vector3& x,
                      const Note& note) {
  const Candidates candidates = candidates_at(g, g.universes[level.universe], x);
  for (std::int32_t i = 0; i < candidates.count; ++i) {
    const std::int32_t other = candidates.cells[i];
    if (other > level.cell && contains(g, g.cells[other], x, level.direction, -1)) note(other);
  }
}

// An arbitrary unit vector, which decides the side of points on surfaces.
constexpr Vector3 any_direction{0.6, 0.64, 0.48};

/// Examines points and adds to the counts of one worker.
class PointSampler {
 public:
  PointSampler(const GeometryView& g, PhiloxKey key) : g_(g), key_(key) {}

  /// A point that is uniform in a box.
  Vector3 draw(Index point, const SampleBox& box) const {
    const auto entity = static_cast<std::uint64_t>(point);
    const auto u = uniforms<double>(philox_block(key_, entity, 0, 0));
    const auto v = uniforms<double>(philox_block(key_, entity, 0, 1));
    const auto coordinate = [&box](std::size_t a, double t) {
      return box.lower[a] + t * (box.upper[a] - box.lower[a]);
    };
    return {coordinate(0, u[0]), coordinate(1, u[1]), coordinate(2, v[0])};
  }

  void examine(Index point, const Vector3& x, PointCounts& counts) const {
    ++counts.points;
    Coordinates c;
    begin_flight(c, x, any_direction);
    GeometryFault fault;
    fault.count = 1;
    fault.first = point;
    fault.position = x;
    const bool is_defined = locate(g_, c);
    if (!is_defined) note_undefined(c, fault, counts);
    bool overlaps = false;
    for (int k = 0; k < c.depth; ++k) {
      if (c.level[k].cell < 0) continue;
      fault.parent = k > 0 ? c.level[k - 1].cell : -1;
      overlaps = note_overlaps(c, c.level[k], fault, counts) || overlaps;
      ++counts.in_cell[static_cast<std::size_t>(c.level[k].cell)];
    }
    counts.overlapping += overlaps ? 1 : 0;
    if (!is_defined) return;
    const std::int32_t material = g_.cells[c.level[c.depth - 1].cell].fill;
    ++(material < 0 ? counts.in_material.back()
                    : counts.in_material[static_cast<std::size_t>(material)]);
  }

 private:
  void note_undefined(const Coordinates& c, GeometryFault fault, PointCounts& counts) const {
    const Level& level = c.level[c.depth - 1];
    if (c.depth == 1 && is_beyond_boundary(g_, level.origin, level.direction)) {
      ++counts.outside;
      return;
    }
    ++counts.undefined;
    fault.universe = level.universe;
    fault.parent = c.depth > 1 ? c.level[c.depth - 2].cell : -1;
    fault.local_position = position_at(c, level);
    add_fault(counts.faults, fault);
  }

  bool note_overlaps(const Coordinates& c, const Level& level, GeometryFault fault,
                     PointCounts& counts) const {
    fault.local_position = position_at(c, level);
    fault.universe = level.universe;
    fault.cells[0] = level.cell;
    bool found = false;
    for_each_overlap(g_, level, fault.local_position, [&](std::int32_t other) {
      fault.cells[1] = other;
      add_fault(counts.faults, fault);
      found = true;
    });
    return found;
  }

  const GeometryView& g_;
  PhiloxKey key_;
};

/// Counts of 0 for every cell and material.
PointCounts no_counts(const Geometry& g) {
  PointCounts counts;
  counts.in_cell.resize(g.cells.size());
  counts.in_material.resize(g.material_names.size() + 1);
  return counts;
}

}  // namespace

SampleBox intersection(SampleBox a, const SampleBox& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    a.lower[i] = std::max(a.lower[i], b.lower[i]);
    a.upper[i] = std::min(a.upper[i], b.upper[i]);
  }
  return a;
}

double SampleBox::volume() const {
  return (upper[0] - lower[0]) * (upper[1] - lower[1]) * (upper[2] - lower[2]);
}

void PointCounts::add(const PointCounts& other) {
  points += other.points;
  outside += other.outside;
  overlapping += other.overlapping;
  undefined += other.undefined;
  for (std::size_t i = 0; i < in_cell.size(); ++i) in_cell[i] += other.in_cell[i];
  for (std::size_t i = 0; i < in_material.size(); ++i) in_material[i] += other.in_material[i];
  for (const GeometryFault& fault : other.faults) add_fault(faults, fault);
}

namespace {

/// Examines the points `range`; place(i) returns the position of point i.
template <class Place>
PointCounts examine_all(const Geometry& geometry, ThreadPool& pool, IndexRange range,
                        StreamId stream, const Place& place) {
  check_addresses("points of the geometry", range.last, 1, 8);
  const GeometryView g = geometry.view();
  const PointSampler sampler(g, stream_key(stream));
  std::vector<PointCounts> by_worker(static_cast<std::size_t>(pool.threads()), no_counts(geometry));
  constexpr Index grain = 1024;  // number of points that a thread takes at a time
  pool.for_each((range.size() + grain - 1) / grain, [&](Index chunk, int worker) {
    const Index first = range.first + chunk * grain, last = std::min(range.last, first + grain);
    for (Index i = first; i < last; ++i)
      sampler.examine(i, place(sampler, i), by_worker[static_cast<std::size_t>(worker)]);
  });
  PointCounts total = no_counts(geometry);
  for (const PointCounts& counts : by_worker) total.add(counts);
  return total;
}

}  // namespace

PointCounts sample_points(const Geometry& geometry, ThreadPool& pool, const SampleBox& box,
                          IndexRange range, StreamId stream) {
  return examine_all(geometry, pool, range, stream,
                     [&](const PointSampler& sampler, Index i) { return sampler.draw(i, box); });
}

PointCounts sample_cells(const Geometry& geometry, ThreadPool& pool,
                         const std::vector<CellInstance>& instances, Index each, Index first,
                         StreamId stream) {
  const Index count = static_cast<Index>(instances.size()) * each;
  return examine_all(
      geometry, pool, {first, first + count}, stream, [&](const PointSampler& sampler, Index i) {
        const CellInstance& at = instances[static_cast<std::size_t>((i - first) / each)];
        const Vector3 x = product(at.rotation.data(), sampler.draw(i, at.box));
        return x + at.translation;
      });
}

PointState state_at(const GeometryView& g, const Vector3& x) {
  Coordinates c;
  begin_flight(c, x, any_direction);
  PointState state;
  const bool is_defined = locate(g, c);
  for (int k = 0; k < c.depth; ++k) {
    const Level& level = c.level[k];
    if (level.cell < 0) continue;
    state.cell = level.cell;
    for_each_overlap(g, level, position_at(c, level), [&](std::int32_t other) {
      if (state.kind == PointState::Kind::overlapping) return;
      state.kind = PointState::Kind::overlapping;
      state.overlapping[0] = level.cell;
      state.overlapping[1] = other;
    });
  }
  if (is_defined) {
    state.material = g.cells[state.cell].fill;
    if (state.kind != PointState::Kind::overlapping) state.kind = PointState::Kind::defined;
  } else if (c.depth == 1 && is_beyond_boundary(g, x, any_direction)) {
    state.kind = PointState::Kind::outside;
  }
  return state;
}

bool is_unbounded(const GeometryView& g, const Vector3& x, const Vector3& d) {
  Coordinates c;
  begin_flight(c, x, d);
  return locate(g, c) && next_boundary(g, c).side == Boundary::none;
}

namespace {

/// The distance along d from x within which no surface of the universe's cells is crossed.
double distance_to_next_surface(const GeometryView& g, const Universe& universe, const Vector3& x,
                                const Vector3& d) {
  double nearest = no_distance;
  for (std::int32_t i = 0; i < universe.cells; ++i) {
    const Cell& cell = g.cells[g.universe_cells[universe.first_cell + i]];
    for (std::int32_t k = 0; k < cell.surfaces; ++k) {
      const std::int32_t surface = g.cell_surfaces[cell.first_surface + k].half_space >> 1;
      const std::int32_t side = 2 * surface + (is_positive_ahead(g, surface, x, d) ? 1 : 0);
      nearest = std::min(nearest, exit_distance(g, side, x, d));
    }
  }
  return nearest;
}

}  // namespace

std::int32_t cell_of_fault(const Geometry& geometry, const GeometryFault& fault) {
  if (fault.cells[1] >= 0) return fault.cells[1];
  if (fault.universe < 0) return fault.parent;
  const GeometryView g = geometry.view();
  const Universe& universe = g.universes[fault.universe];
  constexpr int max_surfaces = 20;  // crossed by a line
  double nearest = no_distance;
  std::int32_t found = -1;
  for (int i = 0; i < 27; ++i) {
    if (i == 13) continue;  // the direction (0, 0, 0)
    const int step[] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
    const Vector3 d = unit(
        {static_cast<double>(step[0]), static_cast<double>(step[1]), static_cast<double>(step[2])});
    double path = 0;
    for (int n = 0; n < max_surfaces && path < nearest; ++n) {
      const Vector3 x = along(fault.local_position, path, d);
      const std::int32_t cell = first_containing(g, candidates_at(g, universe, x), x, d, -1);
      if (cell >= 0) {
        nearest = path;
        found = cell;
        break;
      }
      path += distance_to_next_surface(g, universe, x, d);
    }
  }
  return found >= 0 ? found : fault.parent;
}

VolumeEstimate volume_of(Index hits, Index points, const SampleBox& box) {
  if (points <= 0) return {};
  const double n = static_cast<double>(points), fraction = static_cast<double>(hits) / n;
  return {fraction * box.volume(), box.volume() * std::sqrt(fraction * (1 - fraction) / n)};
}

std::string describe_fault(const Geometry& geometry, const GeometryFault& fault) {
  const auto cell = [&](std::int32_t i) {
    return excerpt(geometry.cell_names[static_cast<std::size_t>(i)]);
  };
  const std::string where =
      fmt::format("({:.6g}, {:.6g}, {:.6g})", fault.position.x, fault.position.y, fault.position.z);
  const std::string around =
      fault.parent < 0 ? "" : fmt::format(", within cell `{}`", cell(fault.parent));
  const std::string universe =
      fault.universe < 0
          ? std::string("the outside of the lattice")
          : fmt::format("universe `{}`",
                        excerpt(geometry.universe_names[static_cast<std::size_t>(fault.universe)]));
  if (fault.cells[0] < 0) return fmt::format("{} is undefined at {}{}", universe, where, around);
  return fmt::format("cells `{}` and `{}` of {} overlap at {}{}", cell(fault.cells[0]),
                     cell(fault.cells[1]), universe, where, around);
}

}  // namespace gsim::transport
