#include "kernels/transport/collisions/collision.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/transport/history_random.hpp"
#include "tests/unit/transport/materials/materials_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;
using namespace gsim::transport_kernels;

namespace {

const PhiloxKey key = stream_key({23, Purpose::transport_history});

// Three groups, upscattering, (n,2n) from group 1, a spectrum by incoming group, two delayed
// groups.
const char* const fuel = R"(
[[material]]
name = "fuel"
capture = [0.1, 0.2, 0.3]
fission = [0.05, 0.0, 0.4]
nu = [2.8, 0.0, 2.4]
chi_matrix = [[0.9, 0.1, 0.0], [0.0, 0.0, 0.0], [0.6, 0.3, 0.1]]
scatter = [[0.3, 0.2, 0.1], [0.0, 0.5, 0.2], [0.0, 0.05, 0.6]]
scatter_l1 = [[0.1, 0.0, -0.03], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]]
multiplicity = [[1.5, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
beta = [0.1, 0.3]
decay_constants = [0.01, 2.0]
chi_delayed = [[0.0, 1.0, 0.0], [0.0, 0.5, 0.5]]
)";

/// (count - n p) / its standard deviation.
double z(double count, double n, double p) {
  return p > 0 && p < 1 ? (count - n * p) / sqrt(n * p * (1 - p)) : (count - n * p) * 1e9;
}

}  // namespace

TEST_CASE("collision: implicit capture keeps the scattered weight, in the right groups") {
  const auto set = test::read_materials(fuel);
  const auto tables = test::host_tables(set);
  const MaterialView m = tables.view();
  const Material& data = set.materials[0];
  constexpr int n = 200000;
  for (std::int32_t from = 0; from < 3; ++from) {
    double counts[3] = {}, cosines[3] = {};
    HistoryRandom random(key, static_cast<std::uint64_t>(from));
    const double total = data.total[static_cast<std::size_t>(from)];
    const double scattered = data.scattering(from);
    for (int i = 0; i < n; ++i) {
      std::int32_t group = from;
      double weight = 1;
      Vector3 d{0.6, 0, 0.8};
      const Vector3 before = d;
      CHECK(collide_implicit(m, 0, group, d, weight, random) == CollisionKind::scattered);
      const double yield = from == 0 && group == 0 ? 1.5 : 1;
      CHECK(weight == doctest::Approx(yield * scattered / total).epsilon(1e-15));
      counts[group] += 1;
      cosines[group] += dot(d, before);
    }
    for (Index to = 0; to < 3; ++to) {
      const double whole = data.moment(0, from, to);
      CHECK(std::abs(z(counts[to], n, whole / scattered)) < 4);
      if (whole > 0)
        CHECK(std::abs(cosines[to] - counts[to] * data.moment(1, from, to) / whole) <
              4 * sqrt(counts[to] / 3));
    }
  }
}

TEST_CASE("collision: rows of any length are sampled by their probabilities") {
  for (const int groups : {2, 16, 17, 40}) {
    std::string row, zeros, rest, absorption;
    for (int g = 0; g < groups; ++g) {
      row += fmt::format("{}{:.1f}", g > 0 ? ", " : "", 1.0 + (7 * g) % 5);
      zeros += g > 0 ? ", 0.0" : "0.0";
      absorption += g > 0 ? ", 1.0" : "1.0";
    }
    for (int g = 1; g < groups; ++g) rest += ", [" + zeros + "]";
    const auto set =
        test::read_materials("[[material]]\nname = \"m\"\nabsorption = [" + absorption +
                             "]\nscatter = [[" + row + "]" + rest + "]\n");
    const auto tables = test::host_tables(set);
    constexpr int n = 200000;
    std::vector<double> counts(static_cast<std::size_t>(groups), 0.0);
    HistoryRandom random(key, static_cast<std::uint64_t>(40 + groups));
    for (int i = 0; i < n; ++i) {
      Vector3 d{0, 0, 1};
      const auto& data = group_data(tables.view(), 0, 0);
      counts[static_cast<std::size_t>(scatter(tables.view(), data, d, random).group)] += 1;
    }
    const Material& m = set.materials[0];
    double sum = 0;
    for (Index g = 0; g < groups; ++g) {
      const double p = m.moment(0, 0, g) / m.scattering(0);
      const double deviation = z(counts[static_cast<std::size_t>(g)], n, p);
      CHECK(std::abs(deviation) < 4.5);
      sum += deviation * deviation * (1 - p);
    }
    CHECK(std::abs(sum - (groups - 1)) < 4 * sqrt(2.0 * (groups - 1)));
  }
}

