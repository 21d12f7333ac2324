// Generated initial systems: droplets and random packings.

#include <cmath>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/structures/droplet.hpp"
#include "src/modules/md/structures/random_packing.hpp"

using namespace gsim;
using namespace gsim::md;

TEST_CASE("droplet: drop and vapour have the given densities, and a gap separates them") {
  // Radius 8, densities 0.8 and 0.01, lengths of the box, and centre as fractions of them.
  const DropletOptions o{8, 0.8, 0.01, {40, 36, 44}, {0.25, 0.5, 0.9}};
  const AtomSystem system = make_droplet(o);
  ImageCount image{};
  const FixedPosition middle = system.box.to_fixed({10, 18, 39.6}, image);
  Index inside = 0, outside = 0;
  for (const FixedPosition& p : system.atoms.position) {
    const Vector3 r = system.box.difference(p, middle);
    const double d = std::hypot(r[0], r[1], r[2]);
    inside += d < o.radius;
    outside += d >= o.radius;
    // The gap is half of the distance of vapour atoms.
    CHECK((d < o.radius || d >= o.radius + 0.5 / std::cbrt(0.01) - 1e-9));
  }
  const double drop = 4.0 / 3 * 3.14159265 * 512;
  // The number of lattice points in a sphere deviates from density times volume by up to a few
  // times the square root of the number of points at its surface.
  CHECK(std::abs(static_cast<double>(inside) - 0.8 * drop) < 60);
  CHECK(std::abs(static_cast<double>(outside) - 0.01 * (40.0 * 36 * 44 - drop)) < 60);
  CHECK_THROWS_AS(make_droplet({20, 0.8, 0, {40, 60, 60}, {}}), InputError);
}

TEST_CASE("random packing: all distances, also across boundaries, are at least the given one") {
  const Box box({-1, 2, 0}, {9, 8, 10}, {2, -1, 3});
  const auto points = random_packing(5, box, 400, 0.8);
  REQUIRE(points.size() == 400);
  double nearest = 1e9;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vector3 d = box.difference(points[i], points[j]);
      nearest = std::min(nearest, std::hypot(d[0], d[1], d[2]));
    }
  CHECK(nearest >= 0.8);
  CHECK(nearest < 0.82);  // 400 of the 1,400 that fit: some pair is close to the limit
  CHECK(random_packing(5, box, 400, 0.8) == points);
  CHECK(random_packing(6, box, 400, 0.8) != points);
  CHECK_THROWS_AS(random_packing(5, box, 5000, 0.8), InputError);
}
