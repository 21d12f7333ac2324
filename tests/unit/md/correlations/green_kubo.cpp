// Transport coefficients by the Green-Kubo method, compared with direct sums and with exact
// integrals of correlated random series; units, several ranks and restarts.

#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/io/memory_datasets.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/stream.hpp"
#include "src/modules/md/correlations/window_correlator.hpp"
#include "src/modules/md/observers/conductivity.hpp"
#include "src/modules/md/observers/viscosity.hpp"
#include "tests/unit/md/observers/observed_system.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

double normal(std::uint64_t series, std::uint64_t step) {
  return normals<double, Strict>(
      philox_block(stream_key({4, Purpose::md_start_velocity}), series, step, 0))[0];
}

const Box cube({0, 0, 0}, {2, 3, 4});

/// Thermodynamic state whose pressure tensor has the five independent traceless components `p` and
/// the mean diagonal element `trace`.
Thermo thermo_of(const std::array<double, 5>& p, double trace) {
  Thermo t;
  const double zz = 2 * p[4] / std::sqrt(3.0);
  const std::array<double, 6> tensor = {
      trace - zz / 2 + p[3], trace - zz / 2 - p[3], trace + zz, p[0], p[1], p[2]};
  std::copy(tensor.begin(), tensor.end(), t.pressure_tensor);
  t.volume = 24;
  t.temperature = 1.5;
  return t;
}

/// Pressure components with standard deviation 2 and autocorrelation phi^k at a lag of k samples.
class CorrelatedPressure {
 public:
  Thermo next() {
    for (std::size_t c = 0; c < 5; ++c) {
      const double z = 2 * normal(c, step_);
      p_[c] = step_ == 0 ? z : phi * p_[c] + std::sqrt(1 - phi * phi) * z;
    }
    ++step_;
    return thermo_of(p_, 100 + normal(9, step_));
  }
  static constexpr double phi = 0.7;

 private:
  std::array<double, 5> p_{};
  std::uint64_t step_ = 0;
};

}  // namespace

TEST_CASE("Green-Kubo: the correlator agrees with direct sums over all pairs of samples") {
  constexpr Index lags = 4, samples = 27;  // the last three belong to an incomplete block
  std::vector<std::array<double, 2>> x;
  WindowCorrelator correlator(lags, 2);
  for (std::uint64_t i = 0; i < samples; ++i) {
    x.push_back({normal(20, i), 3 + normal(21, i)});
    correlator.add(x.back());
  }
  CHECK(correlator.origins() == 20);
  double integral = 0, previous = 0;
  for (Index k = 0; k <= lags; ++k) {
    double sum = 0;
    for (Index i = lags; i < 24; ++i)
      for (std::size_t c = 0; c < 2; ++c)
        sum += x[static_cast<std::size_t>(i)][c] * x[static_cast<std::size_t>(i - k)][c];
    if (k > 0) integral += 0.5 * (previous + sum / 40);
    previous = sum / 40;
    CHECK(correlator.correlation(k).mean == doctest::Approx(previous).epsilon(1e-12));
    CHECK(correlator.integral(k).mean == doctest::Approx(integral).epsilon(1e-12));
    CHECK(correlator.correlation(k).count == 5);
  }
}

TEST_CASE(
    "Green-Kubo: the viscosity is the exact integral of an exponential pressure correlation") {
  ObservedSystem system(Communicator::self(), cube, {ObservedAtom{}}, {1});
  // Every second step after step 3, and 20 lags.
  Viscosity viscosity("eta", {2, 3}, {20}, system.setup);
  CHECK(viscosity.needs_thermo());
  CHECK(viscosity.next(0) == 4);
  system.start({ObservedAtom{}});
  CorrelatedPressure pressure;
  for (Index k = 0; k < 20000; ++k) {
    const Thermo thermo = pressure.next();
    viscosity.observe(system.snapshot(4 + 2 * k, &thermo));
  }
  // V / kT = 16, and samples are 1 time unit apart: the trapezoidal sum of 4 phi^k.
  double integral = 0, power = 4;
  for (Index k = 0; k <= 20; ++k) {
    CAPTURE(k);
    if (k > 0) {
      integral += 0.5 * (power + power * CorrelatedPressure::phi);
      power *= CorrelatedPressure::phi;
    }
    const BlockedMean c = viscosity.correlation(k);
    const Estimate eta = viscosity.coefficient(k);
    REQUIRE(c.has_error());
    CHECK(std::abs(c.mean - power) < 4 * c.standard_error);
    CHECK(c.standard_error < 0.05);
    CHECK(std::abs(eta.mean - 16 * integral) <= 4 * eta.standard_error);
    CHECK(eta.standard_error < 0.06 * 16 * integral + 1e-300);
  }
  const auto estimates = viscosity.estimates();
  REQUIRE(estimates.size() == 1);
  CHECK(estimates[0].name == "eta");
  CHECK(estimates[0].remark.empty());
  MemoryDatasets results(Communicator::self());
  viscosity.write_results(results);
  CHECK(results.read<double>("observables/eta/viscosity").at(20) == estimates[0].mean);
  CHECK(results.read<double>("observables/eta/viscosity_error").at(20) ==
        estimates[0].standard_error);
  CHECK(results.read<double>("observables/eta/time").at(20) == 20);
}

