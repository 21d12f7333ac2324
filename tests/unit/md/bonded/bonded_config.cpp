// The table [bonded] of the configuration and the coefficients of LAMMPS data files.

#include "src/modules/md/bonded/bonded_config.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace gsim;
using namespace gsim::md;

namespace {

BondedConfig read(const std::string& text) {
  BondedConfig config;
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  file.read([&](Section& s) { describe_bonded(s, config); });
  return config;
}

std::string error_message(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Topology topology_of_four_atoms() {
  Topology t;
  t.bonds = {{0, {0, 1}}};
  t.angles = {{0, {0, 1, 2}}};
  t.dihedrals = {{0, {0, 1, 2, 3}}};
  t.bond_types = {"1", "CT-CT"};
  t.angle_types = {"1"};
  t.dihedral_types = {"1"};
  return t;
}

constexpr const char* complete_config = R"(
[bonded]
exclude = ["1-2", "1-3"]
scale_14 = {lennard_jones = 0.5, coulomb = 0.8333}
max_arm = 1.7
[[bonded.bonds]]
name = "1"
kind = "fene"
k = 30
r0 = 1.5
epsilon = 1
sigma = 1
[[bonded.bonds]]
name = "CT-CT"
kind = "harmonic"
k = 268
r0 = 1.529
[[bonded.angles]]
name = "1"
kind = "harmonic"
k = 58.35
theta0 = 112.7
[[bonded.dihedrals]]
name = "1"
kind = "periodic"
k = [0.5, 1.5]
n = [1, 3]
phase = [0, 90]
)";

}  // namespace

TEST_CASE("bonded config: all keys are read, and missing ones have their defaults") {
  const BondedConfig c = read(complete_config);
  CHECK(c.is_given);
  CHECK(c.special.is_excluded == std::array{true, true, false});
  CHECK(c.special.scale_14 == 0.5);
  CHECK(c.special.coulomb_scale_14 == 0.8333);
  CHECK(c.max_arm == 1.7);
  REQUIRE(c.bonds.size() == 2);
  CHECK(c.bonds[0].parameters.kind->name == "fene");
  CHECK(c.bonds[0].parameters.max_length == 1.5);
  CHECK(c.bonds[1].parameters.kind->name == "harmonic");
  CHECK(c.bonds[1].parameters.max_length == 2 * 1.529);
  REQUIRE(c.angles.size() == 1);
  CHECK(c.angles[0].parameters.values == std::vector{58.35, 112.7});
  REQUIRE(c.dihedrals.size() == 1);
  const DihedralSeries& d = c.dihedrals[0].parameters;
  CHECK(d.cosine == std::vector<double>{2, 0.5, 0, 0});
  CHECK(d.sine == std::vector<double>{0, 0, 0, 1.5});
  const BondedParameters p = bonded_parameters(c, topology_of_four_atoms(), {});
  CHECK(p.bonds.size() == 2);
  CHECK(p.bonds[1].values[0] == 268);
  CHECK(p.max_arm == 1.7);
  CHECK_FALSE(read("").is_given);
}

TEST_CASE("bonded config: error messages name the faulty key") {
  const std::string bonded_table = "[bonded]\nexclude = []\n";
  const std::string harmonic_bond =
      bonded_table + "[[bonded.bonds]]\nname = \"1\"\nkind = \"harmonic\"\n";
  CHECK(contains(error_message("[bonded]\n"), "exclude"));
  CHECK(contains(error_message("[bonded]\nexclude = [\"1-5\"]"), "`1-5` is no kind of pair"));
  CHECK(contains(error_message("[bonded]\nexclude = [\"1-4\"]\nscale_14 = {coulomb = 0.5}"),
                 "nothing to scale"));
  CHECK(contains(error_message(harmonic_bond + "k = -1\nr0 = 1"), "k"));
  CHECK(contains(error_message(harmonic_bond + "k = 1\nr0 = 0"), "max_length must be above r0"));
  CHECK(contains(error_message(harmonic_bond + "k = 1\nr0 = 1\nmax_length = 0.9"),
                 "max_length must be above r0"));
  CHECK(error_message(harmonic_bond + "k = 1\nr0 = 0\nmax_length = 2").empty());
  CHECK(contains(error_message(harmonic_bond + "k = 1\nr0 = 1\nepsilon = 1"),
                 "epsilon"));  // a key of FENE
  CHECK(contains(error_message(bonded_table +
                               "[[bonded.bonds]]\nname = \"1\"\nkind = \"fene\"\nk = 1\nr0 = 1\n"
                               "max_length = 1.1"),
                 "at most r0"));
  CHECK(contains(
      error_message(bonded_table + "[[bonded.angles]]\nname = \"1\"\nkind = \"harmonic\"\nk = 1\n"
                                   "theta0 = 190"),
      "theta0"));
  CHECK(contains(error_message(bonded_table +
                               "[[bonded.dihedrals]]\nname = \"1\"\nkind = \"opls\"\nk = [1, 2]"),
                 "k"));
  CHECK(contains(error_message(bonded_table +
                               "[[bonded.dihedrals]]\nname = \"1\"\nkind = \"periodic\"\nk = [1]\n"
                               "n = [1, 2]\nphase = [0]"),
                 "2 n for 1 k"));
  CHECK(
      contains(error_message(harmonic_bond +
                             "k = 1\nr0 = 1\n[[bonded.bonds]]\nname = \"1\"\nkind = \"harmonic\"\n"
                             "k = 1\nr0 = 1"),
               "have the name `1`"));
}

