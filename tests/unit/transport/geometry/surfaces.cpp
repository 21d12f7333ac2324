// Surfaces of every kind: sides are compared with direct evaluation of the equation, distances with
// a search by small steps and bisection, normals with finite differences.

#include <cmath>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;
using namespace gsim::transport::compiled_kernels;
using namespace gsim::transport_kernels;

namespace {

const char* const surfaces_of_all_kinds = R"(
[[surface]]
name = "px"
kind = "x_plane"
x = 0.3
[[surface]]
name = "py"
kind = "y_plane"
y = -0.4
[[surface]]
name = "pz"
kind = "z_plane"
z = 0.9
[[surface]]
name = "p"
kind = "plane"
normal = [1.0, -2.0, 0.5]
offset = 0.7
[[surface]]
name = "s"
kind = "sphere"
center = [0.5, -0.2, 0.1]
radius = 1.3
[[surface]]
name = "cx"
kind = "x_cylinder"
center = [0.2, 0.3]
radius = 0.9
[[surface]]
name = "cy"
kind = "y_cylinder"
center = [-0.2, 0.3]
radius = 1.1
[[surface]]
name = "cz"
kind = "z_cylinder"
center = [0.4, 0.1]
radius = 0.7
[[surface]]
name = "kx"
kind = "x_cone"
apex = [0.1, 0.2, 0.3]
half_angle = 35
[[surface]]
name = "ky"
kind = "y_cone"
apex = [-0.1, 0.4, 0.3]
tangent = 0.5
[[surface]]
name = "kz"
kind = "z_cone"
half_angle = 60
[[surface]]
name = "c"
kind = "cylinder"
center = [0.1, 0.2, -0.3]
axis = [1.0, 2.0, -1.5]
radius = 0.8
[[surface]]
name = "k"
kind = "cone"
apex = [0.3, 0.1, 0.2]
axis = [1.0, 1.0, 0.3]
half_angle = 25
[[surface]]
name = "hyperboloid"
kind = "quadric"
coefficients = [1.0, 2.0, -1.5, 0.3, -0.4, 0.2, 0.1, -0.3, 0.2, -0.6]
[[surface]]
name = "paraboloid"
kind = "quadric"
coefficients = [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.2]
[[surface]]
name = "tx"
kind = "x_torus"
center = [0.1, -0.1, 0.2]
major_radius = 1.5
minor_radius = 0.5
[[surface]]
name = "ty"
kind = "y_torus"
major_radius = 1.2
minor_radii = [0.3, 0.7]
[[surface]]
name = "tz"
kind = "z_torus"
center = [0.0, 0.3, 0.0]
major_radius = 1.0
minor_radii = [0.8, 0.2]
[[surface]]
name = "apple"
kind = "z_torus"
major_radius = 0.6
minor_radius = 1.0
[[surface]]
name = "ellipsoid"
kind = "ellipsoid"
center = [0.1, 0.2, -0.1]
radii = [1.5, 0.6, 1.1]
[[surface]]
name = "tanglecube"
kind = "polynomial"
center = [0.1, 0.0, -0.2]
terms = [[4, 0, 0, 1.0], [0, 4, 0, 1.0], [0, 0, 4, 1.0], [2, 0, 0, -3.0], [0, 2, 0, -3.0],
         [0, 0, 2, -3.0], [0, 0, 0, 5.0]]
[[surface]]
name = "saddle"
kind = "polynomial"
terms = [[3, 0, 0, -1.0], [1, 2, 0, 3.0], [0, 0, 1, 1.0], [1, 1, 1, 0.3], [0, 0, 0, 0.2]]
[[surface]]
name = "wave"
kind = "polynomial"
terms = [[4, 0, 0, 0.7], [2, 1, 1, -0.8], [0, 3, 0, 0.5], [1, 0, 2, 0.9], [0, 1, 0, -1.0],
         [0, 0, 0, 0.4]]
[[surface]]
name = "line"
kind = "polynomial"
terms = [[1, 0, 0, 1.0], [0, 1, 0, -0.5], [0, 0, 0, 0.3]]
[[cell]]
name = "all"
fill = "void"
)";

