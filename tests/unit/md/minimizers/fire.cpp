// The minimiser FIRE on atoms on springs.

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "unit/md/integrators/toy_system.hpp"

using namespace gsim;
using namespace gsim::md;
using namespace gsim::md::test;

namespace {

ToyOptions minimise() {
  ToyOptions options;
  options.motion.kind = MotionKind::minimise;
  options.motion.minimise = {1e-7, 0.1};
  options.time_step = 0.1;
  options.spring = 2;
  options.stretched = {0.8, -0.5, 0.3};
  return options;
}

}  // namespace

TEST_CASE("fire: finds the minimum of springs with limited displacements") {
  Toy toy(minimise());
  Vector3 last = toy.spring_of(3);
  double farthest = 0;
  Index step = 0;
  while (!toy.motion().is_done() && step < 2000) {
    toy.run_to(++step);
    const Vector3 now = toy.spring_of(3);
    farthest = std::max(farthest, std::hypot(now[0] - last[0], now[1] - last[1], now[2] - last[2]));
    last = now;
  }
  CHECK(toy.motion().is_done());
  CHECK(step < 400);
  CHECK(toy.potential() < 64 * 0.25e-14);  // f^2 / 2 k each
  CHECK(farthest <= 0.1 * (1 + 1e-6));
  CHECK(farthest > 0.09);
  REQUIRE(toy.motion().columns().size() == 2);
  const std::vector<double> values = toy.motion_values();
  REQUIRE(values.size() == 2);
  CHECK(values[0] <= 1e-7);
  CHECK(values[1] > 0.002);  // its bounds
  CHECK(values[1] < 1);
}

TEST_CASE("fire: frozen atoms do not move, and their forces are ignored") {
  ToyOptions options = minimise();
  GroupConfig wall;
  wall.name = "wall";
  wall.ids = {0, 9};
  wall.frozen = true;
  options.motion.groups = {wall};
  Toy toy(options);
  const FixedPosition before = toy.particles().positions()[9];
  toy.run_to(600, 100);
  CHECK(toy.motion().is_done());
  CHECK(toy.particles().positions()[9] == before);
  CHECK(toy.potential() == doctest::Approx(10 * 0.98));
}
