// Boundary conditions: reflective, white, periodic and vacuum surfaces, and outer surfaces in delta
// tracking.

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

std::string box_config(const std::string& boundaries) {
  return "[[box]]\nname = \"w\"\nlower = [-1, -2, -3]\nupper = [1, 2, 3]\n" + boundaries +
         "\n[[cell]]\nname = \"root\"\nregion = \"-w\"\nfill = \"void\"\n";
}

/// Position and direction of a particle, and the number of boundary conditions on its path.
struct ParticleState {
  Vector3 x, d;
  int boundary_conditions = 0;
};
/// Follows a particle over the distance `path_length`.
ParticleState state_after(const GeometryView& g, Vector3 x, Vector3 d, double path_length,
                          TestRandom& random) {
  Coordinates c;
  begin_flight(c, x, d);
  REQUIRE(locate(g, c));
  ParticleState state;
  double length = 0;
  for (;;) {
    const Boundary b = next_boundary(g, c);
    const double distance = b.path - c.path;
    if (length + distance >= path_length) {
      c.path += path_length - length;
      break;
    }
    length += distance;
    const Crossing crossing = cross(g, c, b, random);
    REQUIRE(crossing.kind != CrossingKind::lost);
    if (crossing.kind != CrossingKind::next_cell && crossing.kind != CrossingKind::same_cell)
      ++state.boundary_conditions;
  }
  state.x = position_of(c);
  state.d = c.level[0].direction;
  return state;
}

/// The coordinate in [-w, w] of a particle that is reflected at both ends, from its unbounded
/// coordinate x.
double reflected_coordinate(double x, double w) {
  double u = std::fmod(x + w, 4 * w);
  if (u < 0) u += 4 * w;
  return u <= 2 * w ? u - w : 3 * w - u;
}

}  // namespace

TEST_CASE(
    "geometry boundaries: paths reflected in a box unfold to straight lines and are reversible") {
  const Geometry geometry = geometry_of(box_config("boundary = \"reflective\""));
  const GeometryView g = geometry.view();
  TestRandom random(1);
  for (int n = 0; n < 300; ++n) {
    const Vector3 x{random.between(-1, 1), random.between(-2, 2), random.between(-3, 3)};
    const Vector3 d = random.direction();
    const ParticleState p = state_after(g, x, d, 100, random);
    const Vector3 unbounded = along(x, 100, d);
    CHECK(p.x.x == doctest::Approx(reflected_coordinate(unbounded.x, 1)).epsilon(1e-10));
    CHECK(p.x.y == doctest::Approx(reflected_coordinate(unbounded.y, 2)).epsilon(1e-10));
    CHECK(p.x.z == doctest::Approx(reflected_coordinate(unbounded.z, 3)).epsilon(1e-10));
    CHECK(p.boundary_conditions > 20);
    const ParticleState reversed = state_after(g, p.x, p.d * -1, 100, random);
    CHECK(std::abs(reversed.x.x - x.x) < 1e-11);
    CHECK(std::abs(reversed.x.y - x.y) < 1e-11);
    CHECK(std::abs(reversed.x.z - x.z) < 1e-11);
  }
}

TEST_CASE("geometry boundaries: reflection in a sphere conserves angular momentum") {
  const Geometry geometry = geometry_of(
      "[[surface]]\nname = \"ball\"\nkind = \"sphere\"\nradius = 2.0\nboundary = \"reflective\"\n"
      "[[cell]]\nname = \"root\"\nregion = \"-ball\"\nfill = \"void\"\n");
  const GeometryView g = geometry.view();
  TestRandom random(2);
  for (int n = 0; n < 200; ++n) {
    const Vector3 x = random.direction() * random.between(0, 1.9), d = random.direction();
    const ParticleState p = state_after(g, x, d, 200, random);
    const Vector3 initial_momentum = cross_product(x, d), final_momentum = cross_product(p.x, p.d);
    CHECK(std::abs(initial_momentum.x - final_momentum.x) < 1e-10);
    CHECK(std::abs(initial_momentum.y - final_momentum.y) < 1e-10);
    CHECK(std::abs(initial_momentum.z - final_momentum.z) < 1e-10);
    CHECK(dot(p.d, p.d) == doctest::Approx(1).epsilon(1e-14));
  }
}

