// Rays that are tracked by next_boundary() and cross() are compared with cells that are found by
// position along the ray.

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;
using namespace gsim::transport::compiled_kernels;
using namespace gsim::transport_kernels;

namespace {

/// Compares the cell of each segment of a ray with the cells found at two random positions in it;
/// returns the number of comparisons.
int compare_with_lookup(const GeometryView& g, const Vector3& x, const Vector3& d,
                        const RayTrack& track, TestRandom& random) {
  int compared = 0;
  const auto compare = [&](double from, double to, std::int32_t cell) {
    if (to - from < 1e-8) return;
    const double t = random.between(from + 1e-9, to - 1e-9);
    CAPTURE(from);
    CAPTURE(to);
    CHECK(cell_at(g, along(x, t, d), d).cell == cell);
    ++compared;
  };
  for (const TrackSegment& s : track.segments) {
    compare(s.from, s.to, s.cell);
    compare(s.from, s.to, s.cell);
  }
  return compared;
}

}  // namespace

TEST_CASE("geometry tracking: rays through random geometries agree with cells found by position") {
  int compared = 0, crossings = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    Geometry geometry;
    try {
      geometry = geometry_of(random_geometry(seed));
    } catch (const ConfigError& error) {  // a cell was found to be empty
      CHECK(std::string(error.what()).find("both sides of") != std::string::npos);
      ++refused;
      continue;
    }
    const GeometryView g = geometry.view();
    TestRandom random(10000 + seed);
    for (int n = 0; n < 20; ++n) {
      const Vector3 x = random.point(1.99), d = random.direction();
      const RayTrack track = track_ray(g, x, d, 100, random);
      REQUIRE(track.end == CrossingKind::leaked);
      const Vector3 end = along(x, track.length, d);
      CHECK(std::max({std::abs(end.x), std::abs(end.y), std::abs(end.z)}) ==
            doctest::Approx(2).epsilon(1e-12));
      compared += compare_with_lookup(g, x, d, track, random);
      crossings += track.crossings;
    }
  }
  CHECK(compared > 8000);
  CHECK(crossings > 4000);
  CHECK(refused < 40);
}

TEST_CASE(
    "geometry tracking: rays through rotated and translated universes nested eight levels deep") {
  std::string text =
      "[[surface]]\nname = \"world\"\nkind = \"sphere\"\nradius = 3.0\nboundary = \"vacuum\"\n"
      "[[surface]]\nname = \"ball\"\nkind = \"sphere\"\nradius = 2.2\ncenter = [0.1, 0.2, 0.0]\n"
      "[[surface]]\nname = \"cut\"\nkind = \"plane\"\nnormal = [1.0, 0.5, 0.2]\noffset = 0.1\n"
      "[[cell]]\nname = \"root\"\nregion = \"-world\"\nfill = \"u1\"\nrotation = [10, 20, 30]\n";
  for (int level = 1; level <= 6; ++level)
    text += fmt::format(
        "[[cell]]\nname = \"in{0}\"\nuniverse = \"u{0}\"\nregion = \"-ball -cut\"\nfill = "
        "\"u{1}\"\nrotation = [{2}, -35, 50]\ntranslation = [0.1, -0.05, 0.2]\n"
        "[[cell]]\nname = \"out{0}\"\nuniverse = \"u{0}\"\nregion = \"+ball | +cut\"\nfill = "
        "\"void\"\n",
        level, level + 1, 20 * level);
  text += "[[cell]]\nname = \"innermost\"\nuniverse = \"u7\"\nfill = \"void\"\n";
  const Geometry geometry = geometry_of(text);
  const GeometryView g = geometry.view();
  TestRandom random(21);
  int deepest = 0, compared = 0;
  for (int n = 0; n < 2000; ++n) {
    const Vector3 x = random.direction() * random.between(0, 2.9), d = random.direction();
    const RayTrack track = track_ray(g, x, d, 100, random);
    REQUIRE(track.end == CrossingKind::leaked);
    const Vector3 end = along(x, track.length, d);
    CHECK(dot(end, end) == doctest::Approx(9).epsilon(1e-12));
    compared += compare_with_lookup(g, x, d, track, random);
    deepest = std::max<int>(deepest, cell_at(g, x, d).level);
  }
  CHECK(deepest == 7);
  CHECK(compared > 5000);
}