double square(double v) { return v * v; }

/// The left-hand side of the surface equation by its definition, independent of gsim's code.
double reference_value(const std::string& name, const Vector3& x) {
  const auto torus = [](double u, double v, double w, double a, double b, double c) {
    return square(w / b) + square((std::sqrt(u * u + v * v) - a) / c) - 1;
  };
  // r^2 - s w^2 with the component w of r along a: for s = 1 the squared distance from the axis.
  const auto from_axis = [](const Vector3& r, Vector3 a, double s) {
    const double n = std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    const double w = (r.x * a.x + r.y * a.y + r.z * a.z) / n;
    return r.x * r.x + r.y * r.y + r.z * r.z - s * w * w;
  };
  const auto tan2 = [](double degrees) { return square(std::tan(degrees * M_PI / 180)); };
  if (name == "px") return x.x - 0.3;
  if (name == "py") return x.y + 0.4;
  if (name == "pz") return x.z - 0.9;
  if (name == "p") return x.x - 2 * x.y + 0.5 * x.z - 0.7;
  if (name == "s") return square(x.x - 0.5) + square(x.y + 0.2) + square(x.z - 0.1) - square(1.3);
  if (name == "cx") return square(x.y - 0.2) + square(x.z - 0.3) - square(0.9);
  if (name == "cy") return square(x.x + 0.2) + square(x.z - 0.3) - square(1.1);
  if (name == "cz") return square(x.x - 0.4) + square(x.y - 0.1) - square(0.7);
  if (name == "kx") return square(x.y - 0.2) + square(x.z - 0.3) - tan2(35) * square(x.x - 0.1);
  if (name == "ky") return square(x.x + 0.1) + square(x.z - 0.3) - 0.25 * square(x.y - 0.4);
  if (name == "kz") return square(x.x) + square(x.y) - tan2(60) * square(x.z);
  if (name == "c") return from_axis({x.x - 0.1, x.y - 0.2, x.z + 0.3}, {1, 2, -1.5}, 1) - 0.64;
  if (name == "k") return from_axis({x.x - 0.3, x.y - 0.1, x.z - 0.2}, {1, 1, 0.3}, 1 + tan2(25));
  if (name == "hyperboloid")
    return x.x * x.x + 2 * x.y * x.y - 1.5 * x.z * x.z + 0.3 * x.x * x.y - 0.4 * x.y * x.z +
           0.2 * x.x * x.z + 0.1 * x.x - 0.3 * x.y + 0.2 * x.z - 0.6;
  if (name == "paraboloid") return x.x * x.x + x.y * x.y - x.z + 0.2;
  if (name == "tx") return torus(x.y + 0.1, x.z - 0.2, x.x - 0.1, 1.5, 0.5, 0.5);
  if (name == "ty") return torus(x.z, x.x, x.y, 1.2, 0.3, 0.7);
  if (name == "ellipsoid")
    return square((x.x - 0.1) / 1.5) + square((x.y - 0.2) / 0.6) + square((x.z + 0.1) / 1.1) - 1;
  if (name == "tanglecube") {
    double sum = 5;
    for (const double u : {x.x - 0.1, x.y, x.z + 0.2}) sum += u * u * (u * u - 3);
    return sum;
  }
  if (name == "saddle")
    return x.z - x.x * (x.x * x.x - 3 * x.y * x.y) + 0.3 * x.x * x.y * x.z + 0.2;
  if (name == "wave")
    return 0.7 * square(square(x.x)) - 0.8 * x.x * x.x * x.y * x.z + 0.5 * x.y * x.y * x.y +
           0.9 * x.x * x.z * x.z - x.y + 0.4;
  if (name == "line") return x.x - 0.5 * x.y + 0.3;
  if (name == "tz") return torus(x.x, x.y - 0.3, x.z, 1.0, 0.8, 0.2);
  return torus(x.x, x.y, x.z, 0.6, 1.0, 1.0);
}