TEST_CASE("geometry boundaries: periodic planes translate particles by the distance between them") {
  const std::string skewed_planes = R"(
[[surface]]
name = "left"
kind = "plane"
normal = [1.0, 1.0, 0.0]
offset = -1.5
boundary = "periodic"
partner = "right"
[[surface]]
name = "right"
kind = "plane"
normal = [-2.0, -2.0, 0.0]
offset = -5.0
boundary = "periodic"
partner = "left"
[[cell]]
name = "root"
region = "+left +right"
fill = "void"
)";
  const Geometry boxed = geometry_of(box_config("boundary = \"periodic\""));
  const Geometry skewed = geometry_of(skewed_planes);
  TestRandom random(3);
  const auto periodic_difference = [](double x, double w) {
    double u = std::fmod(x + w, 2 * w);
    return (u < 0 ? u + 2 * w : u) - w;
  };
  for (int n = 0; n < 300; ++n) {
    const Vector3 x = random.point(0.9), d = random.direction();
    const ParticleState p = state_after(boxed.view(), x, d, 50, random);
    const Vector3 unbounded = along(x, 50, d);
    CHECK(std::abs(periodic_difference(p.x.x - unbounded.x, 1)) < 1e-11);
    CHECK(std::abs(periodic_difference(p.x.y - unbounded.y, 2)) < 1e-11);
    CHECK(std::abs(periodic_difference(p.x.z - unbounded.z, 3)) < 1e-11);
    CHECK(p.d.x == d.x);
    // x + y is periodic on [-1.5, 2.5], with the period 4; x - y and z do not change.
    const ParticleState q = state_after(skewed.view(), {0.1, 0.2, x.z}, d, 50, random);
    const Vector3 unbounded_skew = along({0.1, 0.2, x.z}, 50, d);
    CHECK(std::abs(periodic_difference(q.x.x + q.x.y - unbounded_skew.x - unbounded_skew.y, 2)) <
          1e-11);
    CHECK(std::abs(q.x.x - q.x.y - unbounded_skew.x + unbounded_skew.y) < 1e-11);
    CHECK(std::abs(q.x.z - unbounded_skew.z) < 1e-11);
  }
}

TEST_CASE("geometry boundaries: white surfaces reflect with a cosine distribution") {
  // mu^2 and the azimuth are uniform: chi-square over 20 bins each.
  for (const char* kind : {"kind = \"sphere\"\nradius = 2.0", "kind = \"z_plane\"\nz = 1.0"}) {
    CAPTURE(kind);
    const Geometry geometry = geometry_of(fmt::format(
        "[[surface]]\nname = \"s\"\n{}\nboundary = \"white\"\n[[cell]]\nname = \"root\"\nregion = "
        "\"-s\"\nfill = \"void\"\n",
        kind));
    const GeometryView g = geometry.view();
    TestRandom random(4);
    constexpr int samples = 40000, bins = 20;
    int by_mu[bins] = {}, by_azimuth[bins] = {};
    for (int n = 0; n < samples; ++n) {
      Coordinates c;
      begin_flight(c, {0.1, -0.2, 0.3}, unit({0.3, 0.2, 0.8}));
      REQUIRE(locate(g, c));
      REQUIRE(cross(g, c, next_boundary(g, c), random).kind == CrossingKind::reflected);
      const Vector3 d = c.level[0].direction, x = c.level[0].origin;
      const Vector3 inward = surface_normal(g, g.surfaces[0], x) * -1;
      const double mu = dot(d, inward);
      REQUIRE(mu > 0);
      const Vector3 e1 = unit(cross_product(inward, {1, 0, 0})), e2 = cross_product(inward, e1);
      const double azimuth_fraction = std::atan2(dot(d, e2), dot(d, e1)) / (2 * M_PI) + 0.5;
      ++by_mu[std::min(bins - 1, static_cast<int>(mu * mu * bins))];
      ++by_azimuth[std::min(bins - 1, static_cast<int>(azimuth_fraction * bins))];
    }
    double chi_mu = 0, chi_azimuth = 0;
    const double mean = static_cast<double>(samples) / bins;
    for (int b = 0; b < bins; ++b) {
      chi_mu += (by_mu[b] - mean) * (by_mu[b] - mean) / mean;
      chi_azimuth += (by_azimuth[b] - mean) * (by_azimuth[b] - mean) / mean;
    }
    // 19 degrees of freedom: 43.8 is exceeded with the probability 0.001.
    CHECK(chi_mu < 43.8);
    CHECK(chi_azimuth < 43.8);
  }
}

TEST_CASE("geometry boundaries: a vacuum boundary ends the flight on the surface") {
  const Geometry geometry = geometry_of(box_config("boundary = \"vacuum\""));
  const GeometryView g = geometry.view();
  Coordinates c;
  TestRandom random(5);
  begin_flight(c, {0, 0, 0}, {0, 1, 0});
  REQUIRE(locate(g, c));
  const Crossing crossing = cross(g, c, next_boundary(g, c), random);
  CHECK(crossing.kind == CrossingKind::leaked);
  CHECK(geometry.surface_names[static_cast<std::size_t>(crossing.half_space >> 1)] == "w.y_max");
  CHECK(position_of(c).y == 2);
}

