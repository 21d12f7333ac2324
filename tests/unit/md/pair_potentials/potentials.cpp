// Pair potentials with every smoothing: energies are compared with formulas in long double, forces
// with the numerical derivative of the energy, tail corrections with closed forms; mixing rules and
// tables from files.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/pair_potentials/pair_table.hpp"
#include "src/modules/md/pair_potentials/parameter_info.hpp"
#include "unit/md/pair_forces/all_potentials.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

using Energy = std::function<long double(long double)>;

struct Case {
  PairPotential potential;
  Energy energy;  // without smoothing
};

constexpr double cutoff = 2.6, inner = 2.1;

std::vector<Case> reference_potentials() {
  std::vector<Case> cases;
  const auto add = [&](const char* kind, std::vector<double> p, Energy energy) {
    PairPotential potential;
    potential.kind = &potential_kind(kind);
    potential.parameters = std::move(p);
    potential.cutoff = cutoff;
    cases.push_back({potential, std::move(energy)});
  };
  add("lennard_jones", {1.3, 0.9},
      [](long double r) { return 4 * 1.3L * (powl(0.9L / r, 12) - powl(0.9L / r, 6)); });
  add("morse", {0.8, 5.0, 1.1},
      [](long double r) { return 0.8L * (powl(1 - expl(-5 * (r - 1.1L)), 2) - 1); });
  add("yukawa", {-2.5, 1.7}, [](long double r) { return -2.5L * expl(-1.7L * r) / r; });
  add("buckingham", {1000, 0.15, 0.3},
      [](long double r) { return 1000 * expl(-r / 0.15L) - 0.3L / powl(r, 6); });
  add("gaussian", {3.0, 0.6}, [](long double r) { return 3 * expl(-r * r / (2 * 0.6L * 0.6L)); });
  add("reaction_field", {1.5, 0.02, 0.5},
      [](long double r) { return 1.5L * (1 / r + 0.02L * r * r - 0.5L); });
  add("damped_coulomb", {1.5, 1.1}, [](long double r) { return 1.5L * erfcl(1.1L * r) / r; });
  add("damped_coulomb", {1.0, 0.0}, [](long double r) { return 1 / r; });
  return cases;
}

/// Returns -du/dr by the central difference of eighth order.
template <class F>
long double minus_derivative(const F& u, long double r, long double h) {
  constexpr long double c[4] = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
  long double sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += c[k] * (static_cast<long double>(u(r + (k + 1) * h)) -
                   static_cast<long double>(u(r - (k + 1) * h)));
  return -sum / h;
}

/// The smoothed energy by its definition (Allen and Tildesley; CHARMM).
long double smoothed_energy(const Energy& u, Smoothing smoothing, long double r) {
  const long double rc = cutoff, xi = static_cast<long double>(inner) * inner, xc = rc * rc,
                    x = r * r;
  switch (smoothing) {
    case Smoothing::cut:
      return u(r);
    case Smoothing::shift:
      return u(r) - u(rc);
    case Smoothing::force_shift:
      return u(r) - u(rc) + (r - rc) * minus_derivative(u, rc, 1e-3L);
    case Smoothing::xplor:
      if (x < xi) return u(r);
      return u(r) * (xc - x) * (xc - x) * (xc + 2 * x - 3 * xi) / powl(xc - xi, 3);
  }
  return 0;
}

constexpr Smoothing all_smoothings[] = {Smoothing::cut, Smoothing::shift, Smoothing::force_shift,
                                        Smoothing::xplor};

/// Distances from the closest one to the cutoff, except near the inner radius of xplor.
std::vector<double> distances(const PairFunction& u) {
  std::vector<double> r;
  const double first = std::max(u.closest(), 0.05);
  for (int k = 0; k <= 200; ++k) {
    const double x = first + (cutoff - 0.03 - first) * k / 200;
    if (std::abs(x - inner) > 0.03) r.push_back(x);
  }
  return r;
}

}  // namespace

TEST_CASE("potentials: units of parameters are written as powers of energy, length and angle") {
  CHECK(unit_name(ParameterUnit::none).empty());
  CHECK(unit_name(ParameterUnit::energy) == "energy");
  CHECK(unit_name(ParameterUnit::per_length) == "1/length");
  CHECK(unit_name(ParameterUnit::length_to(-3)) == "1/length^3");
  CHECK(unit_name(ParameterUnit::energy_length(1)) == "energy length");
  CHECK(unit_name(ParameterUnit::energy_length(12)) == "energy length^12");
  CHECK(unit_name(ParameterUnit::energy_length(-2)) == "energy/length^2");
  CHECK(unit_name(ParameterUnit::energy_angle(-2)) == "energy/rad^2");
  CHECK(unit_name({1, -2, -1}) == "energy/(length^2 rad)");
}

