// Rays through reactor geometries: no particle is lost, and cell searches with a search grid find
// the same cells as searches over all cells.

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "src/modules/transport/geometry/search_tables.hpp"
#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;
using namespace gsim::transport::compiled_kernels;
using namespace gsim::transport_kernels;

namespace {

/// Assemblies of 17 x 17 pins surrounded by water, as in C5G7.
std::string pin_lattice() {
  std::string text = R"(
[[surface]]
name = "pin"
kind = "z_cylinder"
radius = 0.54
[[box]]
name = "core"
lower = [0, 0, -inf]
upper = [64.26, 64.26, inf]
boundaries = ["reflective", "vacuum", "vacuum", "reflective", "transmission", "transmission"]
[[cell]]
name = "core"
region = "-core"
fill = "assemblies"
[[cell]]
name = "reflector"
universe = "reflector"
fill = "water"
[[lattice]]
name = "assemblies"
kind = "rectangular"
pitch = [21.42, 21.42]
lower_left = [0, 0]
universes = ["uo2 mox reflector", "mox uo2 reflector", "reflector reflector reflector"]
)";
  for (const char* kind : {"rod", "tube"})
    text += fmt::format(
        "[[cell]]\nname = \"{0}_in\"\nuniverse = \"{0}\"\nregion = \"-pin\"\nfill = \"fuel\"\n"
        "[[cell]]\nname = \"{0}_out\"\nuniverse = \"{0}\"\nregion = \"+pin\"\nfill = \"water\"\n",
        kind);
  for (const char* kind : {"uo2", "mox"}) {
    text += fmt::format(
        "[[cell]]\nname = \"{0}\"\nuniverse = \"{0}\"\nfill = \"{0}_pins\"\n[[lattice]]\nname = "
        "\"{0}_pins\"\nkind = \"rectangular\"\npitch = [1.26, 1.26]\ncenter = [0, 0]\nlegend = "
        "[\"r "
        "= rod\", \"t = tube\"]\nuniverses = [",
        kind);
    for (int j = 0; j < 17; ++j) {
      text += j > 0 ? ", \"" : "\"";
      for (int i = 0; i < 17; ++i) text += i % 3 == 2 && j % 3 == 2 ? 't' : 'r';
      text += '"';
    }
    text += "]\n";
  }
  return text;
}

/// A cubic packing of n^3 coated pebbles of radius 1 that touch, all in the root universe.
std::string pebbles(int n) {
  std::string text = "[[box]]\nname = \"w\"\nlower = [0, 0, 0]\nupper = [" +
                     fmt::format("{0}, {0}, {0}", 2 * n) + "]\nboundary = \"reflective\"\n";
  std::string outside_pebbles = "-w";
  for (int i = 0; i < n * n * n; ++i) {
    const int x = 2 * (i % n) + 1, y = 2 * (i / n % n) + 1, z = 2 * (i / n / n) + 1;
    text += fmt::format(
        "[[surface]]\nname = \"i{0}\"\nkind = \"sphere\"\nradius = 0.8\ncenter = [{1}, {2}, {3}]\n"
        "[[surface]]\nname = \"o{0}\"\nkind = \"sphere\"\nradius = 1.0\ncenter = [{1}, {2}, {3}]\n"
        "[[cell]]\nname = \"kernel{0}\"\nregion = \"-i{0}\"\nfill = \"fuel\"\n"
        "[[cell]]\nname = \"coat{0}\"\nregion = \"+i{0} -o{0}\"\nfill = \"steel\"\n",
        i, x, y, z);
    outside_pebbles += fmt::format(" +o{}", i);
  }
  return text + "[[cell]]\nname = \"gas\"\nregion = \"" + outside_pebbles + "\"\nfill = \"void\"\n";
}

}  // namespace

TEST_CASE("geometry models: no particle is lost along 1e5 rays through a pin lattice") {
  const Geometry geometry = geometry_of(pin_lattice());
  CHECK(geometry.warnings.empty());
  const GeometryView g = geometry.view();
  TestRandom random(1);
  int leaked = 0;
  std::int64_t crossings = 0;
  for (int n = 0; n < 100000; ++n) {
    Coordinates c;
    // Every third ray begins on a plane of the pin lattice; some begin at corners or run along
    // planes.
    Vector3 x{random.between(0, 64.26), random.between(0, 64.26), random.between(-10, 10)};
    Vector3 d = random.direction();
    if (n % 3 == 0) x.x = 1.26 * random.below(51);
    if (n % 6 == 0) x.y = 1.26 * random.below(51);
    if (n % 9 == 0) d = unit({d.x, n % 2 == 0 ? d.x : 0, 0});
    begin_flight(c, x, d);
    REQUIRE(locate(g, c));
    for (int k = 0; k < 12; ++k) {
      const Crossing crossing = cross(g, c, next_boundary(g, c), random);
      ++crossings;
      REQUIRE(crossing.kind != CrossingKind::lost);
      if (crossing.kind != CrossingKind::leaked) continue;
      ++leaked;
      break;
    }
  }
  CHECK(leaked > 1000);
  CHECK(crossings > 700000);
}

