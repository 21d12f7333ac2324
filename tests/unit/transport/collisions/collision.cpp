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

// Three groups with upscattering, (n,2n) scattering within group 1, a fission spectrum for each
// incoming group, and two delayed groups.
const char* const fuel_config = R"(
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

/// The deviation of a binomial count from its mean n p, in standard deviations; if p is 0 or 1, a
/// large number unless the count is exact.
double normalized_deviation(double count, double n, double p) {
  return p > 0 && p < 1 ? (count - n * p) / sqrt(n * p * (1 - p)) : (count - n * p) * 1e9;
}

}  // namespace

TEST_CASE(
    "collision: implicit capture multiplies the weight, and groups and cosines follow the "
    "scattering matrix") {
  const auto set = test::read_materials(fuel_config);
  const auto tables = test::host_tables(set);
  const MaterialView m = tables.view();
  const Material& data = set.materials[0];
  constexpr int n = 200000;
  for (std::int32_t incoming = 0; incoming < 3; ++incoming) {
    double counts[3] = {}, cosines[3] = {};
    HistoryRandom random(key, static_cast<std::uint64_t>(incoming));
    const double total = data.total[static_cast<std::size_t>(incoming)];
    const double scattering = data.scattering(incoming);
    for (int i = 0; i < n; ++i) {
      std::int32_t group = incoming;
      double weight = 1;
      Vector3 direction{0.6, 0, 0.8};
      const Vector3 initial = direction;
      CHECK(scatter_or_absorb(m, Capture::implicit, 0, group, direction, weight, random) ==
            CollisionKind::scattered);
      const double yield = incoming == 0 && group == 0 ? 1.5 : 1;
      CHECK(weight == doctest::Approx(yield * scattering / total).epsilon(1e-15));
      counts[group] += 1;
      cosines[group] += dot(direction, initial);
    }
    for (Index outgoing = 0; outgoing < 3; ++outgoing) {
      const double cross_section = data.moment(0, incoming, outgoing);
      CHECK(std::abs(normalized_deviation(counts[outgoing], n, cross_section / scattering)) < 4);
      if (cross_section > 0)
        CHECK(std::abs(cosines[outgoing] - counts[outgoing] * data.moment(1, incoming, outgoing) /
                                               cross_section) < 4 * sqrt(counts[outgoing] / 3));
    }
  }
}

TEST_CASE(
    "collision: outgoing groups have the probabilities of the scattering matrix, for any number of "
    "groups") {
  for (const int groups : {2, 16, 17, 40}) {
    std::string row, zeros, other_rows, absorption;
    for (int g = 0; g < groups; ++g) {
      row += fmt::format("{}{:.1f}", g > 0 ? ", " : "", 1.0 + (7 * g) % 5);
      zeros += g > 0 ? ", 0.0" : "0.0";
      absorption += g > 0 ? ", 1.0" : "1.0";
    }
    for (int g = 1; g < groups; ++g) other_rows += ", [" + zeros + "]";
    const auto set =
        test::read_materials("[[material]]\nname = \"m\"\nabsorption = [" + absorption +
                             "]\nscatter = [[" + row + "]" + other_rows + "]\n");
    const auto tables = test::host_tables(set);
    constexpr int n = 200000;
    std::vector<double> counts(static_cast<std::size_t>(groups), 0.0);
    HistoryRandom random(key, static_cast<std::uint64_t>(40 + groups));
    for (int i = 0; i < n; ++i) {
      Vector3 direction{0, 0, 1};
      const auto& data = group_data(tables.view(), 0, 0);
      counts[static_cast<std::size_t>(scatter(tables.view(), data, direction, random).group)] += 1;
    }
    const Material& m = set.materials[0];
    double sum = 0;
    for (Index g = 0; g < groups; ++g) {
      const double p = m.moment(0, 0, g) / m.scattering(0);
      const double deviation = normalized_deviation(counts[static_cast<std::size_t>(g)], n, p);
      CHECK(std::abs(deviation) < 4.5);
      sum += deviation * deviation * (1 - p);
    }
    // Pearson's chi-square has the mean groups - 1 and the variance 2 (groups - 1).
    CHECK(std::abs(sum - (groups - 1)) < 4 * sqrt(2.0 * (groups - 1)));
  }
}

