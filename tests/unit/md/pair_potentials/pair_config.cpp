// The tables [pair], [[pair.potential]] and [coulomb]: the resulting potentials and error messages.

#include "src/modules/md/pair_potentials/pair_config.hpp"

#include <cmath>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

const std::vector<std::string> types = {"argon", "xenon", "probe"};

/// The pair potentials of a registry. They are copies of the built-in ones, as in a run.
std::vector<const PotentialKind*> registered_kinds() {
  static const Registry registry_of_kinds = [] {
    Registry registry;
    for (const PotentialKind* kind : builtin_pair_kinds()) registry.extend(*kind);
    return registry;
  }();
  return registry_of_kinds.all<PotentialKind>();
}

PairConfig read(const std::string& text, const std::vector<std::string>& names = types,
                const std::vector<CoefficientSection>& coefficients = {}) {
  PairConfig config;
  ConfigFile file = ConfigFile::parse(text, "test.toml");
  file.read(
      [&](Section& top) { describe_pairs(top, names, coefficients, config, registered_kinds()); });
  return config;
}

void check_refused(const std::string& text, const char* expected) {
  CAPTURE(text);
  CHECK_THROWS_WITH_AS(read(text), doctest::Contains(expected), ConfigError);
}

const std::string lennard_jones_table =
    "[[pair.potential]]\nkind = \"lennard_jones\"\nepsilon = 1\nsigma = 1\n";

}  // namespace

TEST_CASE("pair config: potentials by types, overlays, mixing rules and smoothing are read") {
  const PairConfig c = read(R"(
[pair]
cutoff = 2.5
mixing = "lorentz_berthelot"
tail = false
[[pair.potential]]
kind = "lennard_jones"
types = ["argon", "argon"]
epsilon = 1.0
sigma = 1.0
smoothing = "xplor"
inner = 2.0
[[pair.potential]]
kind = "lennard_jones"
types = ["xenon", "xenon"]
epsilon = 4.0
sigma = 1.2
cutoff = 3.0
smoothing = "xplor"
inner = 2.4
[[pair.potential]]
kind = "morse"
types = ["probe", "argon"]
depth = 1
alpha = 5
r0 = 1.1
smoothing = "force_shift"
closest = 0.4
[[pair.potential]]
kind = "gaussian"
types = ["argon", "probe"]
height = 2
width = 0.5
[[pair.potential]]
kind = "wca"
types = ["probe", "probe"]
epsilon = 1
sigma = 2
[[pair.potential]]
kind = "none"
types = ["xenon", "probe"]
)");
  const PairTable table = make_pair_table(c, types, units_of(UnitSystem::lj));
  CHECK(table.cutoff() == 3.0);
  const auto& mixed = table.between(1, 0);
  REQUIRE(mixed.size() == 1);
  CHECK(mixed[0].parameters[0] == doctest::Approx(2.0));
  CHECK(mixed[0].parameters[1] == doctest::Approx(1.1));
  CHECK(mixed[0].smoothing == Smoothing::xplor);
  CHECK(mixed[0].inner == 2.4);
  const auto& overlay = table.between(0, 2);
  REQUIRE(overlay.size() == 2);
  CHECK(overlay[0].kind->name == "morse");
  CHECK(overlay[0].parameters == std::vector<double>{1, 5, 1.1});
  CHECK(overlay[0].cutoff == 2.5);
  CHECK(overlay[0].closest == 0.4);
  CHECK(overlay[1].kind->name == "gaussian");
  CHECK(table.between(2, 2)[0].cutoff == lennard_jones_minimum * 2);
  CHECK(table.between(1, 2).empty());
  CHECK(table.charged().empty());
  CHECK(c.summary == "lennard_jones, morse, gaussian; cutoff 3");
}

