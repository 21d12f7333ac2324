// The simulation box: conversion between Cartesian and integer coordinates, image counts, widths,
// and invalid boxes.

#include "gsim/domain/box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"

using namespace gsim;

namespace {

const Box triclinic({-1, 2, 0.5}, {8, 9, 10}, {3, -2, 4});
const Box open({0, 0, 0}, {4, 5, 6}, {}, {Boundary::periodic, Boundary::open, Boundary::periodic});

/// The shortest image of d, by trying all images within two boxes.
double shortest_image_distance(const Box& box, const Vector3& d) {
  const auto [lx, ly, lz] = box.lengths();
  const auto [xy, xz, yz] = box.tilts();
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j)
      for (int k = -2; k <= 2; ++k)
        shortest = std::min(shortest, std::hypot(d[0] + i * lx + j * xy + k * xz,
                                                 d[1] + j * ly + k * yz, d[2] + k * lz));
  return shortest;
}

}  // namespace

TEST_CASE("box: Cartesian positions are recovered from integer positions and image counts") {
  for (const Box* box : {&triclinic, &open}) {
    for (int n = 0; n < 200; ++n) {
      const double u = 0.37 * n - 20, v = n % 7 * 0.5 + 0.1, w = 0.73 * n - 30;
      ImageCount image;
      const FixedPosition p = box->to_fixed({u, v, w}, image);
      const Vector3 recovered = box->to_cartesian(p, image);
      CHECK(recovered[0] == doctest::Approx(u).epsilon(1e-12));
      CHECK(recovered[1] == doctest::Approx(v).epsilon(1e-12));
      CHECK(recovered[2] == doctest::Approx(w).epsilon(1e-12));
    }
  }
}

TEST_CASE("box: a position just below a face is wrapped and not out of range") {
  const Box box({0, 0, 0}, {1, 1, 1});
  ImageCount image;
  const FixedPosition p = box.to_fixed({-1e-30, 1.0, 0.0}, image);
  CHECK(p.x[0] == 0);
  CHECK(image[0] == 0);
  CHECK(p.x[1] == 0);
  CHECK(image[1] == 1);
}

TEST_CASE(
    "box: differences are exactly antisymmetric; those shorter than half a width are to the "
    "nearest image") {
  for (const Box* box : {&triclinic, &open}) {
    const double half_width = 0.5 * std::min({box->width(0), box->width(1), box->width(2)});
    int compared = 0;
    for (int n = 0; n < 2000; ++n) {
      ImageCount image;
      // Multiples of irrational numbers modulo 1 are distributed evenly.
      const auto coordinate = [&](int k) {
        const double f = std::fmod(0.6180339887 * (3 * n + k), 1.0);
        return f * box->lengths()[static_cast<std::size_t>(k)];
      };
      const Vector3 a{coordinate(0), coordinate(1), coordinate(2)};
      const Vector3 b{std::fmod(0.7548776662 * n, 1.0) * 8,
                      2 + std::fmod(0.5698402910 * n, 1.0) * 2,
                      std::fmod(0.318309886 * n, 1.0) * 6};
      const FixedPosition p = box->to_fixed(a, image), q = box->to_fixed(b, image);
      const Vector3 d = box->difference(p, q), e = box->difference(q, p);
      for (std::size_t k = 0; k < 3; ++k) CHECK(d[k] == -e[k]);
      const double length = std::hypot(d[0], d[1], d[2]);
      if (box->boundary(1) == Boundary::open) continue;
      const double expected =
          shortest_image_distance(*box, {a[0] - b[0], a[1] - b[1], a[2] - b[2]});
      if (expected >= half_width) continue;
      ++compared;
      CHECK(length == doctest::Approx(expected).epsilon(1e-9));
    }
    if (box == &triclinic) CHECK(compared > 100);
  }
}

TEST_CASE("box: positions along an open axis are not wrapped") {
  // Positions may be up to half a length outside the box: from -2.5 to 7.5.
  ImageCount image;
  const FixedPosition below = open.to_fixed({0, -2.0, 0}, image),
                      above = open.to_fixed({0, 7.0, 0}, image);
  CHECK(open.difference(above, below)[1] == doctest::Approx(9.0));
  CHECK_THROWS_AS(open.to_fixed({0, 7.6, 0}, image), NumericalError);
  CHECK_THROWS_AS(open.to_fixed({std::nan(""), 0, 0}, image), NumericalError);
}

TEST_CASE("box: widths, volume and matrix of a triclinic box") {
  // Widths are volume over face area: |b x c| and |a x c| by hand.
  CHECK(triclinic.volume() == 720.0);
  const double bc = std::hypot(9.0 * 10, 3.0 * 10, 3.0 * 4 - 9.0 * -2);
  CHECK(triclinic.width(0) == doctest::Approx(720.0 / bc));
  CHECK(triclinic.width(1) == doctest::Approx(720.0 / (8 * std::hypot(10.0, 4.0))));
  CHECK(triclinic.width(2) == 10.0);
  const auto m = triclinic.matrix(0);
  CHECK(m == std::array<double, 6>{8, 9, 10, 3, -2, 4});
  CHECK(open.matrix(0)[1] == 20.0);  // the whole integer range is four boxes
  CHECK(open.fraction_of(1, 2.5) == 0.125);
  const Box twice = triclinic.stretched({2, 2, 2});
  CHECK(twice.volume() == 8 * triclinic.volume());
  CHECK(twice.tilts() == Vector3{6, -4, 8});
}

TEST_CASE("box: invalid lengths, tilts and boundaries are refused") {
  CHECK_THROWS_WITH_AS(Box({}, {1, 0, 1}), doctest::Contains("every length must be positive"),
                       InputError);
  CHECK_THROWS_WITH_AS(Box({}, {4, 4, 4}, {2.1, 0, 0}), doctest::Contains("tilt xy"), InputError);
  CHECK_THROWS_WITH_AS(
      Box({}, {4, 4, 4}, {0, 1, 0}, {Boundary::open, Boundary::periodic, Boundary::periodic}),
      doctest::Contains("not periodic"), InputError);
  CHECK_THROWS_AS(Box({}, {4, 4, std::nan("")}), InputError);
}