TEST_CASE("potentials: energies and forces agree with formulas for every smoothing") {
  for (Case& c : reference_potentials())
    for (const Smoothing smoothing : all_smoothings) {
      c.potential.smoothing = smoothing;
      c.potential.inner = smoothing == Smoothing::xplor ? inner : 0;
      if (smoothing == Smoothing::xplor && c.potential.kind->is_charged) {
        CHECK_THROWS_AS(PairFunction{c.potential}, InputError);
        continue;
      }
      const PairFunction u(c.potential);
      CAPTURE(std::string(u.kind().name));
      CAPTURE(static_cast<int>(smoothing));
      for (const double r : distances(u)) {
        CAPTURE(r);
        const auto energy = [&](long double x) { return smoothed_energy(c.energy, smoothing, x); };
        const auto scale = static_cast<double>(std::abs(c.energy(r)) + std::abs(c.energy(cutoff)));
        CHECK(std::abs(u.energy(r) - static_cast<double>(energy(r))) < 4e-15 * (scale + 1));
        const auto force = static_cast<double>(minus_derivative(energy, r, 1e-3L * r));
        const auto own_derivative = static_cast<double>(minus_derivative(
            [&](long double x) { return u.energy(static_cast<double>(x)); }, r, 2e-3L * r));
        CHECK(std::abs(u.force(r) - force) < 1e-11 * (std::abs(force) + 1));
        CHECK(std::abs(u.force(r) - own_derivative) < 1e-7 * std::abs(force) + 1e-12);
      }
      const double end = std::nextafter(cutoff, 0.0);
      if (smoothing != Smoothing::cut) CHECK(std::abs(u.energy(end)) < 1e-14);
      if (smoothing == Smoothing::force_shift || smoothing == Smoothing::xplor)
        CHECK(std::abs(u.force(end)) < 1e-13);
    }
}

TEST_CASE(
    "potentials: the force of every kind is minus the derivative of its energy for every "
    "smoothing") {
  for (PairPotential& potential : all_potentials(cutoff, 5))
    for (const Smoothing smoothing : all_smoothings) {
      if (smoothing == Smoothing::xplor && potential.kind->is_charged) continue;
      potential.smoothing = smoothing;
      potential.inner = smoothing == Smoothing::xplor ? inner : 0;
      const PairFunction u(potential);
      CAPTURE(std::string(u.kind().name));
      CAPTURE(static_cast<int>(smoothing));
      const auto energy = [&](long double x) { return u.energy(static_cast<double>(x)); };
      std::size_t tested = 0;
      const std::vector<double> radii = distances(u);
      for (const double r : radii) {
        CAPTURE(r);
        const auto derivative = static_cast<double>(minus_derivative(energy, r, 2e-3L * r)),
                   finer_derivative = static_cast<double>(minus_derivative(energy, r, 1e-3L * r));
        const double error = 1e-8 * std::abs(derivative) + 1e-12 * (std::abs(u.energy(r)) + 1);
        if (std::abs(derivative - finer_derivative) > error)
          continue;  // the derivative is discontinuous near r
        ++tested;
        CHECK(std::abs(u.force(r) - derivative) < 2 * error);
      }
      CHECK(tested > radii.size() * 9 / 10);
    }
}

TEST_CASE("potentials: scaled coefficients scale energies and forces exactly") {
  for (const PairPotential& potential : all_potentials(cutoff)) {
    const PairFunction u(potential);
    const auto unscaled = u.coefficients(1, 0), scaled = u.coefficients(1024, 0);
    REQUIRE(unscaled.size() == static_cast<std::size_t>(u.size()));
    for (const double r : {0.9, 1.4}) {
      CHECK(u.kind().energy(r * r, scaled.data() + 2, nullptr) ==
            1024 * u.kind().energy(r * r, unscaled.data() + 2, nullptr));
      CHECK(u.kind().force(r * r, scaled.data() + 2, nullptr) ==
            1024 * u.kind().force(r * r, unscaled.data() + 2, nullptr));
    }
  }
}

