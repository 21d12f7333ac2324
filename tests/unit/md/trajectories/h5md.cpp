#include <cmath>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/io/result_file.hpp"
#include "src/modules/md/files/h5md_file.hpp"
#include "src/modules/md/trajectories/h5md_writer.hpp"
#include "support/messages.hpp"
#include "unit/md/trajectories/trajectory_system.hpp"

using namespace gsim;
using namespace gsim::md;
using gsim::test::bytes_of;
using gsim::test::contains;
using gsim::test::message_of;
using gsim::test::ScratchFolder;

namespace {

TrajectoryConfig full_config() {
  TrajectoryConfig config;
  config.steps.every = 10;
  config.velocity = config.force = config.thermo = true;
  config.precision = TrajectoryPrecision::float64;
  config.author = "Ludwig Boltzmann";
  return config;
}

}  // namespace

TEST_CASE("h5md: datasets and attributes of a trajectory are those of the run") {
  const ScratchFolder folder;
  Topology topology;
  topology.bonds = {{0, {0, 1}}, {0, {4, 2}}};
  TrajectoryRun run{.ranks = 3, .charges = true, .topology = &topology};
  for (Index i = 0; i < atom_count; ++i) run.given_ids.push_back(7 * i + 3);
  write_trajectories(run, {full_config()}, folder / "run");
  ResultReader file(Communicator::self(), folder / "run.h5md");
  const std::string group = "particles/trajectory/";
  CHECK(file.read<Index>(group + "position/step") == std::vector<Index>{0, 10, 20, 30, 40});
  CHECK(file.read<double>(group + "force/time") == std::vector<double>{0, 5, 10, 15, 20});
  CHECK(file.read<Index>(group + "box/edges/step").size() == 5);
  const auto edges = file.read<double>(group + "box/edges/value");
  REQUIRE(edges.size() == 45);
  CHECK(std::vector<double>(edges.end() - 9, edges.end()) ==
        std::vector<double>{8, 0, 0, 2, 6, 0, -1, 0.5, 7});
  const auto x = file.read<double>(group + "position/value");
  const auto v = file.read<double>(group + "velocity/value");
  const auto force = file.read<double>(group + "force/value");
  const auto image = file.read<std::int32_t>(group + "image/value");
  REQUIRE(x.size() == 5 * atom_count * 3);
  const Box box = trajectory_box(true);
  bool same = true;
  for (std::size_t f = 0; f < 5; ++f) {
    const auto atoms = atoms_at_step(box, static_cast<Index>(10 * f));
    for (std::size_t i = 0; i < atom_count; ++i)
      for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t k = (f * atom_count + i) * 3 + a;
        same = same && x[k] == box.to_cartesian(atoms[i].position)[a];
        same = same && image[k] == atoms[i].image[a] && v[k] == atoms[i].velocity[a];
      }
    CHECK(force[f * atom_count * 3 + 3 * 4] == 4);
    CHECK(force[f * atom_count * 3 + 3 * 4 + 1] == 5.0 * static_cast<double>(f));
    CHECK(force[f * atom_count * 3 + 3 * 4 + 2] == -0x1p-10);
  }
  CHECK(same);
  CHECK(file.read<Index>(group + "id")[2] == 17);
  CHECK(file.read<std::int32_t>(group + "species") ==
        std::vector<std::int32_t>{1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1});
  CHECK(file.read<double>(group + "mass")[2] == 40);
  CHECK(file.read<double>(group + "charge")[2] == -0.5);
  CHECK(file.read<Index>("connectivity/bonds") == std::vector<Index>{3, 10, 31, 17});
  CHECK(file.read<double>("observables/temperature/value") ==
        std::vector<double>{0, 2.5, 5, 7.5, 10});
  CHECK(file.extents("observables/pressure_tensor/value") == std::vector<Index>{5, 3, 3});
  const auto tensor = file.read<double>("observables/pressure_tensor/value");
  CHECK(std::vector<double>(tensor.end() - 9, tensor.end()) ==
        std::vector<double>{1, 4, 5, 4, 2, 6, 5, 6, 3});
  CHECK(file.attribute("h5md/author", "name") == "Ludwig Boltzmann");
  CHECK(file.attribute("h5md/creator", "name") == "gsim");
  CHECK(file.attribute("parameters", "units") == "lj");
  CHECK(file.read_strings("parameters/type_names") == std::vector<std::string>{"A", "B"});
  CHECK_THROWS_AS(file.attribute(group + "position/value", "unit"), IoError);
}

