#include "src/modules/transport/geometry/sampled_points.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "gsim/core/log.hpp"
#include "gsim/random/uniform.hpp"
#include "kernels/transport/geometry/geometry.hpp"

namespace gsim::transport {
namespace {

using namespace transport_kernels;

auto key_of(const GeometryFault& f) {
  return std::tuple(f.universe, f.cells[0], f.cells[1], f.parent);
}

/// Adds a fault, or to the one of its kind; the list stays in order.
void note(std::vector<GeometryFault>& faults, const GeometryFault& fault) {
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
  }
}

/// Whether a root cell would hold x if boundary conditions bounded nothing.
bool is_beyond_boundary(const GeometryView& g, const Vector3& x, const Vector3& d) {
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

/// Examines points into the counts of one worker.
class PointSampler {
 public:
  PointSampler(const GeometryView& g, const SampleBox& box, PhiloxKey key)
      : g_(g), box_(box), key_(key) {}

  void sample(Index point, PointCounts& counts) const {
    const auto entity = static_cast<std::uint64_t>(point);
    const auto u = uniforms<double>(philox_block(key_, entity, 0, 0));
    const auto v = uniforms<double>(philox_block(key_, entity, 0, 1));
    const auto place = [this](std::size_t a, double t) {
      return box_.lower[a] + t * (box_.upper[a] - box_.lower[a]);
    };
    const Vector3 x{place(0, u[0]), place(1, u[1]), place(2, v[0])};
    ++counts.points;
    Coordinates c;
    begin_flight(c, x, {0.6, 0.64, 0.48});  // any direction, for points on surfaces
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
    note(counts.faults, fault);
  }

  bool note_overlaps(const Coordinates& c, const Level& level, GeometryFault fault,
                     PointCounts& counts) const {
    const Universe& universe = g_.universes[level.universe];
    const Vector3 x = position_at(c, level);
    bool found = false;
    for (std::int32_t i = 0; i < universe.cells; ++i) {
      const std::int32_t other = g_.universe_cells[universe.first_cell + i];
      if (other <= level.cell || !contains(g_, g_.cells[other], x, level.direction, -1)) continue;
      fault.universe = level.universe;
      fault.cells[0] = level.cell;
      fault.cells[1] = other;
      note(counts.faults, fault);
      found = true;
    }
    return found;
  }

  const GeometryView& g_;
  const SampleBox& box_;
  PhiloxKey key_;
};

PointCounts no_counts(const Geometry& g) {
  PointCounts counts;
  counts.in_cell.resize(g.cells.size());
  counts.in_material.resize(g.material_names.size() + 1);
  return counts;
}

}  // namespace

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
  for (const GeometryFault& fault : other.faults) note(faults, fault);
}

PointCounts sample_points(const Geometry& geometry, ThreadPool& pool, const SampleBox& box,
                          IndexRange range, StreamId stream) {
  check_addresses("points of the geometry", range.last, 1, 8);
  const GeometryView g = geometry.view();
  const PointSampler sampler(g, box, stream_key(stream));
  std::vector<PointCounts> by_worker(static_cast<std::size_t>(pool.threads()), no_counts(geometry));
  constexpr Index grain = 1024;
  pool.for_each((range.size() + grain - 1) / grain, [&](Index chunk, int worker) {
    const Index first = range.first + chunk * grain, last = std::min(range.last, first + grain);
    for (Index i = first; i < last; ++i)
      sampler.sample(i, by_worker[static_cast<std::size_t>(worker)]);
  });
  PointCounts total = no_counts(geometry);
  for (const PointCounts& counts : by_worker) total.add(counts);
  return total;
}

VolumeEstimate volume_of(Index hits, Index points, const SampleBox& box) {
  if (points <= 0) return {};
  const double n = static_cast<double>(points), part = static_cast<double>(hits) / n;
  return {part * box.volume(), box.volume() * std::sqrt(part * (1 - part) / n)};
}

std::string describe_fault(const Geometry& geometry, const GeometryFault& fault) {
  const auto cell = [&](std::int32_t i) {
    return shown(geometry.cell_names[static_cast<std::size_t>(i)]);
  };
  const std::string where =
      fmt::format("({:.6g}, {:.6g}, {:.6g})", fault.position.x, fault.position.y, fault.position.z);
  const std::string around =
      fault.parent < 0 ? "" : fmt::format(", within cell `{}`", cell(fault.parent));
  const std::string universe =
      fault.universe < 0
          ? std::string("the outside of the lattice")
          : fmt::format("universe `{}`",
                        shown(geometry.universe_names[static_cast<std::size_t>(fault.universe)]));
  if (fault.cells[0] < 0) return fmt::format("{} is undefined at {}{}", universe, where, around);
  return fmt::format("cells `{}` and `{}` of {} overlap at {}{}", cell(fault.cells[0]),
                     cell(fault.cells[1]), universe, where, around);
}

}  // namespace gsim::transport
