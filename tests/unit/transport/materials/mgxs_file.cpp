#include "src/modules/transport/materials/mgxs_file.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <doctest/doctest.h>

#include "gsim/io/object_writer.hpp"
#include "gsim/io/segmented_file.hpp"
#include "support/scratch_folder.hpp"
#include "tests/unit/transport/materials/materials_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

using Doubles = std::vector<double>;

/// The attributes and datasets that OpenMC 0.15 writes for a material of two groups. `fission`
/// writes the datasets of fission; tests replace it to write other datasets.
struct Library {
  std::string format = "legendre", representation = "isotropic", filetype = "mgxs";
  Doubles scatter{0.3, 0.1, 0.1, -0.02, 0.6, 0.05};
  std::function<void(ObjectWriter&)> fission = [](ObjectWriter& f) {
    f.write("fuel/294K/chi", Doubles{1.0, 0.0});
    f.write("fuel/294K/nu-fission", Doubles{0.1, 0.7});
    f.write("fuel/294K/fission", Doubles{0.04, 0.28});
    f.write("fuel/294K/kappa-fission", Doubles{8e6, 5.6e7});
  };

  void write(const std::string& path) const {
    SegmentedFile file(Communicator::self(), path, {});
    file.start();
    file.finish([this](ObjectWriter& f) {
      f.set("/", "filetype", FixedLengthString{filetype});
      f.set("/", "version", std::vector<Index>{1, 0});
      f.set("/", "energy_groups", Index{2});
      f.set("/", "delayed_groups", Index{0});
      f.set("/", "group structure", Doubles{0.0, 0.625, 2e7});
      f.set("fuel", "representation", FixedLengthString{representation});
      f.set("fuel", "scatter_format", FixedLengthString{format});
      f.set("fuel", "scatter_shape", FixedLengthString{"[G][G'][Order]"});
      f.set("fuel", "order", Index{1});
      f.write("fuel/kTs/294K", 294 * 8.617333262e-5);
      f.write("fuel/kTs/600K", 600 * 8.617333262e-5);
      f.write("fuel/600K/total", Doubles{1, 1});
      f.write("fuel/294K/total", Doubles{0.5, 1.0});
      f.write("fuel/294K/absorption", Doubles{0.1, 0.4});
      f.write("fuel/294K/inverse-velocity", Doubles{1e-9, 5e-6});
      // Group 1 scatters to 1 and 2, group 2 to itself.
      f.write("fuel/294K/scatter_data/g_min", std::vector<std::int64_t>{1, 2});
      f.write("fuel/294K/scatter_data/g_max", std::vector<std::int64_t>{2, 2});
      f.write("fuel/294K/scatter_data/scatter_matrix", scatter);
      f.write("fuel/294K/scatter_data/multiplicity_matrix", Doubles{1.25, 1.0, 1.0});
      fission(f);
    });
  }
};

std::string error_message(const Library& library, double temperature = 300,
                          const std::string& entry = "fuel") {
  const test::ScratchFolder folder;
  library.write(folder / "mgxs.h5");
  return message_of<InputError>([&] { read_mgxs(folder / "mgxs.h5", entry, temperature); });
}
MgxsEntry read(const Library& library) {
  const test::ScratchFolder folder;
  library.write(folder / "mgxs.h5");
  return read_mgxs(folder / "mgxs.h5", "fuel", 300);
}

}  // namespace

