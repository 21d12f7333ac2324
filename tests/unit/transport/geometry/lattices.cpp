// Lattices: elements are compared with independent index arithmetic, and the cells along tracked
// rays with cells that are found by position.

#include <cmath>
#include <map>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;
using namespace gsim::transport::compiled_kernels;
using namespace gsim::transport_kernels;

namespace {

/// Universes u0, u1, …, each with a cylindrical cell in<number> and a cell out<number> around it.
std::string universes(int count) {
  std::string text = "[[surface]]\nname = \"pin\"\nkind = \"z_cylinder\"\nradius = 0.4\n";
  for (int u = 0; u < count; ++u)
    text += fmt::format(
        "[[cell]]\nname = \"in{0}\"\nuniverse = \"u{0}\"\nregion = \"-pin\"\nfill = \"void\"\n"
        "[[cell]]\nname = \"out{0}\"\nuniverse = \"u{0}\"\nregion = \"+pin\"\nfill = \"void\"\n",
        u);
  return text;
}

const std::string root_cell =
    "[[surface]]\nname = \"world\"\nkind = \"sphere\"\nradius = 9.0\nboundary = \"vacuum\"\n"
    "[[cell]]\nname = \"root\"\nregion = \"-world\"\nfill = \"grid\"\n";

void check_tracks(const GeometryView& g, std::uint64_t seed) {
  TestRandom random(seed);
  for (int n = 0; n < 1000; ++n) {
    const Vector3 x = random.direction() * random.between(0, 8.9), d = random.direction();
    const RayTrack track = track_ray(g, x, d, 100, random);
    REQUIRE(track.end == CrossingKind::leaked);
    for (const TrackSegment& s : track.segments)
      if (s.to - s.from > 1e-8)
        CHECK(cell_at(g, along(x, 0.5 * (s.from + s.to), d), d).cell == s.cell);
  }
}

}  // namespace

TEST_CASE("geometry lattices: elements of a rectangular lattice agree with index arithmetic") {
  const Geometry geometry = geometry_of(universes(4) + root_cell + R"(
[[lattice]]
name = "grid"
kind = "rectangular"
pitch = [1.25, 0.75, 2.0]
lower_left = [-2.0, -1.0, -2.5]
outer = "u3"
legend = ["a = u0", "b u1", "c = u2"]
[[lattice.layer]]
universes = ["abca", "bbcc", "caba"]
[[lattice.layer]]
universes = ["cccc", "a.bc", "aabb"]
repeat = 2
)");
  const GeometryView g = geometry.view();
  const char* layers[3][3] = {
      {"abca", "bbcc", "caba"}, {"cccc", "a.bc", "aabb"}, {"cccc", "a.bc", "aabb"}};
  TestRandom random(61);
  int inside = 0;
  for (int n = 0; n < 20000; ++n) {
    const Vector3 x = random.point(5.0), d = random.direction();
    const int i = static_cast<int>(std::floor((x.x + 2.0) / 1.25)),
              j = static_cast<int>(std::floor((x.y + 1.0) / 0.75)),
              k = static_cast<int>(std::floor((x.z + 2.5) / 2.0));
    const bool is_inside = i >= 0 && i < 4 && j >= 0 && j < 3 && k >= 0 && k < 3;
    const char letter = is_inside ? layers[k][2 - j][i] : '.';
    const int universe = letter == '.' ? 3 : letter - 'a';
    const double u = x.x + 2.0 - 1.25 * (i + 0.5), v = x.y + 1.0 - 0.75 * (j + 0.5);
    Coordinates c;
    begin_flight(c, x, d);
    REQUIRE(locate(g, c));
    REQUIRE(c.depth == 2);
    CHECK(c.level[1].cell == 2 * universe + (u * u + v * v < 0.16 ? 0 : 1));
    CHECK(c.level[1].element[0] == i);
    CHECK(c.level[1].element[1] == j);
    CHECK(c.level[1].element[2] == k);
    CHECK(cell_at(g, x, d).cell == c.level[1].cell);
    inside += is_inside ? 1 : 0;
  }
  CHECK(inside > 1000);
  check_tracks(g, 62);
}