TEST_CASE("Green-Kubo: remarks say that the run or the correlation window is too short") {
  ObservedSystem system(Communicator::self(), cube, {ObservedAtom{}}, {1});
  Viscosity viscosity("eta", {1, 0}, {2}, system.setup);
  system.start({ObservedAtom{}});
  CHECK(viscosity.estimates().empty());
  CorrelatedPressure pressure;
  for (Index k = 0; k < 2000; ++k) {
    const Thermo thermo = pressure.next();
    viscosity.observe(system.snapshot(k, &thermo));
    if (k == 9)
      CHECK(viscosity.estimates().at(0).remark == "standard error unknown, 4 samples are too few");
  }
  CHECK(viscosity.estimates().at(0).remark.find(
            "the correlation function at the end of the window is still 0.") == 0);
}

TEST_CASE(
    "Green-Kubo: the conductivity of ions is the exact integral of their velocity correlation, on "
    "any number of ranks") {
  constexpr std::size_t atoms = 12;
  constexpr double phi = 0.5;
  std::array<std::uint64_t, 2> digests{};
  for (const bool per_atom_charges : {false, true}) {
    std::uint64_t reference_digest = 0;
    for (const int ranks : {1, 2, 3, 5}) {
      const int samples = ranks == 1 ? 4000 : 200;
      std::uint64_t digest_after_200 = 0;
      run_in_process(ranks, [&](Communicator comm) {
        std::vector<ObservedAtom> ions(atoms);
        for (std::size_t i = 0; i < atoms; ++i) {
          ions[i] = atom_at(cube, {0.15 * static_cast<double>(i), 1, 3},
                            static_cast<std::int32_t>(i % 2));
          ions[i].charge = i % 2 == 0 ? 2 : -2;
        }
        ObservedSystem system(comm, cube, ions, {1, 3}, 2, per_atom_charges);
        if (!per_atom_charges) system.setup.type_charges = {2, -2};
        Conductivity conductivity("sigma", {1, 0}, {10}, system.setup, system.particles);
        system.start(ions);
        Thermo thermo = thermo_of({}, 0);
        for (int k = 0; k < samples; ++k) {
          for (std::size_t i = 0; i < atoms; ++i)
            for (std::size_t a = 0; a < 3; ++a) {
              const double z = normal(100 + 3 * i + a, static_cast<std::uint64_t>(k));
              double& v = ions[i].velocity[a];
              v = k == 0 ? z : phi * v + std::sqrt(1 - phi * phi) * z;
            }
          system.update(ions);
          conductivity.observe(system.snapshot(k, &thermo));
          if (k == 199 && comm.is_root()) digest_after_200 = conductivity.digest();
        }
        if (!comm.is_root() || ranks > 1) return;
        // <J_a J_a> = 12 q^2 phi^k = 48 phi^k; steps of 0.5; V kT = 36.
        double integral = 0, power = 48;
        for (Index k = 1; k <= 10; ++k, power *= phi) integral += 0.25 * (power + power * phi);
        const Estimate sigma = conductivity.coefficient(10);
        CHECK(std::abs(sigma.mean - integral / 36) < 4 * sigma.standard_error);
        CHECK(sigma.standard_error < 0.08 * sigma.mean);
      });
      if (reference_digest == 0) reference_digest = digest_after_200;
      CHECK(digest_after_200 == reference_digest);
    }
    digests[per_atom_charges ? 1 : 0] = reference_digest;
  }
  CHECK(digests[0] == digests[1]);  // charges of types and of atoms have the same values
  ObservedSystem neutral(Communicator::self(), cube, {ObservedAtom{}}, {1});
  CHECK_THROWS_AS(Conductivity("sigma", {1, 0}, {10}, neutral.setup, neutral.particles),
                  InputError);
}

