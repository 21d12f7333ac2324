// Configuration of integrators, thermostats, barostats and groups, and the classification of atoms
// by type and groups.

#include "src/modules/md/integrators/motion_config.hpp"

#include <mutex>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/extensions.hpp"
#include "src/modules/md/integrators/groups.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

MotionKinds builtin_kinds() {
  const Extensions& all = builtin_extensions();
  return {all.integrators, all.thermostats, all.barostats};
}

MotionConfig read(const std::string& text) {
  ConfigFile file = ConfigFile::parse(text, "t.toml");
  MotionConfig config;
  file.read([&](Section& top) { describe_motion(top, config, builtin_kinds()); });
  validate_motion(config, {"Ar", "Xe"});
  return config;
}

void check_refused(const std::string& text, const std::string& expected) {
  CAPTURE(text);
  std::string message;
  try {
    read(text);
  } catch (const InputError& error) {
    message = error.what();
  }
  CHECK_MESSAGE(message.find(expected) != std::string::npos, message);
}

const std::string thermostat = "[thermostat]\nkind = \"bussi\"\ntemperature = 300\ntime = 0.1\n";
const std::string barostat =
    "[barostat]\nkind = \"mtk\"\npressure = { start = 1, end = 1000 }\ntime = 1\n";

}  // namespace

TEST_CASE("motion config: the default is velocity Verlet without thermostat") {
  const MotionConfig config = read("");
  CHECK(config.kind == "velocity_verlet");
  CHECK(config.plan.has_thermostats);
  CHECK_FALSE(config.thermostat.has_value());
  CHECK_FALSE(config.barostat.has_value());
  CHECK(config.groups.empty());
}

TEST_CASE("motion config: thermostats, barostats, ramps and groups are read") {
  const MotionConfig config =
      read("[motion]\nmomentum_removal = 100\n" + thermostat + barostat + "coupling = \"xyz\"\n");
  CHECK(config.momentum_removal == 100);
  REQUIRE(config.thermostat.has_value());
  CHECK(config.thermostat->kind == "bussi");
  CHECK(config.thermostat->temperature.at(17, 100) == 300);
  REQUIRE(config.barostat.has_value());
  CHECK(config.barostat->kind == "mtk");
  CHECK(config.barostat->coupling == Coupling::xyz);
  CHECK(config.barostat->pressure.at(0, 1000) == 1);
  CHECK(config.barostat->pressure.at(500, 1000) == 500.5);
  CHECK(config.barostat->pressure.at(1000, 1000) == 1000);

  const MotionConfig groups = read(R"(
[[group]]
name = "wall"
region = { lower = [-inf, -inf, 0], upper = [inf, inf, 2.5] }
frozen = true
[[group]]
name = "hot"
types = ["Ar"]
ids = [10, 19]
[group.thermostat]
kind = "langevin"
friction = 0.5
temperature = 90
)");
  REQUIRE(groups.groups.size() == 2);
  CHECK(groups.groups[0].frozen);
  CHECK(groups.groups[0].upper[2] == 2.5);
  CHECK_FALSE(groups.groups[0].thermostat.has_value());
  REQUIRE(groups.groups[1].thermostat.has_value());
  CHECK(groups.groups[1].thermostat->plan.friction == 0.5);

  const MotionConfig minimise =
      read("[motion]\nkind = \"minimise\"\nforce_tolerance = 1e-6\nmax_displacement = 0.1\n");
  CHECK(minimise.kind == "minimise");
  CHECK(minimise.plan.is_minimiser());
  CHECK(minimise.plan.force_tolerance == 1e-6);
}

TEST_CASE("motion config: contradictory settings are refused") {
  check_refused(barostat, "there is no thermostat");
  check_refused("[motion]\nkind = \"minimise\"\nforce_tolerance = 1e-6\nmax_displacement = 0.1\n" +
                    thermostat,
                "no temperature");
  check_refused("[thermostat]\nkind = \"bussi\"\ntemperature = -1\ntime = 1\n", "temperature");
  check_refused("[thermostat]\nkind = \"berendsen\"\ntemperature = 1\n", "langevin");
  check_refused("[[group]]\nname = \"a\"\n", "which atoms belong to `a`");
  check_refused("[[group]]\nname = \"a\"\nids = [3, 2]\n", "first and the last");
  check_refused("[[group]]\nname = \"a\"\ntypes = [\"C\"]\n", "there is no type `C`");
  check_refused("[[group]]\nname = \"a\"\nids = [1, 2]\n[[group]]\nname = \"a\"\nids = [3, 4]\n",
                "two groups");
  check_refused("[[group]]\nname = \"a\"\nregion = { lower = [0, 0, 0], upper = [1, 0, 1] }\n",
                "along y");
  check_refused(thermostat + barostat + "[[group]]\nname = \"a\"\nids = [1, 2]\nfrozen = true\n",
                "is frozen");
  check_refused(
      "[[group]]\nname = \"a\"\nids = [1, 2]\nfrozen = true\n[group.thermostat]\n"
      "kind = \"langevin\"\nfriction = 1\ntemperature = 1\n",
      "no temperature");
}

