// Decomposition: every position has one owner, for any number of ranks; bricks are nearly cubic.

#include "gsim/domain/decomposition.hpp"

#include <random>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"

using namespace gsim;

namespace {

const Box cube({0, 0, 0}, {10, 10, 10});
const Box open_slab({0, 0, 0}, {4, 40, 6}, {},
                    {Boundary::periodic, Boundary::open, Boundary::periodic});

}  // namespace

TEST_CASE("decomposition: every position is in exactly one brick, that of its owner") {
  std::mt19937_64 random(3);
  for (const Box* box : {&cube, &open_slab})
    for (int ranks : {1, 2, 3, 4, 5, 7, 8, 13, 64, 512}) {
      const Decomposition d(*box, ranks);
      REQUIRE(d.ranks() == ranks);
      for (int n = 0; n < 200; ++n) {
        const FixedPosition p{{random(), random(), random()}};
        int bricks_with_position = 0;
        for (int r = 0; r < ranks; ++r) bricks_with_position += d.brick(r).contains(p);
        CHECK(bricks_with_position == 1);
        CHECK(d.brick(d.owner(p)).contains(p));
      }
    }
}

TEST_CASE(
    "decomposition: bricks have equal volumes inside the box, also for prime numbers of ranks") {
  for (const Box* box : {&cube, &open_slab})
    for (int ranks : {2, 3, 5, 7, 8, 11}) {
      const Decomposition d(*box, ranks);
      for (int r = 0; r < ranks; ++r) {
        double volume_fraction = 1;
        for (int axis = 0; axis < 3; ++axis) {
          const auto a = static_cast<std::size_t>(axis);
          const bool is_open = box->boundary(axis) == Boundary::open;
          // An open box is a quarter of the integer range, in its middle.
          const double lo = is_open ? 0.375 : 0, hi = is_open ? 0.625 : 1;
          const double from = std::max(lo, static_cast<double>(d.brick(r).lo[a]) / cut_range);
          const double to = std::min(hi, static_cast<double>(d.brick(r).hi[a]) / cut_range);
          volume_fraction *= (to - from) / (hi - lo);
        }
        CHECK(volume_fraction * ranks == doctest::Approx(1).epsilon(1e-6));
      }
    }
}

TEST_CASE(
    "decomposition: 8 ranks of a cube are 2 x 2 x 2; a long box is divided along its longest "
    "axis") {
  const Decomposition d(cube, 8);
  for (int r = 0; r < 8; ++r)
    for (std::size_t a = 0; a < 3; ++a) CHECK(d.brick(r).hi[a] - d.brick(r).lo[a] == cut_range / 2);
  const Decomposition slab_decomposition(open_slab, 4);
  for (int r = 0; r < 4; ++r) {
    CHECK(slab_decomposition.brick(r).hi[0] - slab_decomposition.brick(r).lo[0] == cut_range);
    CHECK(slab_decomposition.brick(r).hi[2] - slab_decomposition.brick(r).lo[2] == cut_range);
  }
  CHECK(slab_decomposition.brick(0).lo[1] == 0);  // outer bricks extend to the ends of the range
  CHECK(slab_decomposition.brick(3).hi[1] == cut_range);
}

TEST_CASE("decomposition: invalid numbers of ranks and invalid trees are refused") {
  CHECK_THROWS_AS(Decomposition(cube, 0), InputError);
  using Node = Decomposition::Node;  // axis, cut, and below and above it a node or ~rank
  CHECK_NOTHROW(Decomposition(2, {Node{0, 5, ~0, ~1}}));
  CHECK_THROWS_AS(Decomposition(2, {Node{0, 5, ~0, ~0}}), Error);
  CHECK_THROWS_AS(Decomposition(2, {Node{0, 5, 0, ~1}}), Error);
  CHECK_THROWS_AS(Decomposition(2, {Node{0, 0, ~0, ~1}}), Error);
  CHECK_THROWS_AS(Decomposition(2, {Node{3, 5, ~0, ~1}}), Error);
  CHECK_THROWS_AS(Decomposition(3, {Node{0, 5, ~0, ~1}}), Error);
}