TEST_CASE(
    "potentials: energy and force of WCA are zero at its cutoff, and its energy at sigma is "
    "epsilon") {
  const PairFunction u(wca(1.7, 0.8));
  CHECK(u.cutoff() == doctest::Approx(0.8 * std::pow(2.0, 1.0 / 6)).epsilon(1e-15));
  CHECK(std::abs(u.energy(u.cutoff())) < 1e-15);
  CHECK(std::abs(u.force(u.cutoff())) < 1e-13);
  CHECK(u.energy(0.8) == doctest::Approx(1.7).epsilon(1e-14));
}

TEST_CASE("potentials: the default closest distances lie on the repulsive wall") {
  CHECK(PairFunction(lennard_jones(2, 1.5, 4)).closest() == 0.7 * 1.5);
  const auto cases = reference_potentials();
  const PairFunction morse(cases[1].potential);
  // The energy is 255 times the depth.
  CHECK(morse.energy(morse.closest()) == doctest::Approx(255 * 0.8).epsilon(2e-3));
  // Buckingham's barrier: the force changes sign there.
  const PairFunction buckingham(cases[3].potential);
  CHECK(buckingham.force(buckingham.closest() + 0.01) > 0);
  CHECK(buckingham.force(buckingham.closest() - 0.01) < 0);
  PairPotential attractive = cases[3].potential;
  attractive.parameters[2] = 5;
  CHECK_THROWS_WITH_AS(PairFunction{attractive}, doctest::Contains("give `closest`"), InputError);
  attractive.closest = 0.6;
  CHECK(PairFunction(attractive).closest() == 0.6);
  CHECK(PairFunction(cases[4].potential).closest() == 0);
  PairPotential with_closest = lennard_jones(1, 1, 2.5);
  with_closest.closest = 0.8;
  CHECK(PairFunction(with_closest).closest() == 0.8);
}

TEST_CASE("potentials: invalid potentials are refused") {
  CHECK_THROWS_AS(PairFunction(lennard_jones(1, 1, 0)), InputError);
  CHECK_THROWS_AS(PairFunction(lennard_jones(1, 1, 2.5, Smoothing::xplor, 2.5)), InputError);
  CHECK_THROWS_AS(PairFunction(lennard_jones(1, 1, 2.5, Smoothing::xplor, 0)), InputError);
  PairPotential p = lennard_jones(1, 1, 2.5);
  p.parameters.pop_back();
  CHECK_THROWS_AS(PairFunction{p}, InputError);
}

TEST_CASE("potentials: mixing rules give epsilon, sigma and cutoff of unlike pairs") {
  const double ea = 1.0, sa = 1.0, eb = 0.5, sb = 1.4;
  const auto mixed = [&](MixingRule rule) {
    PairTable table({"A", "B"});
    table.add(0, 0, lennard_jones(ea, sa, 2.5));
    table.add(1, 1, lennard_jones(eb, sb, 3.5));
    CHECK(table.without_potential() == std::pair{0, 1});
    table.mix(rule);
    CHECK_FALSE(table.without_potential());
    CHECK(table.between(1, 0)[0].parameters == table.between(0, 1)[0].parameters);
    CHECK(table.between(0, 1)[0].cutoff == 3.5);
    return table.between(0, 1)[0].parameters;
  };
  auto p = mixed(MixingRule::lorentz_berthelot);
  CHECK(p[0] == doctest::Approx(std::sqrt(0.5)).epsilon(1e-15));
  CHECK(p[1] == doctest::Approx(1.2).epsilon(1e-15));
  p = mixed(MixingRule::geometric);
  CHECK(p[1] == doctest::Approx(std::sqrt(1.4)).epsilon(1e-15));
  // The Waldman-Hagler rule preserves c6: 4 epsilon sigma^6 is the geometric mean of both.
  p = mixed(MixingRule::waldman_hagler);
  CHECK(p[0] * std::pow(p[1], 6) ==
        doctest::Approx(std::sqrt(ea * eb) * std::pow(sa * sb, 3)).epsilon(1e-14));
  CHECK(std::pow(p[1], 6) == doctest::Approx((1 + std::pow(1.4, 6)) / 2).epsilon(1e-14));

  PairTable wca_mixture({"A", "B"});
  wca_mixture.add(0, 0, wca(1, 1));
  wca_mixture.add(1, 1, wca(1, 2));
  wca_mixture.mix(MixingRule::lorentz_berthelot);
  CHECK(wca_mixture.between(0, 1)[0].cutoff == lennard_jones_minimum * 1.5);
  PairTable incompatible({"A", "B"});
  incompatible.add(0, 0, wca(1, 1));
  incompatible.add(1, 1, lennard_jones(1, 1, 2.5));
  CHECK_THROWS_WITH_AS(incompatible.mix(MixingRule::geometric),
                       doctest::Contains("give the pair A-B a potential"), InputError);
}

