#include "src/modules/md/setup/velocities.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

constexpr Index atoms = 20000;

/// Velocities of `atoms` atoms of two masses, made by `ranks` ranks that hold every ranks-th atom.
std::vector<Vector3> velocities(int ranks, double temperature, const Units& units,
                                const VelocityAdjustment* adjustment) {
  std::vector<Vector3> all(atoms);
  run_in_process(ranks, [&](Communicator communicator) {
    std::vector<std::int64_t> ids;
    std::vector<double> masses;
    for (Index i = communicator.rank(); i < atoms; i += ranks) {
      ids.push_back(i);
      masses.push_back(i % 2 == 0 ? 1.0 : 4.0);
    }
    std::vector<Vector3> v(ids.size());
    draw_velocities(7, temperature, units, ids, masses, v);
    if (adjustment != nullptr)
      adjust_velocities(communicator, temperature, units, *adjustment, masses, v);
    for (std::size_t k = 0; k < ids.size(); ++k) all[static_cast<std::size_t>(ids[k])] = v[k];
  });
  return all;
}

}  // namespace

TEST_CASE(
    "velocities: components have the mean, variance and fourth moment of the Maxwell "
    "distribution") {
  const Units& units = units_of(UnitSystem::real);
  const auto v = velocities(1, 300, units, nullptr);
  double second = 0, fourth = 0, mean = 0;
  for (Index i = 0; i < atoms; ++i)
    for (const double x : v[static_cast<std::size_t>(i)]) {
      const double m = i % 2 == 0 ? 1.0 : 4.0;
      const double z = x / std::sqrt(units.boltzmann * 300 / (m * units.energy_per_mv2));
      mean += z, second += z * z, fourth += z * z * z * z;
    }
  const double n = 3.0 * atoms;  // moments of z: 0, 1, 3 with variances 1, 2, 96
  CHECK(std::abs(mean / n) < 4 * std::sqrt(1 / n));
  CHECK(std::abs(second / n - 1) < 4 * std::sqrt(2 / n));
  CHECK(std::abs(fourth / n - 3) < 4 * std::sqrt(96 / n));
}

TEST_CASE(
    "velocities: adjusted velocities have zero momentum and the exact temperature on any number of "
    "ranks") {
  const VelocityAdjustment adjustment;
  for (const UnitSystem system : {UnitSystem::lj, UnitSystem::metal}) {
    const Units& units = units_of(system);
    const auto v = velocities(1, 1.44, units, &adjustment);
    double momentum[3] = {}, mv2 = 0;
    for (Index i = 0; i < atoms; ++i) {
      const double m = i % 2 == 0 ? 1.0 : 4.0;
      for (int a = 0; a < 3; ++a) {
        const double x = v[static_cast<std::size_t>(i)][static_cast<std::size_t>(a)];
        momentum[a] += m * x;
        mv2 += m * x * x;
      }
    }
    for (const double p : momentum) CHECK(std::abs(p) < 1e-12 * std::sqrt(mv2 * atoms));
    CHECK(mv2 * units.energy_per_mv2 / (units.boltzmann * (3 * atoms - 3)) ==
          doctest::Approx(1.44).epsilon(1e-12));
    for (const int ranks : {2, 3, 5}) CHECK(velocities(ranks, 1.44, units, &adjustment) == v);
  }
}

TEST_CASE("velocities: a single atom without momentum cannot have a temperature") {
  const std::vector<double> mass{1.0};
  std::vector<Vector3> v{{1, 0, 0}};
  CHECK_THROWS_AS(adjust_velocities(Communicator::self(), 1.0, units_of(UnitSystem::lj), {}, mass,
                                    std::span<Vector3>(v)),
                  InputError);
}
