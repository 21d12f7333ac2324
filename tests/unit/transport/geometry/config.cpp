// Errors of the tables of a geometry, and their messages.

#include <doctest/doctest.h>

#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

const std::string ball =
    "[[surface]]\nname = \"ball\"\nkind = \"sphere\"\nradius = 1.0\nboundary = \"vacuum\"\n";
const std::string inside = "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"fuel\"\n";

void fails(const std::string& text, const std::vector<std::string>& words) {
  CAPTURE(text);
  try {
    geometry_of(text);
    FAIL("nothing was refused");
  } catch (const InputError& error) {
    for (const std::string& word : words) {
      CAPTURE(error.what());
      CHECK(std::string(error.what()).find(word) != std::string::npos);
    }
  }
}

std::string lattice(const std::string& body) {
  return ball + "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"grid\"\n" +
         "[[cell]]\nname = \"u\"\nuniverse = \"u\"\nfill = \"water\"\n[[lattice]]\nname = "
         "\"grid\"\n" +
         body;
}

}  // namespace

TEST_CASE("geometry config: errors in regions point at the wrong word") {
  fails(ball + "[[cell]]\nname = \"in\"\nregion = \"-bal\"\nfill = \"fuel\"\n",
        {"test.toml:8:12", "there is no surface or box `bal`", "did you mean `ball`?"});
  fails(ball +
            "[[cell]]\nname = \"in\"\nregion = \"\"\"\n  -ball\n  (+ball | -nix\"\"\"\nfill = "
            "\"fuel\"\n",
        {"test.toml:10:", "`nix`"});
  fails(ball + "[[cell]]\nname = \"in\"\nregion = \"-ball (\"\nfill = \"fuel\"\n",
        {"test.toml:8:", "half-space is expected"});
  fails(ball + "[[cell]]\nname = \"in\"\nregion = \"-ball +ball\"\nfill = \"fuel\"\n",
        {"both sides of `ball`"});
}

TEST_CASE("geometry config: names") {
  fails(ball + "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"fule\"\n",
        {"test.toml:9:", "`fule`", "did you mean `fuel`?"});
  fails(ball + ball + inside, {"two surfaces or boxes have the name `ball`"});
  fails(ball + inside + inside, {"two cells have the name `in`"});
  fails(ball + "[[cell]]\nname = \"in\"\nuniverse = \"u\"\nregion = \"-ball\"\nfill = \"fuel\"\n",
        {"no cell in the universe `root`"});
  fails(ball + "[[cell]]\nname = \"x\"\nuniverse = \"fuel\"\nfill = \"void\"\n" + inside,
        {"`fuel` names more than one"});
  fails("[[surface]]\nname = \"a b\"\nkind = \"x_plane\"\nx = 0.0\n" + inside,
        {"cannot be written in a region"});
  fails(ball + inside + "translation = [1.0, 0, 0]\n", {"neither moved nor turned"});
}

TEST_CASE("geometry config: surfaces") {
  fails("[[surface]]\nname = \"k\"\nkind = \"z_cone\"\n" + inside, {"half_angle or a tangent"});
  fails("[[surface]]\nname = \"k\"\nkind = \"plane\"\nnormal = [0.0, 0.0, 0.0]\noffset = 1.0\n" +
            inside,
        {"has no length"});
  fails("[[surface]]\nname = \"t\"\nkind = \"x_torus\"\nmajor_radius = 1.0\n" + inside,
        {"minor_radius or minor_radii"});
  fails("[[surface]]\nname = \"s\"\nkind = \"sphere\"\nradius = -1.0\n" + inside, {"radius"});
  fails("[[box]]\nname = \"b\"\nlower = [0, 0, 0]\nupper = [1, -1, 1]\n" + inside,
        {"from 0 to -1 cm along y"});
  fails("[[box]]\nname = \"b\"\nlower = [0, 0, 0]\nupper = [1, 1, 1]\nboundaries = [\"vacuum\"]\n" +
            inside,
        {"must have 6 elements, not 1"});
}

