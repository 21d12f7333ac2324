#pragma once
// Geometries from TOML text, random rays, and tracking of rays through geometries.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"
#include "kernels/transport/geometry/coordinates.hpp"
#include "src/modules/transport/extensions.hpp"
#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

inline GeometryConfig read_geometry(const std::string& text) {
  GeometryConfig config;
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  file.read([&](Section& top) { describe_geometry(top, config, Extensions::builtin().surfaces); });
  validate_geometry(config);
  return config;
}

inline Geometry geometry_of(const std::string& text, const std::vector<std::string>& materials = {
                                                         "fuel", "water", "steel"}) {
  return build_geometry(read_geometry(text), materials);
}

/// Uniformly distributed numbers in (0, 1), and quantities derived from them.
class TestRandom {
 public:
  explicit TestRandom(std::uint64_t entity) : entity_(entity) {}
  double uniform() {
    const auto bits = philox_block(key_, entity_, 0, block_++);
    return unit_double(bits.x0, bits.x1);
  }
  double between(double lower, double upper) { return lower + (upper - lower) * uniform(); }
  int below(int n) { return static_cast<int>(uniform() * n); }
  Vector3 point(double size) {
    const double x = between(-size, size), y = between(-size, size);
    return {x, y, between(-size, size)};
  }
  Vector3 direction() {
    for (;;) {
      const Vector3 v = point(1);
      const double r2 = v.x * v.x + v.y * v.y + v.z * v.z;
      if (r2 < 1 && r2 > 0.01) return unit(v);
    }
  }

 private:
  PhiloxKey key_ = stream_key({7, Purpose::test});
  std::uint64_t entity_;
  std::uint32_t block_ = 0;
};

/// The part of a ray in one cell.
struct TrackSegment {
  std::int32_t cell;
  double from, to;  ///< distances from the start of the ray
};

/// The segments of a ray, and what ended it.
struct RayTrack {
  std::vector<TrackSegment> segments;
  CrossingKind end = CrossingKind::lost;
  int crossings = 0;
  double length = 0;
};

/// The geometry functions of the kernels, compiled once, since they are inlined wherever they are
/// called. Half-spaces are numbered 2 * surface, + 1 on the positive side.
namespace compiled_kernels {

bool is_positive_ahead(const GeometryView& g, std::int32_t surface, const Vector3& x,
                       const Vector3& d);
double exit_distance(const GeometryView& g, std::int32_t half_space, const Vector3& x,
                     const Vector3& d);
Vector3 surface_normal(const GeometryView& g, const Surface& s, const Vector3& x);
CellAt cell_at(const GeometryView& g, const Vector3& x, const Vector3& d);
CellAt cell_inside_outer_boundary(const GeometryView& g, const Vector3& x, const Vector3& d);
bool is_inside_outer_boundary(const GeometryView& g, const Vector3& x, const Vector3& d);
void begin_flight(Coordinates& c, const Vector3& x, const Vector3& d);
bool locate(const GeometryView& g, Coordinates& c);
void turn(const GeometryView& g, Coordinates& c, const Vector3& d);
Boundary next_boundary(const GeometryView& g, Coordinates& c);
Crossing cross(const GeometryView& g, Coordinates& c, const Boundary& b, TestRandom& random);
Boundary next_outer_surface(const GeometryView& g, const Coordinates& c);
Crossing cross_outer_surface(const GeometryView& g, Coordinates& c, const Boundary& b,
                             TestRandom& random);

}  // namespace compiled_kernels

inline constexpr double no_distance = __builtin_huge_val();

/// Follows a ray until it leaks, is lost, or reaches the distance `max_distance`.
RayTrack track_ray(const GeometryView& g, const Vector3& x, const Vector3& d, double max_distance,
                   TestRandom& random);

/// Returns a geometry in TOML: cells c0, c1, … with random regions of random surfaces partition the
/// cube from -2 to 2, which has a vacuum boundary. For some seeds a cell is empty, which is a
/// configuration error. The cells are filled with `fills` in turn.
std::string random_geometry(std::uint64_t seed, const std::vector<std::string>& fills = {"void"});

}  // namespace gsim::transport
