// The embedded-atom method: interpolation of tables, and crystals with known energies.

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "gsim/core/error.hpp"
#include "src/modules/md/files/eam_file.hpp"
#include "unit/md/many_body/eam_system.hpp"

using namespace gsim;
using namespace gsim::test;

TEST_CASE("eam: the energy of a Sutton-Chen crystal is its lattice sum") {
  // Copper: epsilon = 12.382 meV, a = 3.61 angstrom, c = 39.432, n = 9, m = 6.
  const double lattice = 3.5, cutoff = 5.6, taper_start = 0.9 * cutoff;
  // 4^3 cells with 256 atoms.
  const Atoms atoms =
      crystal(Box({0, 0, 0}, {4 * lattice, 4 * lattice, 4 * lattice}), /*cells=*/4, /*noise=*/0);
  long double pair = 0, density = 0;
  for (int x = -4; x <= 4; ++x)
    for (int y = -4; y <= 4; ++y)
      for (int z = -4; z <= 4; ++z) {
        const long double r =
            0.5L * lattice * std::sqrt(static_cast<long double>(x * x + y * y + z * z));
        if ((x + y + z) % 2 != 0 || r == 0 || r >= cutoff) continue;
        const long double s = r > taper_start ? (r - taper_start) / (cutoff - taper_start) : 0;
        const long double factor = 1 - s * s * s * (10 - 15 * s + 6 * s * s);
        pair += 0.5L * factor * 12.382e-3L * std::pow(3.61L / r, 9.0L);
        density += factor * std::pow(3.61L / r, 6.0L);
      }
  const long double embedding = -12.382e-3L * 39.432L * std::sqrt(density);
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64}) {
    Options o;
    o.precision = precision;
    o.ranks = 2;
    const Result r = compute(atoms, copper(), o);
    // The tables' interpolation has a relative error of 5e-10.
    const double tolerance = precision == PairPrecision::mixed ? 1e-6 : 5e-9;
    CHECK(static_cast<double>(energy(r, 0) / 256) ==
          doctest::Approx(static_cast<double>(embedding)).epsilon(tolerance));
    CHECK(static_cast<double>(energy(r, 1) / 256) ==
          doctest::Approx(static_cast<double>(pair)).epsilon(tolerance));
    for (const std::int64_t f : r.forces)
      CHECK(std::abs(static_cast<double>(f) * r.quanta.force) < 1e-5);
  }
}

// The file is not distributed with gsim. Debian's lammps-data contains it; GSIM_CU_U3 can name it.
TEST_CASE(
    "eam: copper of Foiles, Baskes and Daw (1986) has its published energy, pressure and bulk "
    "modulus") {
  const char* from_environment = std::getenv("GSIM_CU_U3");
  const std::string path =
      from_environment != nullptr ? from_environment : "/usr/share/lammps/potentials/Cu_u3.eam";
  std::ifstream in(path);
  if (!in) {
    MESSAGE("not tested: no file ", path);
    return;
  }
  std::ostringstream text;
  text << in.rdbuf();
  const EamTables tables =
      make_eam_tables(read_eam(EamFormat::funcfl, text.str(), path), std::array<std::size_t, 1>{0});
  const auto energy_of = [&](double lattice, PairPrecision precision, double* pressure) {
    const double edge = 4 * lattice;
    Options o;
    o.precision = precision;
    const Result r =
        compute(crystal(Box({0, 0, 0}, {edge, edge, edge}), /*cells=*/4, /*noise=*/0), tables, o);
    if (pressure != nullptr) {
      double virial = 0;
      for (int v = 0; v < 3; ++v) virial += r.sums.virial[v].value(0.5 * r.quanta.energy);
      *pressure = virial / 3 / (edge * edge * edge);
    }
    return static_cast<double>((energy(r, 0) + energy(r, 1)) / 256);
  };
  // LAMMPS's benchmark starts at -113280 eV with 32,000 atoms; a sum over the crystal with these
  // tables in long double gives -3.5400000023 eV an atom.
  double pressure = 0;
  CHECK(std::abs(energy_of(3.615, PairPrecision::float64, &pressure) + 3.5400000023) < 2e-9);
  CHECK(std::abs(pressure) < 1e-7);  // eV/angstrom^3: 0.16 bar
  CHECK(std::abs(energy_of(3.615, PairPrecision::mixed, nullptr) + 3.5400000023) < 4e-6);
  // The bulk modulus, 138.5 GPa: 4/9 of the energy's second derivative over the lattice constant.
  const double h = 0.003, low = energy_of(3.615 - h, PairPrecision::float64, nullptr),
               middle = energy_of(3.615, PairPrecision::float64, nullptr),
               high = energy_of(3.615 + h, PairPrecision::float64, nullptr);
  const double modulus = 4.0 / 9 * (low - 2 * middle + high) / (h * h) / 3.615;
  CHECK(modulus * 160.2177 == doctest::Approx(138.52).epsilon(2e-3));
}

TEST_CASE(
    "eam: types of the same element share tables, and funcfl files are merged onto one grid") {
  const EamFile file = tabulate({});
  CHECK(make_eam_tables(file, std::array<std::size_t, 3>{0, 0, 0}).types() == 1);
  EamFile other = file;
  for (double& z : other.r_phi[0]) z *= 4;
  const EamFile merged = merge_funcfl(std::array<EamFile, 2>{file, other});
  REQUIRE(merged.elements.size() == 2);
  CHECK(merged.pair(0, 0) == file.r_phi[0]);
  CHECK(merged.pair(1, 0).at(1000) == doctest::Approx(2 * file.r_phi[0].at(1000)).epsilon(1e-15));
  CHECK(merged.density(1, 0) == file.density(0, 0));
  // Tables on another grid describe the same function.
  SuttonChen short_cutoff;
  short_cutoff.cutoff = 6;
  const EamFile resampled = merge_funcfl(std::array<EamFile, 2>{file, tabulate(short_cutoff)});
  CHECK(resampled.r_step == file.r_step);
  CHECK(resampled.cutoff == file.cutoff);
  const CubicTable density(resampled.density(1, 1), resampled.r_step);
  CHECK(density.at(3.0).value == doctest::Approx(std::pow(3.61 / 3.0, 6)).epsilon(1e-9));
  CHECK(density.at(6.5).value == 0);
}

TEST_CASE("eam: tables are extrapolated linearly beyond their ends") {
  const std::array<double, 6> values{0, 1, 4, 9, 16, 25};
  const CubicTable square(values, 0.5);
  CHECK(square.end() == 2.5);
  CHECK(square.at(1.25).value == doctest::Approx(6.25));
  CHECK(square.at(1.25).slope == doctest::Approx(10));
  CHECK(square.at(2.5).value == 25);
  CHECK(square.at(3.5).value == doctest::Approx(25 + square.at(2.5).slope));
  CHECK(square.at(3.5).slope == square.at(2.5).slope);
  CHECK(square.at(-1).value == doctest::Approx(-square.at(0).slope));
}