TEST_CASE("geometry config: periodic partners") {
  const auto pair = [](const std::string& first, const std::string& second) {
    return "[[surface]]\nname = \"a\"\nkind = \"x_plane\"\nx = 0.0\n" + first +
           "[[surface]]\nname = \"b\"\n" + second +
           "[[cell]]\nname = \"in\"\nregion = \"+a -b\"\nfill = \"fuel\"\n";
  };
  const std::string to_b = "boundary = \"periodic\"\npartner = \"b\"\n";
  const std::string to_a = "boundary = \"periodic\"\npartner = \"a\"\n";
  CHECK_NOTHROW(geometry_of(pair(to_b, "kind = \"x_plane\"\nx = 1.0\n" + to_a)));
  fails(pair(to_b, "kind = \"x_plane\"\nx = 1.0\n"), {"not a periodic plane whose partner"});
  fails(pair(to_b, "kind = \"y_plane\"\ny = 1.0\n" + to_a), {"not parallel"});
  fails(pair(to_b, "kind = \"x_plane\"\nx = 0.0\n" + to_a), {"the same plane"});
  fails(pair("boundary = \"periodic\"\n", "kind = \"x_plane\"\nx = 1.0\n"), {"needs a partner"});
  fails(pair("boundary = \"periodic\"\npartner = \"c\"\n", "kind = \"x_plane\"\nx = 1.0\n"),
        {"there is no surface `c`"});
  fails("[[surface]]\nname = \"s\"\nkind = \"sphere\"\nradius = 1.0\n" + to_a + inside,
        {"only planes can be periodic"});
}

TEST_CASE("geometry config: lattices of the wrong size") {
  const std::string grid = "kind = \"rectangular\"\npitch = [1.0, 1.0]\ncenter = [0.0, 0.0]\n";
  CHECK_NOTHROW(geometry_of(lattice(grid + "universes = [\"u u\", \"u u\"]\n")));
  fails(lattice(grid + "universes = [\"u u\", \"u\"]\n"), {"row 2 has 1 elements"});
  fails(lattice(grid + "universes = [\"u v\"]\n"), {"there is no universe `v`"});
  fails(lattice(grid + "universes = []\n"), {"at least 1 element, not 0"});
  fails(lattice(grid + "legend = [\"a = u\"]\nuniverses = [\"ab\"]\n"), {"no letter `b`"});
  fails(lattice(grid + "universes = [\"u\"]\nouter = \"w\"\n"), {"there is no universe `w`"});
  const std::string hexagons = "kind = \"hexagonal\"\npitch = [1.0]\ncenter = [0.0, 0.0]\n";
  CHECK_NOTHROW(geometry_of(lattice(hexagons + "universes = [\"u u\", \"u u u\", \"u u\"]\n")));
  fails(lattice(hexagons + "universes = [\"u u\", \"u u\"]\n"), {"make no hexagon"});
  fails(lattice(hexagons + "universes = [\"u u\", \"u u\", \"u u\"]\n"),
        {"row 2 has 2 elements", "2 rings has 3"});
}

TEST_CASE("geometry config: nesting and boundary conditions") {
  fails(ball +
            "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"u\"\n[[cell]]\nname = "
            "\"u\"\nuniverse = \"u\"\nfill = \"v\"\n[[cell]]\nname = \"v\"\nuniverse = "
            "\"v\"\nfill = \"u\"\n",
        {"contains itself: root > u > v > u"});
  std::string deep = ball + "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"u1\"\n";
  for (int i = 1; i <= 8; ++i) {
    const std::string n = std::to_string(i);
    deep += "[[cell]]\nname = \"u" + n + "\"\nuniverse = \"u" + n + "\"\nfill = \"" +
            (i < 8 ? "u" + std::to_string(i + 1) : "water") + "\"\n";
  }
  fails(deep, {"deeper than 8 levels"});
  fails(ball +
            "[[cell]]\nname = \"in\"\nregion = \"-ball\"\nfill = \"u\"\n[[cell]]\nname = "
            "\"u\"\nuniverse = \"u\"\nregion = \"-ball\"\nfill = \"fuel\"\n",
        {"`ball` has a boundary condition", "not in the root universe"});
}

TEST_CASE("geometry config: warnings") {
  const Geometry g = geometry_of(
      "[[surface]]\nname = \"a\"\nkind = \"sphere\"\nradius = 1.0\n[[surface]]\nname = "
      "\"b\"\nkind = \"sphere\"\nradius = 2.0\nboundary = \"vacuum\"\n[[cell]]\nname = "
      "\"in\"\nregion = \"-a\"\nfill = \"fuel\"\n[[cell]]\nname = \"u\"\nuniverse = "
      "\"spare\"\nfill = \"water\"\n");
  REQUIRE(g.warnings.size() == 3);
  CHECK(g.warnings[0].find("surfaces b") != std::string::npos);
  CHECK(g.warnings[1].find("universes spare") != std::string::npos);
  CHECK(g.warnings[2].find("no surface in use has a boundary condition") != std::string::npos);
  CHECK(geometry_of(ball + inside).warnings.empty());
}

TEST_CASE("geometry config: the schema lists every table") {
  GeometryConfig config;
  const std::string text = schema_text(
      [&](Section& top) { describe_geometry(top, config, Extensions::builtin().surfaces); });
  for (const char* word : {"surface", "box", "cell", "lattice", "half_angle", "minor_radii",
                           "legend", "orientation", "rotation"})
    CHECK(text.find(word) != std::string::npos);
}
