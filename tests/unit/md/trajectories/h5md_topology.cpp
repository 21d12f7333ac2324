// Bonds, angles and dihedrals in H5MD files.

#include "src/modules/md/files/h5md_topology.hpp"

#include <doctest/doctest.h>

#include "src/modules/md/bonded/stored_bonded.hpp"
#include "src/modules/md/files/coefficient_lines.hpp"
#include "src/modules/md/files/h5md_file.hpp"
#include "support/messages.hpp"
#include "unit/md/bonded/bonded_styles.hpp"
#include "unit/md/trajectories/trajectory_system.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::contains;
using gsim::test::message_of;
using gsim::test::ScratchFolder;

namespace {

Topology everything() {
  Topology t;
  t.bonds = {{1, {0, 1}}, {0, {4, 2}}, {1, {9, 10}}};
  t.angles = {{0, {2, 4, 7}}};
  t.dihedrals = {{0, {0, 1, 3, 4}}, {1, {3, 4, 6, 7}}};
  t.bond_types = {"CT-CT", "unused", "b"};
  t.bonds[0].type = t.bonds[2].type = 2;
  t.angle_types = {"bent"};
  t.dihedral_types = {"x", "y"};
  return t;
}

BondedParameters parameters() {
  BondedParameters p;
  p.bonds = {bond("harmonic", {268.0 / 3, 1.529}, 3.1), bond("harmonic", {1, 2}, 4),
             bond("fene", {30, 1.5, 1, 1.1}, 1.4)};
  p.angles = {angle("cosine", {1.0 / 7})};
  p.dihedrals = {opls_dihedral({1, 2, 0.1, 0}), {{0.5, 0.25}, {0, 1.0 / 3}}};
  p.special = {{true, false, false}, 0.5, 0.8333};
  p.max_arm = 2.5;
  return p;
}

}  // namespace

TEST_CASE("h5md topology: is read as it was written, at any number of ranks") {
  const ScratchFolder folder;
  const Topology topology = everything();
  const BondedParameters bonded = parameters();
  TrajectoryConfig config;
  config.steps.every = 10;
  config.precision = TrajectoryPrecision::float64;
  std::string bytes;
  for (const int ranks : {1, 2, 3}) {
    ToyRun run{.ranks = ranks, .topology = &topology, .bonded = &bonded};
    for (Index i = 0; i < toy_atoms; ++i) run.given_ids.push_back(7 * i + 3);
    run_toy(run, {config}, folder / "run");
    const AtomSystem system = read_h5md(folder / "run.h5md");
    CHECK(system.topology.bonds == topology.bonds);
    CHECK(system.topology.angles == topology.angles);
    CHECK(system.topology.dihedrals == topology.dihedrals);
    CHECK(system.topology.bond_types == topology.bond_types);
    CHECK(system.topology.dihedral_types == topology.dihedral_types);
    CHECK(system.bonded == stored_bonded(bonded));
    if (ranks == 1) bytes = gsim::test::bytes_of(folder / "run.h5md");
    CHECK(gsim::test::bytes_of(folder / "run.h5md") == bytes);
    const AtomSystem alone = read_h5md(folder / "run.h5md", {.connectivity = false});
    CHECK_FALSE(alone.topology.is_bound());
    CHECK(digest_of(alone) != digest_of(system));
    std::filesystem::remove(folder / "run.h5md");
  }
}

TEST_CASE(
    "h5md topology: molecules are read as written, at any number of ranks, of all types or some") {
  const ScratchFolder folder;
  TrajectoryConfig config;
  config.steps.every = 10;
  for (const int ranks : {1, 2, 3})
    for (const bool is_part : {false, true}) {
      ToyRun run{.ranks = ranks};
      for (Index i = 0; i < toy_atoms; ++i) {
        run.molecules.push_back(i % 4 == 3 ? 0 : 100 - i / 4);
        run.given_ids.push_back(7 * i + 3);
      }
      config.types = is_part ? std::vector<std::string>{"B"} : std::vector<std::string>{};
      run_toy(run, {config}, folder / "run");
      const AtomSystem system = read_h5md(folder / "run.h5md");
      std::vector<std::int64_t> expected;
      for (std::size_t i = 0; i < run.molecules.size(); ++i)
        if (!is_part || i % 3 == 2) expected.push_back(run.molecules[i]);
      CHECK(system.atoms.molecule == expected);
      std::filesystem::remove(folder / "run.h5md");
    }
  // Without molecules in the run, the file has none.
  config.types = {};
  run_toy({}, {config}, folder / "run");
  CHECK(read_h5md(folder / "run.h5md").atoms.molecule.empty());
}

