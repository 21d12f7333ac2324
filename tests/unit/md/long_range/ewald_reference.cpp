// The Ewald sum compared with published values (Madelung constants, the Wigner crystal, NIST's
// SPC/E water), the estimates of its errors, and its configuration.

#include <fstream>
#include <iterator>
#include <string>

#include "src/modules/md/files/data_file.hpp"
#include "src/modules/md/long_range/ewald_config.hpp"
#include "src/modules/md/pair_potentials/coulomb_config.hpp"
#include "unit/md/long_range/ewald_fixture.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

/// Energy and forces of the real-space sum of q_i q_j erfc(alpha r) / r over pairs within `cutoff`,
/// including periodic images up to `images` boxes away. Excluded pairs are not left out.
struct PairSum {
  double energy = 0;
  std::vector<Vector3> forces;
};
PairSum pair_sum(const ChargedSystem& s, double cutoff, int images) {
  const auto &l = s.box.lengths(), &t = s.box.tilts();
  const double a = s.parameters.alpha, c = s.parameters.coulomb;
  const std::size_t n = s.positions.size();
  PairSum sum{0, std::vector<Vector3>(n)};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (int x = -images; x <= images; ++x)
        for (int y = -images; y <= images; ++y)
          for (int z = -images; z <= images; ++z) {
            const Vector3& p = s.positions[i];
            const Vector3& q = s.positions[j];
            const double d[3] = {p[0] - q[0] + x * l[0] + y * t[0] + z * t[1],
                                 p[1] - q[1] + y * l[1] + z * t[2], p[2] - q[2] + z * l[2]};
            const double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (r == 0 || r > cutoff) continue;
            const double u = c * s.charges[i] * s.charges[j] * std::erfc(a * r) / r;
            constexpr double two_over_sqrt_pi = 1.1283791670955126;
            const double f = u + c * s.charges[i] * s.charges[j] * two_over_sqrt_pi * a *
                                     std::exp(-a * a * r * r);
            sum.energy += u / 2;
            for (std::size_t v = 0; v < 3; ++v) sum.forces[i][v] += f * d[v] / (r * r);
          }
  return sum;
}

/// The energy of all terms of the Ewald sum, those of real space included.
double total_energy(const ChargedSystem& s) {
  return compute(s).energy + pair_sum(s, 40 / s.parameters.alpha, 3).energy;
}

/// A cubic unit cell of edge 1 with charges of +1 at `cations` and -1 at `anions`. The parameters
/// of the sum are alpha = 6, k-vectors up to (14, 14, 14), and a Coulomb constant of 1.
ChargedSystem crystal(const std::vector<Vector3>& cations, const std::vector<Vector3>& anions) {
  const Box cell({0, 0, 0}, {1, 1, 1});
  ChargedSystem s{cell, cations, {}, {6, KVectorRange::ellipsoid({14, 14, 14}), 1}};
  s.charges.assign(cations.size(), 1.0);
  s.positions.insert(s.positions.end(), anions.begin(), anions.end());
  s.charges.resize(s.positions.size(), -1.0);
  return s;
}

