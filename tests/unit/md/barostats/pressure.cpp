// Barostats on systems whose box lengths have a known probability density,
//   p(V) = V^n exp(-(U(V) + P V) / kT),
// where n is the number of free atoms (one less where the total momentum is zero: Martyna, Tobias
// and Klein 1994), or 0 for atoms on springs, whose anchor points scale with the box.

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "unit/md/integrators/spring_system.hpp"

using namespace gsim;
using namespace gsim::md;
using namespace gsim::md::test;

namespace {

constexpr double kt = 1.2, pressure = 0.04, stiffness = 6;

SpringSystemOptions system_options(TestBarostat kind, Coupling coupling,
                                   TestThermostat thermostat_kind) {
  SpringSystemOptions options;
  options.atoms = 10;
  options.masses = {1.0, 1.7, 2.3};
  options.time_step = 0.05;
  options.box = Box({0.5, -1, 2}, {8, 7, 9});
  options.box_stiffness = stiffness;
  options.spring_constant = 4;
  options.temperature = kt;
  options.motion.thermostat = thermostat(thermostat_kind, kt);
  const double relaxation_time = kind == TestBarostat::mtk ? 1 : 2, compressibility = 2;
  options.motion.barostat = barostat(kind, coupling, pressure, relaxation_time, compressibility);
  return options;
}

struct Moments {
  double mean = 0, variance = 0, error = 0;  // error: standard error of the mean, from batches
};

Moments moments(const std::vector<double>& x) {
  constexpr std::size_t batches = 30;
  Moments m;
  for (const double value : x) m.mean += value / static_cast<double>(x.size());
  std::array<double, batches> batch{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    m.variance += (x[i] - m.mean) * (x[i] - m.mean) / static_cast<double>(x.size());
    batch[i * batches / x.size()] += x[i] * batches / static_cast<double>(x.size());
  }
  for (const double b : batch) m.error += (b - m.mean) * (b - m.mean) / (batches * (batches - 1));
  m.error = std::sqrt(m.error);
  return m;
}

/// Exact mean and variance of V and of L_x, for lengths that change together or separately.
std::array<Moments, 2> exact_moments(const Vector3& initial_lengths, Coupling coupling, double n) {
  std::array<double, 5> sum{};  // integrals of 1, V, V^2, L_x and L_x^2 over the density
  const auto add = [&](const Vector3& l, double measure) {
    const double v = l[0] * l[1] * l[2];
    double energy = pressure * v;
    for (std::size_t a = 0; a < 3; ++a)
      energy += 0.5 * stiffness * (l[a] - initial_lengths[a]) * (l[a] - initial_lengths[a]);
    // 500 is about the mean volume, so that the weights are near 1.
    const double w = measure * std::exp(n * std::log(v / 500) - energy / kt);
    const std::array<double, 5> terms{1, v, v * v, l[0], l[0] * l[0]};
    for (std::size_t k = 0; k < 5; ++k) sum[k] += w * terms[k];
  };
  if (coupling == Coupling::isotropic) {
    for (int i = -1000; i <= 1000; ++i) {
      const double s = 1 + 0.0008 * i;
      add({s * initial_lengths[0], s * initial_lengths[1], s * initial_lengths[2]}, s * s);  // dV
    }
  } else {
    for (int i = -40; i <= 40; ++i)
      for (int j = -40; j <= 40; ++j)
        for (int k = -40; k <= 40; ++k)
          add({initial_lengths[0] + 0.1 * i, initial_lengths[1] + 0.1 * j,
               initial_lengths[2] + 0.1 * k},
              1);
  }
  for (std::size_t k = 1; k < 5; ++k) sum[k] /= sum[0];
  return {Moments{sum[1], sum[2] - sum[1] * sum[1], 0},
          Moments{sum[3], sum[4] - sum[3] * sum[3], 0}};
}

void check_box_distribution(const SpringSystemOptions& options, double n, Index steps) {
  SpringSystem system(options);
  std::vector<double> volume, length;
  system.run_to(steps, /*every=*/5, [&](Index step) {
    if (step < 1000) return;  // equilibration
    volume.push_back(system.box().volume());
    length.push_back(system.box().lengths()[0]);
  });
  const auto expected = exact_moments(options.box.lengths(), options.motion.barostat->coupling, n);
  const Moments v = moments(volume), l = moments(length);
  CAPTURE(v.mean);
  CAPTURE(v.error);
  CAPTURE(expected[0].mean);
  // The energy of the piston is correlated over more than a batch, so that the actual error is a
  // little larger than that from batches. One power of V more or less would change the mean by
  // 1.6 %.
  CHECK(std::abs(v.mean - expected[0].mean) < 4 * v.error + 0.006 * expected[0].mean);
  CHECK(v.error < 0.012 * expected[0].mean);
  CHECK(v.variance == doctest::Approx(expected[0].variance).epsilon(0.15));
  CHECK(std::abs(l.mean - expected[1].mean) < 4 * l.error + 0.003 * expected[1].mean);
  CHECK(l.variance == doctest::Approx(expected[1].variance).epsilon(0.15));
}

}  // namespace

