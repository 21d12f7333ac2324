// Integrators, thermostats and barostats have the same bits for any number of ranks and threads,
// any vector width, any observation interval, and after a restart at any step.

#include <mutex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "spring_system.hpp"
#include "src/modules/md/minimizers/fire.hpp"
#include "support/test_executor.hpp"

using namespace gsim;
using namespace gsim::md;
using namespace gsim::md::test;

namespace {

constexpr Index steps = 60;

struct Case {
  std::string name;
  SpringSystemOptions options;
};

SpringSystemOptions base_options() {
  SpringSystemOptions options;
  options.atoms = 37;
  options.masses = {1.0, 2.5, 0.3};
  options.box = Box({0, 0, 0}, {8, 9, 7});
  options.steps = steps;
  options.time_step = 0.05;
  options.box_stiffness = 5;
  options.initial_displacement = {0.3, -0.1, 0.6};
  return options;
}

BarostatConfig barostat(TestBarostat kind, Coupling coupling) {
  BarostatConfig b = md::test::barostat(kind, coupling, 0.1, 1, 2);
  b.pressure.end = 0.3;
  return b;
}

GroupConfig group(const std::string& name, Index first, Index last) {
  GroupConfig g;
  g.name = name;
  g.ids = {first, last};
  return g;
}

std::vector<Case> cases() {
  std::vector<Case> result;
  result.push_back({"verlet", base_options()});
  result.back().options.motion.momentum_removal = 7;
  for (const TestThermostat kind :
       {TestThermostat::langevin, TestThermostat::nose_hoover, TestThermostat::bussi}) {
    result.push_back({"thermostat " + std::to_string(static_cast<int>(kind)), base_options()});
    result.back().options.motion.thermostat = thermostat(kind, 1.5);
    result.back().options.motion.thermostat->temperature.end = 2.5;
    for (const TestBarostat b : {TestBarostat::mtk, TestBarostat::cell_rescaling}) {
      result.push_back(result[result.size() - (b == TestBarostat::mtk ? 1 : 2)]);
      result.back().name += " barostat " + std::to_string(static_cast<int>(b));
      result.back().options.motion.barostat =
          barostat(b, kind == TestThermostat::bussi ? Coupling::xyz : Coupling::isotropic);
    }
  }
  result.push_back({"groups", base_options()});
  MotionConfig& motion = result.back().options.motion;
  motion.groups = {group("wall", 0, 5), group("hot", 6, 12), group("cold", 13, 20)};
  motion.groups[0].frozen = true;
  motion.groups[1].thermostat = thermostat(TestThermostat::langevin, 3);
  motion.groups[2].thermostat = thermostat(TestThermostat::bussi, 0.5);
  motion.thermostat = thermostat(TestThermostat::nose_hoover, 1);
  motion.momentum_removal = 9;
  result.push_back({"tilted", base_options()});
  result.back().options.box = Box({0, 0, 0}, {8, 9, 7}, {2, -1, 3});
  result.back().options.motion.thermostat = thermostat(TestThermostat::langevin, 1);
  result.back().options.motion.barostat = barostat(TestBarostat::mtk, Coupling::isotropic);
  result.push_back({"minimise", base_options()});
  result.back().options.motion.plan = fire_minimiser({1e-9, 0.05});
  return result;
}

MemoryDatasets::Contents run(const SpringSystemOptions& options, Index observation_interval,
                             const Executor& executor) {
  SpringSystem system(options, Communicator::self(), executor);
  system.run_to(steps, observation_interval);
  return system.save();
}

MemoryDatasets::Contents run_on_ranks(int ranks, const SpringSystemOptions& options) {
  MemoryDatasets::Contents contents;
  std::mutex lock;
  run_in_process(ranks, [&](Communicator communicator) {
    SpringSystem system(options, communicator);
    system.run_to(steps, 4);
    const auto state = system.save();
    const std::lock_guard guard(lock);
    contents = state;
  });
  return contents;
}

}  // namespace

TEST_CASE(
    "motion: the same bits for any ranks, threads, vector width, observation interval and "
    "restart") {
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    const auto expected = run(c.options, 1, Executor::host(1));
    CHECK(run(c.options, 1000, gsim::test::test_executor()) == expected);
    for (const int ranks : {2, 3, 5}) CHECK(run_on_ranks(ranks, c.options) == expected);
    for (const Executor& executor : gsim::test::test_executors({3}))
      CHECK(run(c.options, 3, executor) == expected);
    for (const Index stop : {1, 13, 59}) {
      SpringSystem first(c.options);
      first.run_to(stop, 5);
      SpringSystem second(c.options);
      second.restore(first.save());
      second.run_to(steps, 5);
      CHECK(second.save() == expected);
    }
    if (c.options.motion.plan.is_minimiser()) continue;  // velocities start from zero
    SpringSystemOptions other = c.options;
    other.seed += 1;
    CHECK(run(other, 5, gsim::test::test_executor()) != expected);
  }
}