TEST_CASE("bonded config: a data file's coefficients are used where the configuration has none") {
  const BondedConfig c = read(
      "[bonded]\nexclude = [\"1-2\"]\n[[bonded.bonds]]\nname = \"1\"\n"
      "kind = \"harmonic\"\nk = 5\nr0 = 1\n");
  const auto parameters = [&](std::vector<CoefficientSection> sections) {
    return bonded_parameters(c, topology_of_four_atoms(), {"a.data", std::move(sections)});
  };
  const auto error_of_sections =
      [&](const std::vector<CoefficientSection>& sections) -> std::string {
    try {
      parameters(sections);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  // The lines of a section: index of the type, words, and line number in the file.
  const CoefficientSection bonds{"Bond Coeffs", "fene", {{{1}, {"30", "1.5", "1.0", "1.1"}, 7}}};
  const CoefficientSection angles{"Angle Coeffs", "cosine/squared", {{{0}, {"25", "120"}, 9}}};
  const CoefficientSection dihedrals{"Dihedral Coeffs", "harmonic", {{{0}, {"3", "-1", "2"}, 11}}};
  const BondedParameters p = parameters({bonds, angles, dihedrals});
  CHECK(p.bonds[0].values[0] == 5);
  CHECK(p.bonds[1].kind->name == "fene");
  CHECK(p.bonds[1].values[3] == 1.1);
  CHECK(p.bonds[1].max_length == 1.5);
  CHECK(p.angles[0].kind->name == "cosine_squared");
  CHECK(p.dihedrals[0].cosine == std::vector<double>{3, 0, -3});

  const auto dihedral = [&](const char* style, std::vector<std::string> words) {
    return parameters({bonds, angles, {"Dihedral Coeffs", style, {{{0}, std::move(words), 1}}}})
        .dihedrals[0];
  };
  CHECK(dihedral("opls", {"2", "4", "6", "8"}).cosine == std::vector<double>{10, 1, -2, 3, -4});
  CHECK(dihedral("charmm", {"2", "1", "90", "0.0"}).sine == std::vector<double>{0, 2});
  CHECK(dihedral("fourier", {"2", "1", "1", "0", "4", "2", "180"}).cosine ==
        std::vector<double>{5, 1, -4});
  CHECK(dihedral("hybrid", {"harmonic", "1", "1", "1"}).cosine == std::vector<double>{1, 1});

  CHECK(contains(error_of_sections({angles, dihedrals}),
                 "type `CT-CT` of the system's bonds has no"));
  CHECK(contains(
      error_of_sections({{"Bond Coeffs", "", {{{1}, {"30", "1.5"}, 7}}}, angles, dihedrals}),
      "a.data:7"));
  CHECK(contains(error_of_sections(
                     {{"Bond Coeffs", "morse", {{{1}, {"30", "1.5", "2"}, 7}}}, angles, dihedrals}),
                 "use one of fene, harmonic"));
  CHECK(contains(
      error_of_sections({{"Bond Coeffs", "fene", {{{1}, {"30", "1.5"}, 7}}}, angles, dihedrals}),
      "write k r0 epsilon sigma"));
  CHECK(contains(
      error_of_sections({{"Bond Coeffs", "harmonic", {{{1}, {"30", "x"}, 7}}}, angles, dihedrals}),
      "r0"));
  CHECK_THROWS_AS(dihedral("charmm", {"2", "1", "90", "0.5"}), InputError);
  CHECK_THROWS_AS(dihedral("fourier", {"2", "1", "1", "0"}), InputError);
}

TEST_CASE(
    "bonded config: interactions without topology, topology without interactions and unknown type "
    "labels are refused") {
  const Topology t = topology_of_four_atoms();
  CHECK_THROWS_AS(bonded_parameters(read(""), t, {}), InputError);
  CHECK_THROWS_AS(bonded_parameters(read(complete_config), Topology{}, {}), InputError);
  BondedConfig c = read(complete_config);
  c.bonds[1].name = "CT-CR";
  try {
    bonded_parameters(c, t, {});
    CHECK(false);
  } catch (const InputError& error) {
    CHECK(contains(error.what(), "did you mean `CT-CT`?"));
  }
}
