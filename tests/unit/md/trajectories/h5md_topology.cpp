// Bonds, angles and dihedrals in H5MD files.

#include "src/modules/md/files/h5md_topology.hpp"

#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/io/format_file.hpp"
#include "gsim/io/result_file.hpp"
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

Topology example_topology() {
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

TEST_CASE(
    "h5md topology: bonds, angles, dihedrals and parameters are read as written, on any number of "
    "ranks") {
  const ScratchFolder folder;
  const Topology topology = example_topology();
  const BondedParameters bonded = parameters();
  TrajectoryConfig config;
  config.steps.every = 10;
  config.precision = TrajectoryPrecision::float64;
  std::string bytes;
  for (const int ranks : {1, 2, 3}) {
    TrajectoryRun run{.ranks = ranks, .topology = &topology, .bonded = &bonded};
    for (Index i = 0; i < atom_count; ++i) run.given_ids.push_back(7 * i + 3);
    write_trajectories(run, {config}, folder / "run");
    const AtomSystem system = read_h5md(folder / "run.h5md");
    CHECK(system.topology.bonds == topology.bonds);
    CHECK(system.topology.angles == topology.angles);
    CHECK(system.topology.dihedrals == topology.dihedrals);
    CHECK(system.topology.bond_types == topology.bond_types);
    CHECK(system.topology.dihedral_types == topology.dihedral_types);
    CHECK(system.bonded == stored_bonded(bonded));
    if (ranks == 1) bytes = gsim::test::bytes_of(folder / "run.h5md");
    CHECK(gsim::test::bytes_of(folder / "run.h5md") == bytes);
    const AtomSystem without_connectivity = read_h5md(folder / "run.h5md", {.connectivity = false});
    CHECK_FALSE(without_connectivity.topology.has_bonded_terms());
    CHECK(digest_of(without_connectivity) != digest_of(system));
    std::filesystem::remove(folder / "run.h5md");
  }
}

TEST_CASE("h5md topology: styles are read from files that name their dataset `law`") {
  // Writes the datasets of styles under the older name.
  struct OlderFile : FormatFile {
    using FormatFile::FormatFile;
    void write_strings(std::string_view path, std::span<const std::string> values) override {
      std::string name(path);
      if (name.ends_with("/style")) {
        name.replace(name.size() - 5, 5, "law");
        ++renamed;
      }
      FormatFile::write_strings(name, values);
    }
    int renamed = 0;
  };
  const ScratchFolder folder;
  const std::string path = folder / "older.h5md", group = "particles/trajectory";
  const Topology topology = example_topology();
  const StoredBonded stored = stored_bonded(parameters());
  std::vector<Index> ids(atom_count);
  std::iota(ids.begin(), ids.end(), Index{1});
  OlderFile file(Communicator::self(), path);
  file.write(group + "/id", ids);
  write_h5md_topology(
      file, {topology, stored, group, [](Index) { return true; }, [](Index i) { return i + 1; }});
  file.commit();
  CHECK(file.renamed == 3);  // of bonds, angles and dihedrals

  ResultReader reader(Communicator::self(), path);
  AtomSystem system{Box({0, 0, 0}, {8, 6, 7}), {}, {}, {}, {}, {}, {}};
  read_h5md_topology(reader, {.path = path, .group = group, .ids = ids}, system);
  CHECK(system.topology.bonds == topology.bonds);
  CHECK(system.bonded == stored);
}

TEST_CASE(
    "h5md topology: molecule ids of all or some atoms are read as written, on any number of "
    "ranks") {
  const ScratchFolder folder;
  TrajectoryConfig config;
  config.steps.every = 10;
  for (const int ranks : {1, 2, 3})
    for (const bool only_type_b : {false, true}) {
      TrajectoryRun run{.ranks = ranks};
      for (Index i = 0; i < atom_count; ++i) {
        run.molecules.push_back(i % 4 == 3 ? 0 : 100 - i / 4);
        run.given_ids.push_back(7 * i + 3);
      }
      config.types = only_type_b ? std::vector<std::string>{"B"} : std::vector<std::string>{};
      write_trajectories(run, {config}, folder / "run");
      const AtomSystem system = read_h5md(folder / "run.h5md");
      std::vector<std::int64_t> expected;
      for (std::size_t i = 0; i < run.molecules.size(); ++i)
        if (!only_type_b || i % 3 == 2) expected.push_back(run.molecules[i]);
      CHECK(system.atoms.molecule == expected);
      std::filesystem::remove(folder / "run.h5md");
    }
  // Without molecules in the run, the file has none.
  config.types = {};
  write_trajectories({}, {config}, folder / "run");
  CHECK(read_h5md(folder / "run.h5md").atoms.molecule.empty());
}

TEST_CASE("h5md topology: files with atoms of some types contain only bonds between such atoms") {
  const ScratchFolder folder;
  Topology topology = example_topology();
  topology.bonds = {{2, {2, 5}}, {0, {0, 2}}};
  const BondedParameters bonded = parameters();
  TrajectoryConfig config;
  config.steps.every = 10;
  config.types = {"B"};
  write_trajectories({.ranks = 2, .topology = &topology, .bonded = &bonded}, {config},
                     folder / "run");
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

TEST_CASE("h5md topology: parameters of styles are read back with the same bits") {
  const BondedParameters p = parameters();
  const StoredBonded stored = stored_bonded(p);
  const std::string file = "a.h5md", label = "b";
  const StoredPlace place{file, label};
  for (std::size_t t = 0; t < p.bonds.size(); ++t) {
    const BondParameters b = bond_of(stored.bonds[t], builtin_bonded_kinds().bonds, place);
    CHECK(b.kind == p.bonds[t].kind);
    CHECK(b.values == p.bonds[t].values);
    CHECK(b.max_length == p.bonds[t].max_length);
  }
  CHECK(angle_of(stored.angles[0], builtin_bonded_kinds().angles, place).values ==
        p.angles[0].values);
  for (std::size_t t = 0; t < 2; ++t) {
    CHECK(dihedral_of(stored.dihedrals[t], place).cosine == p.dihedrals[t].cosine);
    CHECK(dihedral_of(stored.dihedrals[t], place).sine == p.dihedrals[t].sine);
  }
  BondedParameters restored;
  set_special(stored, file, restored);
  CHECK(restored.special.is_excluded == p.special.is_excluded);
  CHECK(restored.special.scale_14 == 0.5);
  CHECK(restored.special.coulomb_scale_14 == 0.8333);
  CHECK(restored.max_arm == 2.5);

  const auto error_message = [&](const StoredStyle& style) {
    return message_of<InputError>(
        [&] { (void)bond_of(style, builtin_bonded_kinds().bonds, place); });
  };
  CHECK(contains(error_message({"fene", {30, 1.5}}),
                 "a.h5md: parameters of type `b`: the style fene has 2 numbers, not 5"));
  CHECK(
      contains(error_message({"morse", {1, 2, 3}}), "the style morse is not known: is its plugin"));
  CHECK(contains(message_of<InputError>([&] {
                   BondedParameters restored;
                   set_special({{}, {}, {}, {1, 2, 0, 1, 1, 0}}, file, restored);
                 }),
                 "does not begin with three numbers 0 or 1"));
}

TEST_CASE(
    "h5md topology: pair coefficients are stored by type names and read for another list of "
    "types") {
  const std::vector<CoefficientSection> sections = {
      {"Pair Coeffs", "lj/cut", {{{0}, {"0.1", "3.0"}, 7}, {{1}, {"0.2", "3.5"}, 8}}},
      {"Bond Coeffs", "harmonic", {{{0}, {"1", "2"}, 9}}},
      {"PairIJ Coeffs", "", {{{0, 1}, {"0.15", "3.2"}, 11}}}};
  const auto lines = coefficient_lines(sections, {"O", "H"});
  CHECK(lines == std::vector<std::string>{"Pair Coeffs # lj/cut", "O 0.1 3.0", "H 0.2 3.5",
                                          "PairIJ Coeffs", "O H 0.15 3.2"});
  const auto sections_of_run = coefficient_sections(lines, {{"H", 1}, {"O", 16}}, "a.h5md");
  REQUIRE(sections_of_run.size() == 2);
  CHECK(sections_of_run[0].style == "lj/cut");
  CHECK(sections_of_run[0].lines[0].types == std::vector<std::int32_t>{1});
  CHECK(sections_of_run[1].lines[0].types == std::vector<std::int32_t>{1, 0});
  CHECK(sections_of_run[1].lines[0].words == std::vector<std::string>{"0.15", "3.2"});
  CHECK(coefficient_sections(lines, {{"H", 1}}, "a.h5md")[1].lines.empty());
  CHECK(contains(message_of<InputError>([&] { coefficient_sections({"O 1"}, {}, "a.h5md"); }),
                 "a.h5md: parameters/pair_coefficients has the line \"O 1\""));
}
