#include "tests/unit/transport/geometry_fixture.hpp"

#include "kernels/transport/geometry/geometry.hpp"

namespace gsim::transport {

namespace kernels = transport_kernels;

namespace probe {

bool is_positive_ahead(const GeometryView& g, std::int32_t surface, const Vector3& x,
                       const Vector3& d) {
  return kernels::is_positive_ahead(g, surface, x, d);
}
double exit_distance(const GeometryView& g, std::int32_t half_space, const Vector3& x,
                     const Vector3& d) {
  return kernels::exit_distance(g, half_space, x, d);
}
Vector3 surface_normal(const GeometryView& g, const Surface& s, const Vector3& x) {
  return kernels::surface_normal(g, s, x);
}
CellAt cell_at(const GeometryView& g, const Vector3& x, const Vector3& d) {
  return kernels::cell_at(g, x, d);
}
void begin_flight(Coordinates& c, const Vector3& x, const Vector3& d) {
  kernels::begin_flight(c, x, d);
}
bool locate(const GeometryView& g, Coordinates& c) { return kernels::locate(g, c); }
void turn(const GeometryView& g, Coordinates& c, const Vector3& d) { kernels::turn(g, c, d); }
Boundary next_boundary(const GeometryView& g, Coordinates& c) {
  return kernels::next_boundary(g, c);
}
Crossing cross(const GeometryView& g, Coordinates& c, const Boundary& b, TestRandom& random) {
  return kernels::cross(g, c, b, random);
}
Boundary next_outer_surface(const GeometryView& g, const Coordinates& c) {
  return kernels::next_outer_surface(g, c);
}
Crossing cross_outer_surface(const GeometryView& g, Coordinates& c, const Boundary& b,
                             TestRandom& random) {
  return kernels::cross_outer_surface(g, c, b, random);
}

}  // namespace probe

FlightLog fly(const GeometryView& g, const Vector3& x, const Vector3& d, double longest,
              TestRandom& random) {
  FlightLog log;
  Coordinates c;
  probe::begin_flight(c, x, d);
  if (!probe::locate(g, c)) return log;
  log.end = CrossingKind::next_cell;
  while (log.crossings < 1000000) {
    const Boundary b = probe::next_boundary(g, c);
    const double way = b.path - c.path;
    const bool is_last = log.length + way >= longest;
    const double to = is_last ? longest : log.length + way;
    log.stretches.push_back({c.level[c.depth - 1].cell, log.length, to});
    log.length = to;
    if (is_last) break;
    ++log.crossings;
    log.end = probe::cross(g, c, b, random).kind;
    if (log.end == CrossingKind::lost || log.end == CrossingKind::leaked) break;
  }
  return log;
}

}  // namespace gsim::transport
