// Registered parts of a simulation: the built-in ones, and those that a plugin adds.

#include "src/modules/md/extensions.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "unit/md/simulation/module_runs.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

template <class Kind>
std::vector<std::string> names_of(const std::vector<const Kind*>& kinds) {
  std::vector<std::string> names;
  for (const Kind* kind : kinds) {
    CHECK(kind->missing() == nullptr);
    names.emplace_back(kind->name);
  }
  return names;
}

/// Stretches the box by a constant factor in each step.
class Expansion final : public Barostat {
 public:
  void start(const PressureState&) override {}
  BoxStep begin_step(const PressureState&, Index) override {
    BoxStep step;
    step.stretch = {1.001, 1.001, 1.001};
    return step;
  }
  HalfKick end_kick() const override { return {}; }
  void end_step(const PressureState&, Index) override {}
  double energy(double) const override { return 0; }
  void save(DatasetWriter&, const std::string&) const override {}
  void restore(DatasetReader&, const std::string&) override {}
};

/// Counts the ghosts of its samples.
class GhostCount final : public Observer {
 public:
  explicit GhostCount(const ObserverArguments& run) : run_(run) {}
  Index next(Index step) const override { return run_.steps.next(step); }
  double reach() const override { return 1.5; }
  void observe(const Snapshot& snapshot) override { ghosts_ += snapshot.particles.store.ghosts(); }
  void save(DatasetWriter&) const override {}
  void restore(DatasetReader&) override {}
  void write_results(DatasetWriter& writer) const override {
    writer.write("observables/" + run_.name, std::vector<Index>{ghosts_});
  }
  std::uint64_t digest() const override { return 0; }

 private:
  ObserverArguments run_;
  Index ghosts_ = 0;
};

BarostatPlan describe_expansion(Section&) {
  return {.make = [](const BarostatSetup&) { return std::make_unique<Expansion>(); }};
}

ObserverPlan describe_ghosts(Section&) {
  return {.make = [](const ObserverArguments& run) { return std::make_unique<GhostCount>(run); },
          .reach = 1.5};
}

Extensions extensions_with_test_parts() {
  static const BarostatKind expansion{"expansion", "", describe_expansion};
  static const ObserverKind ghosts{"ghosts", "", describe_ghosts};
  Extensions extensions = builtin_extensions();
  extensions.barostats.push_back(&expansion);
  extensions.observers.push_back(&ghosts);
  return extensions;
}

class ExtendedModule : public MdModule {
 public:
  ExtendedModule() : MdModule(extensions_with_test_parts()) {}
};

/// Atoms that do not move, and a column of the thermo table with the number of steps.
class Immobile : public Integrator {
 public:
  explicit Immobile(const IntegratorSetup& setup) : atoms_(setup.classes.front().atoms) {}
  double degrees_of_freedom() const override { return static_cast<double>(3 * atoms_); }
  void move(const IntegratorContext&) override {}
  void finish(const IntegratorContext&) override { ++steps_; }
  std::vector<IntegratorColumn> columns() const override {
    return {{"integrated_steps", "", "number of steps"}};
  }
  std::vector<double> column_values(const IntegratorContext&) override {
    return {static_cast<double>(steps_)};
  }
  void save(DatasetWriter& writer) const override { writer.write("motion/steps", steps_); }
  void restore(DatasetReader& reader) override {
    steps_ = reader.read_value<Index>("motion/steps");
  }

 private:
  Index atoms_, steps_ = 0;
};

IntegratorPlan describe_immobile(Section&) {
  return {.make = [](const MotionConfig&, const IntegratorSetup& setup) {
    return std::make_unique<Immobile>(setup);
  }};
}

/// The module with an additional integrator, registered in the way of a plugin.
class ModuleWithIntegrator : public MdModule {
 public:
  ModuleWithIntegrator() : MdModule(extensions_of(registry())) {}

 private:
  static const Registry& registry() {
    static const Registry all = [] {
      Registry own;
      register_builtin_parts(own);
      own.extend(IntegratorKind{"immobile", "atoms that do not move", describe_immobile});
      return own;
    }();
    return all;
  }
};

}  // namespace

