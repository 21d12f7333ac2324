// Whole runs of the module, with and without restarts, on several ranks.

#include <string>
#include <vector>

#include "unit/md/simulation/module_runs.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

std::string melt_config(int cells, int steps) {
  return "[md]\nsteps = " + std::to_string(steps) +
         "\ntime_step = 0.005\n[[type]]\nname = \"A\"\nmass = 1.0\n[start]\nkind = \"lattice\"\n"
         "lattice = \"fcc\"\ndensity = 0.8442\ntemperature = 1.44\ncells = [" +
         std::to_string(cells) + ", " + std::to_string(cells) + ", " + std::to_string(cells) +
         "]\n[pair]\ncutoff = 2.5\n[[pair.potential]]\nkind = \"lennard_jones\"\nepsilon = 1.0\n"
         "sigma = 1.0\n[thermo]\nevery = 10\n";
}

}  // namespace

TEST_CASE("md module: the same state and results with any slices, ranks, threads and restarts") {
  const std::string text = melt_config(5, 60);
  const Outcome uninterrupted = run(text, 1, 0, 60, 60);
  const auto& thermo = uninterrupted.results.datasets;
  REQUIRE(thermo.at("thermo/step").shape.rows == 7);
  for (const int ranks : {1, 2, 3, 5}) {
    CAPTURE(ranks);
    check_outcome_is_reproduced(text, uninterrupted, ranks, 60, 17, 23);
  }
}

TEST_CASE(
    "md module: energy and pressure at step 0 are those of the fcc crystal, and energy is "
    "conserved") {
  const Outcome out = run(melt_config(6, 50), 2, 0, 50, 50);
  const auto column = [&](const char* name) { return out.thermo(name); };
  const double n = 4 * 6 * 6 * 6;
  // The energy of LAMMPS's melt at step 0 is -6.7733681 per atom (bench/log.lj); the reference is
  // the exact lattice sum.
  CHECK(column("potential_energy").front() / n ==
        doctest::Approx(-6.773368053252957).epsilon(1e-6));
  CHECK(column("temperature").front() == doctest::Approx(1.44).epsilon(1e-9));
  // The pressure at the same step is -5.0197073 for N = 32,000; its kinetic part is proportional to
  // (N - 1) / N.
  const double kinetic = 0.8442 * 1.44;
  CHECK(column("pressure").front() - kinetic * (n - 1) / n ==
        doctest::Approx(-5.0197073 - kinetic * 31999 / 32000).epsilon(1e-6));
  CHECK(column("total_energy").back() / n ==
        doctest::Approx(column("total_energy").front() / n).epsilon(2e-3));
}

TEST_CASE("md module: atoms without forces are an ideal gas") {
  const std::string text =
      "[md]\nsteps = 40\ntime_step = 0.05\n[[type]]\nname = \"A\"\nmass = 1.0\n[start]\n"
      "kind = \"random\"\natoms = [300]\ndensity = 0.3\ntemperature = 1.5\n[pair]\n"
      "[[pair.potential]]\nkind = \"none\"\n[thermo]\nevery = 10\n";
  const Outcome uninterrupted = run(text, 1, 0, 40, 40);
  const double pressure = 0.3 * 1.5 * 299 / 300;  // N - 1 of N: the total momentum is zero
  for (const double p : uninterrupted.thermo("pressure")) CHECK(p == doctest::Approx(pressure));
  for (const double u : uninterrupted.thermo("potential_energy")) CHECK(u == 0);
  for (const int ranks : {2, 3, 5})
    check_outcome_is_reproduced(text, uninterrupted, ranks, 40, 17, 23);
}

TEST_CASE("md module: invalid settings are refused when a run is planned") {
  const auto check_refused = [](const std::string& keys, const char* expected) {
    const std::string message = test::config_error_message<MdModule>(melt_config(5, 10) + keys);
    CAPTURE(keys);
    CHECK_MESSAGE(message.find(expected) != std::string::npos, message);
  };
  CHECK(test::config_error_message<MdModule>(melt_config(5, 10)) == "");
  const std::string rdf = "[[observe]]\nkind = \"radial_distribution\"\n";
  check_refused(rdf + "r_max = 4.0\n",
                "r_max = 4 and the skin, 0.3, exceed half of the periodic box");
  CHECK(test::config_error_message<MdModule>(melt_config(5, 10) + rdf + "r_max = 3.8\n") ==
        "");  // the box is 8.4 wide
  check_refused(rdf + "r_max = 3.8\ntypes = [\"B\"]\n", "there is no type `B`");
  check_refused("[[observe]]\nkind = \"conductivity\"\n", "a conductivity needs charges");
  check_refused("[[trajectory]]\nevery = 5\ntypes = [\"B\"]\n", "there is no type `B`");
  check_refused("[[group]]\nname = \"g\"\nids = [501, 502]\nfrozen = true\n",
                "group `g` holds no atom");
  check_refused("[balance]\nspeeds = [1.0, 2.0]\n", "balance.speeds has 2 numbers for 1 rank");
  std::string open = melt_config(5, 10);
  open.insert(open.find("cells"), "boundaries = [\"periodic\", \"periodic\", \"open\"]\n");
  CHECK(test::config_error_message<MdModule>(open) == "");
  open +=
      "[thermostat]\nkind = \"bussi\"\ntime = 1.0\ntemperature = 1.0\n"
      "[barostat]\nkind = \"mtk\"\npressure = 1.0\ntime = 1.0\n";
  CHECK(test::config_error_message<MdModule>(open).find("the box is open along z") !=
        std::string::npos);
}

TEST_CASE("md module: charges need a table [coulomb], whose method may be none") {
  std::string charged = melt_config(5, 10);
  charged.insert(charged.find("mass"), "charge = 1.0\n");
  CHECK(test::config_error_message<MdModule>(charged).find("add [coulomb]") != std::string::npos);
  CHECK(test::config_error_message<MdModule>(charged +
                                             "[coulomb]\nmethod = \"cut\"\ncutoff = 2.5\n") == "");
  const std::string without_interaction = charged + "[coulomb]\nmethod = \"none\"\n";
  CHECK(test::config_error_message<MdModule>(without_interaction) == "");
  CHECK(run(without_interaction, 1, 0, 10, 10).results ==
        run(melt_config(5, 10), 1, 0, 10, 10).results);
}