TEST_CASE("Green-Kubo: coefficients are converted to the units of each unit system") {
  // With one sample per block, the coefficient is factor x (1/2) (x0 x0 + x0 x1) x time.
  ObservedSystem system(Communicator::self(), cube, {ObservedAtom{}}, {1}, 1, true);
  system.start({ObservedAtom{}});
  system.setup.time_step = 1;
  const auto coefficient = [&](UnitSystem units, bool is_viscosity) {
    system.setup.units = &units_of(units);
    Thermo thermo = thermo_of({1, 1, 1, 1, 1}, 0);
    thermo.temperature = 300;
    thermo.volume = 1000;
    if (is_viscosity) {
      Viscosity v("eta", {1, 0}, {1}, system.setup);
      for (Index k = 0; k < 3; ++k) v.observe(system.snapshot(k, &thermo));
      return v.coefficient(1);
    }
    ObservedAtom charged, neutral;
    charged.velocity = {1, 1, 1};
    charged.charge = 1;
    neutral.type = 1;
    // The heavy neutral atom keeps the centre of mass at rest.
    ObservedSystem ions(Communicator::self(), cube, {charged, neutral}, {1, 1e12}, 1, true);
    ions.setup.units = system.setup.units;
    ions.setup.time_step = 1;
    Conductivity c("sigma", {1, 0}, {1}, ions.setup, ions.particles);
    ions.start({charged, neutral});
    for (Index k = 0; k < 3; ++k) c.observe(ions.snapshot(k, &thermo));
    return c.coefficient(1);
  };
  // 1 bar ps at 1000 cubic angstrom and 300 K: V P^2 t / kT in bar ps.
  const double kt = 1.380649e-23 * 300;
  CHECK(coefficient(UnitSystem::metal, true).mean ==
        doctest::Approx(1e-27 * 1e5 / kt).epsilon(1e-12));
  CHECK(coefficient(UnitSystem::metal, true).unit == "bar ps");
  CHECK(coefficient(UnitSystem::real, true).mean ==
        doctest::Approx(1e-27 * 101325 / kt).epsilon(1e-12));
  // e^2 (Angstrom/ps)^2 ps / (V kT) = e^2 1e4 1e-12 / (1e-27 kT) S/m; in real units 1e10 and 1e-15.
  const double e2 = 1.602176634e-19 * 1.602176634e-19;
  CHECK(coefficient(UnitSystem::metal, false).mean ==
        doctest::Approx(e2 * 1e4 * 1e-12 / (1e-27 * kt)).epsilon(1e-9));
  CHECK(coefficient(UnitSystem::real, false).mean ==
        doctest::Approx(e2 * 1e10 * 1e-15 / (1e-27 * kt)).epsilon(1e-9));
  CHECK(coefficient(UnitSystem::real, false).unit == "S m-1");
}

TEST_CASE("Green-Kubo: a run resumed from a saved state has the same bits") {
  const auto run = [](std::size_t first, std::size_t last, MemoryDatasets::Contents& state) {
    ObservedSystem system(Communicator::self(), cube, {ObservedAtom{}}, {1});
    Viscosity viscosity("eta", {1, 0}, {5}, system.setup);
    system.start({ObservedAtom{}});
    MemoryDatasets previous(Communicator::self(), state);
    if (first > 0) viscosity.restore(previous);
    CorrelatedPressure pressure;
    for (std::size_t k = 0; k < last; ++k) {
      const Thermo thermo = pressure.next();
      if (k >= first) viscosity.observe(system.snapshot(static_cast<Index>(k), &thermo));
    }
    MemoryDatasets after(Communicator::self());
    viscosity.save(after);
    state = after.contents();
    return viscosity.digest();
  };
  MemoryDatasets::Contents state;
  const auto uninterrupted = run(0, 60, state);
  for (std::size_t restart_sample = 1; restart_sample < 60; ++restart_sample) {
    run(0, restart_sample, state);
    CHECK(run(restart_sample, 60, state) == uninterrupted);
  }
}