TEST_CASE("geometry lattices: hexagonal elements are those with the nearest centre") {
  for (const std::string orientation : {"x", "y"}) {
    CAPTURE(orientation);
    const Geometry geometry = geometry_of(universes(4) + root_cell + R"(
[[lattice]]
name = "grid"
kind = "hexagonal"
pitch = [1.1, 2.0]
center = [0.3, -0.2, 0.5]
outer = "u3"
orientation = ")" + orientation + R"("
[[lattice.layer]]
universes = ["u0 u1 u2", "u1 u1 . u0", "u2 u0 u1 u2 u0", "u0 u0 u1 u1", "u2 u2 u2"]
[[lattice.layer]]
universes = ["u1 u0 u0", "u0 u1 u2 u0", "u1 u2 u1 u2 u0", "u0 u2 u1 u1", "u2 u1 u2"]
)");
    const GeometryView g = geometry.view();
    // The universes row by row, in the order of the text.
    const std::vector<std::vector<int>> below{
        {0, 1, 2}, {1, 1, 3, 0}, {2, 0, 1, 2, 0}, {0, 0, 1, 1}, {2, 2, 2}};
    const std::vector<std::vector<int>> above{
        {1, 0, 0}, {0, 1, 2, 0}, {1, 2, 1, 2, 0}, {0, 2, 1, 1}, {2, 1, 2}};
    TestRandom random(71);
    int inside = 0;
    for (int n = 0; n < 10000; ++n) {
      const Vector3 x = random.point(4.0), d = random.direction();
      double nearest = 1e9, second_nearest = 1e9, u = 0, v = 0;
      int universe = 3;
      // The lattice continues outside its table: the elements of a larger hexagon are candidates.
      for (int r = -6; r <= 6; ++r)
        for (int q = -12; q <= 12; ++q) {
          const double column_offset = 1.1 * (q + 0.5 * (((r % 2) + 2) % 2)),
                       row_offset = 1.1 * std::sqrt(0.75) * r;
          const double cx = 0.3 + (orientation == "x" ? column_offset : row_offset);
          const double cy = -0.2 + (orientation == "x" ? row_offset : column_offset);
          const double distance = std::hypot(x.x - cx, x.y - cy);
          if (distance >= second_nearest) continue;
          if (distance >= nearest) {
            second_nearest = distance;
            continue;
          }
          second_nearest = nearest;
          nearest = distance;
          u = x.x - cx;
          v = x.y - cy;
          // The row of the text, counted from above or, for orientation y, from the left, and the
          // position in that row.
          const int row = orientation == "x" ? 2 - r : r + 2;
          universe = 3;
          if (row < 0 || row > 4) continue;
          const auto& names = (x.z < 0.5 ? below : above)[static_cast<std::size_t>(row)];
          const double row_position =
              column_offset / 1.1 + 0.5 * (static_cast<double>(names.size()) - 1);
          const int column = static_cast<int>(std::lround(row_position));
          if (column >= 0 && column < static_cast<int>(names.size()))
            universe = names[static_cast<std::size_t>(column)];
        }
      if (second_nearest - nearest < 1e-9) continue;
      if (x.z < -1.5 || x.z > 2.5) universe = 3;
      inside += universe < 3 ? 1 : 0;
      const CellAt result = cell_at(g, x, d);
      CHECK(result.cell == 2 * universe + (u * u + v * v < 0.16 ? 0 : 1));
      CHECK(result.level == 1);
    }
    CHECK(inside > 1000);
    check_tracks(g, 72);
  }
}

TEST_CASE("geometry lattices: rays along edges and through corners of elements are not lost") {
  const Geometry geometry = geometry_of(universes(2) + R"(
[[box]]
name = "world"
lower = [-1.5, -1.5, -1]
upper = [1.5, 1.5, 1]
boundary = "reflective"
[[cell]]
name = "root"
region = "-world"
fill = "grid"
[[lattice]]
name = "grid"
kind = "rectangular"
pitch = [1.0, 1.0]
center = [0.0, 0.0]
universes = ["u0 u1 u0", "u1 u0 u1", "u0 u1 u0"]
)");
  const GeometryView g = geometry.view();
  const double edges[] = {-1.5, -0.5, 0.5, 1.5};
  TestRandom random(81);
  for (int n = 0; n < 3000; ++n) {
    Vector3 x{edges[random.below(4)], edges[random.below(4)], random.between(-1, 1)};
    if (n % 2 == 0) x.x = random.between(-1.5, 1.5);
    Vector3 d = random.direction();
    if (n % 3 == 0) d.y = 0;
    if (n % 7 == 0) d = {1, 1, 0};
    if (n % 11 == 0) d = {0, n % 2 == 0 ? 1.0 : -1.0, 0};
    if (!(dot(d, d) > 0)) continue;
    CAPTURE(n);
    const RayTrack track = track_ray(g, x, unit(d), 30, random);
    REQUIRE(track.length == 30);
  }
}

TEST_CASE("geometry lattices: space outside a lattice without an outer universe is undefined") {
  const Geometry geometry = geometry_of(universes(1) + root_cell + R"(
[[lattice]]
name = "grid"
kind = "rectangular"
pitch = [1.0, 1.0]
lower_left = [0.0, 0.0]
universes = ["u0 u0"]
)");
  const GeometryView g = geometry.view();
  TestRandom random(91);
  CHECK(cell_at(g, {0.5, 0.5, 0}, {1, 0, 0}).cell == 0);
  const CellAt undefined = cell_at(g, {2.5, 0.5, 0}, {1, 0, 0});
  CHECK(undefined.cell == -1);
  CHECK(undefined.level == 1);
  CHECK(undefined.universe == -1);
  const RayTrack track = track_ray(g, {0.5, 0.5, 0}, {1, 0, 0}, 100, random);
  CHECK(track.end == CrossingKind::lost);
  CHECK(track.length == doctest::Approx(1.5));
}