/// The distance to the first change of side along the ray, by steps of `step` up to `max_distance`
/// and bisection.
double reference_distance(const std::string& name, const Vector3& x, const Vector3& d, double step,
                          double max_distance) {
  const bool side = reference_value(name, x) > 0;
  for (double t = step; t < max_distance; t += step) {
    if ((reference_value(name, along(x, t, d)) > 0) == side) continue;
    double lower = t - step, upper = t;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (lower + upper);
      ((reference_value(name, along(x, middle, d)) > 0) == side ? lower : upper) = middle;
    }
    return upper;
  }
  return no_distance;
}

/// One surface, a sphere about the origin.
Geometry sphere_geometry(const std::string& radius) {
  return geometry_of("[[surface]]\nname = \"ball\"\nkind = \"sphere\"\nradius = " + radius +
                     "\n[[cell]]\nname = \"all\"\nfill = \"void\"\n");
}

}  // namespace

TEST_CASE("geometry surfaces: sides, distances and normals agree with a direct search") {
  const Geometry geometry = geometry_of(surfaces_of_all_kinds);
  const GeometryView g = geometry.view();
  for (std::int32_t i = 0; i < g.surfaces.size; ++i) {
    const std::string name = geometry.surface_names[static_cast<std::size_t>(i)];
    CAPTURE(name);
    TestRandom random(100 + static_cast<std::uint64_t>(i));
    int hits = 0, skipped = 0;
    for (int n = 0; n < 200; ++n) {
      const Vector3 x = random.point(2.5), d = random.direction();
      const double value = reference_value(name, x);
      REQUIRE(is_positive_ahead(g, i, x, d) == (value > 0));
      const std::int32_t half_space = 2 * i + (value > 0 ? 1 : 0);
      const double expected = reference_distance(name, x, d, 0.004, 8.0);
      const double result = exit_distance(g, half_space, x, d);
      // The reference misses pairs of roots that are closer to each other than its steps.
      if (result < expected - 1e-6 &&
          reference_distance(name, along(x, result + 1e-9, d), d, 1e-5, 0.004) < 0.004) {
        ++skipped;
        continue;
      }
      if (expected < 7.9) {
        CHECK(result == doctest::Approx(expected).epsilon(1e-8));
        ++hits;
        const Vector3 intersection = along(x, result, d);
        const Vector3 normal = surface_normal(g, g.surfaces[i], intersection);
        const double h = 1e-5;
        const Vector3 gradient{
            reference_value(name, {intersection.x + h, intersection.y, intersection.z}) -
                reference_value(name, {intersection.x - h, intersection.y, intersection.z}),
            reference_value(name, {intersection.x, intersection.y + h, intersection.z}) -
                reference_value(name, {intersection.x, intersection.y - h, intersection.z}),
            reference_value(name, {intersection.x, intersection.y, intersection.z + h}) -
                reference_value(name, {intersection.x, intersection.y, intersection.z - h})};
        CHECK(dot(normal, unit(gradient)) == doctest::Approx(1.0).epsilon(1e-7));
      } else {
        CHECK(result > 7.9);
      }
    }
    CHECK(hits > 20);
    CHECK(skipped < 8);
  }
}

