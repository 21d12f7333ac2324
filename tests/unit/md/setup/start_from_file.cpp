// Runs that start from files: a run that continues from a frame of a trajectory has the same system
// (bonds, angles, dihedrals and their parameters, charges, excluded pairs); types are matched
// between files and configuration.

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "gsim/io/result_file.hpp"
#include "support/folder_contents.hpp"
#include "support/messages.hpp"
#include "unit/md/simulation/module_runs.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::contains;
using gsim::test::ScratchFolder;

namespace {

std::string trajectory(const std::string& file) {
  return fmt::format(
      "[thermo]\nevery = 10\n[[trajectory]]\nevery = 10\nfile = \"{}\"\nprecision = \"float64\"\n"
      "quantities = [\"position\", \"image\", \"velocity\", \"force\"]\n",
      file);
}

std::string from_frame(const std::string& file, Index frame) {
  return fmt::format("[start]\nkind = \"h5md\"\nfile = \"{}\"\nframe = {}\n", file, frame);
}

const std::string melt_head =
    "[md]\nsteps = 20\ntime_step = 0.005\nskin = 0.4\nprecision = \"double\"\n"
    "[pair]\ncutoff = 2.5\n[[pair.potential]]\nkind = \"lennard_jones\"\nepsilon = 1.0\n"
    "sigma = 1.0\n";
const std::string melt_start =
    "[[type]]\nname = \"bead\"\nmass = 1.0\n[start]\nkind = \"chains\"\nchains = 50\nlength = 20\n"
    "density = 0.85\nangles = true\ntemperature = 1.0\n";
const std::string melt_bonded =
    "[bonded]\nexclude = [\"1-2\"]\nmax_arm = 1.6\n[[bonded.bonds]]\nname = \"1\"\n"
    "kind = \"fene\"\nk = 30.0\nr0 = 1.5\nepsilon = 1.0\nsigma = 1.0\n[[bonded.angles]]\n"
    "name = \"1\"\nkind = \"cosine_squared\"\nk = 1.5\ntheta0 = 120\n";

/// Molecules of four charged atoms, bent and twisted, with ids 5, 7, 9, …, as a LAMMPS data file.
std::string molecules() {
  std::string atoms, bonds, angles, dihedrals;
  Index id = 5, count = 0;
  for (int m = 0; m < 27; ++m, count += 4) {
    const double x = 6.6 * (m % 3), y = 6.6 * (m / 3 % 3), z = 6.6 * (m / 9) + 0.1 * m;
    const double at[4][3] = {{0, 0, 0}, {1.5, 0.1, 0}, {2.0, 1.5, 0.2}, {3.4, 1.7, 0.9}};
    for (int k = 0; k < 4; ++k)
      atoms += fmt::format("{} {} {} {} {} {} {}\n", id + 2 * k, m + 1, k == 0 ? 2 : 1,
                           k % 2 == 0 ? 0.2 : -0.2, x + at[k][0], y + at[k][1], z + at[k][2]);
    for (int k = 0; k < 3; ++k)
      bonds +=
          fmt::format("{} {} {} {}\n", 3 * m + k + 1, k == 0 ? 2 : 1, id + 2 * k, id + 2 * k + 2);
    for (int k = 0; k < 2; ++k)
      angles +=
          fmt::format("{} 1 {} {} {}\n", 2 * m + k + 1, id + 2 * k, id + 2 * k + 2, id + 2 * k + 4);
    dihedrals += fmt::format("{} 1 {} {} {} {}\n", m + 1, id, id + 2, id + 4, id + 6);
    id += 8;
  }
  return fmt::format(
      "molecules\n\n108 atoms\n81 bonds\n54 angles\n27 dihedrals\n2 atom types\n2 bond types\n"
      "1 angle types\n1 dihedral types\n0 20.5 xlo xhi\n0 20.5 ylo yhi\n-1 21 zlo zhi\n\n"
      "Masses\n\n1 14.0\n2 15.0\n\nPair Coeffs # lj/cut\n\n1 0.11 3.9\n2 0.17 3.75\n\n"
      "Bond Coeffs # harmonic\n\n1 260.0 1.54\n2 300.0 1.51\n\nAngle Coeffs # harmonic\n\n"
      "1 62.1 114\n\nDihedral Coeffs # opls\n\n1 1.411 -0.271 3.145 0\n\n"
      "Atoms # full\n\n{}\nBonds\n\n{}\nAngles\n\n{}\nDihedrals\n\n{}",
      atoms, bonds, angles, dihedrals);
}
const std::string molecules_head =
    "[md]\nunits = \"real\"\nsteps = 20\ntime_step = 1.0\nprecision = \"double\"\n"
    "[pair]\ncutoff = 7.0\nmixing = \"lorentz_berthelot\"\n"
    "[coulomb]\nmethod = \"reaction_field\"\ncutoff = 7.0\n";
const std::string molecules_bonded =
    "[bonded]\nexclude = [\"1-2\", \"1-3\"]\nscale_14 = {lennard_jones = 0.5, coulomb = 0.8333}\n";

std::string molecules_start(const ScratchFolder& folder) {
  std::ofstream(folder / "m.data") << molecules();
  return fmt::format("[start]\nkind = \"lammps_data\"\nfile = \"{}\"\ntemperature = 300\n",
                     folder / "m.data");
}

std::vector<double> forces(const std::string& path, Index frame) {
  ResultReader file(Communicator::self(), path);
  const std::string values = "particles/trajectory/force/value";
  return file.read_rows<double>(values, {frame, frame + 1});
}

std::vector<std::int64_t> molecules_in(const std::string& path) {
  ResultReader file(Communicator::self(), path);
  return file.read<std::int64_t>("particles/trajectory/molecule");
}

void check_close(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  CHECK(worst < tolerance);
}

/// Runs `whole` and starts from its frame of step 10 with `again` in place of its own start: all
/// energies and forces must be those of that step.
void check_goes_on(const ScratchFolder& folder, const std::string& whole, const std::string& again,
                   const std::vector<std::string>& energies) {
  const std::string first = folder / "whole.h5md", next = folder / "next.h5md";
  const Outcome before = run(whole + trajectory(first), 2, 0, 20, 20);
  const std::vector<std::int64_t> molecules = molecules_in(first);
  REQUIRE(!molecules.empty());
  CHECK(molecules.front() == 1);
  CHECK(molecules.back() == (molecules.size() == 108 ? 27 : 50));
  CHECK(std::is_sorted(molecules.begin(), molecules.end()));
  const std::string text = again + from_frame(first, 1) + trajectory(next);
  std::uint64_t digest = 0;
  for (const int ranks : {1, 2, 3}) {
    CAPTURE(ranks);
    std::filesystem::remove(next);
    const Outcome after = run(text, ranks, 0, 20, 20);
    for (const std::string& part : energies) {
      CAPTURE(part);
      REQUIRE(std::abs(before.thermo(part).at(1)) > 1e-3);
      CHECK(after.thermo(part).at(0) == doctest::Approx(before.thermo(part).at(1)).epsilon(1e-9));
    }
    CHECK(molecules_in(next) == molecules);
    check_close(forces(next, 0), forces(first, 1), 1e-6);
    check_close(forces(next, 1), forces(first, 2), 1e-5);
    if (ranks == 1) digest = after.digest;
    CHECK(after.digest == digest);
  }
}

}  // namespace

