// Bounding boxes of cells, also between surfaces that are not parallel to the axes, and geometry
// errors that are found by sampling points in the boxes.

#include <cmath>
#include <limits>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "src/modules/transport/geometry/bounds/cell_boxes.hpp"
#include "src/modules/transport/geometry/bounds/convex_body.hpp"
#include "src/modules/transport/geometry/volumes/sampled_points.hpp"
#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const StreamId stream{12, Purpose::test};

SampleBox box_of(const std::string& surfaces, const std::string& region) {
  return box_of_cell(geometry_of(surfaces + "[[cell]]\nname = \"c\"\nfill = \"void\"\nregion = \"" +
                                 region + "\"\n"),
                     0);
}

void check_box(const SampleBox& box, const std::array<double, 3>& lower,
               const std::array<double, 3>& upper) {
  for (std::size_t a = 0; a < 3; ++a) {
    CAPTURE(a);
    if (std::isfinite(lower[a]))
      CHECK(box.lower[a] == doctest::Approx(lower[a]).epsilon(1e-5));
    else
      CHECK(box.lower[a] == lower[a]);
    if (std::isfinite(upper[a]))
      CHECK(box.upper[a] == doctest::Approx(upper[a]).epsilon(1e-5));
    else
      CHECK(box.upper[a] == upper[a]);
  }
}

std::string surface(const std::string& name, const std::string& keys) {
  return "[[surface]]\nname = \"" + name + "\"\n" + keys + "\n";
}
std::string plane(const std::string& name, double x, double y, double z, double offset) {
  return surface(name, fmt::format("kind = \"plane\"\nnormal = [{:.17g}, {:.17g}, {:.17g}]\n"
                                   "offset = {:.17g}",
                                   x, y, z, offset));
}

/// Six planes h0 … h5 about the z axis, with flat sides 11.8 cm away.
std::string hexagon() {
  const double s = std::sqrt(0.75);
  const double normals[6][2] = {{1, 0}, {0.5, s}, {-0.5, s}, {-1, 0}, {-0.5, -s}, {0.5, -s}};
  std::string text;
  for (int i = 0; i < 6; ++i)
    text += plane(fmt::format("h{}", i), normals[i][0], normals[i][1], 0, 11.8);
  return text;
}
const char* const inside_hexagon = "-h0 -h1 -h2 -h3 -h4 -h5";

}  // namespace

TEST_CASE("geometry bounds: the extent of a cube that planes cut") {
  ConvexBody body(10);
  body.cut({1, 1, 0}, 2);
  body.cut({-1, 0, 0}, 0);
  body.cut({0, -1, 0}, 0);
  CHECK(body.extent({1, 0, 0}).max == doctest::Approx(2));
  CHECK(body.extent({1, -1, 0}).min == doctest::Approx(-2));
  CHECK(body.extent({0, 0, 1}).max == 10);
  body.cut({1, 1, 1}, -1);
  CHECK(body.extent({0, 0, 1}).max == doctest::Approx(-1));
  body.cut({0, 0, -1}, 0);
  CHECK(body.is_empty());
  CHECK(body.extent({1, 0, 0}).min > body.extent({1, 0, 0}).max);
}