TEST_CASE("geometry tracking: a universe is rotated as in OpenMC") {
  // Coordinates in the fill are Rz(-c) Ry(-b) Rx(-a) (x - translation): the x axis of the fill has
  // the direction Rx(a) Ry(b) Rz(c) x.
  const Geometry geometry = geometry_of(R"(
[[surface]]
name = "half"
kind = "x_plane"
x = 0.5
[[cell]]
name = "root"
fill = "turned"
rotation = [90, 90, 0]
translation = [0, 0, 1]
[[cell]]
name = "far"
universe = "turned"
region = "+half"
fill = "void"
[[cell]]
name = "near"
universe = "turned"
region = "-half"
fill = "void"
)");
  const GeometryView g = geometry.view();
  // Rz(0) x = x; Ry(90) x = -z; Rx(90) (-z) = y.
  CHECK(cell_at(g, {0, 0.51, 1}, {1, 0, 0}).cell == 1);
  CHECK(cell_at(g, {0, 0.49, 1}, {1, 0, 0}).cell == 2);
  CHECK(cell_at(g, {5, -0.1, 7}, {1, 0, 0}).cell == 2);
}

TEST_CASE("geometry tracking: rays through corners and along coincident surfaces are not lost") {
  // A grid of cells bounded by planes that are defined twice, in two forms, with a universe bounded
  // by the same planes inside; flights pass through corners and along faces.
  std::string text =
      "[[box]]\nname = \"world\"\nlower = [-2.0, -2.0, -2.0]\nupper = [2.0, 2.0, 2.0]\nboundary = "
      "\"reflective\"\n"
      "[[surface]]\nname = \"x\"\nkind = \"x_plane\"\nx = 0.1\n"
      "[[surface]]\nname = \"x2\"\nkind = \"plane\"\nnormal = [3.0, 0.0, 0.0]\noffset = 0.3\n"
      "[[surface]]\nname = \"x3\"\nkind = \"quadric\"\ncoefficients = [0, 0, 0, 0, 0, 0, 0.7, 0, "
      "0, -0.07]\n"
      "[[surface]]\nname = \"y\"\nkind = \"y_plane\"\ny = 0.1\n"
      "[[surface]]\nname = \"y2\"\nkind = \"plane\"\nnormal = [0.0, -7.0, 0.0]\noffset = -0.7\n"
      "[[surface]]\nname = \"diagonal\"\nkind = \"plane\"\nnormal = [1.0, -1.0, 0.0]\noffset = "
      "0.0\n"
      "[[cell]]\nname = \"a\"\nregion = \"-world -x -y\"\nfill = \"inner\"\n"
      "[[cell]]\nname = \"b\"\nregion = \"-world +x2 -y\"\nfill = \"inner\"\n"
      "[[cell]]\nname = \"c\"\nregion = \"-world -x3 -y2\"\nfill = \"void\"\n"
      "[[cell]]\nname = \"d\"\nregion = \"-world +x & ~(+y2) \"\nfill = \"inner\"\n"
      "[[cell]]\nname = \"i1\"\nuniverse = \"inner\"\nregion = \"-x2 -diagonal\"\nfill = \"void\"\n"
      "[[cell]]\nname = \"i2\"\nuniverse = \"inner\"\nregion = \"+x2 -diagonal\"\nfill = \"void\"\n"
      "[[cell]]\nname = \"i3\"\nuniverse = \"inner\"\nregion = \"+diagonal (-x3 | +x)\"\nfill = "
      "\"void\"\n";
  const Geometry geometry = geometry_of(text);
  const GeometryView g = geometry.view();
  TestRandom random(31);
  const double coordinates[] = {0.1, -2, 2, 0, 0.1 + 1e-16, 0.1 - 1e-15, 0.7};
  int rays = 0;
  for (int n = 0; n < 4000; ++n) {
    // Flights are aimed at corners and edges, from random positions or from other corners and
    // edges.
    const Vector3 target{coordinates[random.below(7)], coordinates[random.below(7)],
                         random.between(-2, 2)};
    Vector3 x{random.between(-1.9, 1.9), random.between(-1.9, 1.9), random.between(-1.9, 1.9)};
    if (n % 3 == 0) x = {coordinates[random.below(7)], coordinates[random.below(7)], 0.3};
    if (n % 3 == 1) x.x = target.x;  // along a face
    const Vector3 distance = target - x;
    if (!(dot(distance, distance) > 1e-6)) continue;
    const RayTrack track = track_ray(g, x, unit(distance), 40, random);
    CAPTURE(n);
    REQUIRE(track.length == 40);
    CHECK(track.crossings < 400);
    ++rays;
  }
  CHECK(rays > 3500);
}