TEST_CASE("start from a frame: a FENE melt") {
  const ScratchFolder folder;
  const std::vector<std::string> energies = {"potential_energy", "pair_energy", "bond_energy",
                                             "angle_energy",     "pressure",    "temperature"};
  const std::string whole = melt_head + melt_bonded + melt_start;
  SUBCASE("with what the file says of bonds") { check_goes_on(folder, whole, melt_head, energies); }
  SUBCASE("with the configuration of the first run") {
    check_goes_on(folder, whole, melt_head + melt_bonded, energies);
  }
}

TEST_CASE("start from a frame: charged molecules of a data file") {
  const ScratchFolder folder;
  const std::vector<std::string> energies = {"pair_energy",     "pair14_energy",   "bond_energy",
                                             "angle_energy",    "dihedral_energy", "pressure",
                                             "potential_energy"};
  const std::string whole = molecules_head + molecules_bonded + molecules_start(folder);
  SUBCASE("with what the file says") { check_goes_on(folder, whole, molecules_head, energies); }
  SUBCASE("with [bonded], whose coefficients are the file's") {
    check_goes_on(folder, whole, molecules_head + molecules_bonded, energies);
  }
}

TEST_CASE("start from a frame: notes of the run") {
  const ScratchFolder folder;
  const std::string first = folder / "whole.h5md";
  run(melt_head + melt_bonded + melt_start + trajectory(first), 1, 0, 0, 1);
  const Outcome after = run(melt_head + from_frame(first, -1), 1, 0, 0, 1);
  const auto has_note = [&](const std::string& words) {
    return std::any_of(after.notes.begin(), after.notes.end(),
                       [&](const std::string& note) { return contains(note, words); });
  };
  CHECK(has_note("with 950 bonds, 900 angles"));
  CHECK(has_note("bonded interactions, and which pairs of bound atoms interact: as "));
  // Without bonds the start is a fluid of single beads, which overlap where beads were bonded.
  const Outcome alone =
      run(melt_head + from_frame(first, -1) + "connectivity = false\n", 1, 0, 0, 1);
  CHECK(alone.results.datasets.count("thermo/bond_energy") == 0);
  CHECK(contains(test::refused<MdModule>(melt_head + melt_bonded + from_frame(first, -1) +
                                         "connectivity = false\n"),
                 "there is a table [bonded], but the start has no bonds"));
}

