// Integrators and thermostats of harmonic oscillators, compared with closed forms.

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "spring_system.hpp"
#include "src/modules/md/integrators/kinetic.hpp"

using namespace gsim;
using namespace gsim::md;
using namespace gsim::md::test;

TEST_CASE("motion: velocity Verlet of an oscillator has its exact frequency and shadow energy") {
  // One step is a rotation by phi with cos(phi) = 1 - (omega dt)^2 / 2 (Hairer, Lubich and Wanner,
  // Geometric Numerical Integration, I.5), at constant m v^2 / 2 + k x^2 (1 - (omega dt / 2)^2)
  // / 2.
  SpringSystemOptions options;
  options.atoms = 2;
  options.masses = {1.0, 4.0};
  options.time_step = 0.3;
  options.temperature = 0;
  options.initial_displacement = {0.7, -0.2, 0.1};
  SpringSystem system(options);
  system.run_to(500, 1, [&](Index n) {
    for (const Index row : {0, 1}) {
      const double omega = row == 0 ? 1.0 : 0.5, mass = row == 0 ? 1.0 : 4.0;
      const double half = 0.5 * omega * options.time_step;
      const double phase = static_cast<double>(n) * std::acos(1 - 2 * half * half);
      const Vector3 x = system.displacement(row), v = system.velocity(row);
      double shadow = 0, first = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        CHECK(x[a] == doctest::Approx(options.initial_displacement[a] * std::cos(phase))
                          .epsilon(1e-8)
                          .scale(1));
        shadow += 0.5 * mass * v[a] * v[a] + 0.5 * x[a] * x[a] * (1 - half * half);
        first += 0.5 * options.initial_displacement[a] * options.initial_displacement[a] *
                 (1 - half * half);
      }
      CHECK(shadow == doctest::Approx(first).epsilon(1e-8));
    }
  });
  CHECK(system.integrator().degrees_of_freedom() == 6);
  CHECK(system.integrator().fault().message.empty());
}

TEST_CASE(
    "motion: the BAOAB Langevin integrator gives the exact position variance of an oscillator") {
  // Leimkuhler and Matthews 2013: <x^2> = kB T / k, while <v^2> = kB T / m (1 - (omega dt)^2 / 4).
  SpringSystemOptions options;
  options.atoms = 500;
  options.masses = {1.0};
  options.time_step = 1.0;  // half of the largest stable step
  options.motion.thermostat = thermostat(TestThermostat::langevin, 0.7);
  options.temperature = 0.7;
  options.box = Box({0, 0, 0}, {90, 90, 90});
  SpringSystem system(options);
  double positions = 0, velocities = 0, samples = 0;
  system.run_to(400, 4, [&](Index n) {
    if (n < 20) return;
    for (Index i = 0; i < options.atoms; ++i)
      for (std::size_t a = 0; a < 3; ++a) {
        positions += system.displacement(i)[a] * system.displacement(i)[a];
        velocities += system.velocity(i)[a] * system.velocity(i)[a];
        samples += 1;
      }
  });
  // The mean square of n normal numbers has the relative standard error sqrt(2 / n), doubled here
  // because samples are correlated over about four steps.
  const double error = 2 * std::sqrt(2 / samples);
  CHECK(std::abs(positions / samples / 0.7 - 1) < 4 * error);
  CHECK(std::abs(velocities / samples / (0.7 * 0.75) - 1) < 4 * error);
  CHECK(error < 0.01);  // so that an error of (omega dt)^2 / 4 would be detected
  CHECK(system.integrator().degrees_of_freedom() == 1500);
  CHECK(system.integrator().fault().message.empty());
}

TEST_CASE("motion: the kinetic energy has the canonical mean and variance under each thermostat") {
  for (const TestThermostat kind :
       {TestThermostat::langevin, TestThermostat::nose_hoover, TestThermostat::bussi}) {
    CAPTURE(static_cast<int>(kind));
    SpringSystemOptions options;
    options.atoms = 6;
    options.masses = {0.7, 1.0, 1.3, 1.9, 2.7, 3.4};  // incommensurable frequencies
    options.time_step = 0.1;
    options.motion.thermostat = thermostat(kind, 1.3);
    if (kind == TestThermostat::langevin) options.motion.thermostat->plan.friction = 0.5;
    options.initial_displacement = {1.1, 0.3, 0.8};
    SpringSystem system(options);
    double mean = 0, square = 0, count = 0;
    constexpr int batches = 40;
    std::vector<double> batch_sums(batches, 0.0);
    constexpr Index steps = 50000;
    system.run_to(steps, 10, [&](Index n) {
      const double kinetic = system.kinetic();
      mean += kinetic;
      square += kinetic * kinetic;
      count += 1;
      batch_sums[static_cast<std::size_t>((n - 1) * batches / steps)] += kinetic;
    });
    mean /= count;
    square /= count;
    double variance_of_mean = 0;
    for (const double b : batch_sums) {
      const double d = b * batches / count - mean;
      variance_of_mean += d * d / (batches * (batches - 1));
    }
    // 18 degrees of freedom: <K> = 9 kT up to O(dt^2), variance 9 (kT)^2.
    const double expected = 9 * 1.3;
    CHECK(std::abs(mean - expected) < 4 * std::sqrt(variance_of_mean) + 0.003 * expected);
    CHECK((square - mean * mean) / (9 * 1.3 * 1.3) == doctest::Approx(1).epsilon(0.08));
    CHECK(std::sqrt(variance_of_mean) < 0.01 * expected);
  }
}

TEST_CASE("motion: the conserved quantity of each thermostat drifts by O(dt^2)") {
  for (const TestThermostat kind :
       {TestThermostat::langevin, TestThermostat::nose_hoover, TestThermostat::bussi}) {
    CAPTURE(static_cast<int>(kind));
    const auto largest_drift = [&](double step) {
      SpringSystemOptions options;
      options.time_step = step;
      options.motion.thermostat = thermostat(kind, 1.0);
      options.motion.thermostat->temperature.end = 2.0;  // ramps are accounted for as well
      options.steps = static_cast<Index>(20 / step);
      options.initial_displacement = {0.2, 0.2, -0.1};
      options.masses = {0.7, 1.0, 1.3, 1.9, 2.7, 3.4, 4.5, 5.1, 6.3, 7.9};
      options.motion.momentum_removal = 50;
      SpringSystem system(options);
      const double first = system.conserved();
      double largest = 0;
      system.run_to(options.steps, 7, [&](Index) {
        largest = std::max(largest, std::abs(system.conserved() - first));
      });
      return largest;
    };
    const double coarse = largest_drift(0.08), fine = largest_drift(0.02);
    CAPTURE(coarse);
    CAPTURE(fine);
    CHECK(coarse < 0.4);  // of a value of about 400
    CHECK(coarse / fine > 8);
    CHECK(coarse / fine < 32);
  }
}
