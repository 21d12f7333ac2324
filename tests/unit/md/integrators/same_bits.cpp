// Integrators, thermostats and barostats have the same bits for any number of ranks and threads,
// any vector width, any observation interval, and after a restart at any step.

#include <mutex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "toy_system.hpp"

using namespace gsim;
using namespace gsim::md;
using namespace gsim::md::test;

namespace {

constexpr Index steps = 60;

struct Case {
  std::string name;
  ToyOptions options;
};

ToyOptions base() {
  ToyOptions options;
  options.atoms = 37;
  options.masses = {1.0, 2.5, 0.3};
  options.box = Box({0, 0, 0}, {8, 9, 7});
  options.steps = steps;
  options.time_step = 0.05;
  options.stiffness = 5;
  options.stretched = {0.3, -0.1, 0.6};
  return options;
}

BarostatConfig barostat(TestBarostat kind, Coupling coupling) {
  BarostatConfig b = test::barostat(kind, coupling, 0.1, 1, 2);
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
  std::vector<Case> all;
  all.push_back({"verlet", base()});
  all.back().options.motion.momentum_removal = 7;
  for (const TestThermostat kind :
       {TestThermostat::langevin, TestThermostat::nose_hoover, TestThermostat::bussi}) {
    all.push_back({"thermostat " + std::to_string(static_cast<int>(kind)), base()});
    all.back().options.motion.thermostat = thermostat(kind, 1.5);
    all.back().options.motion.thermostat->temperature.end = 2.5;
    for (const TestBarostat b : {TestBarostat::mtk, TestBarostat::cell_rescaling}) {
      all.push_back(all[all.size() - (b == TestBarostat::mtk ? 1 : 2)]);
      all.back().name += " barostat " + std::to_string(static_cast<int>(b));
      all.back().options.motion.barostat =
          barostat(b, kind == TestThermostat::bussi ? Coupling::xyz : Coupling::isotropic);
    }
  }
  all.push_back({"groups", base()});
  MotionConfig& motion = all.back().options.motion;
  motion.groups = {group("wall", 0, 5), group("hot", 6, 12), group("cold", 13, 20)};
  motion.groups[0].frozen = true;
  motion.groups[1].thermostat = thermostat(TestThermostat::langevin, 3);
  motion.groups[2].thermostat = thermostat(TestThermostat::bussi, 0.5);
  motion.thermostat = thermostat(TestThermostat::nose_hoover, 1);
  motion.momentum_removal = 9;
  all.push_back({"tilted", base()});
  all.back().options.box = Box({0, 0, 0}, {8, 9, 7}, {2, -1, 3});
  all.back().options.motion.thermostat = thermostat(TestThermostat::langevin, 1);
  all.back().options.motion.barostat = barostat(TestBarostat::mtk, Coupling::isotropic);
  all.push_back({"minimise", base()});
  all.back().options.motion.kind = MotionKind::minimise;
  all.back().options.motion.minimise = {1e-9, 0.05};
  return all;
}

MemoryDatasets::Contents run(const ToyOptions& options, Index every, const Executor& executor) {
  Toy toy(options, Communicator::self(), executor);
  toy.run_to(steps, every);
  return toy.save();
}

MemoryDatasets::Contents run_on(int ranks, const ToyOptions& options) {
  MemoryDatasets::Contents contents;
  std::mutex lock;
  run_in_process(ranks, [&](Communicator communicator) {
    Toy toy(options, communicator);
    toy.run_to(steps, 4);
    const auto mine = toy.save();
    const std::lock_guard guard(lock);
    contents = mine;
  });
  return contents;
}

}  // namespace

TEST_CASE("same bits of motion: ranks, threads, vector width, observed steps") {
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    const auto expected = run(c.options, 1, Executor::host(1));
    CHECK(run(c.options, 1000, Executor::host(1)) == expected);
    for (const int ranks : {2, 3, 5}) CHECK(run_on(ranks, c.options) == expected);
    for (const Target level : available_cpu_targets())
      CHECK(run(c.options, 3, Executor::host(3, level)) == expected);
    for (const Index stop : {1, 13, 59}) {
      Toy first(c.options);
      first.run_to(stop, 5);
      Toy second(c.options);
      second.restore(first.save());
      second.run_to(steps, 5);
      CHECK(second.save() == expected);
    }
    if (c.options.motion.kind == MotionKind::minimise) continue;  // velocities start from zero
    ToyOptions other = c.options;
    other.seed += 1;
    CHECK(run(other, 5, Executor::host(1)) != expected);
  }
}
