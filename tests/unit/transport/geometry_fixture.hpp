#pragma once
// Geometries from text, random rays, and flights through them.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"
#include "kernels/transport/geometry/geometry.hpp"
#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

inline GeometryConfig read_geometry(const std::string& text) {
  GeometryConfig config;
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  file.read([&](Section& top) { describe_geometry(top, config); });
  return config;
}

inline Geometry geometry_of(const std::string& text, const std::vector<std::string>& materials = {
                                                         "fuel", "water", "steel"}) {
  return build_geometry(read_geometry(text), materials);
}

/// Numbers in (0, 1) from one stream.
class TestRandom {
 public:
  explicit TestRandom(std::uint64_t entity) : entity_(entity) {}
  double uniform() {
    const auto words = philox_block(key_, entity_, 0, block_++);
    return unit_double(words.x0, words.x1);
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
      if (r2 < 1 && r2 > 0.01) return transport_kernels::unit(v);
    }
  }

 private:
  PhiloxKey key_ = stream_key({7, Purpose::test});
  std::uint64_t entity_;
  std::uint32_t block_ = 0;
};

/// One stretch of a flight in one cell.
struct Stretch {
  std::int32_t cell;
  double from, to;  ///< distances flown since the flight's first origin
};

struct FlightLog {
  std::vector<Stretch> stretches;
  CrossingKind end = CrossingKind::lost;
  int crossings = 0;
  double length = 0;
};

/// Flies until a particle leaks, is lost, or has flown `longest`.
inline FlightLog fly(const GeometryView& g, const Vector3& x, const Vector3& d, double longest,
                     TestRandom& random, bool keeps = true) {
  using namespace transport_kernels;
  FlightLog log;
  Coordinates c;
  begin_flight(c, x, d);
  if (!locate(g, c)) return log;
  log.end = CrossingKind::next_cell;
  while (log.crossings < 1000000) {
    const Boundary b = next_boundary(g, c);
    const double way = b.path - c.path;
    const std::int32_t cell = c.level[c.depth - 1].cell;
    const bool is_last = log.length + way >= longest;
    const double to = is_last ? longest : log.length + way;
    if (keeps) log.stretches.push_back({cell, log.length, to});
    log.length = to;
    if (is_last) break;
    ++log.crossings;
    log.end = cross(g, c, b, random).kind;
    if (log.end == CrossingKind::lost || log.end == CrossingKind::leaked) break;
  }
  return log;
}

}  // namespace gsim::transport
