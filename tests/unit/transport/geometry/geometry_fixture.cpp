#include "tests/unit/transport/geometry/geometry_fixture.hpp"

#include <fmt/format.h>

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
CellAt cell_inside_outer_boundary(const GeometryView& g, const Vector3& x, const Vector3& d) {
  return kernels::cell_at<kernels::SearchRegion::inside_outer_boundary>(g, x, d);
}
bool is_inside_outer_boundary(const GeometryView& g, const Vector3& x, const Vector3& d) {
  return kernels::is_inside_outer_boundary(g, x, d);
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

namespace {

/// A random surface near the origin, in TOML.
std::string random_surface(TestRandom& random, const std::string& name) {
  const auto u = [&random](double lower, double upper) {
    return fmt::format("{:.17g}", random.between(lower, upper));
  };
  const auto vector = [&u](double size) {
    return fmt::format("[{}, {}, {}]", u(-size, size), u(-size, size), u(-size, size));
  };
  const std::string head = fmt::format("[[surface]]\nname = \"{}\"\n", name);
  switch (random.below(12)) {
    case 0:
      return head + "kind = \"x_plane\"\nx = " + u(-1, 1) + "\n";
    case 1:
      return head + "kind = \"plane\"\nnormal = " + vector(1) + "\noffset = " + u(-0.5, 0.5) + "\n";
    case 2:
      return head + "kind = \"sphere\"\ncenter = " + vector(1) + "\nradius = " + u(0.3, 1.5) + "\n";
    case 3:
      return head + "kind = \"z_cylinder\"\ncenter = [" + u(-1, 1) + ", " + u(-1, 1) +
             "]\nradius = " + u(0.3, 1.5) + "\n";
    case 4:
      return head + "kind = \"x_cylinder\"\ncenter = [" + u(-1, 1) + ", " + u(-1, 1) +
             "]\nradius = " + u(0.3, 1.5) + "\n";
    case 5:
      return head + "kind = \"cylinder\"\ncenter = " + vector(1) + "\naxis = " + vector(1) +
             "\nradius = " + u(0.3, 1.2) + "\n";
    case 6:
      return head + "kind = \"y_cone\"\napex = " + vector(1) + "\nhalf_angle = " + u(10, 80) + "\n";
    case 7:
      return head + "kind = \"z_torus\"\ncenter = " + vector(0.5) +
             "\nmajor_radius = " + u(0.8, 1.5) + "\nminor_radius = " + u(0.2, 0.7) + "\n";
    case 8:
      return head + fmt::format(
                        "kind = \"quadric\"\ncoefficients = [{}, {}, {}, {}, {}, {}, {}, {}, {}, "
                        "{}]\n",
                        u(-1, 1), u(-1, 1), u(-1, 1), u(-1, 1), u(-1, 1), u(-1, 1), u(-1, 1),
                        u(-1, 1), u(-1, 1), u(-1, 1));
    case 9:
      return head + "kind = \"ellipsoid\"\ncenter = " + vector(0.5) + "\nradii = [" + u(0.3, 1.5) +
             ", " + u(0.3, 1.5) + ", " + u(0.3, 1.5) + "]\n";
    case 10:
      return head +
             fmt::format(
                 "kind = \"polynomial\"\ncenter = {}\nterms = [[4, 0, 0, {}], [0, 4, 0, "
                 "{}], [0, 2, 2, {}], [1, 0, 2, {}], [2, 0, 0, {}], [0, 0, 1, {}], [0, 0, 0, "
                 "{}]]\n",
                 vector(0.5), u(-1, 1), u(-1, 1), u(-1, 1), u(-1, 1), u(-1, 1), u(-1, 1),
                 u(-0.3, 0.3));
    default:
      return head + "kind = \"x_torus\"\ncenter = " + vector(0.5) +
             "\nmajor_radius = " + u(0.8, 1.5) + "\nminor_radii = [" + u(0.2, 0.7) + ", " +
             u(0.2, 0.7) + "]\n";
  }
}

std::string random_region(TestRandom& random, int surfaces, int depth) {
  if (depth == 0 || random.uniform() < 0.25)
    return fmt::format("{}s{}", random.uniform() < 0.5 ? "-" : "+", random.below(surfaces));
  const std::string a = random_region(random, surfaces, depth - 1);
  if (random.below(4) == 0) return "~(" + a + ")";
  const std::string b = random_region(random, surfaces, depth - 1);
  return random.below(2) == 0 ? fmt::format("({} {})", a, b) : fmt::format("({} | {})", a, b);
}

}  // namespace

std::string random_geometry(std::uint64_t seed, const std::vector<std::string>& fills) {
  TestRandom random(seed);
  std::string text =
      "[[box]]\nname = \"world\"\nlower = [-2.0, -2.0, -2.0]\nupper = [2.0, 2.0, 2.0]\nboundary = "
      "\"vacuum\"\n";
  const int surfaces = 3 + random.below(4), cells = 2 + random.below(3);
  for (int s = 0; s < surfaces; ++s) text += random_surface(random, fmt::format("s{}", s));
  std::string before;
  for (int c = 0; c <= cells; ++c) {
    const std::string own = c < cells ? random_region(random, surfaces, 3) : "";
    text += fmt::format("[[cell]]\nname = \"c{}\"\nfill = \"{}\"\nregion = \"-world {} {}\"\n", c,
                        fills[static_cast<std::size_t>(c) % fills.size()],
                        own.empty() ? "" : "(" + own + ")", before);
    before += " ~(" + own + ")";
  }
  return text;
}

}  // namespace gsim::transport