TEST_CASE("barostats: with atoms on springs, the volume and box length have the NPT distribution") {
  struct Case {
    TestBarostat kind;
    Coupling coupling;
    TestThermostat thermostat_kind;
  };
  for (const Case c : {
           Case{TestBarostat::mtk, Coupling::isotropic, TestThermostat::nose_hoover},
           Case{TestBarostat::mtk, Coupling::isotropic, TestThermostat::langevin},
           Case{TestBarostat::mtk, Coupling::xyz, TestThermostat::bussi},
           Case{TestBarostat::cell_rescaling, Coupling::isotropic, TestThermostat::bussi},
           Case{TestBarostat::cell_rescaling, Coupling::xyz, TestThermostat::langevin},
       }) {
    CAPTURE(static_cast<int>(c.kind));
    CAPTURE(static_cast<int>(c.coupling));
    CAPTURE(static_cast<int>(c.thermostat_kind));
    check_box_distribution(system_options(c.kind, c.coupling, c.thermostat_kind), /*n=*/0,
                           /*steps=*/40000);
  }
}

TEST_CASE("barostats: with free atoms, the volume and box length have the NPT distribution") {
  for (const TestBarostat kind : {TestBarostat::mtk, TestBarostat::cell_rescaling}) {
    CAPTURE(static_cast<int>(kind));
    SpringSystemOptions options =
        system_options(kind, Coupling::isotropic, TestThermostat::langevin);
    options.spring_constant = 0;
    check_box_distribution(options, /*n=*/10, /*steps=*/40000);
    // The total momentum is zero and stays zero.
    options.motion.thermostat = thermostat(TestThermostat::bussi, kt);
    options.zero_momentum = true;
    check_box_distribution(options, /*n=*/9, /*steps=*/40000);
  }
}

TEST_CASE("barostats: the conserved quantity is constant") {
  for (const TestBarostat kind : {TestBarostat::mtk, TestBarostat::cell_rescaling})
    for (const Coupling coupling : {Coupling::isotropic, Coupling::xyz}) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(static_cast<int>(coupling));
      const auto largest_drift = [&](double step, TestThermostat thermostat_kind) {
        SpringSystemOptions options = system_options(kind, coupling, thermostat_kind);
        options.time_step = step;
        options.steps = static_cast<Index>(20 / step);
        options.spring_constant = 8;
        options.masses = {0.7, 1.0, 1.3, 1.9, 2.7, 3.4, 4.5, 5.1, 6.3, 7.9};
        options.initial_displacement = {0.2, 0.2, -0.1};
        options.motion.barostat->pressure.end = 0.06;
        options.motion.thermostat->temperature.end = 1.8;
        SpringSystem system(options);
        const double first = system.conserved();
        double largest = 0;
        system.run_to(options.steps, /*every=*/3, [&](Index) {
          largest = std::max(largest, std::abs(system.conserved() - first));
        });
        return largest;
      };
      // Langevin friction and noise act in the middle of a drift while the box changes.
      for (const TestThermostat thermostat_kind :
           {TestThermostat::nose_hoover, TestThermostat::langevin}) {
        const double coarse = largest_drift(0.08, thermostat_kind);
        const double fine = largest_drift(0.02, thermostat_kind);
        CAPTURE(coarse);
        CAPTURE(fine);
        CHECK(coarse < 0.6);  // of a value of about 40
        // The error due to the noise of the box scales with dt^1.5 instead of dt^2.
        CHECK(coarse / fine > (kind == TestBarostat::mtk ? 6 : 3));
      }
    }
}

TEST_CASE("barostats: a box open along an axis, or triclinic with separate lengths, is refused") {
  SpringSystemOptions options =
      system_options(TestBarostat::mtk, Coupling::isotropic, TestThermostat::bussi);
  options.box =
      Box({0, 0, 0}, {8, 8, 8}, {}, {Boundary::periodic, Boundary::open, Boundary::periodic});
  CHECK_THROWS_WITH_AS(SpringSystem{options}, doctest::Contains("open along y"), InputError);
  options.box = Box({0, 0, 0}, {8, 8, 8}, {1, 0, 0});
  CHECK_NOTHROW(SpringSystem{options});
  options.motion.barostat->coupling = Coupling::xyz;
  CHECK_THROWS_WITH_AS(SpringSystem{options}, doctest::Contains("triclinic"), InputError);
}
