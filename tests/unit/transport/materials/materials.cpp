#include <cmath>
#include <fstream>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/transport/materials/infinite_medium.hpp"
#include "support/scratch_folder.hpp"
#include "tests/unit/transport/materials/materials_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;
using gsim::test::contains;
using gsim::test::read_materials;
using gsim::test::refused_material;

namespace {

MaterialSet read_sood(const std::string& file) {
  MaterialSet set;
  auto config = ConfigFile::load(GSIM_SOURCE_DIR "/validation/transport/data/" + file);
  config.read([&](Section& top) { describe_materials(top, set); });
  return set;
}

struct Published {
  const char* file;
  const char* material;
  double k, tolerance;
  std::vector<double> flux;  ///< relative group fluxes, the fastest group first
};

}  // namespace

TEST_CASE("materials: infinite media have the published k and spectra") {
  // The infinite media among problems 1 to 75 of Sood, Forster and Parsons (2003). The tolerance is
  // half a unit of the last printed digit, except for Uc and Ud, whose printed data give 2.256090
  // and 2.232665.
  const std::vector<Published> published = {
      {"sood_1_group.toml", "PUa", 2.612903, 5e-7, {}},
      {"sood_1_group.toml", "PUb", 2.290323, 5e-7, {}},
      {"sood_1_group.toml", "Ua", 2.25, 5e-7, {}},
      {"sood_1_group.toml", "Uc", 2.256083, 8e-6, {}},
      {"sood_1_group.toml", "Ud", 2.232667, 3e-6, {}},
      {"sood_1_group.toml", "Ue", 2.1806667, 5e-7, {}},
      {"sood_1_group.toml", "PU_P1a", 2.5, 5e-7, {}},
      {"sood_1_group.toml", "UD2Oa", 1.205587, 5e-7, {}},
      {"sood_1_group.toml", "UD2Ob", 1.227391, 5e-7, {}},
      {"sood_2_groups.toml", "PU_2", 2.683767, 5e-7, {0.675229, 1}},
      {"sood_2_groups.toml", "U_2", 2.216349, 5e-7, {0.474967, 1}},
      {"sood_2_groups.toml", "UAL_2", 2.662437, 5e-7, {3.124951, 1}},
      {"sood_2_groups.toml", "URRa_2", 1.631452, 5e-7, {2.614706, 1}},
      {"sood_2_groups.toml", "URRb_2", 1.365821, 5e-7, {1.173679, 1}},
      {"sood_2_groups.toml", "URRd_2", 1.03497, 5e-6, {2.023344, 1}},
      {"sood_2_groups.toml", "UD2O_2", 1.000221, 5e-7, {26.822093, 1}},
      {"sood_2_groups.toml", "URRa_2_P1", 1.631452, 5e-7, {2.614706, 1}},
      {"sood_3_groups.toml", "URR_3", 1.6, 1e-12, {1, 0.48, 0.15}},
      {"sood_6_groups.toml", "URR_6", 1.6, 1e-12, {1, 0.48, 0.15, 0.15, 0.48, 1}},
  };
  for (const Published& p : published) {
    CAPTURE(p.material);
    const MaterialSet set = read_sood(p.file);
    const Index index = set.find(p.material);
    REQUIRE(index >= 0);
    const auto result = infinite_medium(set.materials[static_cast<std::size_t>(index)]);
    REQUIRE(result);
    CHECK(std::abs(result->k - p.k) <= p.tolerance);
    for (std::size_t g = 1; g < p.flux.size(); ++g)
      CHECK(result->flux[0] / result->flux[g] ==
            doctest::Approx(p.flux[0] / p.flux[g]).epsilon(2e-6));
  }
}

TEST_CASE("materials: scattering of every material of the Sood benchmarks can be sampled") {
  std::size_t materials = 0;
  for (const char* file :
       {"sood_1_group.toml", "sood_2_groups.toml", "sood_3_groups.toml", "sood_6_groups.toml"})
    materials += read_sood(file).materials.size();
  CHECK(materials == 36);  // 34, and two of them also at order 1
}