const std::vector<Vector3> fcc{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
std::vector<Vector3> shifted(std::vector<Vector3> positions, double x, double y, double z) {
  for (Vector3& p : positions) p = {p[0] + x, p[1] + y, p[2] + z};
  return positions;
}

/// Madelung constant: minus the energy per pair of ions in units of k q^2 / `neighbour`, the
/// distance of nearest neighbours.
double madelung(const ChargedSystem& s, double neighbour) {
  return -total_energy(s) / (static_cast<double>(s.positions.size()) / 2) * neighbour;
}

/// Root mean square length of the differences of two lists of forces.
double rms(const std::vector<Vector3>& a, const std::vector<Vector3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t v = 0; v < 3; ++v) sum += (a[i][v] - b[i][v]) * (a[i][v] - b[i][v]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

ChargeSums sums_of(const ChargedSystem& s) { return sum_charges(Communicator::self(), s.charges); }

}  // namespace

// Constants as tabulated by Y. Sakamoto, J. Chem. Phys. 28 (1958) 164, and with more digits in many
// places since.
TEST_CASE(
    "ewald reference: Madelung constants of NaCl, CsCl and zinc blende agree with published "
    "values") {
  CHECK(madelung(crystal(fcc, shifted(fcc, 0.5, 0, 0)), 0.5) ==
        doctest::Approx(1.747564594633182).epsilon(1e-13));
  CHECK(madelung(crystal({{0, 0, 0}}, {{0.5, 0.5, 0.5}}), std::sqrt(3.0) / 2) ==
        doctest::Approx(1.762674773070988).epsilon(1e-13));
  CHECK(madelung(crystal(fcc, shifted(fcc, 0.25, 0.25, 0.25)), std::sqrt(3.0) / 4) ==
        doctest::Approx(1.638055053388789).epsilon(1e-13));
  // Rock salt in its primitive rhombohedral cell of two ions with the vectors (1/2, 0, 1/2), (1/2,
  // 1/2, 0) and (0, 1/2, 1/2), rotated to the orientation that LAMMPS uses for boxes.
  const double h = std::sqrt(0.5);
  const Box cell({0, 0, 0}, {h, h * std::sqrt(3.0) / 2, h * std::sqrt(2.0 / 3)},
                 {h / 2, h / 2, h / std::sqrt(12.0)});
  const auto &l = cell.lengths(), &t = cell.tilts();
  ChargedSystem s{cell, {{0.1, 0.2, 0.3}, {}}, {1, -1}, {6, KVectorRange::sphere(cell, 80), 1}};
  s.positions[1] = {0.1 + (l[0] + t[0] + t[1]) / 2, 0.2 + (l[1] + t[2]) / 2, 0.3 + l[2] / 2};
  CHECK(madelung(s, 0.5) == doctest::Approx(1.747564594633182).epsilon(1e-12));
}

// A lattice of charges in a uniform background: C. A. Sholl, Proc. Phys. Soc. 92 (1967) 434.
TEST_CASE(
    "ewald reference: the energy of a lattice of charges in a uniform background is the published "
    "one") {
  const Box cell({0, 0, 0}, {1, 1, 1});
  for (const double alpha : {4.0, 6.0}) {
    const ChargedSystem s{
        cell, {{0.3, 0.4, 0.5}}, {1}, {alpha, KVectorRange::ellipsoid({14, 14, 14}), 1}};
    CHECK(total_energy(s) == doctest::Approx(-2.837297479 / 2).epsilon(1e-9));
  }
}

TEST_CASE("ewald reference: energies of SPC/E water agree with NIST's reference calculation") {
  std::ifstream file(GSIM_SOURCE_DIR "/validation/md/data/nist_spce_1.data");
  REQUIRE(file.good());
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const AtomSystem water = read_data_file(text, "nist_spce_1.data");
  REQUIRE(water.atoms.size() == 300);
  // e^2 / (4 pi epsilon_0 k_B) in K Angstrom with the constants of CODATA 2010, as in
  // validation/md/water_spce.toml; alpha L = 5.6, and the k-vectors are those of n^2 < 27.
  const double k = 167100.95662;
  ChargedSystem s{water.box, {}, water.atoms.charge, {5.6 / 20, KVectorRange{{5, 5, 5}, {}}, k}};
  for (std::size_t a = 0; a < 3; ++a) s.parameters.range.form[a] = 1 / 26.5;
  for (const FixedPosition& p : water.atoms.position)
    s.positions.push_back(water.box.to_cartesian(p));
  const EwaldResult without_exclusions = compute(s);
  CHECK(without_exclusions.fourier == doctest::Approx(6.270093784e3).epsilon(1e-6));
  CHECK(without_exclusions.self == doctest::Approx(-2.844691574e6).epsilon(1e-6));
  CHECK(without_exclusions.background == 0);
  for (Index o = 0; o < 300; o += 3)
    for (const auto& [i, j] : {std::pair<Index, Index>{0, 1}, {0, 2}, {1, 2}})
      s.excluded.push_back({o + i, o + j});
  const EwaldResult with_exclusions = compute(s);
  CHECK(with_exclusions.energy - without_exclusions.energy ==
        doctest::Approx(2.809992200e6).epsilon(1e-6));
  CHECK(with_exclusions.fourier == without_exclusions.fourier);
}

TEST_CASE("ewald reference: the rms errors of forces agree with their estimates") {
  const Box box({0, 0, 0}, {14, 15, 13}, {2, -1, 3});
  ChargedSystem s = random_ions(box, 150, {});
  const ChargeSums charges = sums_of(s);
  for (const double accuracy : {1e-2, 1e-4}) {
    CAPTURE(accuracy);
    EwaldConfig config;
    config.accuracy = accuracy;
    const EwaldChoice choice = choose_ewald(config, box, 6, charges, 1);
    CHECK(choice.pair_error == doctest::Approx(accuracy * std::sqrt(0.5)).epsilon(1e-6));
    CHECK(choice.reciprocal_error == doctest::Approx(accuracy * std::sqrt(0.5)).epsilon(1e-6));
    s.parameters = choice.parameters;
    ChargedSystem converged = s;
    converged.parameters.range = KVectorRange::sphere(box, 12 * choice.parameters.alpha);
    const double reciprocal_error = rms(compute(s).forces, compute(converged).forces);
    CHECK(reciprocal_error < 1.6 * choice.reciprocal_error);
    CHECK(reciprocal_error > 0.5 * choice.reciprocal_error);
    const double pair_error = rms(pair_sum(s, 6, 1).forces, pair_sum(s, 13, 1).forces);
    CHECK(pair_error < 1.6 * choice.pair_error);
    CHECK(pair_error > 0.5 * choice.pair_error);
  }
}

TEST_CASE("ewald reference: the keys of [coulomb] are read, and invalid ones are refused") {
  const auto read_all = [](const std::string& text) {
    CoulombConfig config;
    ConfigFile file = ConfigFile::parse("[coulomb]\n" + text, "test.toml");
    file.read([&](Section& top) {
      top.required_table(
          "coulomb", [&](Section& s) { describe_coulomb(s, config); }, "");
    });
    return config;
  };
  const auto read = [&](const std::string& text) {
    return read_all("method = \"ewald\"\ncutoff = 9.0\n" + text).ewald;
  };
  CHECK(read("").accuracy == 1e-5);
  CHECK_THROWS_AS(read("k_max = [4, 5]"), ConfigError);
  CHECK_THROWS_AS(read("accuracy = 0.0"), ConfigError);
  CHECK_THROWS_AS(read("k_cutoff = 2\nk_max = [4, 5, 6]"), ConfigError);
  CHECK_THROWS_AS(read_all("method = \"cut\"\ncutoff = 9.0\naccuracy = 1e-4"), ConfigError);
  CHECK_THROWS_AS(read_all("method = \"ewald\""), ConfigError);
  const CoulombConfig field = read_all("method = \"reaction_field\"\ncutoff = 9\npermittivity = 2");
  CHECK(field.method == CoulombMethod::reaction_field);
  CHECK(std::isinf(field.medium));
  CHECK(field.constant(units_of(UnitSystem::real)) == units_of(UnitSystem::real).coulomb / 2);
  const EwaldConfig config = read("alpha = 0.28\nk_max = [5, 6, 7]");
  const Box box({0, 0, 0}, {20, 20, 20});
  const ChargedSystem s = random_ions(box, 10, {}, 1);
  const EwaldChoice choice = choose_ewald(config, box, 9, sums_of(s), 332);
  CHECK(choice.parameters.alpha == 0.28);
  CHECK(choice.parameters.range.max_n == std::array<int, 3>{5, 6, 7});
  // k = 1.61721 is n^2 = 26.5 in a cube of 20, and 26 is a sum of squares.
  const EwaldChoice sphere =
      choose_ewald(read("alpha = 0.28\nk_cutoff = 1.61721"), box, 9, sums_of(s), 332);
  CHECK(KVectorSet(sphere.parameters.range).max_n() == std::array<int, 3>{5, 5, 5});
  KVectorRange below_27{{5, 5, 5}, {1 / 26.5, 1 / 26.5, 1 / 26.5}};
  CHECK(KVectorSet(sphere.parameters.range).size() == KVectorSet(below_27).size());
  const auto notes = ewald_notes(choice);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("up to (5, 6, 7)") != std::string::npos);
  CHECK(charge_warning(sums_of(s), "e").starts_with("the charges add up to 1 e, not to 0; "));
  CHECK(charge_warning(sums_of(random_ions(box, 10, {}, 0)), "e").empty());
  ChargeSums no_charges;
  CHECK_THROWS_AS(choose_ewald(config, box, 9, no_charges, 1), InputError);
}
