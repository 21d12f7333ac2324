#include "tests/unit/transport/geometry/geometry_fixture.hpp"

#include <fmt/format.h>

#include "kernels/transport/geometry/geometry.hpp"

namespace gsim::transport {

namespace kernels = transport_kernels;

namespace compiled_kernels {

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

}  // namespace compiled_kernels

RayTrack track_ray(const GeometryView& g, const Vector3& x, const Vector3& d, double max_distance,
                   TestRandom& random) {
  RayTrack track;
  Coordinates c;
  compiled_kernels::begin_flight(c, x, d);
  if (!compiled_kernels::locate(g, c)) return track;
  track.end = CrossingKind::next_cell;
  while (track.crossings < 1000000) {
    const Boundary b = compiled_kernels::next_boundary(g, c);
    const double distance = b.path - c.path;
    const bool is_last = track.length + distance >= max_distance;
    const double end = is_last ? max_distance : track.length + distance;
    track.segments.push_back({c.level[c.depth - 1].cell, track.length, end});
    track.length = end;
    if (is_last) break;
    ++track.crossings;
    track.end = compiled_kernels::cross(g, c, b, random).kind;
    if (track.end == CrossingKind::lost || track.end == CrossingKind::leaked) break;
  }
  return track;
}

namespace {

/// A random surface near the origin, in TOML.
std::string random_surface(TestRandom& random, const std::string& name) {
  const auto random_number = [&random](double lower, double upper) {
    return fmt::format("{:.17g}", random.between(lower, upper));
  };
  const auto vector = [&random_number](double size) {
    return fmt::format("[{}, {}, {}]", random_number(-size, size), random_number(-size, size),
                       random_number(-size, size));
  };
  const std::string name_line = fmt::format("[[surface]]\nname = \"{}\"\n", name);
  switch (random.below(12)) {
    case 0:
      return name_line + "kind = \"x_plane\"\nx = " + random_number(-1, 1) + "\n";
    case 1:
      return name_line + "kind = \"plane\"\nnormal = " + vector(1) +
             "\noffset = " + random_number(-0.5, 0.5) + "\n";
    case 2:
      return name_line + "kind = \"sphere\"\ncenter = " + vector(1) +
             "\nradius = " + random_number(0.3, 1.5) + "\n";
    case 3:
      return name_line + "kind = \"z_cylinder\"\ncenter = [" + random_number(-1, 1) + ", " +
             random_number(-1, 1) + "]\nradius = " + random_number(0.3, 1.5) + "\n";
    case 4:
      return name_line + "kind = \"x_cylinder\"\ncenter = [" + random_number(-1, 1) + ", " +
             random_number(-1, 1) + "]\nradius = " + random_number(0.3, 1.5) + "\n";
    case 5:
      return name_line + "kind = \"cylinder\"\ncenter = " + vector(1) + "\naxis = " + vector(1) +
             "\nradius = " + random_number(0.3, 1.2) + "\n";
    case 6:
      return name_line + "kind = \"y_cone\"\napex = " + vector(1) +
             "\nhalf_angle = " + random_number(10, 80) + "\n";
    case 7:
      return name_line + "kind = \"z_torus\"\ncenter = " + vector(0.5) +
             "\nmajor_radius = " + random_number(0.8, 1.5) +
             "\nminor_radius = " + random_number(0.2, 0.7) + "\n";
    case 8:
      return name_line +
             fmt::format(
                 "kind = \"quadric\"\ncoefficients = [{}, {}, {}, {}, {}, {}, {}, {}, {}, "
                 "{}]\n",
                 random_number(-1, 1), random_number(-1, 1), random_number(-1, 1),
                 random_number(-1, 1), random_number(-1, 1), random_number(-1, 1),
                 random_number(-1, 1), random_number(-1, 1), random_number(-1, 1),
                 random_number(-1, 1));
    case 9:
      return name_line + "kind = \"ellipsoid\"\ncenter = " + vector(0.5) + "\nradii = [" +
             random_number(0.3, 1.5) + ", " + random_number(0.3, 1.5) + ", " +
             random_number(0.3, 1.5) + "]\n";
    case 10:
      return name_line +
             fmt::format(
                 "kind = \"polynomial\"\ncenter = {}\nterms = [[4, 0, 0, {}], [0, 4, 0, "
                 "{}], [0, 2, 2, {}], [1, 0, 2, {}], [2, 0, 0, {}], [0, 0, 1, {}], [0, 0, 0, "
                 "{}]]\n",
                 vector(0.5), random_number(-1, 1), random_number(-1, 1), random_number(-1, 1),
                 random_number(-1, 1), random_number(-1, 1), random_number(-1, 1),
                 random_number(-0.3, 0.3));
    default:
      return name_line + "kind = \"x_torus\"\ncenter = " + vector(0.5) +
             "\nmajor_radius = " + random_number(0.8, 1.5) + "\nminor_radii = [" +
             random_number(0.2, 0.7) + ", " + random_number(0.2, 0.7) + "]\n";
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
  std::string excluded;
  for (int c = 0; c <= cells; ++c) {
    const std::string own_region = c < cells ? random_region(random, surfaces, 3) : "";
    text += fmt::format("[[cell]]\nname = \"c{}\"\nfill = \"{}\"\nregion = \"-world {} {}\"\n", c,
                        fills[static_cast<std::size_t>(c) % fills.size()],
                        own_region.empty() ? "" : "(" + own_region + ")", excluded);
    excluded += " ~(" + own_region + ")";
  }
  return text;
}

}  // namespace gsim::transport