TEST_CASE("materials: cross sections that are not given follow from the others") {
  const MaterialSet set = read_materials(R"(
[groups]
bounds = [0.0, 1.0, 2e7]
speed = [2e9, 2e5]
[[material]]
name = "fuel"
capture = [0.1, 0.2]
fission = [0.05, 0.3]
nu = [2.5, 2.4]
chi = [1.0, 0.0]
scatter = [[0.3, 0.1], [0.0, 0.6]]
[[material]]
name = "water"
total = [0.5, 1.0]
scatter = [[0.3, 0.1], [0.0, 0.99]]
speed = [1e9, 1e5]
)");
  CHECK(set.groups == 2);
  CHECK(set.bounds == std::vector<double>{2e7, 1.0, 0.0});
  const Material& fuel = set.materials[0];
  CHECK(fuel.absorption[0] == doctest::Approx(0.15).epsilon(1e-15));
  CHECK(fuel.total[1] == doctest::Approx(1.1).epsilon(1e-15));
  CHECK(fuel.nu_fission[1] == doctest::Approx(0.72).epsilon(1e-15));
  CHECK(fuel.speed == std::vector<double>{2e9, 2e5});
  const Material& water = set.materials[1];
  CHECK(water.absorption[0] == doctest::Approx(0.1).epsilon(1e-15));
  CHECK(water.speed == std::vector<double>{1e9, 1e5});
  CHECK(!water.is_fissile());
  CHECK(set.has_speeds());
  CHECK(set.find("water") == 1);
  CHECK(set.find("steel") == -1);
  CHECK(set.notes.empty());

  const auto tables = test::host_tables(set);
  const MaterialView view = tables.view();
  CHECK(view.materials == 2);
  CHECK(view.majorant[0] == doctest::Approx(0.55));
  CHECK(view.majorant[1] == doctest::Approx(1.1));
  CHECK(view.data[3].scattering_ratio == 0.99);
}

TEST_CASE("materials: an entry of a library file is the same as a table of the configuration") {
  const test::ScratchFolder folder;
  const auto write = [&](const std::string& text) { std::ofstream(folder / "data.toml") << text; };
  const std::string two_materials = R"([groups]
bounds = [0.0, 1.0, 2e7]
speed = [2e9, 2e5]
[[material]]
name = "fuel"
capture = [0.1, 0.2]
fission = [0.05, 0.3]
nu = [2.5, 2.4]
chi = [0.99999, 0.0]
scatter = [[0.3, 0.1], [0.0, 0.6]]
scatter_l1 = [[0.2, 0.0], [0.0, 0.1]]
[[material]]
name = "water"
total = [0.5, 1.0]
scatter = [[0.3, 0.1], [0.0, 0.99]]
)";
  const std::string library_material = "[[material]]\nname = \"f\"\nlibrary = \"data.toml\"\n";
  const auto read = [&](const std::string& text) {
    return read_materials(text, folder / "run.toml");
  };
  const auto error_message = [&](const std::string& text) {
    return test::message_of<ConfigError>([&] { read(text); });
  };
  write(two_materials);
  const std::string fuel = library_material + "entry = \"fuel\"\n";
  CHECK(contains(error_message(fuel), "scatter"));  // negative density at some cosines
  const MaterialSet set = read(fuel + "scattering_order = 0\n");
  REQUIRE(set.materials.size() == 1);
  const Material& m = set.materials[0];
  CHECK(m.name == "f");
  CHECK(set.bounds == std::vector<double>{2e7, 1.0, 0.0});
  CHECK(m.speed == std::vector<double>{2e9, 2e5});
  CHECK(m.total[1] == doctest::Approx(1.1).epsilon(1e-15));
  CHECK(m.nu_fission[1] == doctest::Approx(0.72).epsilon(1e-15));
  CHECK(m.scatter.size() == 1);
  CHECK(set.notes.empty());  // chi sums to 1 within the rounding of printed digits
  CHECK(read(fuel + "negative_scattering = \"discrete\"\n").materials[0].scatter.size() == 2);
  CHECK(read("[[material]]\nname = \"water\"\nlibrary = \"data.toml\"\nspeed = [1.0, 2.0]\n")
            .materials[0]
            .speed == std::vector<double>{1, 2});

  CHECK(contains(error_message(library_material + "entry = \"watr\"\n"), "did you mean `water`"));
  CHECK(contains(error_message(library_material), "data.toml has no material `f`"));
  CHECK(contains(error_message(library_material), "it has fuel, water"));
  CHECK(contains(error_message(fuel + "chi = [1.0, 0.0]\n"), "chi cannot be given with a library"));
  CHECK(contains(error_message(fuel + "temperature = 300.0\n"), "data of one temperature"));
  CHECK(contains(error_message("[groups]\nbounds = [0.0, 2.0, 2e7]\n" + fuel),
                 "group bounds differ from those of [groups]"));
  CHECK(contains(error_message("[[material]]\nname = \"f\"\nlibrary = \"no.toml\"\n"), "no.toml"));
  // Errors of the library are reported with their location in the library.
  write(two_materials + "colour = \"blue\"\n");
  CHECK(contains(error_message(fuel), "data.toml:16:1"));
  write(two_materials + "library = \"more.toml\"\n");
  CHECK(contains(error_message(fuel), "data.toml:16:1"));
  write(two_materials +
        "[[material]]\nname = \"steel\"\ntotal = [0.1, 0.1]\nscatter = [[1.0, 0.0], [0.0, 1.0]]\n");
  CHECK(contains(error_message(library_material + "entry = \"steel\"\n"), "data.toml:19:11"));
}

