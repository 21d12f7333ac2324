// The tables [[observe]]: reading, validation, and the observers that are made from them.

#include "src/modules/md/observers/observe_config.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/config/section.hpp"
#include "gsim/io/memory_datasets.hpp"
#include "src/modules/md/extensions.hpp"
#include "tests/unit/md/observers/observed_system.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

std::vector<ObserveConfig> read(const std::string& text) {
  std::vector<ObserveConfig> list;
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  file.read([&](Section& top) { describe_observe(top, list, builtin_extensions().observers); });
  validate_observe(list, {"A", "B"});
  return list;
}

Index count_columns(const ParticleStore& store, const std::string& prefix) {
  Index count = 0;
  for (int c = 0; c < store.columns(); ++c)
    if (store.column(ColumnId{c}).name.starts_with(prefix)) ++count;
  return count;
}

constexpr const char* all_kinds = R"(
[[observe]]
kind = "radial_distribution"
r_max = 1.5
bins = 30
types = ["B", "A"]

[[observe]]
kind = "mean_square_displacement"
every = 2
from = 3
levels = 2
origins = 5

[[observe]]
kind = "velocity_autocorrelation"
name = "vacf"
lags = 4
origins = 2

[[observe]]
kind = "viscosity"
lags = 3

[[observe]]
kind = "conductivity"

[[observe]]
kind = "density_profile"
axis = "y"
)";

}  // namespace

TEST_CASE("observe config: all kinds of observers are read, with defaults") {
  const auto list = read(all_kinds);
  REQUIRE(list.size() == 6);
  CHECK(list[0].name == "radial_distribution");
  CHECK(list[0].plan.reach == 1.5);
  CHECK(list[0].plan.types == std::vector<std::string>{"B", "A"});
  CHECK(list[0].steps.next(1) == 100);
  CHECK(list[1].steps.next(0) == 4);
  CHECK(list[1].steps.next(5) == 6);
  CHECK(list[2].name == "vacf");
  CHECK(list[3].kind == "viscosity");
  CHECK(read("").empty());
}

TEST_CASE("observe config: invalid settings are refused") {
  const auto check_refused = [](const std::string& text, const char* expected) {
    CHECK_THROWS_WITH_AS(read(text), doctest::Contains(expected), ConfigError);
  };
  check_refused("[[observe]]\nkind = \"rdf\"", "radial_distribution");
  check_refused("[[observe]]\nkind = \"radial_distribution\"", "r_max");
  check_refused("[[observe]]\nkind = \"viscosity\"\nr_max = 3", "r_max");
  check_refused("[[observe]]\nkind = \"viscosity\"\nevery = 0", "every");
  check_refused("[[observe]]\nkind = \"mean_square_displacement\"\norigins = 3", "does not divide");
  check_refused("[[observe]]\nkind = \"velocity_autocorrelation\"\norigins = 3", "does not divide");
  check_refused("[[observe]]\nkind = \"viscosity\"\nname = \"a/b\"", "slash");
  check_refused("[[observe]]\nkind = \"viscosity\"\n[[observe]]\nkind = \"viscosity\"",
                "two observers have the name `viscosity`");
  check_refused("[[observe]]\nkind = \"mean_square_displacement\"\ntypes = [\"A\", \"C\"]",
                "there is no type `C`");
  const auto describe = [](Section& top) {
    std::vector<ObserveConfig> list;
    describe_observe(top, list, builtin_extensions().observers);
  };
  CHECK(schema_text(describe).find("density_profile") != std::string::npos);
}

TEST_CASE(
    "observe config: observers sample, save their state, and write results under their names") {
  const Box box({0, 0, 0}, {4, 4, 4});
  std::vector<ObservedAtom> atoms = {atom_at(box, {1, 1, 1}), atom_at(box, {2, 1, 1}, 1)};
  ObservedSystem system(Communicator::self(), box, atoms, {1, 2});
  system.setup.type_charges = {1, -1};
  const auto list = read(all_kinds);
  const auto observers = make_observers(list, system.setup, system.particles);
  REQUIRE(observers.size() == 6);
  double reach = 0;
  for (const auto& observer : observers) reach = std::max(reach, observer->reach());
  CHECK(reach == 1.5);
  system.start(atoms, reach);
  Thermo thermo;
  thermo.volume = 64;
  thermo.temperature = 1;
  for (Index step = 0; step <= 700; ++step)
    for (const auto& observer : observers)
      if (observer->next(step) == step) observer->observe(system.snapshot(step, &thermo));
  MemoryDatasets state(Communicator::self()), results(Communicator::self());
  std::vector<std::uint64_t> digests;
  for (const auto& observer : observers) {
    observer->save(state);
    observer->write_results(results);
    digests.push_back(observer->digest());
  }
  // Rows: pairs of types times bins; types and their average times levels.
  CHECK(results.shape("observables/radial_distribution/g").rows == 3 * 30);
  CHECK(results.shape("observables/mean_square_displacement/diffusion/diffusion").rows == 3 * 2);
  // Level 0 has 10 lags; lag 1 of level 1 equals the last one of level 0 and is omitted.
  CHECK(results.shape("observables/mean_square_displacement/displacement/msd").rows ==
        3 * (10 + 9));
  CHECK(count_columns(system.particles.store, "mean_square_displacement/position") == 2 * 5);
  CHECK(count_columns(system.particles.store, "vacf/velocity") == 2);
  CHECK(results.shape("observables/vacf/correlation").rows == 3 * 5);
  CHECK(results.shape("observables/viscosity/viscosity").rows == 4);
  CHECK(results.shape("observables/conductivity/conductivity").rows == 501);
  CHECK(results.shape("observables/density_profile/charge_density").rows == 100);
  // Both atoms are in one slab along y.
  const auto density = results.read<double>("observables/density_profile/number_density");
  CHECK(std::count_if(density.begin(), density.end(), [](double n) { return n > 0; }) == 1);
  ObservedSystem restored_system(Communicator::self(), box, atoms, {1, 2});
  restored_system.setup.type_charges = {1, -1};
  const auto restored = make_observers(list, restored_system.setup, restored_system.particles);
  restored_system.start(atoms);
  for (std::size_t i = 0; i < restored.size(); ++i) {
    restored[i]->restore(state);
    CHECK(restored[i]->digest() == digests[i]);
  }
}