TEST_CASE("extensions: all built-in parts are registered") {
  using Names = std::vector<std::string>;
  const Extensions& builtin = builtin_extensions();
  CHECK(names_of(builtin.pairs) == Names{"buckingham", "gaussian", "lennard_jones", "morse",
                                         "yukawa", "none", "table", "wca"});
  CHECK(names_of(builtin.eam) == Names{"eam.alloy", "eam.fs", "funcfl", "sutton_chen"});
  CHECK(names_of(builtin.bonded.bonds) == Names{"fene", "harmonic"});
  CHECK(names_of(builtin.bonded.angles) == Names{"cosine", "cosine_squared", "harmonic"});
  CHECK(names_of(builtin.bonded.dihedrals) == Names{"opls", "periodic"});
  CHECK(names_of(builtin.barostats) == Names{"stochastic_cell_rescaling", "mtk"});
  CHECK(names_of(builtin.integrators) == Names{"velocity_verlet", "minimise"});
  CHECK(names_of(builtin.thermostats) == Names{"bussi", "langevin", "nose_hoover"});
  CHECK(names_of(builtin.observers) ==
        Names{"conductivity", "density_profile", "mean_square_displacement", "radial_distribution",
              "thermal_conductivity", "velocity_autocorrelation", "viscosity"});
}

TEST_CASE(
    "extensions: a barostat and an observer that needs ghosts take part in a run when added") {
  const std::string text =
      "[md]\nsteps = 10\ntime_step = 0.001\n[[type]]\nname = \"A\"\nmass = 1.0\n[start]\n"
      "kind = \"lattice\"\nlattice = \"fcc\"\ndensity = 0.8\ntemperature = 1.0\ncells = [5, 5, 5]\n"
      "[pair]\ncutoff = 2.5\n[[pair.potential]]\nkind = \"lennard_jones\"\nepsilon = 1.0\n"
      "sigma = 1.0\n[thermo]\nevery = 10\n[thermostat]\nkind = \"bussi\"\ntemperature = 1.0\n"
      "time = 0.1\n[barostat]\nkind = \"expansion\"\npressure = 1.0\n"
      "[[observe]]\nkind = \"ghosts\"\nevery = 5\n";
  const auto outcome = test::run<ExtendedModule>(text, 2, 0, 10, 10);
  const std::vector<double> volume = outcome.numbers("thermo/volume");
  REQUIRE(volume.size() == 2);
  CHECK(volume[1] / volume[0] == doctest::Approx(std::pow(1.001, 30)));  // 3 axes, 10 steps
  CHECK(outcome.results.datasets.at("observables/ghosts").shape.rows == 1);
}

TEST_CASE("extensions: an integrator that was registered takes part in a run") {
  const std::string text =
      "[md]\nsteps = 10\ntime_step = 0.001\n[[type]]\nname = \"A\"\nmass = 1.0\n[start]\n"
      "kind = \"lattice\"\nlattice = \"fcc\"\ndensity = 0.8\ntemperature = 1.0\ncells = [5, 5, 5]\n"
      "[pair]\ncutoff = 2.5\n[[pair.potential]]\nkind = \"lennard_jones\"\nepsilon = 1.0\n"
      "sigma = 1.0\n[thermo]\nevery = 10\n[motion]\nkind = \"immobile\"\n";
  const auto outcome = test::run<ModuleWithIntegrator>(text, 2, 0, 10, 10);
  CHECK(outcome.numbers("thermo/integrated_steps") == std::vector<double>{0, 10});
  const std::vector<double> energy = outcome.numbers("thermo/potential_energy");
  REQUIRE(energy.size() == 2);
  CHECK(energy[0] == energy[1]);
  // This integrator applies no thermostat, so a configuration with a thermostat is refused.
  ConfigFile file = ConfigFile::parse(
      text + "[thermostat]\nkind = \"bussi\"\ntemperature = 1.0\ntime = 0.1\n", "run.toml");
  ModuleWithIntegrator module;
  file.read([&](Section& top) { module.describe(top); });
  CHECK_THROWS_WITH_AS(module.validate(), doctest::Contains("`immobile` applies no thermostat"),
                       ConfigError);
}
