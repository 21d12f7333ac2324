// Whole runs of a Lennard-Jones system with thermostats, barostats, groups and the minimiser.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "unit/md/simulation/module_runs.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

constexpr const char* pair_keys =
    "[pair]\ncutoff = 2.5\n[[pair.potential]]\nkind = \"lennard_jones\"\nepsilon = 1.0\nsigma = "
    "1.0\n";

std::string liquid_config(const std::string& keys) {
  return "[md]\nsteps = 40\ntime_step = 0.005\n"
         "[[type]]\nname = \"A\"\nmass = 1.0\n[[type]]\nname = \"B\"\nmass = 3.0\n"
         "[start]\nkind = \"lattice\"\nlattice = \"fcc\"\ndensity = 0.8\ntemperature = 1.2\n"
         "types = [\"A\", \"A\", \"B\", \"A\"]\ncells = [5, 5, 5]\n[thermo]\nevery = 8\n" +
         std::string(pair_keys) + keys;
}

}  // namespace

TEST_CASE("controlled runs: the same state and results with any ranks, threads and restarts") {
  const std::string thermostats[] = {
      "[thermostat]\nkind = \"nose_hoover\"\ntime = 0.3\ntemperature = { start = 1.2, end = 1.5 }\n"
      "[barostat]\nkind = \"mtk\"\ntime = 1.0\npressure = 1.5\n",
      "[thermostat]\nkind = \"bussi\"\ntime = 0.3\ntemperature = 1.2\n"
      "[barostat]\nkind = \"stochastic_cell_rescaling\"\ntime = 0.5\npressure = 1.5\n"
      "compressibility = 0.1\ncoupling = \"xyz\"\n",
      "[motion]\nmomentum_removal = 7\n"
      "[thermostat]\nkind = \"langevin\"\nfriction = 1.0\ntemperature = 1.2\n"
      "[[group]]\nname = \"wall\"\nregion = { lower = [-inf, -inf, -inf], upper = [inf, inf, 1] }\n"
      "frozen = true\n[[group]]\nname = \"heavy\"\ntypes = [\"B\"]\n[group.thermostat]\n"
      "kind = \"bussi\"\ntime = 0.2\ntemperature = 2.0\n"};
  for (const std::string& keys : thermostats) {
    CAPTURE(keys);
    const std::string text = liquid_config(keys);
    const Outcome uninterrupted = run(text, 1, 0, 40, 40);
    for (const int ranks : {2, 3})
      check_outcome_is_reproduced(text, uninterrupted, ranks, 40, 11, 19);
  }
}

TEST_CASE("controlled runs: the initial temperature is that of the atoms that are not frozen") {
  const std::string wall =
      "[[group]]\nname = \"wall\"\nregion = { lower = [-inf, -inf, -inf], upper = [inf, inf, 2] }\n"
      "frozen = true\n";
  CHECK(run(liquid_config(wall), 2, 0, 8, 8).thermo("temperature").front() ==
        doctest::Approx(1.2).epsilon(1e-9));
}

TEST_CASE(
    "controlled runs: largest force and time step of the minimiser are columns of the thermo "
    "table") {
  // Two atoms: with x = r^-6, U = 4 (x^2 - x) and the force is 24 (2 x^2 - x) / r.
  const std::string text =
      "[md]\nsteps = 600\ntime_step = 0.005\nprecision = \"double\"\n"
      "[[type]]\nname = \"A\"\nmass = 1.0\n[start]\nkind = \"random\"\natoms = [2]\n"
      "distance = 1.3\nboundaries = [\"open\", \"open\", \"open\"]\nlengths = [1.3, 1.2, 1.2]\n"
      "[motion]\nkind = \"minimise\"\nforce_tolerance = 1e-6\nmax_displacement = 0.1\n"
      "[thermo]\nevery = 20\n" +
      std::string(pair_keys);
  const Outcome out = run(text, 1, 0, 600, 600);
  const auto force = out.thermo("max_force"), time = out.thermo("minimiser_time_step"),
             energy = out.thermo("potential_energy");
  REQUIRE(force.size() == 31);
  const double x = 0.5 * (1 - std::sqrt(1 + energy[0]));  // beyond the minimum
  CHECK(force[0] == doctest::Approx(24 * (x - 2 * x * x) * std::pow(x, 1.0 / 6)).epsilon(1e-9));
  CHECK(force.back() < 1e-6);
  CHECK(time[0] == 0.005);
  CHECK(*std::max_element(time.begin(), time.end()) > 0.005);
  const auto row = std::find_if(out.report.rows.begin(), out.report.rows.end(),
                                [](const auto& r) { return r[0] == "max_force"; });
  REQUIRE(row != out.report.rows.end());
  CHECK(std::stod((*row)[3]) == doctest::Approx(force.back()).epsilon(1e-5));

  const Outcome first_part = run(text, 1, 0, 250, 250);
  CHECK(run(text, 1, 250, 600, 100, &first_part.state).results == out.results);
  CHECK(run(liquid_config(""), 1, 0, 8, 8).results.datasets.count("thermo/max_force") == 0);
}

TEST_CASE(
    "controlled runs: clusters of seven Lennard-Jones atoms are minimised to their known minima") {
  // M. R. Hoare and P. Pal, Adv. Phys. 20 (1971) 161; D. J. Wales and J. P. K. Doye, J. Phys. Chem.
  // A 101 (1997) 5111: LJ7 has four minima, the lowest of which is the pentagonal bipyramid. No two
  // of its atoms are farther apart than the cutoff of 2.5.
  constexpr std::array<double, 4> minima{-16.505384, -15.935043, -15.593211, -15.533060};
  std::array<int, 4> found{};
  for (int start = 0; start < 12; ++start) {
    CAPTURE(start);
    const std::string length = std::to_string(1.8 + 0.02 * start);
    const Outcome out =
        run("[md]\nsteps = 4000\ntime_step = 0.005\nprecision = \"double\"\n"
            "[[type]]\nname = \"A\"\nmass = 1.0\n[start]\nkind = \"random\"\natoms = [7]\n"
            "distance = 0.85\nboundaries = [\"open\", \"open\", \"open\"]\nlengths = [" +
                length + ", " + length + ", " + length +
                "]\n[motion]\nkind = \"minimise\"\nforce_tolerance = 1e-6\nmax_displacement = 0.1\n"
                "[thermo]\nevery = 2000\n" +
                pair_keys,
            1, 0, 4000, 4000);
    const double energy = out.thermo("potential_energy").back();
    std::size_t nearest = 0;
    for (std::size_t k = 1; k < 4; ++k)
      if (std::abs(energy - minima[k]) < std::abs(energy - minima[nearest])) nearest = k;
    CHECK(energy == doctest::Approx(minima[nearest]).epsilon(1e-7));
    ++found[nearest];
  }
  CHECK(found[0] > 0);
  CHECK(found[0] < 12);
}