TEST_CASE(
    "pair config: a potential without types acts between all types; without [pair] none acts") {
  const PairConfig c = read("[pair]\ncutoff = 2.5\n" + lennard_jones_table);
  CHECK_FALSE(c.table->without_potential());
  CHECK_FALSE(read("").is_given());
  CHECK(make_pair_table(read(""), types, units_of(UnitSystem::lj)).cutoff() == 0);
}

TEST_CASE("pair config: Coulomb methods give their exact energies and forces") {
  const std::string pair_table = "[pair]\ncutoff = 2.5\n" + lennard_jones_table;
  const Units& units = units_of(UnitSystem::real);
  PairConfig c = read(pair_table +
                      "[coulomb]\nmethod = \"reaction_field\"\ncutoff = 3.0\nmedium = 78.4\n"
                      "closest = 0.7\n");
  PairPotential p = make_pair_table(c, types, units).charged().at(0);
  CHECK(p.kind->name == "reaction_field");
  CHECK(p.closest == 0.7);
  // At the cutoff the energy is zero, and the force 1/r^2 - 2 k_rf r is 3 / (2 e + 1) of Coulomb's.
  PairFunction u(p);
  CHECK(std::abs(u.energy(3.0)) < 1e-12);
  CHECK(u.force(3.0) == doctest::Approx(units.coulomb / 9 * 3 / (2 * 78.4 + 1)).epsilon(1e-13));
  c = read(pair_table + "[coulomb]\nmethod = \"reaction_field\"\ncutoff = 3.0\n");
  u = PairFunction(make_pair_table(c, types, units).charged().at(0));
  CHECK(std::abs(u.force(3.0)) < 1e-12);  // the default medium is a conductor
  c = read(pair_table +
           "[coulomb]\nmethod = \"damped_shifted_force\"\ncutoff = 3.0\nalpha = 0.2\n");
  u = PairFunction(make_pair_table(c, types, units).charged().at(0));
  CHECK(std::abs(u.energy(std::nextafter(3.0, 0.0))) < 1e-12);
  CHECK(std::abs(u.force(std::nextafter(3.0, 0.0))) < 1e-12);
  c = read(pair_table + "[coulomb]\nmethod = \"ewald\"\ncutoff = 3.0\n");
  u = PairFunction(make_pair_table(c, types, units, 0.9).charged().at(0));
  CHECK(u.energy(2.0) == doctest::Approx(units.coulomb * std::erfc(1.8) / 2).epsilon(1e-14));
  c = read("[coulomb]\nmethod = \"cut\"\ncutoff = 3.0\npermittivity = 4.0\n");
  CHECK(c.is_given());
  u = PairFunction(make_pair_table(c, types, units).charged().at(0));
  CHECK(u.energy(2.0) == doctest::Approx(units.coulomb / 8).epsilon(1e-14));
  check_refused("[coulomb]\nmethod = \"cut\"\ncutoff = 3.0\nclosest = 3.0\n",
                "closest 3 is not below");
}