TEST_CASE("materials: sums with rounding errors are corrected, larger errors are refused") {
  const auto scattering_material = [](const std::string& keys) {
    return "[[material]]\nname = \"m\"\nscatter = [[0.5, 0.1], [0.0, 0.7]]\n" + keys;
  };
  const std::string fissile = "fission = [0.1, 0.1]\nnu = [2.0, 2.0]\ncapture = [0.1, 0.1]\n";
  const MaterialSet rounded =
      read_materials(scattering_material(fissile + "chi = [0.99999, 0.0]\n"));
  CHECK(rounded.notes.empty());
  CHECK(rounded.materials[0].chi == std::vector<double>{1.0, 0.0});
  const MaterialSet inaccurate =
      read_materials(scattering_material(fissile + "chi = [0.9995, 0.0]\n"));
  REQUIRE(inaccurate.notes.size() == 1);
  CHECK(contains(inaccurate.notes[0], "material `m`: chi summed to 1 only within 5.0e-04"));
  const MaterialSet unbalanced =
      read_materials(scattering_material("total = [0.72, 0.8]\nabsorption = [0.1, 0.1]\n"));
  REQUIRE(unbalanced.notes.size() == 1);
  CHECK(contains(unbalanced.notes[0],
                 "total and the sum of absorption and scattering differ by 0.028 of total"));

  const std::vector<std::pair<std::string, std::string>> invalid_keys = {
      {"total = [1.0, 0.8]\nabsorption = [0.1, 0.1]\n",
       "in group 1 total is 1, but the sum of absorption 0.1 and scattering 0.6 is 0.7"},
      {fissile + "chi = [0.9, 0.0]\n", "`chi` sums to 0.9, not to 1"},
      {fissile + "chi = [1.5, -0.5]\n", "-0.5 in group 2; it must not be negative"},
      {fissile, "it fissions, and has no chi"},
      {"capture = [0.1]\n", "`capture` has 1 number for 2 groups"},
      {"capture = [0.1, -0.1]\n", "`capture` is -0.1 in group 2; it must not be negative"},
      {"capture = [0.1, 0.1]\nabsorption = [0.1, 0.1]\n", "both absorption and capture"},
      {"", "neither total, absorption nor capture is given"},
      {"total = [0.5, 0.8]\n", "the scattering of group 1 is 0.6, above its total 0.5"},
      {"capture = [0.1, 0.1]\nnu_fission = [0.1, 0.1]\n", "nu_fission without fission"},
      {"capture = [0.1, 0.1]\nnu = [2.0, 2.0]\n", "nu without fission"},
      {fissile + "nu_fission = [0.2, 0.2]\nchi = [1.0, 0.0]\n", "both nu and nu_fission"},
      {"absorption = [0.1, 0.1]\nfission = [0.2, 0.1]\nnu = [2.0, 2.0]\nchi = [1.0, 0.0]\n",
       "0.2 in group 1, above absorption's 0.1"},
      {"absorption = [0.3, 0.3]\nfission = [0.1, 0.0]\nnu_fission = [0.2, 0.2]\n"
       "chi = [1.0, 0.0]\n",
       "0.2 in group 2, where fission is 0"},
      {"absorption = [0.3, 0.3]\nfission = [0.001, 0.1]\nnu_fission = [2.0, 0.2]\n"
       "chi = [1.0, 0.0]\n",
       "2000 neutrons per fission in group 1"},
      {"capture = [0.1, 0.1]\nscatter_l1 = [[0.6, 0.0], [0.0, 0.0]]\n",
       "0.6 from group 1 to 1, above scatter's 0.5"},
      {"capture = [0.1, 0.1]\nscatter_l2 = [[0.1, 0.0], [0.0, 0.0]]\n",
       "scatter_l2 without scatter_l1"},
      {"capture = [0.1, 0.1]\nscatter_l1 = [[0.1, 0.0]]\n", "`scatter_l1` has 1 row for 2 groups"},
      {"capture = [0.1, 0.1]\nmultiplicity = [[1.0, 1.0], [1.0, -1.0]]\n",
       "-1 from group 2 to 2; it must not be negative"},
      {"capture = [0.1, 0.1]\nspeed = [1.0, 0.0]\n", "0 cm/s in group 2"},
      {fissile + "chi = [1.0, 0.0]\nbeta = [0.01]\n",
       "0 decay constants, 1 fractions and 1 spectra"},
      {fissile + "chi = [1.0, 0.0]\nbeta = [0.01]\ndecay_constants = [0.0]\n",
       "the decay constant of delayed group 1 is 0 /s"},
      {fissile + "chi = [1.0, 0.0]\nbeta = [0.7, 0.7]\ndecay_constants = [0.1, 0.1]\n",
       "`beta` sums to 1.4 over the delayed groups"},
  };
  for (const auto& [keys, message] : invalid_keys) {
    const std::string error = refused_material(scattering_material(keys));
    CHECK_MESSAGE(contains(error, message), error);
    CHECK(contains(error, "run.toml:"));
  }
  CHECK(contains(
      refused_material("[[material]]\nname = \"m\"\ncapture = [0.1]\nscatter = [[-0.1]]\n"),
      "-0.1 from group 1 to 1; it must not be negative"));
  CHECK(contains(refused_material(scattering_material("capture = [0.1, 0.1]\n") +
                                  scattering_material("capture = [0.1, 0.1]\n")),
                 "there are two materials `m`"));
  CHECK(contains(refused_material(scattering_material("capture = [0.1, 0.1]\n") +
                                  "[[material]]\nname = \"n\"\ncapture = [0.1]\n"),
                 "`capture` has 1 number for 2 groups"));
  CHECK(contains(refused_material("[groups]\nbounds = [1.0, 3.0, 2.0]\n"),
                 "energies neither increase nor decrease"));
}

TEST_CASE(
    "materials: a negative scattering density is an error that names material, groups and cosine") {
  const std::string negative_material =
      "[[material]]\nname = \"steel\"\ncapture = [0.1, 0.1]\n"
      "scatter = [[0.5, 0.1], [0.0, 0.7]]\nscatter_l1 = [[0.0, 0.05], [0.0, 0.0]]\n";
  const std::string error = refused_material(negative_material);
  CHECK(contains(error, "material `steel`, scattering from group 1 to 2"));
  CHECK(contains(error, "negative at cosine -1 (-0.25 per unit of cosine"));
  CHECK(contains(error, "negative_scattering = \"discrete\""));
  CHECK(
      read_materials(negative_material + "negative_scattering = \"discrete\"\n").materials.size() ==
      1);
  CHECK(read_materials(negative_material + "scattering_order = 0\n").materials.size() == 1);
}