TEST_CASE(
    "geometry surfaces: from a point on the surface the distance is zero or that to the next "
    "intersection") {
  // At each intersection, the distance in the half-space that the path enters is that to the next
  // intersection, and the distance in the half-space that it leaves is zero.
  const Geometry geometry = geometry_of(surfaces_of_all_kinds);
  const GeometryView g = geometry.view();
  for (std::int32_t i = 0; i < g.surfaces.size; ++i) {
    const std::string name = geometry.surface_names[static_cast<std::size_t>(i)];
    CAPTURE(name);
    TestRandom random(300 + static_cast<std::uint64_t>(i));
    for (int n = 0; n < 300; ++n) {
      const Vector3 x = random.point(2.5), d = random.direction();
      const std::int32_t half_space = 2 * i + (is_positive_ahead(g, i, x, d) ? 1 : 0);
      const double distance = exit_distance(g, half_space, x, d);
      if (!(distance < 50)) continue;
      const Vector3 intersection = along(x, distance, d);
      const double cosine = std::abs(dot(surface_normal(g, g.surfaces[i], intersection), d));
      if (cosine < 1e-3) continue;
      CHECK(is_positive_ahead(g, i, intersection, d) == ((half_space & 1) == 0));
      CHECK(exit_distance(g, half_space, intersection, d) < 1e-9);
      const double next = exit_distance(g, half_space ^ 1, intersection, d);
      const Vector3 beyond = along(intersection, 1e-6, d);
      const double from_beyond = exit_distance(g, half_space ^ 1, beyond, d);
      if (next < 50)
        CHECK(next == doctest::Approx(from_beyond + 1e-6).epsilon(1e-6));
      else
        CHECK(from_beyond > 49);
      // The opposite direction, as after a reflection.
      const Vector3 opposite = d * -1;
      CHECK(is_positive_ahead(g, i, intersection, opposite) == ((half_space & 1) == 1));
      CHECK(exit_distance(g, half_space, intersection, opposite) > 1e-6);
    }
  }
}

TEST_CASE("geometry surfaces: a torus given as a polynomial has the distances of a torus") {
  const auto [x, y, z] = coordinates();
  const double a = 1.1, b = 0.4;
  const Polynomial q = x * x + y * y + z * z + a * a - b * b;
  const Polynomial f = q * q - 4 * a * a * (x * x + y * y);
  CHECK(f.degree() == 4);
  CHECK(f(0.3, -0.2, 0.7) ==
        doctest::Approx(square(0.09 + 0.04 + 0.49 + 1.21 - 0.16) - 4 * 1.21 * 0.13));
  std::string terms;
  for (int i = 0; i <= 4; ++i)
    for (int j = 0; i + j <= 4; ++j)
      for (int k = 0; i + j + k <= 4; ++k)
        terms += fmt::format("[{}, {}, {}, {:.17g}], ", i, j, k, f.coefficient(i, j, k));
  const Geometry geometry = geometry_of(fmt::format(R"(
[[surface]]
name = "torus"
kind = "z_torus"
center = [3.0, 1.0, -2.0]
major_radius = 1.1
minor_radius = 0.4
[[surface]]
name = "quartic"
kind = "polynomial"
center = [3.0, 1.0, -2.0]
terms = [{}]
[[cell]]
name = "all"
fill = "void"
)",
                                                    terms));
  const GeometryView g = geometry.view();
  TestRandom random(9);
  int hits = 0;
  for (int n = 0; n < 4000; ++n) {
    Vector3 p = random.point(n % 4 == 0 ? 200 : 2);  // also from far away
    p = {p.x + 3, p.y + 1, p.z - 2};
    const Vector3 target = random.point(1.2);
    const Vector3 d = unit(Vector3{target.x + 3, target.y + 1, target.z - 2} - p);
    const bool is_outside = is_positive_ahead(g, 0, p, d);
    REQUIRE(is_positive_ahead(g, 1, p, d) == is_outside);
    const double expected = exit_distance(g, is_outside ? 1 : 0, p, d);
    const double result = exit_distance(g, is_outside ? 3 : 2, p, d);
    if (expected == no_distance) {
      CHECK(result == no_distance);
      continue;
    }
    ++hits;
    CHECK(result == doctest::Approx(expected).epsilon(1e-10));
  }
  CHECK(hits > 1500);
}