TEST_CASE("collision: analog capture absorbs particles with the probability of absorption") {
  const auto set = test::read_materials(fuel_config);
  const auto tables = test::host_tables(set);
  const MaterialView m = tables.view();
  constexpr int n = 100000;
  HistoryRandom random(key, 10);
  int survived = 0;
  for (int i = 0; i < n; ++i) {
    std::int32_t group = 1;
    double weight = 1;
    Vector3 direction{0, 0, 1};
    if (scatter_or_absorb(m, Capture::analog, 0, group, direction, weight, random) ==
        CollisionKind::scattered)
      ++survived;
    CHECK(weight == 1);
  }
  CHECK(std::abs(normalized_deviation(survived, n, 0.7 / 0.9)) < 4);
}

TEST_CASE("collision: every collision in a pure absorber is an absorption") {
  const auto set = test::read_materials("[[material]]\nname = \"black\"\ntotal = [1.0, 2.0]\n");
  const auto tables = test::host_tables(set);
  HistoryRandom random(key, 11);
  std::int32_t group = 1;
  double weight = 1;
  Vector3 direction{0, 0, 1};
  CHECK(scatter_or_absorb(tables.view(), Capture::implicit, 0, group, direction, weight, random) ==
        CollisionKind::absorbed);
  CHECK(scatter_or_absorb(tables.view(), Capture::analog, 0, group, direction, weight, random) ==
        CollisionKind::absorbed);
  CHECK(set.materials[0].absorption == std::vector<double>{1.0, 2.0});
}

TEST_CASE("collision: fission neutrons have the spectra, delayed groups and delays of the data") {
  const auto set = test::read_materials(fuel_config);
  const auto tables = test::host_tables(set);
  const MaterialView m = tables.view();
  constexpr int n = 300000;
  HistoryRandom random(key, 12);
  double prompt[3] = {}, delayed[2][3] = {}, delay[2] = {}, counts[2] = {};
  for (int i = 0; i < n; ++i) {
    const FissionNeutron neutron = sample_fission_neutron(m, 0, 2, random);
    if (neutron.delayed_group < 0) {
      prompt[neutron.group] += 1;
      CHECK(neutron.delay == 0);
    } else {
      delayed[neutron.delayed_group][neutron.group] += 1;
      delay[neutron.delayed_group] += neutron.delay;
      counts[neutron.delayed_group] += 1;
    }
  }
  // The prompt fraction is 1 - 0.1 - 0.3 = 0.6.
  const double chi[] = {0.6, 0.3, 0.1}, chi_delayed_2[] = {0, 0.5, 0.5};
  for (int g = 0; g < 3; ++g) {
    CHECK(std::abs(normalized_deviation(prompt[g], n, 0.6 * chi[g])) < 4);
    CHECK(std::abs(normalized_deviation(delayed[1][g], n, 0.3 * chi_delayed_2[g])) < 4);
  }
  CHECK(std::abs(normalized_deviation(delayed[0][1], n, 0.1)) < 4);
  CHECK(std::abs(delay[0] / counts[0] - 100) < 4 * 100 / sqrt(counts[0]));
  CHECK(std::abs(delay[1] / counts[1] - 0.5) < 4 * 0.5 / sqrt(counts[1]));
}

TEST_CASE("collision: the sampled number of fission neutrons has the right mean") {
  HistoryRandom random(key, 13);
  constexpr int n = 100000;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += sample_count(1.37, random);
  CHECK(std::abs(normalized_deviation(sum - n, n, 0.37)) < 4);
}

TEST_CASE("collision: the multiplication of an infinite medium is the published k") {
  // Histories with implicit capture in the material URR_3 of Sood et al. (2003): the mean number of
  // fission neutrons per source neutron is k (1.6) if source neutrons have the fission spectrum.
  auto config = ConfigFile::load(GSIM_SOURCE_DIR "/validation/transport/data/sood_3_groups.toml");
  MaterialSet set;
  config.read([&](Section& top) { describe_materials(top, set); });
  const auto tables = test::host_tables(set);
  const MaterialView m = tables.view();
  constexpr int n = 50000;
  double sum = 0, sum_of_squares = 0;
  for (std::uint64_t history = 0; history < n; ++history) {
    HistoryRandom random(key, history);
    std::int32_t group = sample_fission_neutron(m, 0, 0, random).group;
    double weight = 1, fission_neutrons = 0;
    Vector3 direction{0, 0, 1};
    while (weight > 1e-4) {
      const GroupData& data = group_data(m, 0, group);
      fission_neutrons += weight * data.nu_fission / data.total;
      scatter_or_absorb(m, Capture::implicit, 0, group, direction, weight, random);
    }
    sum += fission_neutrons;
    sum_of_squares += fission_neutrons * fission_neutrons;
  }
  const double mean = sum / n, error = sqrt((sum_of_squares / n - mean * mean) / n);
  CHECK(std::abs(mean - 1.6) < 4 * error + 2e-4);
  CHECK(error < 0.003);
}
