// Error messages of the tables [[surface]], [[box]], [[cell]] and [[lattice]].

#include <doctest/doctest.h>

#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

const std::string sphere_surface =
    "[[surface]]\nname = \"ball\"\nkind = \"sphere\"\nradius = 1.0\nboundary = \"vacuum\"\n";
const std::string cell_in_sphere = "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"fuel\"\n";

void check_refused(const std::string& text, const std::vector<std::string>& expected) {
  CAPTURE(text);
  try {
    geometry_of(text);
    FAIL("nothing was refused");
  } catch (const InputError& error) {
    for (const std::string& text_part : expected) {
      CAPTURE(error.what());
      CHECK(std::string(error.what()).find(text_part) != std::string::npos);
    }
  }
}

std::string lattice_config(const std::string& body) {
  return sphere_surface + "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"grid\"\n" +
         "[[cell]]\nname = \"u\"\nuniverse = \"u\"\nfill = \"water\"\n[[lattice]]\nname = "
         "\"grid\"\n" +
         body;
}

}  // namespace

TEST_CASE("geometry config: errors in regions give the position in the expression") {
  check_refused(sphere_surface + "[[cell]]\nname = \"in\"\nregion = \"-bal\"\nfill = \"fuel\"\n",
                {"test.toml:8:12", "there is no surface or box `bal`", "did you mean `ball`?"});
  check_refused(
      sphere_surface +
          "[[cell]]\nname = \"in\"\nregion = \"\"\"\n  -ball\n  (+ball | -nix\"\"\"\nfill = "
          "\"fuel\"\n",
      {"test.toml:10:", "`nix`"});
  check_refused(sphere_surface + "[[cell]]\nname = \"in\"\nregion = \"-ball (\"\nfill = \"fuel\"\n",
                {"test.toml:8:", "half-space is expected"});
  check_refused(
      sphere_surface + "[[cell]]\nname = \"in\"\nregion = \"-ball +ball\"\nfill = \"fuel\"\n",
      {"both sides of `ball`"});
}

TEST_CASE("geometry config: unknown, repeated and invalid names are refused") {
  check_refused(sphere_surface + "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"fule\"\n",
                {"test.toml:9:", "`fule`", "did you mean `fuel`?"});
  check_refused(sphere_surface + sphere_surface + cell_in_sphere,
                {"two surfaces or boxes have the name `ball`"});
  check_refused(sphere_surface + cell_in_sphere + cell_in_sphere, {"two cells have the name `in`"});
  check_refused(
      sphere_surface +
          "[[cell]]\nname = \"in\"\nuniverse = \"u\"\nregion = \"-ball\"\nfill = \"fuel\"\n",
      {"no cell in the universe `root`"});
  check_refused(sphere_surface + "[[cell]]\nname = \"x\"\nuniverse = \"fuel\"\nfill = \"void\"\n" +
                    cell_in_sphere,
                {"`fuel` names more than one"});
  check_refused("[[surface]]\nname = \"a b\"\nkind = \"x_plane\"\nx = 0.0\n" + cell_in_sphere,
                {"cannot be written in a region"});
  check_refused(sphere_surface + cell_in_sphere + "translation = [1.0, 0, 0]\n",
                {"neither translated nor rotated"});
}

TEST_CASE("geometry config: invalid parameters of surfaces and boxes are refused") {
  check_refused("[[surface]]\nname = \"k\"\nkind = \"z_cone\"\n" + cell_in_sphere,
                {"half_angle or a tangent"});
  check_refused(
      "[[surface]]\nname = \"k\"\nkind = \"plane\"\nnormal = [0.0, 0.0, 0.0]\noffset = 1.0\n" +
          cell_in_sphere,
      {"has no length"});
  check_refused(
      "[[surface]]\nname = \"t\"\nkind = \"x_torus\"\nmajor_radius = 1.0\n" + cell_in_sphere,
      {"minor_radius or minor_radii"});
  check_refused("[[surface]]\nname = \"s\"\nkind = \"sphere\"\nradius = -1.0\n" + cell_in_sphere,
                {"radius"});
  check_refused("[[box]]\nname = \"b\"\nlower = [0, 0, 0]\nupper = [1, -1, 1]\n" + cell_in_sphere,
                {"from 0 to -1 cm along y"});
  check_refused(
      "[[box]]\nname = \"b\"\nlower = [0, 0, 0]\nupper = [1, 1, 1]\nboundaries = [\"vacuum\"]\n" +
          cell_in_sphere,
      {"must have 6 elements, not 1"});
}