TEST_CASE(
    "geometry models: cells of touching pebbles are the same with and without a search grid") {
  const Geometry geometry = geometry_of(pebbles(4));
  REQUIRE(geometry.grids.size() == 1);
  const GeometryView g = geometry.view();
  Geometry without_grid = geometry;
  without_grid.universes[0].grid = -1;
  const GeometryView without_grid_view = without_grid.view();
  TestRandom random(2);
  for (int n = 0; n < 5000; ++n) {
    const Vector3 x{random.between(-0.5, 8.5), random.between(0, 8), random.between(0, 8)};
    const Vector3 d = random.direction();
    CHECK(cell_at(g, x, d).cell == cell_at(without_grid_view, x, d).cell);
  }
  for (int n = 0; n < 300; ++n) {
    const Vector3 x{random.between(0, 8), random.between(0, 8), random.between(0, 8)};
    const Vector3 d = random.direction();
    const RayTrack track = track_ray(g, x, d, 40, random);
    REQUIRE(track.length == 40);
    // The flight is straight up to the first reflection.
    for (const TrackSegment& s : track.segments) {
      const Vector3 position = along(x, 0.5 * (s.from + s.to), d);
      if (std::min({position.x, position.y, position.z}) < 0 ||
          std::max({position.x, position.y, position.z}) > 8)
        break;
      if (s.to - s.from > 1e-8) CHECK(cell_at(without_grid_view, position, d).cell == s.cell);
    }
  }
  // Flights from points of contact, in random directions or along lines through other points of
  // contact.
  for (int n = 0; n < 300; ++n) {
    const Vector3 contact{2.0 * (1 + random.below(3)), 1.0 + 2 * random.below(4),
                          1.0 + 2 * random.below(4)};
    const Vector3 axis_direction = n % 2 == 0 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
    const RayTrack track =
        track_ray(g, contact, n % 3 == 0 ? random.direction() : axis_direction, 30, random);
    REQUIRE(track.length == 30);
  }
}

TEST_CASE("geometry models: devices have kernels for geometries without rare features") {
  const std::string pins = pin_lattice();
  CHECK(is_simple(geometry_of(pins)));
  const std::string fill = "fill = \"assemblies\"\n";
  std::string moved = pins;
  moved.insert(moved.find(fill) + fill.size(), "translation = [0.0, 0.0, 1.0]\n");
  CHECK_FALSE(is_simple(geometry_of(moved)));
  const auto with_cell = [&](const std::string& surface, const std::string& region) {
    const std::string other = fmt::format(
        "[[surface]]\nname = \"other\"\n{}\n[[cell]]\nname = \"other\"\nuniverse = "
        "\"other\"\nregion = \"{}\"\nfill = \"water\"\n",
        surface, region);
    return is_simple(geometry_of(pins + other));
  };
  CHECK(with_cell("kind = \"sphere\"\nradius = 2.0", "+other -pin"));
  CHECK_FALSE(with_cell("kind = \"sphere\"\nradius = 2.0", "+other | -pin"));
  CHECK_FALSE(with_cell("kind = \"z_cone\"\ntangent = 1.0", "-other"));
}

TEST_CASE("geometry models: the tolerance of a large geometry on hosts and devices") {
  const Geometry geometry = geometry_of(
      "[[surface]]\nname = \"earth\"\nkind = \"sphere\"\nradius = 1e6\nboundary = \"vacuum\"\n"
      "[[cell]]\nname = \"earth\"\nregion = \"-earth\"\nfill = \"water\"\n");
  CHECK(geometry.tolerance > 100 * 0x1p-33);
  CHECK(geometry.view().tolerance == geometry.tolerance);
  CHECK(GeometryArrays(Executor::host(1), geometry).view().tolerance == geometry.tolerance);
}

TEST_CASE("geometry models: search grids over unbounded cells and unions find the same cells") {
  // Concentric cylinders cut by planes and a union: many cells, one of them unbounded.
  std::string text =
      "[[surface]]\nname = \"cut\"\nkind = \"plane\"\nnormal = [1, 2, 0]\noffset = 0.3\n";
  std::string outside;
  for (int i = 0; i < 6; ++i) {
    text +=
        fmt::format("[[surface]]\nname = \"c{}\"\nkind = \"z_cylinder\"\nradius = {}\n", i, i + 1);
    const std::string ring = i == 0 ? "-c0" : fmt::format("+c{} -c{}", i - 1, i);
    text += fmt::format(
        "[[cell]]\nname = \"a{0}\"\nregion = \"{1} -cut\"\nfill = \"fuel\"\n"
        "[[cell]]\nname = \"b{0}\"\nregion = \"{1} +cut\"\nfill = \"water\"\n",
        i, ring);
  }
  text += "[[cell]]\nname = \"rest\"\nregion = \"+c5 -cut | +c5 +cut\"\nfill = \"void\"\n";
  const Geometry geometry = geometry_of(text);
  REQUIRE(geometry.grids.size() == 1);
  CHECK(geometry.grids[0].count[2] == 1);
  Geometry without_grid = geometry;
  without_grid.universes[0].grid = -1;
  TestRandom random(3);
  double listed_cells = 0;
  for (int n = 0; n < 5000; ++n) {
    const Vector3 x = random.point(7), d = random.direction();
    const std::int32_t cell = cell_at(geometry.view(), x, d).cell;
    CHECK(cell == cell_at(without_grid.view(), x, d).cell);
    CHECK(cell >= 0);
  }
  for (std::size_t v = 0; v + 1 < geometry.voxels.size(); ++v)
    listed_cells += geometry.voxels[v + 1] - geometry.voxels[v];
  CHECK(listed_cells / static_cast<double>(geometry.voxels.size() - 1) < 6);
}
