#include "src/modules/transport/geometry/volumes/traced_volumes.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/random/uniform.hpp"
#include "kernels/transport/geometry/geometry.hpp"

namespace gsim::transport {
namespace {

using namespace transport_kernels;

constexpr double quanta_per_length = 0x1p30;
constexpr int max_crossings = 1000000;  // of one ray; never reached in a valid geometry

/// A stand-in for the random numbers that only some boundary conditions use; here there are none.
struct NoRandom {
  GSIM_HD double uniform() const { return 0.5; }
};

/// The distance to the nearest surface of a root cell, where a ray outside all cells may enter one.
double distance_to_any_surface(const GeometryView& g, const Vector3& x, const Vector3& d) {
  double nearest = no_distance;
  const Universe& root = g.universes[g.root];
  for (std::int32_t i = 0; i < root.cells; ++i) {
    const Cell& cell = g.cells[g.universe_cells[root.first_cell + i]];
    for (std::int32_t k = 0; k < cell.surfaces; ++k) {
      const std::int32_t positive = g.cell_surfaces[cell.first_surface + k].half_space | 1;
      const std::int32_t side = is_inside(g, positive, x, d, -1) ? positive : positive ^ 1;
      nearest = std::min(nearest, exit_distance(g, side, x, d));
    }
  }
  return nearest;
}

class RayTracer {
 public:
  RayTracer(const GeometryView& g, const SampleBox& box, int axis, PhiloxKey key)
      : g_(g), box_(box), axis_(static_cast<std::size_t>(axis)), key_(key) {
    length_ = box.upper[axis_] - box.lower[axis_];
  }

  /// Adds the chords of a ray in all cells to `sums`, as fractions of its length. `chords` (0 for
  /// each cell) and `crossed` (empty) are working memory, which is left as it was.
  void trace(Index ray, ChordSums& sums, std::vector<double>& chords,
             std::vector<std::int32_t>& crossed) const {
    const auto u = uniforms<double>(philox_block(key_, static_cast<std::uint64_t>(ray), 0, 0));
    double start[3] = {}, direction[3] = {};
    for (std::size_t a = 0, next = 0; a < 3; ++a)
      start[a] = a == axis_ ? box_.lower[a]
                            : box_.lower[a] +
                                  u[static_cast<int>(next++)] * (box_.upper[a] - box_.lower[a]);
    direction[axis_] = 1;
    ++sums.rays;
    follow({start[0], start[1], start[2]}, {direction[0], direction[1], direction[2]}, sums, chords,
           crossed);
    for (const std::int32_t cell : crossed) {
      const auto i = static_cast<std::size_t>(cell);
      const double fraction = std::min(chords[i] / length_, 1.0);
      sums.chord[i] += static_cast<Index>(std::nearbyint(fraction * quanta_per_length));
      sums.chord_squared[i] +=
          static_cast<Index>(std::nearbyint(fraction * fraction * quanta_per_length));
      chords[i] = 0;
    }
    crossed.clear();
  }

 private:
  /// Adds the lengths of a ray to `chords` by cell, and the cells that it crosses to `crossed`.
  void follow(const Vector3& x, const Vector3& d, ChordSums& sums, std::vector<double>& chords,
              std::vector<std::int32_t>& crossed) const {
    Coordinates c;
    begin_flight(c, x, d);
    bool is_in = locate(g_, c);
    NoRandom random;
    for (int n = 0; n < max_crossings && c.path < length_; ++n) {
      if (!is_in) {  // continue at the next surface, where a cell may begin
        c.path += distance_to_any_surface(g_, position_of(c), d) + 8 * g_.tolerance;
        is_in = c.path < length_ && locate(g_, c);
        continue;
      }
      const double from = c.path;
      const Boundary b = next_boundary(g_, c);
      const std::int32_t cell = c.level[c.depth - 1].cell;
      double& chord = chords[static_cast<std::size_t>(cell)];
      if (chord == 0) crossed.push_back(cell);
      chord += std::min(b.path, length_) - from;
      if (b.path >= length_) return;
      is_in = cross(g_, c, b, random).kind != CrossingKind::lost;
      if (!is_in && !is_undefined_in_root(c)) ++sums.lost;
    }
  }
  /// Whether no cell of the root universe contains the position. It is then outside the geometry,
  /// or in an undefined region, which the check at random points reports (sampled_points.hpp).
  bool is_undefined_in_root(const Coordinates& c) const { return c.depth <= 1; }

  const GeometryView& g_;
  const SampleBox& box_;
  std::size_t axis_;
  PhiloxKey key_;
  double length_;
};

}  // namespace

void ChordSums::add(const ChordSums& other) {
  rays += other.rays;
  lost += other.lost;
  for (std::size_t i = 0; i < chord.size(); ++i) {
    chord[i] += other.chord[i];
    chord_squared[i] += other.chord_squared[i];
  }
}

ChordSums trace_rays(const Geometry& geometry, ThreadPool& pool, const SampleBox& box, int axis,
                     IndexRange range, StreamId stream) {
  GSIM_VALIDATE(range.last <= max_rays, "too many rays for one set of sums", "use fewer");
  Geometry open = geometry;
  for (Surface& s : open.surfaces) s.boundary = SurfaceBoundary::transmission;
  const GeometryView g = open.view();
  const RayTracer tracer(g, box, axis, stream_key(stream));
  ChordSums total;
  total.chord.resize(g.cells.size);
  total.chord_squared.resize(g.cells.size);
  std::vector<ChordSums> by_worker(static_cast<std::size_t>(pool.threads()), total);
  constexpr Index grain = 64;
  pool.for_each((range.size() + grain - 1) / grain, [&](Index chunk, int worker) {
    const Index first = range.first + chunk * grain, last = std::min(range.last, first + grain);
    std::vector<double> chords(open.cells.size());
    std::vector<std::int32_t> crossed;
    for (Index i = first; i < last; ++i)
      tracer.trace(i, by_worker[static_cast<std::size_t>(worker)], chords, crossed);
  });
  for (const ChordSums& sums : by_worker) total.add(sums);
  return total;
}

std::vector<VolumeEstimate> volumes_of(const ChordSums& sums, const SampleBox& box) {
  std::vector<VolumeEstimate> volumes(sums.chord.size());
  if (sums.rays < 2) return volumes;
  const double n = static_cast<double>(sums.rays);
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const double mean = static_cast<double>(sums.chord[i]) / quanta_per_length / n;
    const double square = static_cast<double>(sums.chord_squared[i]) / quanta_per_length / n;
    const double variance = std::max(square - mean * mean, 0.0) / (n - 1);
    volumes[i] = {box.volume() * mean, box.volume() * std::sqrt(variance)};
  }
  return volumes;
}

}  // namespace gsim::transport