TEST_CASE("potentials: tail corrections agree with closed forms") {
  // u = 8/3 pi N rho eps sigma^3 ((s/rc)^9 / 3 - (s/rc)^3), pV in the same way (Frenkel and Smit,
  // eqs. 3.2.5 and 3.2.10).
  PairTable one_type({"A"});
  one_type.add(0, 0, lennard_jones(1.2, 0.9, 2.7));
  const double volume = 900, pi = 3.14159265358979323846, rho = 700 / volume;
  const double s3 = std::pow(0.9, 3), q = std::pow(0.9 / 2.7, 3);
  const TailCorrection tail = TailFunction(one_type).at({700}, volume);
  CHECK(tail.energy ==
        doctest::Approx(8.0 / 3 * pi * 700 * rho * 1.2 * s3 * (q * q * q / 3 - q)).epsilon(1e-13));
  CHECK(tail.pressure_volume ==
        doctest::Approx(16.0 / 3 * pi * rho * rho * volume * 1.2 * s3 * (2 * q * q * q / 3 - q))
            .epsilon(1e-13));
  // With two identical types the correction is the same.
  PairTable two_types({"A", "B"});
  for (int a = 0; a < 2; ++a)
    for (int b = a; b < 2; ++b) two_types.add(a, b, lennard_jones(1.2, 0.9, 2.7));
  CHECK(TailFunction(two_types).at({300, 400}, volume).energy ==
        doctest::Approx(tail.energy).epsilon(1e-13));
  // Yukawa: 2 pi N rho A int_rc^inf e^(-k r) r dr = 2 pi N rho A e^(-k rc) (k rc + 1) / k^2.
  PairTable yukawa({"A"});
  PairPotential y{&potential_kind("yukawa"), {2.0, 1.5}, 3.0};
  yukawa.add(0, 0, y);
  CHECK(TailFunction(yukawa).at({700}, volume).energy ==
        doctest::Approx(2 * pi * 700 * rho * 2 * std::exp(-4.5) * 5.5 / 2.25).epsilon(1e-10));
  // With xplor the correction begins at the inner radius, so that it is between those of cutoffs at
  // the inner and at the outer radius.
  const auto energy = [&](double rc, Smoothing smoothing, double inner_radius) {
    PairTable table({"A"});
    table.add(0, 0, lennard_jones(1, 1, rc, smoothing, inner_radius));
    return TailFunction(table).at({700}, volume).energy;
  };
  CHECK(energy(3, Smoothing::xplor, 2.5) > energy(2.5, Smoothing::cut, 0));
  CHECK(energy(3, Smoothing::xplor, 2.5) < energy(3, Smoothing::cut, 0));
  for (const Smoothing s : {Smoothing::shift, Smoothing::force_shift})
    CHECK_THROWS_AS(energy(2.5, s, 0), InputError);
}

namespace {

std::string lennard_jones_rows(int rows, double sign = 1) {
  std::string text = "# r energy force\n";
  for (int k = 0; k < rows; ++k) {
    const double r = 0.75 + (2.7 - 0.75) * k / (rows - 1), s6 = std::pow(r, -6);
    text += fmt::format("{:.17g} {:.17g} {:.17g}\n", r, 4 * (s6 * s6 - s6),
                        sign * 24 * (2 * s6 * s6 - s6) / r);
  }
  return text;
}

PairPotential tabulated(const std::string& text, Smoothing smoothing) {
  PairPotential p;
  p.kind = &potential_kind("table");
  p.cutoff = cutoff;
  p.smoothing = smoothing;
  p.inner = smoothing == Smoothing::xplor ? inner : 0;
  p.samples = std::make_shared<RadialSamples>(read_radial_samples(text, "lj.table", ""));
  return p;
}

}  // namespace