TEST_CASE("pair config: error messages name the key and say what to do") {
  const std::string pair_table = "[pair]\ncutoff = 2.5\n";
  check_refused("[pair]\ncutoff = 2.5\n", "[pair] names no potential");
  check_refused("[pair]\n" + lennard_jones_table, "the potential has no cutoff");
  check_refused(pair_table + lennard_jones_table + "types = [\"argn\", \"argon\"]\n",
                "did you mean `argon`?");
  check_refused(pair_table + lennard_jones_table + "types = [\"water\", \"argon\"]\n",
                "the types are argon, xenon, probe");
  check_refused(pair_table + lennard_jones_table + "types = [\"argon\"]\n", "1 names, not two");
  check_refused(pair_table + lennard_jones_table + "types = [\"argon\", \"argon\"]\n",
                "no potential acts between argon and xenon");
  check_refused(pair_table + lennard_jones_table + "types = [\"argon\", \"argon\"]\n",
                "mixing = \"lorentz_berthelot\"");
  check_refused(pair_table + lennard_jones_table + "inner = 2.0\n",
                "only smoothing = \"xplor\" has an inner radius");
  check_refused(pair_table + lennard_jones_table + "smoothing = \"xplor\"\n", "set inner = 2.25");
  check_refused(pair_table + lennard_jones_table + "smoothing = \"xplor\"\ninner = 2.5\n",
                "between 0 and the cutoff 2.5");
  check_refused(pair_table + lennard_jones_table + "closest = 2.5\n",
                "closest 2.5 is not below the cutoff");
  check_refused(pair_table + "tail = true\n" + lennard_jones_table + "smoothing = \"shift\"\n",
                "a shifted potential differs");
  check_refused("[pair]\ncutoff = 0.25\n" + lennard_jones_table,
                "the cutoff 0.25 is not above 0.7");
  check_refused(pair_table + "[[pair.potential]]\nkind = \"lenard_jones\"\n", "lennard_jones");
  check_refused(
      pair_table + "[[pair.potential]]\nkind = \"lennard_jones\"\nepsilon = -1\nsigma = 1\n",
      "epsilon");
  check_refused(pair_table + "mixing = \"geometric\"\n" + lennard_jones_table +
                    "types = [\"argon\", \"argon\"]\n" +
                    "[[pair.potential]]\nkind = \"wca\"\nepsilon = 1\nsigma = 1\n" +
                    "types = [\"xenon\", \"xenon\"]\n",
                "are truncated in different ways");
  check_refused(pair_table + "[[pair.potential]]\nkind = \"table\"\nfile = \"nowhere.table\"\n",
                "nowhere.table");
}

TEST_CASE("pair config: a tabulated potential is read from a file") {
  {
    std::ofstream out("pair_config.table");
    for (int k = 0; k <= 100; ++k) {
      const double r = 0.5 + 0.02 * k;
      out << r << ' ' << std::exp(-r) << ' ' << std::exp(-r) << '\n';
    }
  }
  const std::string text =
      "[pair]\n[[pair.potential]]\nkind = \"table\"\nfile = \"pair_config.table\"\n";
  const PairConfig c = read(text + "cutoff = 2.4\n");
  const PairFunction u(c.table->between(0, 2).at(0));
  CHECK(u.energy(1.234) == doctest::Approx(std::exp(-1.234)).epsilon(1e-5));
  check_refused(text + "cutoff = 2.6\n", "ends at 2.5");
  check_refused(text + "cutoff = 2.4\nsection = \"A\"\n", "no sections");
  std::remove("pair_config.table");
}

TEST_CASE("pair config: coefficients of a data file become Lennard-Jones potentials") {
  CoefficientSection pair_coefficients{
      "Pair Coeffs",
      "lj/cut",
      {{{0}, {"1.0", "1.1"}, 7}, {{1}, {"2.0", "1.2", "3.0"}, 8}, {{2}, {"0.0", "0.0"}, 9}}};
  const std::string text = "[pair]\ncutoff = 2.5\nmixing = \"geometric\"\n";
  const PairConfig c = read(text, types, {pair_coefficients});
  CHECK(c.table->between(0, 0)[0].parameters == std::vector<double>{1.0, 1.1});
  CHECK(c.table->between(1, 1)[0].cutoff == 3.0);
  CHECK(c.table->between(0, 1)[0].parameters[0] == doctest::Approx(std::sqrt(2.0)));
  CHECK(c.table->between(0, 2)[0].parameters[0] == 0);
  pair_coefficients.style = "eam";
  CHECK_THROWS_WITH_AS(read(text, types, {pair_coefficients}), doctest::Contains("of style eam"),
                       InputError);
  pair_coefficients.style = "";
  CHECK_THROWS_WITH_AS(read(text, types, {pair_coefficients}),
                       doctest::Contains("Pair Coeffs # lj/cut"), InputError);
}
