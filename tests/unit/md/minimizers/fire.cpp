// The FIRE minimiser, applied to atoms on harmonic springs.

#include "src/modules/md/minimizers/fire.hpp"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "unit/md/integrators/spring_system.hpp"

using namespace gsim;
using namespace gsim::md;
using namespace gsim::md::test;

namespace {

SpringSystemOptions fire_options() {
  SpringSystemOptions options;
  options.motion.plan = fire_minimiser({.force_tolerance = 1e-7, .max_displacement = 0.1});
  options.time_step = 0.1;
  options.spring_constant = 2;
  options.initial_displacement = {0.8, -0.5, 0.3};
  return options;
}

}  // namespace

TEST_CASE("fire: finds the minimum with a limited displacement per step") {
  SpringSystem system(fire_options());
  Vector3 last = system.displacement(3);
  double largest_displacement = 0;
  Index step = 0;
  while (!system.integrator().is_done() && step < 2000) {
    system.run_to(++step);
    const Vector3 now = system.displacement(3);
    largest_displacement = std::max(
        largest_displacement, std::hypot(now[0] - last[0], now[1] - last[1], now[2] - last[2]));
    last = now;
  }
  CHECK(system.integrator().is_done());
  CHECK(step < 400);
  CHECK(system.potential() <
        64 * 0.25e-14);  // f^2 / (2 k) for each atom, where f is the force tolerance
  CHECK(largest_displacement <= 0.1 * (1 + 1e-6));
  CHECK(largest_displacement > 0.09);
  REQUIRE(system.integrator().columns().size() == 2);
  const std::vector<double> values = system.column_values();
  REQUIRE(values.size() == 2);
  CHECK(values[0] <= 1e-7);
  CHECK(values[1] > 0.002);  // bounds of the time step
  CHECK(values[1] < 1);
}

TEST_CASE("fire: frozen atoms do not move, and their forces are ignored") {
  SpringSystemOptions options = fire_options();
  GroupConfig wall;
  wall.name = "wall";
  wall.ids = {0, 9};
  wall.frozen = true;
  options.motion.groups = {wall};
  SpringSystem system(options);
  const FixedPosition before = system.positions()[9];
  system.run_to(600, 100);
  CHECK(system.integrator().is_done());
  CHECK(system.positions()[9] == before);
  CHECK(system.potential() == doctest::Approx(10 * 0.98));  // the energy of the frozen springs
}
