// Groups of atoms: frozen groups, thermostats of groups, temperature ramps, and removal of
// momentum.

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "spring_system.hpp"

using namespace gsim;
using namespace gsim::md;
using namespace gsim::md::test;

namespace {

GroupConfig group(const std::string& name, Index first, Index last) {
  GroupConfig g;
  g.name = name;
  g.ids = {first, last};
  return g;
}

}  // namespace

TEST_CASE("groups: frozen atoms do not move, and have no degrees of freedom") {
  SpringSystemOptions options;
  options.initial_displacement = {0.4, 0.4, 0.4};
  options.motion.groups = {group("wall", 0, 19)};
  options.motion.groups[0].frozen = true;
  options.motion.thermostat = thermostat(TestThermostat::bussi, 2);
  SpringSystem system(options);
  const std::vector<FixedPosition> before = system.positions();
  system.run_to(200, 10);
  const std::vector<FixedPosition> after = system.positions();
  for (std::size_t i = 0; i < 64; ++i) {
    CHECK((after[i] == before[i]) == (i < 20));
    if (i < 20) CHECK(system.velocities()[i] == Vector3{0, 0, 0});
  }
  CHECK(system.integrator().degrees_of_freedom() == 3 * 44);
}

TEST_CASE("groups: each thermostat acts only on its own group") {
  SpringSystemOptions options;
  options.atoms = 300;
  options.masses = {1.0};
  options.motion.groups = {group("hot", 0, 99), group("cold", 100, 199)};
  options.motion.groups[0].thermostat = thermostat(TestThermostat::langevin, 3);
  options.motion.groups[1].thermostat = thermostat(TestThermostat::bussi, 0.5);
  options.time_step = 0.05;
  SpringSystem system(options);
  double sum[3] = {};
  int count = 0;
  system.run_to(2000, 10, [&](Index step) {
    if (step < 200) return;
    ++count;
    for (Index i = 0; i < 300; ++i) {
      const Vector3 v = system.velocity(i);
      sum[i / 100] += (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 300;
    }
  });
  // 300 degrees of freedom with a correlation time of about 40 of the 1800 steps.
  CHECK(sum[0] / count == doctest::Approx(3).epsilon(0.04));
  CHECK(sum[1] / count == doctest::Approx(0.5).epsilon(0.04));
  // Oscillators without a thermostat keep their energy: about kT = 1 in total, half of it kinetic.
  CHECK(sum[2] / count == doctest::Approx(0.5).epsilon(0.15));
}

TEST_CASE("groups: a ramp of the temperature reaches its final value") {
  for (const TestThermostat kind :
       {TestThermostat::langevin, TestThermostat::nose_hoover, TestThermostat::bussi}) {
    CAPTURE(static_cast<int>(kind));
    SpringSystemOptions options;
    options.atoms = 600;
    options.time_step = 0.05;
    options.steps = 2000;
    options.motion.thermostat = thermostat(kind, 1);
    options.motion.thermostat->temperature = {1, 4};
    options.masses = {0.7, 1.0, 1.3, 1.9, 2.7, 3.4, 4.5, 5.1, 6.3, 7.9};
    if (kind == TestThermostat::langevin) options.motion.thermostat->plan.friction = 2;
    SpringSystem system(options);
    // Means over 100 steps, around the middle of the ramp and at its end. The temperature rises by
    // 3 in 2000 steps: 2.5, and 4 - 50 * 3 / 2000.
    double at_half = 0, at_end = 0;
    system.run_to(options.steps, 1, [&](Index step) {
      const double temperature = 2 * system.kinetic() / system.integrator().degrees_of_freedom();
      if (step > 950 && step <= 1050) at_half += temperature / 100;
      if (step > 1900) at_end += temperature / 100;
    });
    CHECK(at_half == doctest::Approx(2.5).epsilon(0.03));
    CHECK(at_end == doctest::Approx(3.925).epsilon(0.03));
  }
}

TEST_CASE(
    "groups: momentum is removed every momentum_removal steps, and the conserved quantity includes "
    "the removed energy") {
  SpringSystemOptions options;
  options.spring_constant = 0;
  options.motion.momentum_removal = 25;
  SpringSystem system(options);
  const double first = system.conserved();
  system.run_to(24, 24);
  system.kinetic();
  CHECK(std::abs(system.sums().momentum[0]) > 1);
  system.run_to(25);
  CHECK(system.conserved() == doctest::Approx(first).epsilon(1e-11));
  for (const double p : system.sums().momentum) CHECK(std::abs(p) < 1e-10);
  CHECK(system.integrator().degrees_of_freedom() == 3 * 64 - 3);
}

TEST_CASE("groups: an atom that is too fast is reported with its id in the input") {
  SpringSystemOptions options;
  options.time_step = 10;
  options.temperature = 0;
  options.spring_constant = 0;
  SpringSystem system(options);
  CHECK(system.integrator().fault().message.empty());
  system.run_to(2);
  auto velocities = system.velocities();
  velocities[8] = {0, 1, 0};
  system.particles().store.assign(system.particles().velocity, velocities);
  system.run_to(20);
  const Fault fault = system.integrator().fault();
  CHECK(fault.step == 3);
  CHECK(fault.message.find("atom 9 moves too far") == 0);
  CHECK(fault.message.find("smaller time step") != std::string::npos);
}

TEST_CASE(
    "groups: overlapping thermostats, freezing all atoms, and a thermostat without atoms are "
    "refused") {
  SpringSystemOptions options;
  options.motion.groups = {group("a", 0, 9), group("b", 5, 19)};
  options.motion.groups[0].thermostat = thermostat(TestThermostat::bussi, 1);
  options.motion.groups[1].thermostat = thermostat(TestThermostat::bussi, 1);
  CHECK_THROWS_WITH_AS(SpringSystem{options}, doctest::Contains("`a` and `b`"), InputError);
  options.motion.groups = {group("all", 0, 63)};
  options.motion.groups[0].frozen = true;
  CHECK_THROWS_WITH_AS(SpringSystem{options}, doctest::Contains("all are frozen"), InputError);
  options.motion.groups = {group("all", 0, 63)};
  options.motion.groups[0].thermostat = thermostat(TestThermostat::bussi, 1);
  options.motion.thermostat = thermostat(TestThermostat::bussi, 1);
  CHECK_THROWS_WITH_AS(SpringSystem{options}, doctest::Contains("acts on no atom"), InputError);
  options.motion.groups.clear();
  options.motion.thermostat->plan = bussi_thermostat(0.01);
  CHECK_THROWS_WITH_AS(SpringSystem{options}, doctest::Contains("five time steps"), InputError);
}
