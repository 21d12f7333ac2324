// Bonds, angles, dihedrals and 1-4 pairs on one rank, compared with closed forms, with references
// in long double, and with numerical derivatives of the energy.

#include <numbers>

#include "support/test_executor.hpp"
#include "unit/md/bonded/bonded_molecules.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

using LongVector = std::array<long double, 3>;
LongVector separation(const BondedSystem& s, Index to, Index from) {
  // The distance vector follows from the integer coordinates, as in the computation of forces.
  ImageCount image{};
  const FixedPosition a = s.box.to_fixed(s.positions[static_cast<std::size_t>(to)], image);
  const FixedPosition b = s.box.to_fixed(s.positions[static_cast<std::size_t>(from)], image);
  long double n[3];
  for (int k = 0; k < 3; ++k)
    n[k] = static_cast<long double>(nearest_image(a.x[k], b.x[k])) * 0x1p-64L;
  const auto &l = s.box.lengths(), &t = s.box.tilts();
  return {l[0] * n[0] + t[0] * n[1] + t[1] * n[2], l[1] * n[1] + t[2] * n[2], l[2] * n[2]};
}
long double dot(const LongVector& a, const LongVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
LongVector cross(const LongVector& a, const LongVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The energy by the definitions of the styles, in long double.
long double reference_energy(const BondedSystem& s) {
  long double u = 0;
  for (const auto& t : s.topology.bonds) {
    const BondParameters& b = s.parameters.bonds[static_cast<std::size_t>(t.type)];
    const double k = b.values[0], r0 = b.values[1];
    const LongVector d = separation(s, t.atoms[0], t.atoms[1]);
    const long double r = std::sqrt(dot(d, d));
    if (b.kind->name == "harmonic") {
      u += k * (r - r0) * (r - r0);
      continue;
    }
    u -= 0.5L * k * r0 * r0 * std::log(1 - r * r / (static_cast<long double>(r0) * r0));
    const double epsilon = b.values[2], sigma = b.values[3];
    const long double x = sigma / r;
    if (r < std::pow(2.0L, 1.0L / 6) * sigma)
      u += 4 * epsilon * (std::pow(x, 12) - std::pow(x, 6)) + epsilon;
  }
  for (const auto& t : s.topology.angles) {
    const AngleParameters& a = s.parameters.angles[static_cast<std::size_t>(t.type)];
    const double k = a.values[0];
    const LongVector d = separation(s, t.atoms[0], t.atoms[1]),
                     e = separation(s, t.atoms[2], t.atoms[1]);
    const LongVector n = cross(d, e);
    const long double theta = std::atan2(std::sqrt(dot(n, n)), dot(d, e));
    const long double theta0 = a.values.back() * std::numbers::pi_v<long double> / 180;
    if (a.kind->name == "harmonic") u += k * (theta - theta0) * (theta - theta0);
    if (a.kind->name == "cosine") u += k * (1 + std::cos(theta));
    if (a.kind->name == "cosine_squared")
      u += k * (std::cos(theta) - std::cos(theta0)) * (std::cos(theta) - std::cos(theta0));
  }
  for (const auto& t : s.topology.dihedrals) {
    const DihedralSeries& p = s.parameters.dihedrals[static_cast<std::size_t>(t.type)];
    const LongVector b1 = separation(s, t.atoms[1], t.atoms[0]),
                     b2 = separation(s, t.atoms[2], t.atoms[1]),
                     b3 = separation(s, t.atoms[3], t.atoms[2]);
    const LongVector m = cross(b1, b2), n = cross(b2, b3);
    const long double phi = std::atan2(std::sqrt(dot(b2, b2)) * dot(b1, n), dot(m, n));
    for (std::size_t k = 0; k < p.cosine.size(); ++k)
      u += p.cosine[k] * std::cos(static_cast<long double>(k) * phi) +
           p.sine[k] * std::sin(static_cast<long double>(k) * phi);
  }
  return u;
}

/// -dU/dx of the reference energies by differences of fourth order; h can be large, since the
/// energies are nearly exact.
Vector3 reference_force(BondedSystem s, std::size_t atom) {
  Vector3 force{};
  constexpr double h = 0x1p-12;
  for (std::size_t a = 0; a < 3; ++a) {
    const double x = s.positions[atom][a];
    const auto u = [&](double dx) {
      s.positions[atom][a] = x + dx;
      return reference_energy(s);
    };
    const long double slope = (8 * (u(h) - u(-h)) - (u(2 * h) - u(-2 * h))) / (12 * h);
    s.positions[atom][a] = x;
    force[a] = static_cast<double>(-slope);
  }
  return force;
}

void check_against_references(const BondedSystem& s) {
  const BondedResult result = compute(s);
  CHECK(result.energy() ==
        doctest::Approx(static_cast<double>(reference_energy(s))).epsilon(1e-12).scale(1));
  double largest = 0;
  Vector3 total{};
  for (const Vector3& f : result.forces)
    for (std::size_t a = 0; a < 3; ++a) {
      largest = std::max(largest, std::abs(f[a]));
      total[a] += f[a];
    }
  for (std::size_t i = 0; i < s.positions.size(); ++i) {
    const Vector3 f = reference_force(s, i);
    for (std::size_t a = 0; a < 3; ++a)
      CHECK(std::abs(result.forces[i][a] - f[a]) <= 1e-8 * (largest + 1e-3));
  }
  std::int64_t net_force[3] = {};
  for (std::size_t i = 0; i < result.quanta.size(); ++i) net_force[i % 3] += result.quanta[i];
  for (const std::int64_t p : net_force) CHECK(p == 0);  // exactly
}

}  // namespace

TEST_CASE(
    "bonded: energies, forces and virials of harmonic and FENE bonds agree with closed forms") {
  // U = k (r - r0)^2 without 1/2.
  const BondedResult harmonic_result = compute(bonded_pair(harmonic(100, 1.0), 1.25));
  CHECK(harmonic_result.energies.size() == 1);
  CHECK(harmonic_result.energies[0] == doctest::Approx(6.25).epsilon(1e-12));
  CHECK(harmonic_result.forces[0][0] == doctest::Approx(50).epsilon(1e-12));
  CHECK(harmonic_result.forces[1][0] == -harmonic_result.forces[0][0]);
  CHECK(harmonic_result.virial[0] == doctest::Approx(-62.5).epsilon(1e-12));
  CHECK(harmonic_result.virial[1] == 0);
  // Kremer and Grest's FENE bond near its equilibrium length of 0.97, where U = 20.2026 epsilon:
  // the sum of the attractive logarithm and the repulsive Lennard-Jones core.
  const BondedResult fene_result = compute(bonded_pair(fene(30, 1.5, 1, 1), 0.97));
  const double x = 0.97 * 0.97 / 2.25, i6 = 1 / std::pow(0.97, 6);
  const double spring = -33.75 * std::log(1 - x), core = 4 * (i6 * i6 - i6) + 1;
  CHECK(fene_result.energies[0] == doctest::Approx(spring + core).epsilon(1e-12));
  CHECK(fene_result.forces[1][0] ==
        doctest::Approx((48 * i6 * i6 - 24 * i6) / 0.97 - 30 * 0.97 / (1 - x)).epsilon(1e-12));
  // Without a core, or beyond its range, only the attractive term acts.
  for (const double epsilon : {0.0, 1.0}) {
    const BondedResult spring_only = compute(bonded_pair(fene(30, 1.5, epsilon, 1), 1.25));
    CHECK(spring_only.forces[1][0] ==
          doctest::Approx(-30 * 1.25 / (1 - 1.5625 / 2.25)).epsilon(1e-12));
  }
  // At the equilibrium length, and at distance 0 with r0 = 0, the force is zero and not NaN.
  CHECK(compute(bonded_pair(harmonic(100, 1.0), 1.0)).energies[0] < 1e-24);
  BondParameters zero_length = harmonic(10, 0);
  zero_length.max_length = 2;
  CHECK(compute(bonded_pair(zero_length, 0.0)).forces[0] == Vector3{0, 0, 0});
  CHECK(compute(bonded_pair(zero_length, 0.5)).forces[0][0] == doctest::Approx(10).epsilon(1e-12));
}

TEST_CASE(
    "bonded: a bond across a periodic boundary has the energy and force of one inside the box") {
  const BondedResult inside = compute(bonded_pair(fene(30, 1.5, 1, 1), 0.9375));
  const BondedResult across = compute(bonded_pair(fene(30, 1.5, 1, 1), 0.9375, cube, 19.5));
  CHECK(across.energies[0] == doctest::Approx(inside.energies[0]).epsilon(1e-12));
  CHECK(across.forces[0][0] == doctest::Approx(inside.forces[0][0]).epsilon(1e-11));
}

TEST_CASE("bonded: energies and forces of angles agree with closed forms") {
  // The torque is 2 k (theta - theta0); the force is perpendicular to the arm of length 1.1.
  const BondedResult harmonic_angle = compute(three_atoms(angle("harmonic", {10, 90}), 100));
  CHECK(harmonic_angle.energies[0] ==
        doctest::Approx(10 * std::pow(10 * degree, 2)).epsilon(1e-12));
  CHECK(harmonic_angle.forces[0][1] == doctest::Approx(20 * 10 * degree / 1.1).epsilon(1e-12));
  CHECK(std::abs(harmonic_angle.forces[0][0]) < 1e-12);
  // K (1 + cos theta) has its minimum, 0, at 180 degrees, and is accurate there.
  const BondedResult straight = compute(three_atoms(angle("cosine", {3}), 180));
  CHECK(std::abs(straight.energies[0]) < 1e-14);
  const BondedResult bent = compute(three_atoms(angle("cosine", {3}), 90));
  CHECK(bent.energies[0] == doctest::Approx(3).epsilon(1e-12));
  CHECK(bent.forces[0][1] == doctest::Approx(-3 / 1.1).epsilon(1e-12));
  const BondedResult cosine_squared = compute(three_atoms(angle("cosine_squared", {5, 120}), 60));
  CHECK(cosine_squared.energies[0] == doctest::Approx(5).epsilon(1e-12));
  // A straight angle does not define a plane: the force is zero there for theta0 < 180 degrees as
  // for theta0 = 180 degrees, and not NaN.
  for (const double theta0 : {120.0, 180.0}) {
    BondedSystem s = three_atoms(angle("harmonic", {10, theta0}), 0);
    s.positions[2] = {5 - 0.9, 5, 6};
    const BondedResult r = compute(s);
    CHECK(r.energies[0] ==
          doctest::Approx(10 * std::pow((180 - theta0) * degree, 2)).epsilon(1e-12).scale(1e-10));
    for (const Vector3& f : r.forces)
      for (const double c : f) CHECK(std::abs(c) < 1e-6);
  }
}

TEST_CASE("bonded: the sign and zero of dihedral angles follow the IUPAC convention") {
  // U = K (1 + cos(phi - 90)) differs at +90 and -90.
  CHECK(compute(four_atoms(periodic(1, 1, 90), 90)).energies[0] ==
        doctest::Approx(2).epsilon(1e-12));
  CHECK(std::abs(compute(four_atoms(periodic(1, 1, 90), -90)).energies[0]) < 1e-13);
  // phi is 0 for cis and 180 degrees for trans.
  CHECK(compute(four_atoms(periodic(1, 1, 0), 0)).energies[0] == doctest::Approx(2).epsilon(1e-12));
  CHECK(std::abs(compute(four_atoms(periodic(1, 1, 0), 180)).energies[0]) < 1e-13);
  // The OPLS energy is 0 for trans and K1 + K3 for cis.
  const DihedralSeries opls = opls_dihedral({1.3, -0.05, 0.2, 0.7});
  CHECK(std::abs(compute(four_atoms(opls, 180)).energies[0]) < 1e-13);
  CHECK(compute(four_atoms(opls, 0)).energies[0] == doctest::Approx(1.5).epsilon(1e-12));
  const double p = 70 * degree;
  CHECK(compute(four_atoms(opls, 70)).energies[0] ==
        doctest::Approx(0.65 * (1 + std::cos(p)) - 0.025 * (1 - std::cos(2 * p)) +
                        0.1 * (1 + std::cos(3 * p)) + 0.35 * (1 - std::cos(4 * p)))
            .epsilon(1e-12));
  // The torque about the axis is -U'(phi); the end atom is at distance 1 from the axis.
  const BondedResult r = compute(four_atoms(periodic(2, 3, 0), 50));
  CHECK(r.forces[0][1] == doctest::Approx(2 * 3 * std::sin(-150 * degree)).epsilon(1e-12));
  CHECK(std::abs(r.forces[0][0]) < 1e-12);
}

TEST_CASE("bonded: energies and forces of every style agree with a long double reference") {
  check_against_references(molecule());
  for (const double r : {0.75, 0.97, 1.1, 1.2, 1.4}) {
    CAPTURE(r);
    check_against_references(bonded_pair(fene(30, 1.5, 1, 1), r));
    check_against_references(bonded_pair(harmonic(300, 0.97), r, cube, 19.3));
  }
  for (const double theta : {3.0, 35.0, 60.0, 109.5, 150.0, 177.0, 179.9}) {
    CAPTURE(theta);
    check_against_references(three_atoms(angle("harmonic", {50, 109.5}), theta));
    check_against_references(three_atoms(angle("harmonic", {50, 180}), theta));
    check_against_references(three_atoms(angle("cosine", {2}), theta));
    check_against_references(three_atoms(angle("cosine_squared", {25, 100}), theta));
  }
  for (double phi = -180; phi <= 180; phi += 22.5) {
    CAPTURE(phi);
    check_against_references(four_atoms(opls_dihedral({1.3, -0.05, 0.2, 0.7}), phi));
    for (Index n = 0; n <= max_dihedral_order; n += 3)
      check_against_references(four_atoms(periodic(1.5, n, 40), phi));
  }
}

TEST_CASE("bonded: forces and virial agree with numerical derivatives of the energy") {
  BondedSystem s = molecule();
  s.charges = {0.4, -0.5, 0.3, 0.2, -0.6, 0.2};
  s.types = {0, 1, 0, 0, 1, 1};
  // 1-2 and 1-3 pairs are excluded, 1-4 pairs scaled: Lennard-Jones by 0.5, Coulomb by 0.8333.
  s.parameters.special = {{true, true, false}, 0.5, 0.8333};
  s.parameters.pairs = {2, {1, 0.6, 0.6, 0.4}, {0.9, 1, 1, 1.1}, 2.5};
  const BondedResult result = compute(s);
  REQUIRE(result.energies.size() == 4);
  double largest = 0;
  for (const Vector3& f : result.forces)
    for (const double c : f) largest = std::max(largest, std::abs(c));
  constexpr double h = 0x1p-14;
  for (std::size_t i = 0; i < s.positions.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      const auto u = [&](double dx) {
        BondedSystem moved = s;
        moved.positions[i][a] += dx;
        return compute(moved).energy();
      };
      const double slope = (8 * (u(h) - u(-h)) - (u(2 * h) - u(-2 * h))) / (12 * h);
      CHECK(std::abs(result.forces[i][a] + slope) < 1e-7 * std::max(1.0, std::abs(slope)));
    }
  // W_aa = -dU/d(ln s), where s stretches all coordinates along the Cartesian axis a.
  for (std::size_t a = 0; a < 3; ++a) {
    const auto u = [&](double e) {
      Vector3 factors{1, 1, 1};
      factors[a] += e;
      BondedRank rank(Communicator::self(), gsim::test::test_executor(), s);
      rank.rebuild();
      rank.forces.box_changed(s.box.stretched(factors));
      return rank.compute().energy();
    };
    const double slope = (8 * (u(h) - u(-h)) - (u(2 * h) - u(-2 * h))) / (12 * h);
    CHECK(std::abs(result.virial[a] + slope) < 1e-6 * std::max(1.0, std::abs(slope)));
  }
}

TEST_CASE("bonded: the energy of 1-4 pairs is the scaled Lennard-Jones and Coulomb energy") {
  BondedSystem s = molecule();
  s.topology.angles.clear();
  s.topology.dihedrals.clear();
  s.topology.angle_types.clear();
  s.topology.dihedral_types.clear();
  s.parameters.angles.clear();
  s.parameters.dihedrals.clear();
  s.charges = {0.4, -0.5, 0.3, 0.2, -0.6, 0.2};
  s.types = {0, 1, 0, 0, 1, 1};
  s.parameters.special = {{true, true, false}, 0.5, 0.8333};
  const std::vector<double> epsilon = {1, 0.6, 0.6, 0.4}, sigma = {0.9, 1, 1, 1.1};
  s.parameters.pairs = {2, epsilon, sigma, 2.5};
  const BondedResult result = compute(s);
  long double expected = 0;
  for (Index i = 0; i < 3; ++i) {  // 0-3, 1-4, 2-5
    const auto k = static_cast<std::size_t>(i);
    const LongVector d = separation(s, i, i + 3);
    const long double r = std::sqrt(dot(d, d));
    const auto type_pair = static_cast<std::size_t>(2 * s.types[k] + s.types[k + 3]);
    const long double x6 = std::pow(sigma[type_pair] / r, 6.0L);
    expected += 0.5L * 4 * epsilon[type_pair] * (x6 * x6 - x6) +
                0.8333L * 2.5L * s.charges[k] * s.charges[k + 3] / r;
  }
  REQUIRE(result.energies.size() == 2);
  CHECK(result.energies[1] == doctest::Approx(static_cast<double>(expected)).epsilon(1e-11));
  // Pairs with a factor of 1 are left to the pair forces and those with 0 are excluded, so that the
  // term of 1-4 pairs is absent.
  for (const double scale : {0.0, 1.0}) {
    s.parameters.special.scale_14 = s.parameters.special.coulomb_scale_14 = scale;
    CHECK(compute(s).energies.size() == 1);
  }
}
