// Runs that start from files. A run that continues from a frame of a trajectory has the same bonds,
// angles, dihedrals with their parameters, charges and excluded pairs; types are matched between
// files and configuration.

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

std::string trajectory_config(const std::string& file) {
  return fmt::format(
      "[thermo]\nevery = 10\n[[trajectory]]\nevery = 10\nfile = \"{}\"\nprecision = \"float64\"\n"
      "quantities = [\"position\", \"image\", \"velocity\", \"force\"]\n",
      file);
}

std::string from_frame(const std::string& file, Index frame) {
  return fmt::format("[start]\nkind = \"h5md\"\nfile = \"{}\"\nframe = {}\n", file, frame);
}

const std::string polymer_config =
    "[md]\nsteps = 20\ntime_step = 0.005\nskin = 0.4\nprecision = \"double\"\n"
    "[pair]\ncutoff = 2.5\n[[pair.potential]]\nkind = \"lennard_jones\"\nepsilon = 1.0\n"
    "sigma = 1.0\n";
const std::string polymer_start =
    "[[type]]\nname = \"bead\"\nmass = 1.0\n[start]\nkind = \"chains\"\nchains = 50\nlength = 20\n"
    "density = 0.85\nangles = true\ntemperature = 1.0\n";
const std::string polymer_bonded =
    "[bonded]\nexclude = [\"1-2\"]\nmax_arm = 1.6\n[[bonded.bonds]]\nname = \"1\"\n"
    "kind = \"fene\"\nk = 30.0\nr0 = 1.5\nepsilon = 1.0\nsigma = 1.0\n[[bonded.angles]]\n"
    "name = \"1\"\nkind = \"cosine_squared\"\nk = 1.5\ntheta0 = 120\n";