TEST_CASE("geometry config: periodic planes need a parallel partner") {
  const auto pair = [](const std::string& first, const std::string& second) {
    return "[[surface]]\nname = \"a\"\nkind = \"x_plane\"\nx = 0.0\n" + first +
           "[[surface]]\nname = \"b\"\n" + second +
           "[[cell]]\nname = \"in\"\nregion = \"+a -b\"\nfill = \"fuel\"\n";
  };
  const std::string to_b = "boundary = \"periodic\"\npartner = \"b\"\n";
  const std::string to_a = "boundary = \"periodic\"\npartner = \"a\"\n";
  CHECK_NOTHROW(geometry_of(pair(to_b, "kind = \"x_plane\"\nx = 1.0\n" + to_a)));
  check_refused(pair(to_b, "kind = \"x_plane\"\nx = 1.0\n"),
                {"not a periodic plane whose partner"});
  check_refused(pair(to_b, "kind = \"y_plane\"\ny = 1.0\n" + to_a), {"not parallel"});
  check_refused(pair(to_b, "kind = \"x_plane\"\nx = 0.0\n" + to_a), {"the same plane"});
  check_refused(pair("boundary = \"periodic\"\n", "kind = \"x_plane\"\nx = 1.0\n"),
                {"needs a partner"});
  check_refused(pair("boundary = \"periodic\"\npartner = \"c\"\n", "kind = \"x_plane\"\nx = 1.0\n"),
                {"there is no surface `c`"});
  check_refused(
      "[[surface]]\nname = \"s\"\nkind = \"sphere\"\nradius = 1.0\n" + to_a + cell_in_sphere,
      {"only planes can be periodic"});
}

TEST_CASE(
    "geometry config: lattices with rows of the wrong length or unknown universes are refused") {
  const std::string grid = "kind = \"rectangular\"\npitch = [1.0, 1.0]\ncenter = [0.0, 0.0]\n";
  CHECK_NOTHROW(geometry_of(lattice_config(grid + "universes = [\"u u\", \"u u\"]\n")));
  check_refused(lattice_config(grid + "universes = [\"u u\", \"u\"]\n"), {"row 2 has 1 elements"});
  check_refused(lattice_config(grid + "universes = [\"u v\"]\n"), {"there is no universe `v`"});
  check_refused(lattice_config(grid + "universes = []\n"), {"at least 1 element, not 0"});
  check_refused(lattice_config(grid + "legend = [\"a = u\"]\nuniverses = [\"ab\"]\n"),
                {"no letter `b`"});
  check_refused(lattice_config(grid + "universes = [\"u\"]\nouter = \"w\"\n"),
                {"there is no universe `w`"});
  const std::string hexagons = "kind = \"hexagonal\"\npitch = [1.0]\ncenter = [0.0, 0.0]\n";
  CHECK_NOTHROW(
      geometry_of(lattice_config(hexagons + "universes = [\"u u\", \"u u u\", \"u u\"]\n")));
  check_refused(lattice_config(hexagons + "universes = [\"u u\", \"u u\"]\n"), {"make no hexagon"});
  check_refused(lattice_config(hexagons + "universes = [\"u u\", \"u u\", \"u u\"]\n"),
                {"row 2 has 2 elements", "2 rings has 3"});
}

TEST_CASE(
    "geometry config: recursive and too deep nesting, and boundary conditions below the root, are "
    "refused") {
  check_refused(sphere_surface +
                    "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"u\"\n[[cell]]\nname = "
                    "\"u\"\nuniverse = \"u\"\nfill = \"v\"\n[[cell]]\nname = \"v\"\nuniverse = "
                    "\"v\"\nfill = \"u\"\n",
                {"contains itself: root > u > v > u"});
  std::string nested_config =
      sphere_surface + "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"u1\"\n";
  for (int i = 1; i <= 8; ++i) {
    const std::string n = std::to_string(i);
    nested_config += "[[cell]]\nname = \"u" + n + "\"\nuniverse = \"u" + n + "\"\nfill = \"" +
                     (i < 8 ? "u" + std::to_string(i + 1) : "water") + "\"\n";
  }
  check_refused(nested_config, {"deeper than 8 levels"});
  check_refused(sphere_surface +
                    "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"u\"\n[[cell]]\nname = "
                    "\"u\"\nuniverse = \"u\"\nregion = \"-ball\"\nfill = \"fuel\"\n",
                {"`ball` has a boundary condition", "not in the root universe"});
}

TEST_CASE(
    "geometry config: unused surfaces and universes, and missing boundary conditions, give "
    "warnings") {
  const Geometry g = geometry_of(
      "[[surface]]\nname = \"a\"\nkind = \"sphere\"\nradius = 1.0\n[[surface]]\nname = "
      "\"b\"\nkind = \"sphere\"\nradius = 2.0\nboundary = \"vacuum\"\n[[cell]]\nname = "
      "\"in\"\nregion = \"-a\"\nfill = \"fuel\"\n[[cell]]\nname = \"u\"\nuniverse = "
      "\"spare\"\nfill = \"water\"\n");
  REQUIRE(g.warnings.size() == 3);
  CHECK(g.warnings[0].find("surfaces b") != std::string::npos);
  CHECK(g.warnings[1].find("universes spare") != std::string::npos);
  CHECK(g.warnings[2].find("no surface in use has a boundary condition") != std::string::npos);
  CHECK(geometry_of(sphere_surface + cell_in_sphere).warnings.empty());
}

TEST_CASE("geometry config: the schema lists every table") {
  GeometryConfig config;
  const std::string text = schema_text(
      [&](Section& top) { describe_geometry(top, config, Extensions::builtin().surfaces); });
  for (const char* text_part : {"surface", "box", "cell", "lattice", "half_angle", "minor_radii",
                                "legend", "orientation", "rotation"})
    CHECK(text.find(text_part) != std::string::npos);
}