TEST_CASE("geometry tracking: rays along the common tangent of touching spheres are not lost") {
  std::string text =
      "[[box]]\nname = \"world\"\nlower = [-4, -4, -4]\nupper = [4, 4, 4]\nboundary = "
      "\"reflective\"\n";
  for (int i = -1; i <= 1; ++i)
    text += fmt::format(
        "[[surface]]\nname = \"s{0}\"\nkind = \"sphere\"\nradius = 1.0\ncenter = [{1}, 0, 0]\n"
        "[[cell]]\nname = \"b{0}\"\nregion = \"-s{0}\"\nfill = \"void\"\n",
        i + 1, 2 * i);
  text += "[[cell]]\nname = \"rest\"\nregion = \"-world +s0 +s1 +s2\"\nfill = \"void\"\n";
  const Geometry geometry = geometry_of(text);
  const GeometryView g = geometry.view();
  TestRandom random(41);
  for (int n = 0; n < 3000; ++n) {
    const double angle = random.between(0, 2 * M_PI);
    const Vector3 along_tangent{random.between(-1e-7, 1e-7) * (n % 3), std::cos(angle),
                                std::sin(angle)};
    const Vector3 contact{n % 2 == 0 ? 1.0 : -1.0, 0, 0}, d = unit(along_tangent);
    const Vector3 x = n % 5 == 0 ? contact : along(contact, -random.between(0, 3), d);
    const RayTrack track = track_ray(g, x, d, 50, random);
    CAPTURE(n);
    CAPTURE(track.crossings);
    CAPTURE(static_cast<int>(track.end));
    REQUIRE(track.length == 50);
  }
}

TEST_CASE("geometry tracking: collisions within rounding of a surface lose no particle") {
  const Geometry geometry = geometry_of(random_geometry(3));
  const GeometryView g = geometry.view();
  TestRandom random(51);
  int collisions = 0;
  for (int n = 0; n < 3000; ++n) {
    Coordinates c;
    begin_flight(c, random.point(1.9), random.direction());
    REQUIRE(locate(g, c));
    for (int k = 0; k < 20; ++k) {
      const Boundary b = next_boundary(g, c);
      // Collisions within rounding of the boundary, before and behind.
      if (k % 2 == 0) {
        c.path = b.path + random.between(-1e-11, 1e-11);
        if (c.path < 0) c.path = 0;
        turn(g, c, random.direction());
        ++collisions;
        continue;
      }
      const CrossingKind kind = cross(g, c, b, random).kind;
      REQUIRE(kind != CrossingKind::lost);
      if (kind == CrossingKind::leaked) break;
    }
  }
  CHECK(collisions > 5000);
}