TEST_CASE("geometry surfaces: a polynomial of the fifth degree is refused") {
  const auto [x, y, z] = coordinates();
  CHECK_THROWS_WITH_AS(x * x * y * y * z, doctest::Contains("degree 4 and 1"), InputError);
  const std::string polynomial_keys = "[[surface]]\nname = \"s\"\nkind = \"polynomial\"\nterms = ";
  CHECK_THROWS_WITH_AS(read_geometry(polynomial_keys + "[[5, 0, 0, 1.0]]\n"),
                       doctest::Contains("[i, j, k, c]"), ConfigError);
  CHECK_THROWS_WITH_AS(read_geometry(polynomial_keys + "[[0, 0, 0, 1.0]]\n"),
                       doctest::Contains("make no surface"), ConfigError);
}

TEST_CASE("geometry surfaces: a plugin adds a kind of surface") {
  const auto read = [](const SurfaceKind& kind, const std::string& keys) {
    GeometryConfig config;
    std::vector<const SurfaceKind*> kinds = Extensions::builtin().surfaces;
    kinds.push_back(&kind);
    ConfigFile file = ConfigFile::parse(
        "[[surface]]\nname = \"s\"\n" + keys + "[[cell]]\nname = \"all\"\nfill = \"void\"\n",
        "test.toml");
    file.read([&](Section& top) { describe_geometry(top, config, kinds); });
    validate_geometry(config);
    return build_geometry(config, {});
  };
  const auto describe = [](Section& s) {
    double radius = 1;
    s.required("radius", radius, {.doc = "radius of the ball", .unit = "cm"});
    const auto [x, y, z] = coordinates();
    return SurfaceShape{{0, 0, 1}, x * x + y * y + z * z - radius * radius};
  };
  const Geometry geometry =
      read({"ball", "positive outside", describe}, "kind = \"ball\"\nradius = 0.5\n");
  CHECK(exit_distance(geometry.view(), 1, {0, 0, 3}, {0, 0, -1}) == doctest::Approx(1.5));
  CHECK_THROWS_WITH_AS(read({"sphere", "", describe}, "kind = \"sphere\"\nradius = 1.0\n"),
                       doctest::Contains("would have two choices called"), InputError);
}

TEST_CASE("geometry surfaces: distances are accurate from 1000 cm away") {
  const Geometry geometry = sphere_geometry("0.05");
  const GeometryView g = geometry.view();
  TestRandom random(5);
  for (int n = 0; n < 1000; ++n) {
    const Vector3 d = random.direction();
    const Vector3 perpendicular = unit(cross_product(d, random.direction()));
    const double impact = random.between(0, 0.0499);
    const Vector3 x = along(perpendicular * impact, -1000, d);
    const double distance = exit_distance(g, 1, x, d);
    const Vector3 intersection = along(x, distance, d);
    CHECK(std::abs(std::sqrt(dot(intersection, intersection)) - 0.05) < 1e-11);
  }
}

TEST_CASE("geometry surfaces: rays along tangents intersect a sphere or miss it") {
  const Geometry geometry = sphere_geometry("1.0");
  const GeometryView g = geometry.view();
  const Vector3 d{1, 0, 0};
  CHECK(exit_distance(g, 1, {-2, 1 + 1e-9, 0}, d) == no_distance);
  CHECK(exit_distance(g, 1, {-2, 1 - 1e-9, 0}, d) == doctest::Approx(2).epsilon(1e-4));
  CHECK_FALSE(!is_positive_ahead(g, 0, {0, 1, 0}, d));      // leaves along the tangent
  CHECK(exit_distance(g, 0, {0, 1 + 4e-16, 0}, d) < 1e-7);  // inside by rounding: leaves at once
  CHECK(exit_distance(g, 1, {0, 1, 0}, d) == no_distance);
}
