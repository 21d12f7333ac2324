// Complete runs of the module md with charged atoms: a rock-salt crystal, and SPC/E water.

#include <string>

#include <fmt/format.h>

#include "gsim/md/units.hpp"
#include "unit/md/simulation/module_runs.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

/// Configuration of a rock-salt crystal of 3 x 3 x 3 cells with edges of 5.64 Angstrom. `md` are
/// further keys of [md], `forces` the tables of interactions.
std::string rock_salt(const std::string& md, double temperature, const std::string& forces) {
  return "[md]\nunits = \"real\"\ntime_step = 1.0\nskin = 1.0\n" + md +
         "[[type]]\nname = \"Na\"\nmass = 22.98977\ncharge = 1.0\n"
         "[[type]]\nname = \"Cl\"\nmass = 35.453\ncharge = -1.0\n"
         "[start]\nkind = \"lattice\"\nlattice = \"custom\"\nconstant = "
         "5.64\ncells = [3, 3, 3]\n"
         "temperature = " +
         std::to_string(temperature) +
         "\nbasis = [[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, "
         "0.5, 0.5],\n"
         "[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5], [0.5, 0.5, 0.5]]\n"
         "types = [\"Na\", \"Na\", \"Na\", \"Na\", \"Cl\", \"Cl\", \"Cl\", "
         "\"Cl\"]\n" +
         forces + "[thermo]\nevery = 10\n";
}

const char* const ion_repulsion =
    "[pair]\ncutoff = 7.0\nmixing = \"lorentz_berthelot\"\n"
    "[[pair.potential]]\nkind = \"lennard_jones\"\ntypes = [\"Na\", \"Na\"]\n"
    "epsilon = 0.3526418\nsigma = 2.1595\n"
    "[[pair.potential]]\nkind = \"lennard_jones\"\ntypes = [\"Cl\", \"Cl\"]\n"
    "epsilon = 0.0127850\nsigma = 4.8305\n";

}  // namespace

TEST_CASE(
    "charged systems: energy and pressure of a rock-salt crystal follow from the Madelung "
    "constant") {
  const std::string text = rock_salt("steps = 0\nprecision = \"double\"\n", 0,
                                     "[coulomb]\nmethod = \"ewald\"\ncutoff = "
                                     "7.0\naccuracy = 1e-10\npermittivity = 2.0\n");
  const Outcome out = run(text, 2, 0, 0, 1);
  const Units& units = units_of(UnitSystem::real);
  const double ion_pairs = 108, permittivity = 2.0, neighbour_distance = 2.82;  // Angstrom
  const double energy =
      -1.747564594633182 * ion_pairs * units.coulomb / permittivity / neighbour_distance;
  CHECK(out.thermo("coulomb_energy")[0] + out.thermo("coulomb_long_energy")[0] ==
        doctest::Approx(energy).epsilon(1e-9));
  // U is proportional to 1 / L, so that p = U / (3 V).
  const double volume = 27 * 5.64 * 5.64 * 5.64;
  CHECK(out.thermo("pressure")[0] ==
        doctest::Approx(energy / (3 * volume) * units.pressure).epsilon(1e-9));
  REQUIRE(out.notes.size() >= 2);  // at least the start and the parameters of the Ewald sum
}

TEST_CASE(
    "charged systems: trajectories of ions have the same bits for any ranks and threads, and after "
    "restarts") {
  const std::string text =
      rock_salt("steps = 40\n", 900,
                std::string(ion_repulsion) + "[coulomb]\nmethod = \"ewald\"\ncutoff = 7.0\n");
  const Outcome uninterrupted = run(text, 1, 0, 40, 40);
  const auto total = uninterrupted.thermo("total_energy");
  CHECK(total.back() == doctest::Approx(total.front()).epsilon(3e-4));
  for (const int ranks : {2, 3, 5}) {
    CAPTURE(ranks);
    const Outcome result = run(text, ranks, 0, 40, 17, nullptr, ranks == 2 ? 3 : 1);
    CHECK(result.digest == uninterrupted.digest);
    CHECK(result.results == uninterrupted.results);
  }
  const Outcome first_part = run(text, 2, 0, 23, 23);
  const Outcome second_part = run(text, 3, 23, 40, 100, &first_part.state);
  CHECK(second_part.digest == uninterrupted.digest);
  CHECK(second_part.state == uninterrupted.state);
}

// NIST's reference calculations for SPC/E water, configuration 1, in a box of 20 Angstrom: pairs
// within 10 Angstrom, alpha = 5.6 / 20 Angstrom, and k-vectors k = 2 pi n / 20 Angstrom with n^2
// < 27. Here the box is replicated 2 x 2 x 2 times, so that energies are divided by 8, and |k|
// < 1.6172 / Angstrom selects the same vectors.
TEST_CASE("charged systems: energies of SPC/E water agree with NIST's reference calculation") {
  const Units& units = units_of(UnitSystem::real);
  const std::string text = fmt::format(
      "[md]\nunits = \"real\"\ntime_step = 1.0\nsteps = 0\nprecision = "
      "\"double\"\n"
      "[[type]]\nname = \"1\"\n[[type]]\nname = \"2\"\n"
      "[start]\nkind = \"lammps_data\"\nfile = \"{}\"\nreplicate = [2, 2, 2]\n"
      "[bonded]\nexclude = [\"1-2\", \"1-3\"]\n"
      "[[bonded.bonds]]\nname = \"1\"\nkind = \"harmonic\"\nk = 450.0\nr0 = "
      "1.0\n"
      "[[bonded.angles]]\nname = \"1\"\nkind = \"harmonic\"\nk = 55.0\ntheta0 "
      "= 109.47\n"
      "[pair]\ncutoff = 10.0\ntail = true\n"
      "[[pair.potential]]\nkind = \"lennard_jones\"\ntypes = [\"1\", \"1\"]\n"
      "sigma = 3.16555789\nepsilon = {:.17g}\n"
      "[[pair.potential]]\nkind = \"none\"\ntypes = [\"1\", \"2\"]\n"
      "[[pair.potential]]\nkind = \"none\"\ntypes = [\"2\", \"2\"]\n"
      "[coulomb]\nmethod = \"ewald\"\ncutoff = 10.0\nalpha = 0.28\nk_cutoff = "
      "1.61721\n",
      GSIM_SOURCE_DIR "/validation/md/data/nist_spce_1.data", 78.19743111 * units.boltzmann);
  const Outcome out = run(text, 3, 0, 0, 1);
  const auto energy = [&](const std::string& name) {
    return out.thermo(name + "_energy")[0] / units.boltzmann / 8;
  };
  CHECK(energy("pair") == doctest::Approx(9.953873621e4).epsilon(1e-8));
  CHECK(energy("tail") == doctest::Approx(-8.237149949e2).epsilon(1e-8));
  // NIST's constants are those of CODATA 2010.
  CHECK(energy("coulomb") == doctest::Approx(-5.588889197e5).epsilon(1e-6));
  CHECK(energy("coulomb_long") ==
        doctest::Approx(6.270093784e3 - 2.844691574e6 + 2.809992200e6).epsilon(2e-6));
}
