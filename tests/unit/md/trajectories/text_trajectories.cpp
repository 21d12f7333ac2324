#include <cmath>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/files/extended_xyz.hpp"
#include "src/modules/md/trajectories/dump_writer.hpp"
#include "src/modules/md/trajectories/xyz_writer.hpp"
#include "support/messages.hpp"
#include "unit/md/trajectories/trajectory_system.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::bytes_of;
using gsim::test::contains;
using gsim::test::ScratchFolder;

namespace {

TrajectoryConfig trajectory_config(TrajectoryFormat format) {
  TrajectoryConfig config;
  config.format = format;
  config.steps.every = 20;
  return config;
}

std::string first_lines(const std::string& all, int count) {
  std::size_t end = 0;
  for (int i = 0; i < count; ++i) end = all.find('\n', end) + 1;
  return all.substr(0, end);
}

int count_lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("extended XYZ output: header, columns, and numbers with enough digits") {
  const ScratchFolder folder;
  TrajectoryConfig config = trajectory_config(TrajectoryFormat::xyz);
  config.velocity = config.force = true;
  write_trajectories({.ranks = 2, .first = 20, .last = 20}, {config}, folder / "run");
  const std::string all = bytes_of(folder / "run.xyz");
  CHECK(count_lines(all) == atom_count + 2);
  CHECK(first_lines(all, 4) ==
        "11\n"
        "Lattice=\"8 0 0 2 6 0 -1 0.5 7\" Origin=\"-1 0.5 0\" pbc=\"T T T\" "
        "Properties=type:S:1:pos:R:3:Z:I:1:id:I:1:map_shift:I:3:velo:R:3:masses:R:1:momenta:R:3:"
        "forces:R:3 Time=10 Step=20 energy=0\n"
        "A 2.6 5.8 0.02 0 1 0 -1 0 3 -1 0.1 1.5 4.5 -1.5 0.15 0 10 -0.0009765625\n"
        "A 1.3 0.9 0.52 0 2 0 0 0 3 -0.5 0.1 1.5 4.5 -0.75 0.15 1 10 -0.0009765625\n");
}

TEST_CASE(
    "extended XYZ output: chemical symbols are species; other type names have atomic numbers "
    "beside them") {
  const ScratchFolder folder;
  const TrajectoryConfig config = trajectory_config(TrajectoryFormat::xyz);
  const auto first_lines_of_frame = [&](TrajectoryRun run) {
    run.first = run.last = 20;
    write_trajectories(run, {config}, folder / "run");
    const std::string lines = first_lines(bytes_of(folder / "run.xyz"), 3);
    std::filesystem::remove(folder / "run.xyz");
    return lines;
  };
  const std::string with_symbols = first_lines_of_frame({.ranks = 2, .type_names = {"Cu", "Zr"}});
  CHECK(contains(with_symbols, "Properties=species:S:1:pos:R:3:id:I:1:map_shift:I:3 "));
  CHECK(contains(with_symbols, "\nCu 2.6 5.8 0.02 1 0 -1 0\n"));
  const std::string with_other_names =
      first_lines_of_frame({.ranks = 3, .type_names = {"1", "C3"}, .type_elements = {"O", ""}});
  CHECK(contains(with_other_names, "Properties=type:S:1:pos:R:3:Z:I:1:id:I:1:map_shift:I:3 "));
  CHECK(contains(with_other_names, "\n1 2.6 5.8 0.02 8 1 0 -1 0\n"));
}

TEST_CASE("extended XYZ output: energies, forces and momenta are in ASE's units") {
  const ScratchFolder folder;
  TrajectoryConfig config = trajectory_config(TrajectoryFormat::xyz);
  config.velocity = config.force = true;
  config.precision = TrajectoryPrecision::float64;
  const double kcal = 4184 / 96485.33212331001;  // in eV: J/mol over Faraday's constant (SI, 2019)
  for (const UnitSystem system : {UnitSystem::metal, UnitSystem::real}) {
    const Units& units = units_of(system);
    write_trajectories({.ranks = 2, .units = system, .first = 20, .last = 20}, {config},
                       folder / "run");
    std::string all = bytes_of(folder / "run.xyz");
    std::filesystem::remove(folder / "run.xyz");
    const AtomSystem by_velocity = read_extended_xyz(all, "run.xyz", {-1, &units});
    CHECK(by_velocity.atoms.velocity[1] == Vector3{3, -0.5, 0.1});
    CHECK(by_velocity.types[0].mass == 1.5);
    all.replace(all.find(":velo:"), 6, ":other:");
    const AtomSystem by_momentum = read_extended_xyz(all, "run.xyz", {-1, &units});
    for (std::size_t a = 0; a < 3; ++a)
      CHECK(by_momentum.atoms.velocity[1][a] ==
            doctest::Approx(by_velocity.atoms.velocity[1][a]).epsilon(1e-14));
    // The second atom's force along y (index 16 in its line) is 10 of the run's units; its
    // momentum along x (index 12): 1.5 g/mol times 3 Angstrom / ps or fs, in sqrt(g/mol eV) (1
    // (Angstrom/ps)^2 g/mol is 10 J/mol).
    const auto atom_numbers = [&] {
      std::vector<double> numbers;
      const std::string text = first_lines(all, 4).substr(first_lines(all, 3).size());
      std::size_t position = 2;  // after "A "
      for (std::size_t end = 0; position < text.size(); position += end + 1)
        numbers.push_back(std::stod(text.substr(position), &end));
      return numbers;
    }();
    const bool metal = system == UnitSystem::metal;
    const double speed = metal ? 3.0 : 3000.0;
    CHECK(atom_numbers.at(16) == doctest::Approx(metal ? 10 : 10 * kcal).epsilon(1e-12));
    CHECK(atom_numbers.at(12) ==
          doctest::Approx(1.5 * speed * std::sqrt(10 / 96485.33212331001)).epsilon(1e-12));
  }
}

TEST_CASE("LAMMPS dump output: header and columns of orthogonal and triclinic boxes") {
  const ScratchFolder folder;
  const TrajectoryConfig config = trajectory_config(TrajectoryFormat::dump);
  write_trajectories({.ranks = 3, .first = 20, .last = 20}, {config}, folder / "run");
  CHECK(first_lines(bytes_of(folder / "run.dump"), 10) ==
        "ITEM: TIMESTEP\n20\nITEM: NUMBER OF ATOMS\n11\n"
        "ITEM: BOX BOUNDS xy xz yz pp pp pp\n-2 9 2\n0.5 7 -1\n0 7 0.5\n"
        "ITEM: ATOMS id type x y z ix iy iz\n"
        "1 1 2.6 5.8 0.02 0 -1 0\n");
  write_trajectories({.tilted = false, .first = 20, .last = 20}, {config}, folder / "straight");
  CHECK(contains(bytes_of(folder / "straight.dump"),
                 "ITEM: BOX BOUNDS pp pp ff\n-1 7\n0.5 6.5\n0 7\n"));
}

TEST_CASE("text trajectories: the same bytes on any number of ranks, interrupted or not") {
  const ScratchFolder folder;
  TrajectoryConfig xyz = trajectory_config(TrajectoryFormat::xyz),
                   dump = trajectory_config(TrajectoryFormat::dump);
  dump.types = {"B"};
  xyz.precision = TrajectoryPrecision::float64;
  std::string xyz_bytes, dump_bytes;
  std::uint64_t digest = 0;
  for (const int ranks : {1, 2, 3, 5}) {
    const TrajectoryRunResult uninterrupted =
        write_trajectories({.ranks = ranks}, {xyz, dump}, folder / "run");
    if (ranks == 1) {
      xyz_bytes = bytes_of(folder / "run.xyz");
      dump_bytes = bytes_of(folder / "run.dump");
      digest = uninterrupted.digest;
    }
    CHECK(bytes_of(folder / "run.xyz") == xyz_bytes);
    CHECK(bytes_of(folder / "run.dump") == dump_bytes);
    CHECK(uninterrupted.digest == digest);
    std::filesystem::remove(folder / "run.xyz");
    std::filesystem::remove(folder / "run.dump");
    TrajectoryRunResult resumed = write_trajectories({.ranks = ranks, .last = 20, .finish = false},
                                                     {xyz, dump}, folder / "run");
    resumed =
        write_trajectories({.ranks = 6 - ranks, .first = 20, .checkpoint = resumed.checkpoint},
                           {xyz, dump}, folder / "run");
    CHECK(bytes_of(folder / "run.xyz") == xyz_bytes);
    CHECK(bytes_of(folder / "run.dump") == dump_bytes);
    CHECK(resumed.digest == digest);
  }
  CHECK(count_lines(xyz_bytes) == 3 * (atom_count + 2));
  CHECK(count_lines(dump_bytes) == 3 * (3 + 9));
}