TEST_CASE("h5md: units are written with names that MDAnalysis supports") {
  const ScratchFolder folder;
  for (const UnitSystem units : {UnitSystem::metal, UnitSystem::real}) {
    write_trajectories({.ranks = 2, .units = units}, {full_config()}, folder / "run");
    ResultReader file(Communicator::self(), folder / "run.h5md");
    const bool metal = units == UnitSystem::metal;
    const std::string group = "particles/trajectory/";
    CHECK(file.attribute(group + "position/time", "unit") == (metal ? "ps" : "fs"));
    CHECK(file.attribute(group + "position/value", "unit") == "Angstrom");
    CHECK(file.attribute(group + "velocity/value", "unit") == "Angstrom ps-1");
    CHECK(file.read<double>(group + "velocity/value")[0] == (metal ? 3.0 : 3000.0));
    CHECK(file.attribute("observables/volume/value", "unit") == "Angstrom+3");
    const AtomSystem system = read_h5md(folder / "run.h5md", {-1, "", &units_of(units)});
    CHECK(system.atoms.velocity[0] == Vector3{3, -1, 0.1});
    CHECK(file.attribute(group + "force/value", "unit") ==
          (metal ? "kJ mol-1 Angstrom-1" : "kcal mol-1 Angstrom-1"));
    // 1 eV = 96.485332 kJ/mol (CODATA 2018)
    CHECK(file.read<double>(group + "force/value")[3] ==
          doctest::Approx(metal ? 96.48533212 : 1.0).epsilon(1e-9));
    std::filesystem::remove(folder / "run.h5md");
  }
}

TEST_CASE("h5md: the same bytes on any number of ranks, interrupted or not") {
  const ScratchFolder folder;
  TrajectoryConfig type_b_config = full_config();
  type_b_config.types = {"B"};
  type_b_config.file = folder / "some.h5md";
  type_b_config.precision = TrajectoryPrecision::float32;
  std::string all_bytes, type_b_bytes;
  std::uint64_t digest = 0;
  for (const int ranks : {1, 2, 3, 5}) {
    const TrajectoryRunResult uninterrupted =
        write_trajectories({.ranks = ranks}, {full_config(), type_b_config}, folder / "run");
    if (ranks == 1) {
      all_bytes = bytes_of(folder / "run.h5md");
      type_b_bytes = bytes_of(folder / "some.h5md");
      digest = uninterrupted.digest;
    }
    CHECK(bytes_of(folder / "run.h5md") == all_bytes);
    CHECK(bytes_of(folder / "some.h5md") == type_b_bytes);
    CHECK(uninterrupted.digest == digest);
    std::filesystem::remove(folder / "run.h5md");
    std::filesystem::remove(folder / "some.h5md");
    // Saved at a step with a frame and at one without; resumed with other numbers of ranks.
    TrajectoryRunResult resumed =
        write_trajectories({.ranks = ranks, .last = 10, .finish = false},
                           {full_config(), type_b_config}, folder / "run");
    resumed = write_trajectories({.ranks = 6 - ranks,
                                  .first = 10,
                                  .last = 23,
                                  .checkpoint = resumed.checkpoint,
                                  .finish = false},
                                 {full_config(), type_b_config}, folder / "run");
    resumed = write_trajectories({.ranks = 3, .first = 24, .checkpoint = resumed.checkpoint},
                                 {full_config(), type_b_config}, folder / "run");
    CHECK(bytes_of(folder / "run.h5md") == all_bytes);
    CHECK(bytes_of(folder / "some.h5md") == type_b_bytes);
    CHECK(resumed.digest == digest);
  }
  ResultReader file(Communicator::self(), folder / "some.h5md");
  CHECK(file.shape("particles/trajectory/position/value").columns == 9);
  CHECK(file.read<Index>("particles/trajectory/id") == std::vector<Index>{3, 6, 9});
}

TEST_CASE("h5md: unknown or repeated types, and files that gsim has not written, are refused") {
  const ScratchFolder folder;
  TrajectoryConfig config = full_config();
  config.types = {"b"};
  CHECK(contains(message_of<InputError>([&] { write_trajectories({}, {config}, folder / "run"); }),
                 "no atom type `b`; did you mean"));
  config.types = {"B", "B"};
  CHECK(contains(message_of<InputError>([&] { write_trajectories({}, {config}, folder / "run"); }),
                 "type `B` is given twice"));
  std::ofstream(folder / "run.h5md") << "my thesis";
  CHECK(
      contains(message_of<InputError>([&] { check_trajectories({full_config()}, folder / "run"); }),
               "was not written by gsim"));
}