TEST_CASE("h5md topology: files of some types hold only complete bonds") {
  const ScratchFolder folder;
  Topology topology = everything();
  topology.bonds = {{2, {2, 5}}, {0, {0, 2}}};
  const BondedParameters bonded = parameters();
  TrajectoryConfig config;
  config.steps.every = 10;
  config.types = {"B"};
  run_toy({.ranks = 2, .topology = &topology, .bonded = &bonded}, {config}, folder / "run");
  const AtomSystem system = read_h5md(folder / "run.h5md");
  REQUIRE(system.atoms.size() == 3);
  CHECK(system.topology.bonds == std::vector<BondedTuple<2>>{{2, {0, 1}}});
  CHECK(system.topology.angles.empty());
  // Types keep their indices, and a type without atoms is marked as unused.
  REQUIRE(system.types.size() == 2);
  CHECK(system.types[0].label == "A");
  CHECK(system.types[0].is_unused);
  CHECK_FALSE(system.types[1].is_unused);
}

TEST_CASE("h5md topology: parameters are read with the same bits") {
  const BondedParameters p = parameters();
  const StoredBonded stored = stored_bonded(p);
  const std::string file = "a.h5md", label = "b";
  const StoredPlace at{file, label};
  for (std::size_t t = 0; t < p.bonds.size(); ++t) {
    const BondParameters b = bond_of(stored.bonds[t], builtin_bonded_kinds().bonds, at);
    CHECK(b.kind == p.bonds[t].kind);
    CHECK(b.values == p.bonds[t].values);
    CHECK(b.max_length == p.bonds[t].max_length);
  }
  CHECK(angle_of(stored.angles[0], builtin_bonded_kinds().angles, at).values == p.angles[0].values);
  for (std::size_t t = 0; t < 2; ++t) {
    CHECK(dihedral_of(stored.dihedrals[t], at).cosine == p.dihedrals[t].cosine);
    CHECK(dihedral_of(stored.dihedrals[t], at).sine == p.dihedrals[t].sine);
  }
  BondedParameters again;
  set_special(stored, file, again);
  CHECK(again.special.is_excluded == p.special.is_excluded);
  CHECK(again.special.scale_14 == 0.5);
  CHECK(again.special.coulomb_scale_14 == 0.8333);
  CHECK(again.max_arm == 2.5);

  const auto says = [&](const StoredStyle& style) {
    return message_of<InputError>([&] { (void)bond_of(style, builtin_bonded_kinds().bonds, at); });
  };
  CHECK(contains(says({"fene", {30, 1.5}}),
                 "a.h5md: parameters of type `b`: the style fene has 2 numbers, not 5"));
  CHECK(contains(says({"morse", {1, 2, 3}}), "the style morse is not known: is its plugin"));
  CHECK(contains(message_of<InputError>([&] {
                   BondedParameters to;
                   set_special({{}, {}, {}, {1, 2, 0, 1, 1, 0}}, file, to);
                 }),
                 "does not begin with three numbers 0 or 1"));
}

TEST_CASE("h5md topology: coefficients of pairs by the types of another list") {
  const std::vector<CoefficientSection> sections = {
      {"Pair Coeffs", "lj/cut", {{{0}, {"0.1", "3.0"}, 7}, {{1}, {"0.2", "3.5"}, 8}}},
      {"Bond Coeffs", "harmonic", {{{0}, {"1", "2"}, 9}}},
      {"PairIJ Coeffs", "", {{{0, 1}, {"0.15", "3.2"}, 11}}}};
  const auto lines = coefficient_lines(sections, {"O", "H"});
  CHECK(lines == std::vector<std::string>{"Pair Coeffs # lj/cut", "O 0.1 3.0", "H 0.2 3.5",
                                          "PairIJ Coeffs", "O H 0.15 3.2"});
  const auto again = coefficient_sections(lines, {{"H", 1}, {"O", 16}}, "a.h5md");
  REQUIRE(again.size() == 2);
  CHECK(again[0].style == "lj/cut");
  CHECK(again[0].lines[0].types == std::vector<std::int32_t>{1});
  CHECK(again[1].lines[0].types == std::vector<std::int32_t>{1, 0});
  CHECK(again[1].lines[0].words == std::vector<std::string>{"0.15", "3.2"});
  CHECK(coefficient_sections(lines, {{"H", 1}}, "a.h5md")[1].lines.empty());
  CHECK(contains(message_of<InputError>([&] { coefficient_sections({"O 1"}, {}, "a.h5md"); }),
                 "a.h5md: parameters/pair_coefficients has the line \"O 1\""));
}
