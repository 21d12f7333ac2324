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

const std::string base_config = R"(
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

double velocity_factor = 1;

class ConstantScaling : public md::Thermostat {
 public:
  double scale(double, double, Index) override { return velocity_factor; }
  double energy() const override { return 0; }
  void save(DatasetWriter&, const std::string&) const override {}
  void restore(DatasetReader&, const std::string&) override {}
};

class FailingObserver : public md::AtomObserver {
 public:
  void observe(const md::ObservedStep& step) override {
    if (step.step == 3) throw Error("failure in step 3");
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
  const ConformanceSubject subject{registry.extensions().back(), registry, base_config + tables,
                                   "part.toml"};
  std::string problem;
  auto* const check =
      std::is_same_v<Kind, md::ObserverKind> ? md::check_observer : md::check_thermostat;
  check(subject, [&](const Finding& f) { problem = f.problem; });
  return problem;
}

std::string thermostat_problem(double factor) {
  velocity_factor = factor;
  const auto describe = [](Section&) -> md::ThermostatPlan {
    return {[](const md::ThermostatSetup&) { return std::make_unique<ConstantScaling>(); }};
  };
  return problem_of(md::ThermostatKind{"scaling", "scales", describe},
                    "[thermostat]\nkind = \"scaling\"\ntemperature = 1.0\n");
}

std::string observer_problem(const std::string& steps) {
  const auto describe = [](Section&) -> md::ObserverPlan {
    return {.make = md::atom_observer(
                [](const md::AtomObserverSetup&) { return std::make_unique<FailingObserver>(); })};
  };
  return problem_of(md::ObserverKind{"failing", "fails in step 3", describe},
                    "[[observe]]\nkind = \"failing\"\n" + steps);
}

}  // namespace

TEST_CASE("thermostat check: a thermostat's factors are positive numbers") {
  CHECK(thermostat_problem(1) == "");
  CHECK(thermostat_problem(-1).find("the scale factor of velocities is -1 in step") !=
        std::string::npos);
  CHECK(thermostat_problem(std::numeric_limits<double>::quiet_NaN()).find("is nan in step") !=
        std::string::npos);
}

TEST_CASE("observer check: an observer that is never called or throws is reported") {
  CHECK(observer_problem("every = 2\n") == "");
  CHECK(observer_problem("every = 1\n").find("failure in step 3") != std::string::npos);
  CHECK(observer_problem("every = 2\nfrom = 100\n").starts_with("it was never called"));
}