TEST_CASE("h5md: a frame is read as it was written") {
  const ScratchFolder folder;
  TrajectoryRun run{.ranks = 2, .tilted = false, .units = UnitSystem::metal, .charges = true};
  for (Index i = 0; i < atom_count; ++i) run.given_ids.push_back(7 * i + 3);
  write_trajectories(run, {full_config()}, folder / "run");
  const Box box = trajectory_box(false);
  for (const Index frame : {-1, 2}) {
    const AtomSystem system =
        read_h5md(folder / "run.h5md", {frame, "", &units_of(UnitSystem::metal)});
    const auto atoms = atoms_at_step(box, frame < 0 ? 40 : 20);
    CHECK(system.box == box);
    CHECK(system.given_ids == run.given_ids);
    REQUIRE(system.types.size() == 2);
    CHECK(system.types[0].label == "A");
    CHECK(system.types[1].label == "B");
    CHECK(system.types[1].mass == 40);
    REQUIRE(system.atoms.size() == atom_count);
    bool same = true;
    for (std::size_t i = 0; i < atom_count; ++i) {
      const Vector3 expected = box.to_cartesian(atoms[i].position);
      const Vector3 position = box.to_cartesian(system.atoms.position[i]);
      for (std::size_t a = 0; a < 3; ++a)
        same = same && std::abs(expected[a] - position[a]) < 1e-14;
      same = same && system.atoms.velocity[i] == atoms[i].velocity &&
             system.atoms.image[i] == atoms[i].image && system.atoms.type[i] == atoms[i].type &&
             system.atoms.charge[i] == atoms[i].charge;
    }
    CHECK(same);
  }
  const auto error_message = [&](const H5mdOptions& options) {
    return message_of<InputError>([&] { read_h5md(folder / "run.h5md", options); });
  };
  CHECK(contains(error_message({5}), "has 5 frames, but frame 5 is requested"));
  CHECK(contains(error_message({-1, "all"}), "run.h5md: it has no particles/all/position"));
  const AtomSystem real = read_h5md(folder / "run.h5md", {-1, "", &units_of(UnitSystem::real)});
  CHECK(real.atoms.velocity[0] == Vector3{3.0 / 1000, -1.0 / 1000, 0.1 / 1000});
}

TEST_CASE("h5md: velocities in Angstrom/fs and Angstrom/ps are converted to the units of the run") {
  const ScratchFolder folder;
  const std::string path = folder / "other.h5";
  const auto velocity = [&](const char* unit, UnitSystem system) {
    ResultFile file(Communicator::self(), path);
    file.write("particles/all/position", std::vector<double>{1, 2, 2.5}, 3);
    file.write("particles/all/velocity", std::vector<double>{8, 0, -2}, 3);
    file.attribute("particles/all/velocity", "unit", unit);
    file.write("particles/all/box/edges", std::vector<double>{4, 5, 6});
    file.commit();
    return read_h5md(path, {-1, "", &units_of(system)}).atoms.velocity[0];
  };
  CHECK(velocity("Angstrom fs-1", UnitSystem::real) == Vector3{8, 0, -2});
  CHECK(velocity("Angstrom ps-1", UnitSystem::real) == Vector3{8.0 / 1000, 0, -2.0 / 1000});
  CHECK(velocity("Angstrom ps-1", UnitSystem::metal) == Vector3{8, 0, -2});
  CHECK(velocity("Angstrom fs-1", UnitSystem::metal) == Vector3{8000, 0, -2000});
  CHECK(contains(message_of<InputError>([&] { velocity("nm ps-1", UnitSystem::real); }),
                 "velocity is in nm ps-1, this run is in Angstrom fs-1"));
}

TEST_CASE("h5md: files of other programs are read, or refused with what is missing") {
  const ScratchFolder folder;
  const std::string path = folder / "other.h5";
  const auto write = [&](const std::function<void(ResultFile&)>& write_contents) {
    ResultFile file(Communicator::self(), path);
    write_contents(file);
    file.commit();
    return message_of<InputError>([&] { (void)read_h5md(path); });
  };
  CHECK(contains(write([](ResultFile&) {}), "it has no particles/GROUP/position"));
  const auto positions = [](ResultFile& file, const char* group) {
    const std::vector<float> x{0, 0, 0, 1, 2, 2.5};
    file.write(std::string("particles/") + group + "/position", x, 3);
  };
  CHECK(contains(write([&](ResultFile& file) { positions(file, "all"); }),
                 "it has no particles/all/box/edges"));
  CHECK(contains(write([&](ResultFile& file) {
                   positions(file, "all");
                   positions(file, "solvent");
                 }),
                 "several groups of particles (all, solvent)"));
  const auto box = [](ResultFile& file) {
    file.write("particles/all/box/edges", std::vector<float>{4, 5, 6});
  };
  CHECK(write([&](ResultFile& file) {
          positions(file, "all");
          box(file);
          file.write("particles/all/species", std::vector<std::uint8_t>{6, 1});
        }) == "no error");
  const AtomSystem system = read_h5md(path);
  CHECK(system.box == Box({0, 0, 0}, {4, 5, 6}));
  CHECK(system.types[0].label == "6");
  CHECK(system.atoms.type == std::vector<std::int32_t>{0, 1});
  CHECK(system.box.to_cartesian(system.atoms.position[1])[2] == 2.5);
  CHECK(contains(
      write([&](ResultFile& file) {
        positions(file, "all");
        box(file);
        file.write("particles/all/charge", std::vector<double>{1});
      }),
      "particles/all/charge has 1 rows of 1 columns; expected 2 rows (one per atom) of 1"));
  std::ofstream(path) << "text";
  CHECK(contains(message_of<InputError>([&] { read_h5md(path); }), "it is not an HDF5 file"));
}