TEST_CASE("mgxs: an entry of a library that OpenMC writes is a material") {
  const test::ScratchFolder folder;
  Library{}.write(folder / "mgxs.h5");
  const auto entries = mgxs_entries(folder / "mgxs.h5");
  CHECK(std::count(entries.begin(), entries.end(), "fuel") == 1);
  const auto read_set = [&](const std::string& keys) {
    return test::read_materials("[[material]]\nname = \"f\"\nlibrary = \"mgxs.h5\"\n" + keys,
                                folder / "run.toml");
  };
  const MaterialSet read = read_set("entry = \"fuel\"\ntemperature = 310.0\n");
  REQUIRE(read.notes.size() == 1);
  CHECK(contains(read.notes[0], "data for 294.0 K are used for 310 K"));
  CHECK(read.bounds == Doubles{2e7, 0.625, 0});
  const Material& m = read.materials[0];
  CHECK(m.name == "f");
  CHECK(m.total == Doubles{0.5, 1.0});
  CHECK(m.absorption == Doubles{0.1, 0.4});
  CHECK(m.nu_fission == Doubles{0.1, 0.7});
  CHECK(m.kappa_fission == Doubles{8e6, 5.6e7});
  CHECK(m.speed[1] == doctest::Approx(2e5).epsilon(1e-15));
  CHECK(m.scatter[0] == Doubles{0.3, 0.1, 0, 0.6});
  CHECK(m.scatter[1] == Doubles{0.1, -0.02, 0, 0.05});
  CHECK(m.multiplicity == Doubles{1.25, 1, 1, 1});
  CHECK(m.chi == Doubles{1, 0});
  // The digest by which a restart from a checkpoint detects changed data.
  CHECK(read.input_digest == read_set("entry = \"fuel\"\ntemperature = 310.0\n").input_digest);
  Library changed;
  changed.fission = [](ObjectWriter& f) {
    f.write("fuel/294K/chi", Doubles{1, 0});
    f.write("fuel/294K/nu-fission", Doubles{0.1, 0.7});
    f.write("fuel/294K/fission", Doubles{0.04, 0.29});
  };
  changed.write(folder / "changed.h5");
  const MaterialSet other = test::read_materials(
      "[[material]]\nname = \"f\"\nlibrary = \"changed.h5\"\nentry = \"fuel\"\n"
      "temperature = 294.0\n",
      folder / "run.toml");
  CHECK(other.input_digest != read.input_digest);
  CHECK(other.input_digest != 0);
  CHECK_THROWS_WITH_AS(read_set("entry = \"fuel\"\n"), doctest::Contains("set temperature"),
                       ConfigError);
  CHECK_THROWS_WITH_AS(read_set("temperature = 294.0\n"), doctest::Contains("it has no entry `f`"),
                       ConfigError);
  CHECK_THROWS_WITH_AS(read_set("entry = \"fuel\"\nscatter = [[1.0]]\n"),
                       doctest::Contains("scatter cannot be given with a library"), ConfigError);
  CHECK_THROWS_WITH_AS(
      read_set("entry = \"fuel\"\ntemperature = 294.0\n[groups]\nbounds = [0.0, 1.0, 2e7]\n"),
      doctest::Contains("group bounds differ from those of [groups]"), ConfigError);
}

TEST_CASE("mgxs: fission matrices, and prompt and delayed fission data are read") {
  Library library;
  library.fission = [](ObjectWriter& f) {
    f.write("fuel/294K/fission", Doubles{0.04, 0.28});
    f.write("fuel/294K/nu-fission", Doubles{0.08, 0.02, 0.35, 0.35}, 2);
    f.write("fuel/294K/beta", Doubles{0.002, 0.004});
    f.write("fuel/294K/decay-rate", Doubles{0.1, 1.0});
    f.write("fuel/294K/chi-delayed", Doubles{0.5, 0.5, 0.25, 0.75}, 2);
  };
  const Material by_matrix = read(library).material;
  CHECK(by_matrix.nu_fission[0] == doctest::Approx(0.1));
  CHECK(by_matrix.chi[1] == doctest::Approx(0.2));
  CHECK(by_matrix.chi[2] == doctest::Approx(0.5));
  CHECK(by_matrix.delayed.fractions == std::vector<Doubles>{{0.002, 0.002}, {0.004, 0.004}});
  CHECK(by_matrix.delayed.spectra[1] == Doubles{0.25, 0.75});

  library.fission = [](ObjectWriter& f) {
    f.write("fuel/294K/fission", Doubles{0.04, 0.28});
    f.write("fuel/294K/prompt-nu-fission", Doubles{0.09, 0.65});
    f.write("fuel/294K/delayed-nu-fission", Doubles{0.01, 0.05}, 2);
    f.write("fuel/294K/decay-rate", Doubles{0.1});
    f.write("fuel/294K/chi-prompt", Doubles{1.0, 0.0});
    f.write("fuel/294K/chi-delayed", Doubles{0.5, 0.5});
  };
  const Material split = read(library).material;
  CHECK(split.nu_fission[1] == doctest::Approx(0.7));
  CHECK(split.delayed.fractions[0][0] == doctest::Approx(0.1));
  CHECK(split.delayed.fractions[0][1] == doctest::Approx(0.05 / 0.7));
  CHECK(split.chi == Doubles{1, 0});
}

TEST_CASE("mgxs: unsupported data are errors") {
  Library tabular, by_angle, other, short_matrix, no_fission;
  tabular.format = "tabular";
  CHECK(contains(error_message(tabular), "scatter_format \"tabular\"; gsim reads \"legendre\""));
  by_angle.representation = "angle";
  CHECK(contains(error_message(by_angle), "representation \"angle\"; gsim reads \"isotropic\""));
  other.filetype = "statepoint";
  CHECK(contains(error_message(other), "no library of cross sections"));
  short_matrix.scatter.pop_back();
  CHECK(contains(error_message(short_matrix), "scatter_matrix has 5 numbers"));
  no_fission.fission = [](ObjectWriter& f) {
    f.write("fuel/294K/nu-fission", Doubles{0.1, 0.7});
    f.write("fuel/294K/chi", Doubles{1.0, 0.0});
  };
  CHECK(contains(error_message(no_fission), "nu-fission and no fuel/294K/fission"));
  CHECK(contains(error_message(Library{}, 300, "water"), "it has no entry `water`; it has fuel"));
  CHECK(contains(error_message(Library{}, 600), "no fuel/600K/absorption"));
}
