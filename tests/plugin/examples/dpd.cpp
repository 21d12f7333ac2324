// Tests dissipative particle dynamics: forces of all pairs, energy conservation without friction,
// exact balance of forces, and the same bits on any number of ranks.

#include <cmath>
#include <cstring>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "dpd_module.hpp"
#include "gsim/core/error.hpp"
#include "support/module_runs.hpp"

using namespace gsim;
using namespace gsim::test;
using dpd::DpdModule;

namespace {

std::string config(const std::string& keys, const std::string& thermo = "every = 1\n") {
  return "[dpd]\nparticles = 192\nlength = 4.0\n" + keys + "[thermo]\n" + thermo;
}

template <class T>
std::vector<T> column(const Outcome& o, const std::string& path) {
  const auto& d = o.state.datasets.at(path);
  std::vector<T> values(d.bytes.size() / sizeof(T));
  std::memcpy(values.data(), d.bytes.data(), d.bytes.size());
  return values;
}

/// Total energy in each row, without the kinetic energy of the centre of mass.
std::vector<double> energies(const Outcome& o, double particles) {
  const auto temperature = o.numbers("thermo/temperature");
  const auto potential = o.numbers("thermo/potential_energy");
  std::vector<double> sums;
  for (std::size_t i = 0; i < temperature.size(); ++i)
    sums.push_back(1.5 * (particles - 1) * temperature[i] + particles * potential[i]);
  return sums;
}

}  // namespace

TEST_CASE("dpd: conservative forces equal the sum over all pairs") {
  const Outcome o = run<DpdModule>(
      config("repulsion = 25.0\nfriction = 0.0\ntime_step = 0.01\nsteps = 5\n"), 3, 0, 5, 5);
  const auto x = column<std::uint64_t>(o, "particles/position");
  const auto force = column<std::int64_t>(o, "particles/force");
  REQUIRE(force.size() == 3 * 192);
  // forces are integers in units of 2^-40 times the repulsion, rounded up to a power of two (32)
  const double quantum = 0x1p5 * 0x1p-40;
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < 192; ++i) {
    double sum[3] = {};
    for (std::size_t j = 0; j < 192; ++j) {
      double d[3], r2 = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        d[a] = 4 * 0x1p-64 *
               static_cast<double>(static_cast<std::int64_t>(x[3 * i + a] - x[3 * j + a]));
        r2 += d[a] * d[a];
      }
      if (i == j || r2 >= 1) continue;
      const double r = std::sqrt(r2);
      for (std::size_t a = 0; a < 3; ++a) sum[a] += 25 * (1 - r) * d[a] / r;
    }
    for (std::size_t a = 0; a < 3; ++a) {
      worst = std::max(worst, std::abs(static_cast<double>(force[3 * i + a]) * quantum - sum[a]));
      largest = std::max(largest, std::abs(sum[a]));
    }
  }
  CHECK(largest > 5);
  CHECK(worst < 1e-9);
}

TEST_CASE("dpd: without friction the energy error is of second order in the time step") {
  double drift[2];
  for (int fine = 0; fine < 2; ++fine) {
    const Index steps = fine == 0 ? 30 : 60;
    const Outcome o =
        run<DpdModule>(config(fmt::format("friction = 0.0\ntime_step = {}\nsteps = {}\n",
                                          fine == 0 ? 0.01 : 0.005, steps)),
                       1, 0, steps, steps);
    const auto energy = energies(o, 192);
    drift[fine] = 0;
    for (const double e : energy) drift[fine] = std::max(drift[fine], std::abs(e - energy[0]));
  }
  CHECK(drift[0] < 0.01 * 1.5 * 192);  // 1 % of the kinetic energy
  const double order = std::log2(drift[0] / drift[1]);
  CHECK(order > 1.6);
  CHECK(order < 2.4);
}

TEST_CASE("dpd: all forces, with friction and noise, add up to exactly zero") {
  const Outcome o = run<DpdModule>(config("steps = 30\n"), 4, 0, 30, 30);
  const auto force = column<std::int64_t>(o, "particles/force");
  std::int64_t sum[3] = {};
  for (std::size_t k = 0; k < force.size(); ++k) sum[k % 3] += force[k];
  for (const std::int64_t s : sum) CHECK(s == 0);
  CHECK(o.numbers("thermo/momentum").back() < 1e-12);
  CHECK(o.numbers("thermo/temperature").back() > 0.5);
}

TEST_CASE("dpd: the same bits on any number of ranks, run in slices or resumed") {
  const std::string text = config("steps = 45\n", "every = 4\nfrom = 8\n");
  const Outcome whole = run<DpdModule>(text, 1, 0, 45, 45);
  for (const int ranks : {2, 3, 4})
    check_outcome_is_reproduced<DpdModule>(text, whole, ranks, 45, 7, 21);
}

TEST_CASE("dpd: invalid parameters are errors") {
  CHECK_THROWS_WITH_AS(run<DpdModule>(config("steps = 1\nfriction = 100.0\n"), 1, 0, 1, 1),
                       doctest::Contains("use a time step of at most 0.01"), ConfigError);
  CHECK_THROWS_WITH_AS(
      run<DpdModule>("[dpd]\nparticles = 10\nlength = 1.9\nsteps = 1\n", 1, 0, 1, 1),
      doctest::Contains("at least 2"), ConfigError);
}
