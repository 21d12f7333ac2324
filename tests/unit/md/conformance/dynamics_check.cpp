// The conformance checks of thermostats and observers.

#include "src/modules/md/conformance/dynamics_check.hpp"

#include <limits>
#include <string>
#include <type_traits>

#include <doctest/doctest.h>

#include "gsim/md/observers/atom_observer.hpp"
#include "gsim/md/thermostats/thermostat.hpp"
#include "gsim/modules/builtin.hpp"

using namespace gsim;

namespace {

const std::string frame = R"(
module = "md"
[md]
steps = 4
time_step = 0.004
[[type]]
name = "A"
mass = 1.0
[start]
kind = "lattice"
lattice = "fcc"
density = 0.8
cells = [4, 4, 4]
temperature = 1.0
[pair]
cutoff = 2.2
[[pair.potential]]
kind = "lennard_jones"
epsilon = 1.0
sigma = 1.0
)";

double factor = 1;

class Scaling : public md::Thermostat {
 public:
  double scale(double, double, Index) override { return factor; }
  double energy() const override { return 0; }
  void save(DatasetWriter&, const std::string&) const override {}
  void restore(DatasetReader&, const std::string&) override {}
};

class Counting : public md::AtomObserver {
 public:
  void observe(const md::ObservedStep& step) override {
    if (step.step == 3) throw Error("step 3 is too much");
  }
  void save(DatasetWriter&, const std::string&) const override {}
  void restore(DatasetReader&, const std::string&) override {}
  void write_results(DatasetWriter&, const std::string&) const override {}
  std::uint64_t digest() const override { return 0; }
};

template <class Kind>
std::string problem_of(const Kind& kind, const std::string& tables) {
  Registry registry;
  register_builtin_modules(registry);
  registry.extend(kind);
  const ConformanceSubject subject{registry.extensions().back(), registry, frame + tables,
                                   "part.toml"};
  std::string problem;
  auto* const check =
      std::is_same_v<Kind, md::ObserverKind> ? md::check_observer : md::check_thermostat;
  check(subject, [&](const Finding& f) { problem = f.problem; });
  return problem;
}

std::string thermostat_problem(double scaled) {
  factor = scaled;
  const auto describe = [](Section&) -> md::ThermostatPlan {
    return {[](const md::ThermostatSetup&) { return std::make_unique<Scaling>(); }};
  };
  return problem_of(md::ThermostatKind{"scaling", "scales", describe},
                    "[thermostat]\nkind = \"scaling\"\ntemperature = 1.0\n");
}

std::string observer_problem(const std::string& when) {
  const auto describe = [](Section&) -> md::ObserverPlan {
    return {.make = md::atom_observer(
                [](const md::AtomObserverSetup&) { return std::make_unique<Counting>(); })};
  };
  return problem_of(md::ObserverKind{"counting", "counts steps", describe},
                    "[[observe]]\nkind = \"counting\"\n" + when);
}

}  // namespace

TEST_CASE("thermostat check: a thermostat's factors are positive numbers") {
  CHECK(thermostat_problem(1) == "");
  CHECK(thermostat_problem(-1).find("the scale factor of velocities is -1 in step") !=
        std::string::npos);
  CHECK(thermostat_problem(std::numeric_limits<double>::quiet_NaN()).find("is nan in step") !=
        std::string::npos);
}

TEST_CASE("observer check: an observer is called in a step, and what it throws is reported") {
  CHECK(observer_problem("every = 2\n") == "");
  CHECK(observer_problem("every = 1\n").find("step 3 is too much") != std::string::npos);
  CHECK(observer_problem("every = 2\nfrom = 100\n").starts_with("it was never called"));
}