TEST_CASE(
    "potentials: a table reproduces its function, and its force is minus the derivative of its "
    "energy") {
  const Energy exact = [](long double r) { return 4 * (powl(r, -12) - powl(r, -6)); };
  for (const Smoothing smoothing : all_smoothings) {
    CAPTURE(static_cast<int>(smoothing));
    const PairFunction u(tabulated(lennard_jones_rows(3000), smoothing));
    for (const double r : distances(u)) {
      CAPTURE(r);
      const auto expected = static_cast<double>(smoothed_energy(exact, smoothing, r));
      CHECK(std::abs(u.energy(r) - expected) < 1e-7 * (std::abs(expected) + 1));
    }
    // Within each interval the tabulated energy is a polynomial.
    const auto& table = u.table();
    for (double k = 0.5; k < table.intervals(); k += 37) {
      const double r = std::sqrt(table.first + k * table.step);
      const auto force = minus_derivative(
          [&](long double x) { return u.energy(static_cast<double>(x)); }, r, table.step / r / 20);
      CHECK(std::abs(u.force(r) - static_cast<double>(force)) < 1e-7 * std::abs(u.force(r)) + 1e-9);
    }
  }
}

TEST_CASE(
    "potentials: a table whose last row is zero, as LAMMPS's pair_write makes it, is cut off "
    "there") {
  // If the last row is replaced by zeros, energy and force just below the cutoff must be those of
  // the other rows.
  std::string rows = lennard_jones_rows(2000);
  const std::size_t end = rows.rfind('\n', rows.size() - 2) + 1;
  const std::string r = rows.substr(end, rows.find(' ', end) - end);
  const auto cut_at_last_row = [](const std::string& text) {
    PairPotential p = tabulated(text, Smoothing::cut);
    p.cutoff = p.samples->r.back();
    return PairFunction(p);
  };
  const PairFunction exact_end = cut_at_last_row(rows);
  const PairFunction u = cut_at_last_row(rows.substr(0, end) + r + " 0 0\n");
  const double last = u.cutoff();
  for (const double below : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
    CAPTURE(below);
    CHECK(u.energy(last - below) == doctest::Approx(exact_end.energy(last - below)).epsilon(1e-6));
    CHECK(u.force(last - below) == doctest::Approx(exact_end.force(last - below)).epsilon(1e-3));
  }
  // A function that reaches zero smoothly keeps its last row.
  std::string smooth;
  for (int i = 0; i <= 100; ++i) {
    const double x = 0.5 + 0.005 * i;
    smooth += fmt::format("{} {} {}\n", x, (1 - x) * (1 - x), 2 * (1 - x));
  }
  const RadialSamples s = read_radial_samples(smooth, "f", "");
  CHECK(s.energy.back() == doctest::Approx(0));
  CHECK(s.force.back() == doctest::Approx(0));
}

TEST_CASE("potentials: a row of a table whose energy contradicts its force is named") {
  std::string text;
  for (int i = 0; i <= 100; ++i) {
    const double x = 1 + 0.01 * i;
    text += fmt::format("{} {} {}\n", x, (i == 40 ? 0.05 : 0) - 1 / (x * x), -2 / (x * x * x));
  }
  CHECK_THROWS_WITH_AS(read_radial_samples(text, "f", ""),
                       doctest::Contains("f:41: the energies at r = 1.39 and 1.4 change by"),
                       InputError);
}

TEST_CASE("potentials: invalid table files are refused") {
  const auto check_refused = [](const std::string& text, const char* section,
                                const char* expected) {
    CHECK_THROWS_WITH_AS(read_radial_samples(text, "f", section), doctest::Contains(expected),
                         InputError);
  };
  check_refused("", "", "the file holds no numbers");
  check_refused(lennard_jones_rows(3), "", "3 rows");
  check_refused(lennard_jones_rows(300, -1), "", "minus the slope");
  check_refused("1 2 3\n0.5 1 1\n", "", "f:2: the distance 0.5 is not above 1");
  check_refused("1 2\n", "", "2 words, not 3");
  check_refused(lennard_jones_rows(300), "LJ", "no sections");
  const std::string section = "\nN 4 R 1.0 1.3\n\n1 1 4 1\n2 1 3.9 1\n3 1 3.8 1\n4 1 3.7 1\n\n";
  const std::string two_sections = "# units\nFIRST" + section + "SECOND" + section;
  check_refused(two_sections, "", "the file has the sections `FIRST`, `SECOND`");
  check_refused(two_sections, "THIRD", "no section `THIRD`, but `FIRST`, `SECOND`");
  check_refused("FIRST\nN 5 BITMAP 1 2\n", "", "`BITMAP` is not understood");
  check_refused("FIRST\nN 4\n1 1 1 1\n", "", "row 2 of 4 of `FIRST` has 0 words");
  const RadialSamples s = read_radial_samples(two_sections, "f", "SECOND");
  CHECK(s.r.size() == 4);
  CHECK(s.r[1] == doctest::Approx(1.1));
  CHECK(s.energy[3] == 3.7);
}