TEST_CASE("geometry bounds: cells between planes, cylinders, cones and quadrics of any direction") {
  const double corner = 11.8 / std::sqrt(0.75);
  check_box(box_of(hexagon(), inside_hexagon), {-11.8, -corner, -infinity},
            {11.8, corner, infinity});
  const std::string ends = plane("top", 0, 0, 2, 6) + plane("low", 0, 0.0, -1, 5);
  check_box(box_of(hexagon() + ends, std::string(inside_hexagon) + " -top -low"),
            {-11.8, -corner, -5}, {11.8, corner, 3});
  // A union; the complement ~(+ball) is the inside of the sphere.
  check_box(box_of(hexagon() + ends + surface("ball", "kind = \"sphere\"\nradius = 1.0"),
                   std::string("-top -low ~(+ball) | ") + inside_hexagon + " -top -low"),
            {-11.8, -corner, -5}, {11.8, corner, 3});
  check_box(box_of(hexagon(), "+h0"), {11.8, -infinity, -infinity}, {infinity, infinity, infinity});
  // A cylinder about (1, 1, 0) of radius 2 between x + y = -6 and 6: the computed box bounds a
  // square prism around the cylinder, and is at most sqrt(2) times as wide.
  const std::string slanted =
      surface("c", "kind = \"cylinder\"\naxis = [1.0, 1.0, 0.0]\nradius = 2.0") +
      plane("p", 1, 1, 0, 6) + plane("q", -1, -1, 0, 6);
  const SampleBox box = box_of(slanted, "-c -p -q");
  for (std::size_t a = 0; a < 3; ++a) {
    const double half_width = a < 2 ? 3 + std::sqrt(2.0) : 2;
    CHECK(box.upper[a] >= half_width);
    CHECK(box.upper[a] < half_width + 2 * (std::sqrt(2.0) - 1) + 1e-3);
    CHECK(box.lower[a] == doctest::Approx(-box.upper[a]).epsilon(1e-5));
  }
  // Surfaces that only the planes bound along z: x^2 + y^2 = z^2 / 4 up to z = 4, and
  // x^2 + y^2 = 1 + z^2.
  const std::string cuts =
      plane("up", 0, 0, 1, 4) + surface("down", "kind = \"z_plane\"\nz = -2.0");
  const std::string cone = surface("k", "kind = \"z_cone\"\napex = [0.0, 0.0, 0.0]\ntangent = 0.5");
  check_box(box_of(cuts + cone, "-k -up +down"), {-2, -2, -2}, {2, 2, 4});
  const std::string sheet =
      surface("h", "kind = \"quadric\"\ncoefficients = [1, 1, -1, 0, 0, 0, 0, 0, 0, -1]");
  const double half_width = std::sqrt(17.0);
  check_box(box_of(cuts + sheet, "-h -up +down"), {-half_width, -half_width, -2},
            {half_width, half_width, 4});
  // An ellipsoid, which is bounded in all directions, and a paraboloid, which is bounded on one
  // side.
  check_box(box_of(surface("e",
                           "kind = \"ellipsoid\"\ncenter = [1.0, 2.0, 3.0]\n"
                           "radii = [1.0, 2.0, 4.0]"),
                   "-e"),
            {0, 0, -1}, {2, 4, 7});
  check_box(box_of(cuts + surface("b",
                                  "kind = \"quadric\"\ncoefficients = "
                                  "[1, 1, 0, 0, 0, 0, 0, 0, -1, 0]"),
                   "-b -up"),
            {-2, -2, 0}, {2, 2, 4});
  // Bounds by planes perpendicular to an axis remain exact.
  const SampleBox exact =
      box_of(hexagon() + surface("x", "kind = \"x_plane\"\nx = 0.3"), std::string("-h0 +x"));
  CHECK(exact.lower[0] == 0.3);
}

TEST_CASE("geometry bounds: points of random geometries are in the bounding boxes of their cells") {
  int bounded_axes = 0, points_in_cells = 0;
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    CAPTURE(seed);
    std::string text = random_geometry(seed);
    for (std::size_t position = text.find("-world "); position != std::string::npos;
         position = text.find("-world "))
      text.replace(position, 7, "");
    if (text.find("region = \"\"") != std::string::npos) continue;
    Geometry g;
    try {
      g = geometry_of(text);
    } catch (const ConfigError&) {
      continue;  // a cell was found to be empty
    }
    std::vector<SampleBox> boxes;
    for (std::size_t c = 0; c < g.cells.size(); ++c) {
      boxes.push_back(box_of_cell(g, c));
      for (std::size_t a = 0; a < 3; ++a)
        bounded_axes +=
            std::isfinite(boxes[c].lower[a]) || std::isfinite(boxes[c].upper[a]) ? 1 : 0;
    }
    TestRandom random(seed);
    for (int i = 0; i < 4000; ++i) {
      const Vector3 x = random.point(i % 2 == 0 ? 3 : 30);
      const std::int32_t cell = compiled_kernels::cell_at(g.view(), x, {0.6, 0.64, 0.48}).cell;
      if (cell < 0) continue;
      const SampleBox& box = boxes[static_cast<std::size_t>(cell)];
      ++points_in_cells;
      CHECK(x.x >= box.lower[0]);
      CHECK(x.x <= box.upper[0]);
      CHECK(x.y >= box.lower[1]);
      CHECK(x.y <= box.upper[1]);
      CHECK(x.z >= box.lower[2]);
      CHECK(x.z <= box.upper[2]);
    }
  }
  CHECK(points_in_cells > 50000);
  CHECK(bounded_axes > 30);
}

