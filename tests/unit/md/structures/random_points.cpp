#include "src/modules/md/structures/random_points.hpp"

#include <cmath>

#include <doctest/doctest.h>

using namespace gsim;
using namespace gsim::md;

TEST_CASE("random points: uniform in a triclinic box, and parts are equal to those of the whole") {
  const Box box({-3, 1, 2}, {4, 5, 6}, {1, -2, 2});
  constexpr Index n = 32000;
  const auto points = random_points(5, box, {0, n});
  double counts[64] = {}, expected = n / 64.0, chi_square = 0;
  for (const FixedPosition& p : points)
    counts[p.x[0] >> 62 | (p.x[1] >> 62) << 2 | (p.x[2] >> 62) << 4] += 1;
  for (const double count : counts)
    chi_square += (count - expected) * (count - expected) / expected;
  CHECK(std::abs(chi_square - 63) < 4 * std::sqrt(2 * 63.0));  // mean 63, variance 126
  auto concatenated = random_points(5, box, {0, 100});
  for (const FixedPosition& p : random_points(5, box, {100, n})) concatenated.push_back(p);
  CHECK(concatenated == points);
  CHECK(random_points(6, box, {0, 1}) != random_points(5, box, {0, 1}));
}