TEST_CASE("start from a frame: bonds of other programs need [bonded]") {
  const ScratchFolder folder;
  const std::string path = folder / "other.h5md";
  const auto write = [&](const std::vector<Index>& bonds, const std::string& list) {
    ResultFile file(Communicator::self(), path);
    std::vector<double> x;
    for (int i = 0; i < 8; ++i)
      for (const int a : {i % 2, i / 2 % 2, i / 4}) x.push_back(1 + a);
    file.write("particles/all/position", x, 3);
    file.write("particles/all/box/edges", std::vector<double>{8, 8, 8});
    file.write(list, bonds, 2);
    file.commit();
  };
  const std::string text =
      "[[type]]\nname = \"1\"\nmass = 1.0\n" + melt_head + from_frame(path, -1);
  const std::string kind = "[[bonded.bonds]]\nname = \"1\"\nkind = \"harmonic\"\nk = 100\nr0 = 1\n";
  write({0, 1, 2, 3}, "connectivity/bonds");
  const std::string bare = test::refused<MdModule>(text);
  CAPTURE(bare);
  CHECK(contains(bare, "test.toml:"));
  CHECK(contains(bare, "other.h5md has bonds"));
  CHECK(contains(bare, "add [bonded] with exclude = "));
  const std::string half = test::refused<MdModule>(text + "[bonded]\nexclude = [\"1-2\"]\n");
  CAPTURE(half);
  CHECK(contains(half, "type `1` of the start's bonds has no parameters, nor does the file give"));
  CHECK(contains(half, "add a table [[bonded.bonds]] with name = \"1\""));
  const std::string given = text + "[bonded]\nexclude = [\"1-2\"]\n" + kind;
  CHECK(test::refused<MdModule>(given) == "");
  CHECK(run(given, 2, 0, 5, 5).notes.size() > 0);
  const auto says = [&](const std::vector<Index>& bonds, const std::string& list) {
    write(bonds, list);
    return test::refused<MdModule>(given);
  };
  CHECK(contains(says({0, 8}, "connectivity/bonds"),
                 "refers to row 8, which is not in particles/all"));
  CHECK(contains(says({3, 3}, "connectivity/bonds"), "row 0: an atom is given twice"));
  CHECK(contains(says({0, 1, 1, 0}, "connectivity/bonds"), "the atoms with ids 1 and 2 twice"));
  CHECK(contains(says({0, 1, 2, 3}, "connectivity/springs"), "it has connectivity/springs"));
}

TEST_CASE("start from a file: species without a type in the configuration") {
  const ScratchFolder folder;
  const auto says = [&](const std::string& species, const std::string& types) {
    std::string xyz = "108\nLattice=\"20 0 0 0 20 0 0 0 20\"\n";
    for (int i = 0; i < 108; ++i)
      xyz += fmt::format("{} {} {} {}\n", i == 5 ? species : "Cu", i % 5 * 4, i / 5 % 5 * 4,
                         i / 25 * 4);
    std::ofstream(folder / "a.xyz") << xyz;
    return test::refused<MdModule>(
        fmt::format("{}[md]\nunits = \"metal\"\nsteps = 1\ntime_step = 0.001\n[start]\n"
                    "kind = \"xyz\"\nfile = \"{}\"\n[eam]\nformat = \"sutton_chen\"\n",
                    types, folder / "a.xyz"));
  };
  CHECK(says("Cu", "") == "");
  const std::string foo = says("Foo", "");
  CAPTURE(foo);
  CHECK(contains(foo, "a.xyz:8: `Foo` is not known to be Cu"));
  CHECK(says("Foo", "[[type]]\nname = \"Foo\"\n") == "");
}

TEST_CASE("start from a file: types of a data file by other names") {
  const ScratchFolder folder;
  const auto configuration = [&](const std::string& types) {
    return types + molecules_head + molecules_bonded + molecules_start(folder) +
           "[thermo]\nevery = 10\n";
  };
  const std::string named =
      "[[type]]\nname = \"C3\"\nin_file = \"2\"\nelement = \"C\"\n[[type]]\nname = \"C2\"\n"
      "in_file = \"1\"\n";
  // Coefficients follow their types, which the configuration names in another order.
  const Outcome before = run(configuration(""), 1, 0, 10, 10);
  for (const int ranks : {1, 2}) {
    const Outcome after = run(configuration(named), ranks, 0, 10, 10);
    for (const char* part : {"pair_energy", "bond_energy", "pressure"})
      CHECK(after.thermo(part) == before.thermo(part));
  }
  const auto says = [&](const std::string& types) {
    return test::refused<MdModule>(configuration(types));
  };
  CHECK(contains(says("[[type]]\nname = \"C3\"\n"), "m.data has no type `C3`"));
  CHECK(contains(says("[[type]]\nname = \"C3\"\n"), "in_file = "));
  CHECK(contains(says("[[type]]\nname = \"C3\"\nin_file = \"2\"\n[[type]]\nname = \"2\"\n"),
                 "the types `C3` and `2` are one type of the file, `2`"));
  CHECK(
      contains(says("[[type]]\nname = \"1\"\nelement = \"Foo\"\n"), "`Foo` is no chemical symbol"));
}