TEST_CASE(
    "geometry bounds: an overlap in a small, rotated and nested cell is found by points in its own "
    "box") {
  // A needle of 0.01 cm in the water of a lattice element, in a rotated cell.
  const std::string text = R"(
[[box]]
name = "w"
lower = [-10, -10, -10]
upper = [10, 10, 10]
boundary = "vacuum"
[[cell]]
name = "all"
region = "-w"
fill = "grid"
rotation = [20.0, 30.0, 40.0]
translation = [1.0, -2.0, 0.5]
[[lattice]]
name = "grid"
kind = "rectangular"
pitch = [5.0, 5.0]
lower_left = [-25.0, -25.0]
universes = ["aaaaaaaaaa", "aaaaaaaaaa", "aaaaaaaaaa", "aaaaaaaaaa", "aaaaabaaaa", "aaaaaaaaaa", "aaaaaaaaaa", "aaaaaaaaaa", "aaaaaaaaaa", "aaaaaaaaaa"]
legend = ["a = plain", "b = pin"]
[[surface]]
name = "needle"
kind = "sphere"
center = [1.0, 1.0, 0.0]
radius = 0.01
[[cell]]
name = "plain"
universe = "plain"
fill = "water"
[[cell]]
name = "water"
universe = "pin"
fill = "water"
[[cell]]
name = "needle"
universe = "pin"
region = "-needle"
fill = "steel"
)";
  const Geometry g = geometry_of(text);
  ThreadPool one_thread(1), three_threads(3);
  const SampleBox box = bounding_box(g);
  CHECK(sample_points(g, one_thread, box, {0, 100000}, stream).faults.empty());
  const auto cell_boxes = instances_of_cells(g, box);
  const PointCounts counts = sample_cells(g, one_thread, cell_boxes, 200, 100000, stream);
  REQUIRE(counts.faults.size() == 1);
  const GeometryFault& fault = counts.faults[0];
  CHECK(g.cell_names[static_cast<std::size_t>(fault.cells[0])] == "water");
  CHECK(g.cell_names[static_cast<std::size_t>(fault.cells[1])] == "needle");
  CHECK(std::hypot(fault.local_position.x - 1, fault.local_position.y - 1, fault.local_position.z) <
        0.01);
  CHECK(fault.count > 50);
  CHECK(cell_of_fault(g, fault) == fault.cells[1]);
  const PointCounts repeated = sample_cells(g, three_threads, cell_boxes, 200, 100000, stream);
  CHECK(repeated.faults[0].count == fault.count);
  CHECK(repeated.faults[0].first == fault.first);
}

TEST_CASE("geometry bounds: an undefined region is reported with a neighbouring cell") {
  const Geometry g = geometry_of(hexagon() +
                                 surface("hole",
                                         "kind = \"z_cylinder\"\ncenter = [6.0, 0.0]\n"
                                         "radius = 1.0") +
                                 "[[cell]]\nname = \"assembly\"\nfill = \"water\"\nregion = \"" +
                                 inside_hexagon + " +hole\"\n");
  ThreadPool pool(2);
  SampleBox box = box_of_root(g);
  box.lower[2] = -1;
  box.upper[2] = 1;
  const PointCounts counts = sample_points(g, pool, box, {0, 20000}, stream);
  REQUIRE(!counts.faults.empty());
  CHECK(cell_of_fault(g, counts.faults[0]) == 0);
  const PointState gap = state_at(g.view(), {6, 0, 0}), water = state_at(g.view(), {0, 0, 0});
  CHECK(gap.kind == PointState::Kind::undefined);
  CHECK(water.kind == PointState::Kind::defined);
  CHECK(g.material_names[static_cast<std::size_t>(water.material)] == "water");
}