TEST_CASE("collision: analog capture absorbs particles with the same probability") {
  const auto set = test::read_materials(fuel);
  const auto tables = test::host_tables(set);
  const MaterialView m = tables.view();
  constexpr int n = 100000;
  HistoryRandom random(key, 10);
  int survived = 0;
  for (int i = 0; i < n; ++i) {
    std::int32_t group = 1;
    double weight = 1;
    Vector3 d{0, 0, 1};
    if (collide_analog(m, 0, group, d, weight, random) == CollisionKind::scattered) ++survived;
    CHECK(weight == 1);
  }
  CHECK(std::abs(z(survived, n, 0.7 / 0.9)) < 4);
}

TEST_CASE("collision: a pure absorber ends a particle") {
  const auto set = test::read_materials("[[material]]\nname = \"black\"\ntotal = [1.0, 2.0]\n");
  const auto tables = test::host_tables(set);
  HistoryRandom random(key, 11);
  std::int32_t group = 1;
  double weight = 1;
  Vector3 d{0, 0, 1};
  CHECK(collide_implicit(tables.view(), 0, group, d, weight, random) == CollisionKind::absorbed);
  CHECK(collide_analog(tables.view(), 0, group, d, weight, random) == CollisionKind::absorbed);
  CHECK(set.materials[0].absorption == std::vector<double>{1.0, 2.0});
}

TEST_CASE("collision: fission neutrons have their spectra, delayed groups and delays") {
  const auto set = test::read_materials(fuel);
  const auto tables = test::host_tables(set);
  const MaterialView m = tables.view();
  constexpr int n = 300000;
  HistoryRandom random(key, 12);
  double prompt[3] = {}, delayed[2][3] = {}, delay[2] = {}, of_group[2] = {};
  for (int i = 0; i < n; ++i) {
    const FissionNeutron neutron = sample_fission_neutron(m, 0, 2, random);
    if (neutron.delayed_group < 0) {
      prompt[neutron.group] += 1;
      CHECK(neutron.delay == 0);
    } else {
      delayed[neutron.delayed_group][neutron.group] += 1;
      delay[neutron.delayed_group] += neutron.delay;
      of_group[neutron.delayed_group] += 1;
    }
  }
  const double chi[] = {0.6, 0.3, 0.1}, chi_2[] = {0, 0.5, 0.5};
  for (int g = 0; g < 3; ++g) {
    CHECK(std::abs(z(prompt[g], n, 0.6 * chi[g])) < 4);
    CHECK(std::abs(z(delayed[1][g], n, 0.3 * chi_2[g])) < 4);
  }
  CHECK(std::abs(z(delayed[0][1], n, 0.1)) < 4);
  CHECK(std::abs(delay[0] / of_group[0] - 100) < 4 * 100 / sqrt(of_group[0]));
  CHECK(std::abs(delay[1] / of_group[1] - 0.5) < 4 * 0.5 / sqrt(of_group[1]));
}

TEST_CASE("collision: the mean number of neutrons is unbiased") {
  HistoryRandom random(key, 13);
  constexpr int n = 100000;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += sample_count(1.37, random);
  CHECK(std::abs(z(sum - n, n, 0.37)) < 4);
}

TEST_CASE("collision: the multiplication of an infinite medium follows from its matrices") {
  // Analog histories in URR_3: the mean of fission neutrons per source neutron is k (1.6), when
  // neutrons start in the fission spectrum.
  auto config = ConfigFile::load(GSIM_SOURCE_DIR "/validation/transport/data/sood_3_groups.toml");
  MaterialSet set;
  config.read([&](Section& top) { describe_materials(top, set); });
  const auto tables = test::host_tables(set);
  const MaterialView m = tables.view();
  constexpr int n = 50000;
  double sum = 0, squares = 0;
  for (std::uint64_t history = 0; history < n; ++history) {
    HistoryRandom random(key, history);
    std::int32_t group = sample_fission_neutron(m, 0, 0, random).group;
    double weight = 1, born = 0;
    Vector3 d{0, 0, 1};
    while (weight > 1e-4) {
      const GroupData& data = group_data(m, 0, group);
      born += weight * data.nu_fission / data.total;
      collide_implicit(m, 0, group, d, weight, random);
    }
    sum += born;
    squares += born * born;
  }
  const double mean = sum / n, error = sqrt((squares / n - mean * mean) / n);
  CHECK(std::abs(mean - 1.6) < 4 * error + 2e-4);
  CHECK(error < 0.003);
}