/// Molecules of four charged atoms, bent and twisted, with ids 5, 7, 9, …, as a LAMMPS data file.
std::string molecules() {
  std::string atoms, bonds, angles, dihedrals;
  Index id = 5, count = 0;
  for (int m = 0; m < 27; ++m, count += 4) {
    const double x = 6.6 * (m % 3), y = 6.6 * (m / 3 % 3), z = 6.6 * (m / 9) + 0.1 * m;
    const double offsets[4][3] = {{0, 0, 0}, {1.5, 0.1, 0}, {2.0, 1.5, 0.2}, {3.4, 1.7, 0.9}};
    for (int k = 0; k < 4; ++k)
      atoms += fmt::format("{} {} {} {} {} {} {}\n", id + 2 * k, m + 1, k == 0 ? 2 : 1,
                           k % 2 == 0 ? 0.2 : -0.2, x + offsets[k][0], y + offsets[k][1],
                           z + offsets[k][2]);
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
const std::string molecules_config =
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

std::vector<std::int64_t> read_molecules(const std::string& path) {
  ResultReader file(Communicator::self(), path);
  return file.read<std::int64_t>("particles/trajectory/molecule");
}

void check_close(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  double largest_difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest_difference = std::max(largest_difference, std::abs(a[i] - b[i]));
  CHECK(largest_difference < tolerance);
}

/// Runs `original` with output of a trajectory. Then runs `continuation`, which starts from the
/// frame of step 10: all energies and forces must be those of that step.
void check_continuation(const ScratchFolder& folder, const std::string& original,
                        const std::string& continuation, const std::vector<std::string>& energies) {
  const std::string first = folder / "whole.h5md", second = folder / "second.h5md";
  const Outcome original_run = run(original + trajectory_config(first), 2, 0, 20, 20);
  const std::vector<std::int64_t> molecules = read_molecules(first);
  REQUIRE(!molecules.empty());
  CHECK(molecules.front() == 1);
  // 27 molecules of four atoms, or 50 chains.
  CHECK(molecules.back() == (molecules.size() == 108 ? 27 : 50));
  CHECK(std::is_sorted(molecules.begin(), molecules.end()));
  const std::string text = continuation + from_frame(first, 1) + trajectory_config(second);
  std::uint64_t digest = 0;
  for (const int ranks : {1, 2, 3}) {
    CAPTURE(ranks);
    std::filesystem::remove(second);
    const Outcome continued_run = run(text, ranks, 0, 20, 20);
    for (const std::string& column : energies) {
      CAPTURE(column);
      REQUIRE(std::abs(original_run.thermo(column).at(1)) > 1e-3);
      CHECK(continued_run.thermo(column).at(0) ==
            doctest::Approx(original_run.thermo(column).at(1)).epsilon(1e-9));
    }
    CHECK(read_molecules(second) == molecules);
    check_close(forces(second, 0), forces(first, 1), 1e-6);
    check_close(forces(second, 1), forces(first, 2), 1e-5);
    if (ranks == 1) digest = continued_run.digest;
    CHECK(continued_run.digest == digest);
  }
}

}  // namespace

TEST_CASE(
    "start from a frame: energies and forces of a FENE melt are those of the run that wrote it") {
  const ScratchFolder folder;
  const std::vector<std::string> energies = {"potential_energy", "pair_energy", "bond_energy",
                                             "angle_energy",     "pressure",    "temperature"};
  const std::string original = polymer_config + polymer_bonded + polymer_start;
  SUBCASE("with the bonds and parameters of the file") {
    check_continuation(folder, original, polymer_config, energies);
  }
  SUBCASE("with the configuration of the first run") {
    check_continuation(folder, original, polymer_config + polymer_bonded, energies);
  }
}

TEST_CASE(
    "start from a frame: energies and forces of charged molecules are those of the run that wrote "
    "it") {
  const ScratchFolder folder;
  const std::vector<std::string> energies = {"pair_energy",     "pair14_energy",   "bond_energy",
                                             "angle_energy",    "dihedral_energy", "pressure",
                                             "potential_energy"};
  const std::string original = molecules_config + molecules_bonded + molecules_start(folder);
  SUBCASE("with the parameters of the file") {
    check_continuation(folder, original, molecules_config, energies);
  }
  SUBCASE("with a table [bonded] and the coefficients of the file") {
    check_continuation(folder, original, molecules_config + molecules_bonded, energies);
  }
}

TEST_CASE("start from a frame: notes list what the frame contains") {
  const ScratchFolder folder;
  const std::string first = folder / "whole.h5md";
  run(polymer_config + polymer_bonded + polymer_start + trajectory_config(first), 1, 0, 0, 1);
  const Outcome continued = run(polymer_config + from_frame(first, -1), 1, 0, 0, 1);
  const auto has_note = [&](const std::string& expected) {
    return std::any_of(continued.notes.begin(), continued.notes.end(),
                       [&](const std::string& note) { return contains(note, expected); });
  };
  CHECK(has_note("with 950 bonds, 900 angles"));
  CHECK(has_note("bonded interactions, exclusions and 1-4 factors are those of "));
  // Without bonds the start is a fluid of single beads, which overlap where beads were bonded.
  const Outcome without_bonds =
      run(polymer_config + from_frame(first, -1) + "connectivity = false\n", 1, 0, 0, 1);
  CHECK(without_bonds.results.datasets.count("thermo/bond_energy") == 0);
  CHECK(contains(
      test::config_error_message<MdModule>(polymer_config + polymer_bonded + from_frame(first, -1) +
                                           "connectivity = false\n"),
      "there is a table [bonded], but the start has no bonds"));
}

TEST_CASE("start from a frame: bonds without parameters in the file need a table [bonded]") {
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
      "[[type]]\nname = \"1\"\nmass = 1.0\n" + polymer_config + from_frame(path, -1);
  const std::string bond_table =
      "[[bonded.bonds]]\nname = \"1\"\nkind = \"harmonic\"\nk = 100\nr0 = 1\n";
  write({0, 1, 2, 3}, "connectivity/bonds");
  const std::string without_bonded = test::config_error_message<MdModule>(text);
  CAPTURE(without_bonded);
  CHECK(contains(without_bonded, "test.toml:"));
  CHECK(contains(without_bonded, "other.h5md has bonds"));
  CHECK(contains(without_bonded, "add [bonded] with exclude = "));
  const std::string without_parameters =
      test::config_error_message<MdModule>(text + "[bonded]\nexclude = [\"1-2\"]\n");
  CAPTURE(without_parameters);
  CHECK(contains(without_parameters,
                 "type `1` of the system's bonds has no parameters, nor does the file give"));
  CHECK(contains(without_parameters, "add a table [[bonded.bonds]] with name = \"1\""));
  const std::string complete = text + "[bonded]\nexclude = [\"1-2\"]\n" + bond_table;
  CHECK(test::config_error_message<MdModule>(complete) == "");
  CHECK(run(complete, 2, 0, 5, 5).notes.size() > 0);
  const auto error_message = [&](const std::vector<Index>& bonds, const std::string& list) {
    write(bonds, list);
    return test::config_error_message<MdModule>(complete);
  };
  CHECK(contains(error_message({0, 8}, "connectivity/bonds"),
                 "refers to row 8, which is not in particles/all"));
  CHECK(contains(error_message({3, 3}, "connectivity/bonds"), "row 0: an atom is given twice"));
  CHECK(contains(error_message({0, 1, 1, 0}, "connectivity/bonds"),
                 "the atoms with ids 1 and 2 twice"));
  CHECK(
      contains(error_message({0, 1, 2, 3}, "connectivity/springs"), "it has connectivity/springs"));
}

TEST_CASE("start from a file: a species that is no element of [eam] needs a [[type]]") {
  const ScratchFolder folder;
  const auto error_message = [&](const std::string& species, const std::string& types) {
    std::string xyz = "108\nLattice=\"20 0 0 0 20 0 0 0 20\"\n";
    for (int i = 0; i < 108; ++i)
      xyz += fmt::format("{} {} {} {}\n", i == 5 ? species : "Cu", i % 5 * 4, i / 5 % 5 * 4,
                         i / 25 * 4);
    std::ofstream(folder / "a.xyz") << xyz;
    return test::config_error_message<MdModule>(
        fmt::format("{}[md]\nunits = \"metal\"\nsteps = 1\ntime_step = 0.001\n[start]\n"
                    "kind = \"xyz\"\nfile = \"{}\"\n[eam]\nformat = \"sutton_chen\"\n",
                    types, folder / "a.xyz"));
  };
  CHECK(error_message("Cu", "") == "");
  const std::string message = error_message("Foo", "");
  CAPTURE(message);
  CHECK(contains(message, "a.xyz:8: `Foo` is not known to be Cu"));
  CHECK(error_message("Foo", "[[type]]\nname = \"Foo\"\n") == "");
}

TEST_CASE(
    "start from a file: types of the configuration are matched to those of a data file by "
    "in_file") {
  const ScratchFolder folder;
  const auto configuration = [&](const std::string& types) {
    return types + molecules_config + molecules_bonded + molecules_start(folder) +
           "[thermo]\nevery = 10\n";
  };
  const std::string renamed_types =
      "[[type]]\nname = \"C3\"\nin_file = \"2\"\nelement = \"C\"\n[[type]]\nname = \"C2\"\n"
      "in_file = \"1\"\n";
  // Coefficients follow their types, which the configuration names in another order.
  const Outcome default_names = run(configuration(""), 1, 0, 10, 10);
  for (const int ranks : {1, 2}) {
    const Outcome other_names = run(configuration(renamed_types), ranks, 0, 10, 10);
    for (const char* column : {"pair_energy", "bond_energy", "pressure"})
      CHECK(other_names.thermo(column) == default_names.thermo(column));
  }
  const auto error_message = [&](const std::string& types) {
    return test::config_error_message<MdModule>(configuration(types));
  };
  CHECK(contains(error_message("[[type]]\nname = \"C3\"\n"), "m.data has no type `C3`"));
  CHECK(contains(error_message("[[type]]\nname = \"C3\"\n"), "set in_file in its [[type]]"));
  CHECK(
      contains(error_message("[[type]]\nname = \"C3\"\nin_file = \"2\"\n[[type]]\nname = \"2\"\n"),
               "the types `C3` and `2` both stand for type `2` of the file"));
  CHECK(contains(error_message("[[type]]\nname = \"1\"\nelement = \"Foo\"\n"),
                 "`Foo` is no chemical symbol"));
}