namespace {

// Three root cells in a box with boundary conditions; an outer plane cuts one of them, and another
// one lies behind the plane.
const char* const cut_box_config = R"(
[[box]]
name = "w"
lower = [-1, -2, -3]
upper = [1, 2, 3]
boundary = "reflective"
[[surface]]
name = "cut"
kind = "y_plane"
y = 0.5
boundary = "reflective"
[[surface]]
name = "half"
kind = "x_plane"
x = 0.0
[[cell]]
name = "short"
region = "-w -half -cut"
fill = "void"
[[cell]]
name = "long"
region = "-w +half"
fill = "void"
[[cell]]
name = "behind"
region = "-w -half +cut"
fill = "void"
)";

}  // namespace

TEST_CASE("geometry boundaries: a surface with all root cells on one side is an outer boundary") {
  const Geometry geometry = geometry_of(cut_box_config);
  const GeometryView g = geometry.view();
  REQUIRE(geometry.outer_surfaces.size() == 7);
  for (const OuterSurface& outer : geometry.outer_surfaces) {
    const std::string& name = geometry.surface_names[static_cast<std::size_t>(outer.surface)];
    CAPTURE(name);
    const bool is_upper = name.find("_max") != std::string::npos;
    const std::int32_t inner_half_space = 2 * outer.surface + (is_upper ? 0 : 1);
    // -1: root cells lie on both sides of the surface.
    CHECK(outer.inside == (name == "cut" ? -1 : inner_half_space));
  }
  for (const Cell& cell : geometry.cells) {
    CHECK(cell.outer_half_spaces == 6);
    // The outer boundaries are the last half-spaces of each cell.
    for (const CellSurface& side : geometry.surfaces_of(cell).last(6))
      CHECK(geometry.surface_names[static_cast<std::size_t>(side.half_space >> 1)][0] == 'w');
  }
  TestRandom random(8);
  Index outside = 0;
  for (int n = 0; n < 3000; ++n) {
    const Vector3 x{random.between(-1.3, 1.3), random.between(-2.6, 2.6),
                    random.between(-3.9, 3.9)};
    const Vector3 d = random.direction();
    const CellAt cell = cell_at(g, x, d);
    const bool is_inside = is_inside_outer_boundary(g, x, d);
    CHECK(is_inside == (cell.cell >= 0));
    if (is_inside) CHECK(cell_inside_outer_boundary(g, x, d).cell == cell.cell);
    outside += !is_inside;
  }
  CHECK(outside > 1000);
  CHECK(outside < 2500);
}

TEST_CASE(
    "geometry boundaries: a surface that does not bound all root cells is no outer boundary") {
  // The second cell is not an intersection of half-spaces; the first one alone would make `edge` an
  // outer boundary.
  const Geometry geometry = geometry_of(
      "[[surface]]\nname = \"edge\"\nkind = \"sphere\"\nradius = 3.0\nboundary = \"vacuum\"\n"
      "[[surface]]\nname = \"x\"\nkind = \"x_plane\"\nx = 1.0\n"
      "[[surface]]\nname = \"y\"\nkind = \"y_plane\"\ny = 0.0\n"
      "[[cell]]\nname = \"a\"\nregion = \"-edge +x +y\"\nfill = \"void\"\n"
      "[[cell]]\nname = \"b\"\nregion = \"-edge (-x | -y)\"\nfill = \"void\"\n");
  REQUIRE(geometry.outer_surfaces.size() == 1);
  CHECK(geometry.outer_surfaces[0].inside == -1);
  for (const Cell& cell : geometry.cells) CHECK(cell.outer_half_spaces == 0);
  CHECK(is_inside_outer_boundary(geometry.view(), {7, 0, 0}, {1, 0, 0}));
}

TEST_CASE("geometry boundaries: delta tracking reaches the same points as surface tracking") {
  const Geometry geometry = geometry_of(cut_box_config);
  const GeometryView g = geometry.view();
  TestRandom random(6);
  for (int n = 0; n < 500; ++n) {
    const Vector3 x{random.between(-1, 1), random.between(-2, 2), random.between(-3, 3)};
    const Vector3 d = random.direction();
    const ParticleState expected = state_after(g, x, d, 30, random);
    Coordinates c;
    begin_flight(c, x, d);
    double length = 0;
    c.entered_half_space = -1;
    for (;;) {
      const Boundary b = next_outer_surface(g, c);
      const double distance = b.path - c.path;
      if (length + distance >= 30) {
        c.path += 30 - length;
        break;
      }
      length += distance;
      const CrossingKind kind = cross_outer_surface(g, c, b, random).kind;
      REQUIRE((kind == CrossingKind::reflected || kind == CrossingKind::same_cell));
    }
    const Vector3 position = position_of(c);
    CHECK(std::abs(position.x - expected.x.x) < 1e-10);
    CHECK(std::abs(position.y - expected.x.y) < 1e-10);
    CHECK(std::abs(position.z - expected.x.z) < 1e-10);
  }
}