TEST_CASE("motion config: the schema lists thermostats, barostats and keys of groups") {
  const std::string text = schema_text([](Section& top) {
    MotionConfig config;
    describe_motion(top, config, builtin_kinds());
  });
  for (const char* word : {"nose_hoover", "stochastic_cell_rescaling", "frozen", "friction"})
    CHECK(text.find(word) != std::string::npos);
}

TEST_CASE("groups: the classes of atoms do not depend on the distribution of atoms over ranks") {
  std::vector<GroupConfig> groups(2);
  groups[0].name = "low";
  groups[0].lower = {0, 0, 0};
  groups[0].upper = {10, 10, 5};
  groups[0].frozen = true;
  groups[1].name = "even";
  groups[1].types = {"B"};
  groups[1].ids = {0, 49};
  const std::vector<std::string> names{"A", "B"};
  const std::vector<double> masses{2.0, 3.0};
  constexpr Index atoms = 101;
  const auto classes_of = [&](int ranks) {
    std::vector<std::int32_t> of_atom(atoms);
    std::vector<AtomClass> classes;
    std::mutex lock;
    run_in_process(ranks, [&](Communicator communicator) {
      std::vector<std::int64_t> ids;
      std::vector<std::int32_t> types;
      std::vector<Vector3> points;
      for (Index i = communicator.rank(); i < atoms; i += ranks) {
        ids.push_back(i);
        types.push_back(static_cast<std::int32_t>(i % 2));
        points.push_back({1, 2, static_cast<double>(i % 10)});
      }
      const auto bits = group_bits(groups, names, ids, types, points);
      const Classification result = classify(communicator, types, bits, masses);
      const std::lock_guard guard(lock);
      classes = result.classes;
      for (std::size_t k = 0; k < ids.size(); ++k)
        of_atom[static_cast<std::size_t>(ids[k])] = result.of_atom[k];
    });
    std::vector<Index> values(of_atom.begin(), of_atom.end());
    for (const AtomClass& c : classes)
      values.insert(values.end(),
                    {c.type, c.groups, c.atoms, c.mass == masses[c.type == 0 ? 0 : 1]});
    return values;
  };
  const auto on_one_rank = classes_of(1);
  // The classes are type A in no group, type A in `low`, then type B in each of the four
  // combinations of groups. A class has four values: type, groups, atoms, and whether its mass is
  // right.
  REQUIRE(on_one_rank.size() == atoms + 6 * 4);
  CHECK(on_one_rank[atoms + 4 * 1 + 1] == 1);
  Index total = 0;
  for (std::size_t c = 0; c < 6; ++c) total += on_one_rank[atoms + 4 * c + 2];
  CHECK(total == atoms);
  CHECK(on_one_rank[0] == 1);  // type A, z = 0
  CHECK(on_one_rank[7] == 4);  // type B, z = 7, id below 50: "even" only
  for (const int ranks : {2, 3, 5}) CHECK(classes_of(ranks) == on_one_rank);
}

TEST_CASE("groups: unknown types and empty groups are refused") {
  std::vector<GroupConfig> groups(1);
  groups[0].name = "g";
  groups[0].types = {"C"};
  const std::vector<std::string> names{"A", "B"};
  const std::vector<std::int64_t> ids{0};
  const std::vector<std::int32_t> types{0};
  const std::vector<Vector3> points{{0, 0, 0}};
  CHECK_THROWS_AS(group_bits(groups, names, ids, types, points), InputError);
  const std::vector<AtomClass> classes{{.type = 0, .groups = 0, .mass = 1, .atoms = 1}};
  CHECK_THROWS_AS(refuse_empty_groups(groups, classes), InputError);
  CHECK_FALSE(is_frozen(groups, classes[0]));
}
