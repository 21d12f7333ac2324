#include "kernels/transport/collisions/scattering.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/transport/history_random.hpp"
#include "src/modules/transport/materials/alias_table.hpp"
#include "src/modules/transport/materials/angle_laws.hpp"
#include "src/modules/transport/materials/discrete_angles.hpp"
#include "src/modules/transport/materials/legendre.hpp"
#include "tests/unit/transport/materials/materials_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;
using namespace gsim::transport_kernels;

namespace {

const PhiloxKey key = stream_key({11, Purpose::transport_history});

/// The deviation of chi-square from its mean, the degrees of freedom, in standard deviations.
double chi_square_deviation(const std::vector<double>& expected,
                            const std::vector<double>& counts) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
  const auto degrees_of_freedom = static_cast<double>(counts.size() - 1);
  return (sum - degrees_of_freedom) / sqrt(2 * degrees_of_freedom);
}

/// Integral of the density over [low, high]: (P_{l+1} - P_{l-1}) / (2 l + 1) is a primitive of P_l.
double integral(const std::vector<double>& f, double low, double high) {
  const auto primitive = [&](double x) {
    std::vector<double> p{1, x};
    for (std::size_t l = 1; l < f.size() + 1; ++l) {
      const auto n = static_cast<double>(l);
      p.push_back(((2 * n + 1) * x * p[l] - n * p[l - 1]) / (n + 1));
    }
    double sum = f[0] * x / 2;
    for (std::size_t l = 1; l < f.size(); ++l) sum += f[l] / 2 * (p[l + 1] - p[l - 1]);
    return sum;
  };
  return primitive(high) - primitive(low);
}

/// The distribution of the scattering cosine that is chosen for the Legendre moments `f`, and its
/// tables.
struct SampledDistribution {
  std::optional<AngularDistribution> chosen;
  AngleTables tables;
  std::string problem;

  explicit SampledDistribution(const std::vector<double>& f,
                               NegativeScattering negative = NegativeScattering::refuse) {
    chosen = make_angular_distribution(f, negative, tables, problem);
  }
  MaterialView view() const {
    MaterialView m;
    m.angles = {tables.laws.data(), static_cast<Index>(tables.laws.size())};
    m.angle_slots = {tables.slots.data(), static_cast<Index>(tables.slots.size())};
    m.coefficients = {tables.coefficients.data(), static_cast<Index>(tables.coefficients.size())};
    return m;
  }
  double sample(HistoryRandom& random) const {
    return chosen->index < 0 ? linear_cosine(chosen->slope, random.uniform())
                             : sample_angle(view(), chosen->index, random);
  }
};

/// Moments of (1 + x)^p (p + 1) / 2^(p + 1), a positive polynomial: f_l = product of
/// (p - k + 1) / (p + k + 1), k = 1 … l.
std::vector<double> forward_peaked_moments(int p) {
  std::vector<double> f{1};
  for (int l = 1; l <= p; ++l) f.push_back(f.back() * (p - l + 1) / (p + l + 1));
  return f;
}

}  // namespace

TEST_CASE("scattering: alias tables give each outcome its exact probability") {
  const std::vector<double> weights{0.5, 0.0, 3.0, 1.0, 0.25, 0.25};
  const auto slots = make_alias_table(weights);
  std::vector<double> probability(weights.size(), 0.0);
  for (const AliasSlot& slot : slots) {
    probability[static_cast<std::size_t>(slot.value)] += slot.threshold / 6;
    probability[static_cast<std::size_t>(slot.alias)] += (1 - slot.threshold) / 6;
  }
  for (std::size_t i = 0; i < weights.size(); ++i)
    CHECK(probability[i] == doctest::Approx(weights[i] / 5).epsilon(1e-14));
  for (const double u : {0x1p-53, 0.3, 0.5, 1 - 0x1p-53})
    CHECK(sample_alias(slots.data(), 6, u) != 1);
}

TEST_CASE(
    "scattering: the distribution function of a linear density is inverted exactly for every "
    "slope") {
  for (const double a : {-1.0, -0.3, -1e-9, 0.0, 1e-12, 0.5, 1.0})
    for (const double u : {0x1p-53, 1e-9, 0.1, 0.5, 0.77, 1 - 0x1p-53}) {
      const double mu = linear_cosine(a, u);
      CHECK(mu >= -1);
      CHECK(mu <= 1);
      CHECK(std::abs((mu + 1) / 2 + a * (mu * mu - 1) / 4 - u) < 3e-16);
    }
}

TEST_CASE("scattering: sampled cosines follow their Legendre expansion") {
  constexpr int n = 200000, bins = 40;
  // Positive expansions of orders 1, 2, 3, 7 and 5; that of order 7 has a sevenfold root at -1.
  const std::vector<std::vector<double>> expansions = {{1, 0.2},
                                                       {1, 0.3, 0.1},
                                                       forward_peaked_moments(3),
                                                       forward_peaked_moments(7),
                                                       {1, 0.1, 0.05, -0.02, 0.01, 0.03}};
  std::uint64_t history = 0;
  for (const auto& f : expansions) {
    const SampledDistribution law(f);
    REQUIRE(law.chosen);
    HistoryRandom random(key, history++);
    std::vector<double> counts(bins, 0.0), expected;
    std::vector<double> moments(f.size() + 2, 0.0);
    for (int i = 0; i < n; ++i) {
      const double mu = law.sample(random);
      counts[static_cast<std::size_t>(std::min((mu + 1) / 2 * bins, bins - 1.0))] += 1;
      double previous = 0, current = 1;
      for (std::size_t l = 0; l < moments.size(); ++l) {
        moments[l] += current / n;
        const auto k = static_cast<double>(l);
        const double next = ((2 * k + 1) * mu * current - k * previous) / (k + 1);
        previous = current;
        current = next;
      }
    }
    double merged_expected = 0, merged_count = 0;
    std::vector<double> expected_counts, observed_counts;
    for (int b = 0; b < bins; ++b) {
      merged_expected += n * integral(f, -1 + 2.0 * b / bins, -1 + 2.0 * (b + 1) / bins);
      merged_count += counts[static_cast<std::size_t>(b)];
      if (merged_expected < 20) continue;
      expected_counts.push_back(merged_expected);
      observed_counts.push_back(merged_count);
      merged_expected = merged_count = 0;
    }
    CHECK(std::abs(chi_square_deviation(expected_counts, observed_counts)) < 4);
    // |P_l| <= 1: its standard deviation is at most 1.
    for (std::size_t l = 0; l < moments.size(); ++l)
      CHECK(std::abs(moments[l] - (l < f.size() ? f[l] : 0)) < 4 / sqrt(n));
  }
}

TEST_CASE("scattering: the rejection bounds hold everywhere, and few samples are rejected") {
  for (const auto& f :
       {forward_peaked_moments(2), forward_peaked_moments(3), forward_peaked_moments(5),
        forward_peaked_moments(9), forward_peaked_moments(20)}) {
    const SampledDistribution law(f);
    REQUIRE(law.chosen);
    REQUIRE(law.chosen->index == 0);
    const AngleLaw& a = law.tables.laws[0];
    double area = 0;
    for (int slot = 0; slot < a.slots; ++slot) {
      const double bound = law.tables.slots[static_cast<std::size_t>(slot)].value;
      area += bound * 2 / a.slots;
      for (int i = 0; i <= 100; ++i) {
        const double mu = -1 + 2 * (slot + i / 100.0) / a.slots;
        const double density = chebyshev_sum(law.tables.coefficients.data(), a.order, mu);
        CHECK(density <= bound);
        CHECK(std::abs(density - legendre_density(f, mu)) < 1e-13 * (1 + bound));
      }
    }
    CHECK(area < 1 / 0.75);
  }
}

TEST_CASE("scattering: negative values of a truncated expansion are detected") {
  const Minimum p1 = smallest_density(std::vector<double>{1, 0.4});
  CHECK(p1.mu == doctest::Approx(-1));
  CHECK(p1.density == doctest::Approx(-0.1));
  // 1/2 + 5/2 f2 (3 x^2 - 1) / 2 is smallest at 0.
  const Minimum p2 = smallest_density(std::vector<double>{1, 0, 0.4});
  CHECK(std::abs(p2.mu) < 1e-6);
  CHECK(p2.density == doctest::Approx(0));
  CHECK(SampledDistribution({1, 0, 0.4}).chosen);
  CHECK(SampledDistribution({1, 1.0 / 3}).chosen);
  const SampledDistribution slightly_negative({1, 0, 0.4000001});
  CHECK(!slightly_negative.chosen);
  CHECK(test::contains(slightly_negative.problem, "negative at cosine"));
}

TEST_CASE("scattering: discrete cosines preserve the Legendre moments") {
  // Materials of Sood's benchmarks whose densities are negative (for the third one, only the mean
  // cosine can be kept), and expansions of orders 2 and 3.
  const std::vector<std::vector<double>> cases = {{1, 0.333333 / 0.733333},
                                                  {1, -0.27850447 / 0.464338},
                                                  {1, 0.21216 / 0.248064},
                                                  {1, 0.83318 / 2.44383},
                                                  {1, 0.7, 0.3},
                                                  {1, 0.9, 0.75, 0.6}};
  for (const auto& f : cases) {
    const auto angles = discrete_angles(f);
    REQUIRE(angles);
    CHECK(angles->moments >= static_cast<int>(f.size()) - 1);
    for (int l = 0; l <= angles->moments; ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < angles->cosines.size(); ++i) {
        CHECK(std::abs(angles->cosines[i]) <= 1);
        CHECK(angles->weights[i] > 0);
        std::vector<double> unit(static_cast<std::size_t>(l) + 1, 0.0);
        unit.back() = 1;
        sum += angles->weights[i] * legendre_density(unit, angles->cosines[i]) / (l + 0.5);
      }
      const double expected =
          static_cast<std::size_t>(l) < f.size() ? f[static_cast<std::size_t>(l)] : 0;
      CHECK(std::abs(sum - expected) < 1e-10);
    }
  }
  CHECK(discrete_angles(std::vector<double>{1, 0.5})->moments == 2);
  CHECK(!discrete_angles(std::vector<double>{1, 1.01}));
  CHECK(!discrete_angles(std::vector<double>{1, 0.9, 0.1}));  // f_2 is below P_2(0.9) = 0.715
}

TEST_CASE("scattering: discrete cosines are sampled with their weights") {
  const std::vector<double> f{1, 0.5};
  const SampledDistribution law(f, NegativeScattering::discrete);
  REQUIRE(law.chosen);
  HistoryRandom random(key, 77);
  constexpr int n = 100000;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += law.sample(random);
  CHECK(std::abs(sum / n - 0.5) < 4 / sqrt(n));
  CHECK(!SampledDistribution({1, 0.9, 0.1}, NegativeScattering::discrete).chosen);
}

TEST_CASE("scattering: rotated directions are unit vectors at the scattering angle") {
  HistoryRandom random(key, 5);
  std::vector<Vector3> directions{{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, -1, 0}};
  for (int i = 0; i < 200; ++i) directions.push_back(isotropic_direction(random));
  for (Vector3 d : directions) {
    const double mu = fma(2.0, random.uniform(), -1.0);
    const Vector3 rotated = turned(d, mu, random.uniform());
    CHECK(std::abs(dot(rotated, rotated) - 1) < 1e-15);
    CHECK(std::abs(dot(rotated, d) - mu) < 1e-15);
  }
  Vector3 d{0, 0, 1};
  for (int i = 0; i < 20000; ++i) d = turned(d, 0.999, random.uniform());
  CHECK(std::abs(dot(d, d) - 1) < 1e-15);
}

TEST_CASE("scattering: sampled directions are isotropic, and azimuths uniform") {
  constexpr int n = 100000;
  HistoryRandom random(key, 6);
  double first[3] = {}, second[3] = {};
  const Vector3 axis = unit(Vector3{0.3, -0.5, -0.2});
  double along_axis = 0, perpendicular[3] = {};
  for (int i = 0; i < n; ++i) {
    const Vector3 d = isotropic_direction(random);
    const double c[3] = {d.x, d.y, d.z};
    for (int a = 0; a < 3; ++a) {
      first[a] += c[a];
      second[a] += c[a] * c[a];
    }
    const Vector3 t = turned(axis, 0.4, random.uniform());
    along_axis += dot(t, axis);
    const double s[3] = {t.x - 0.4 * axis.x, t.y - 0.4 * axis.y, t.z - 0.4 * axis.z};
    for (int a = 0; a < 3; ++a) perpendicular[a] += s[a];
  }
  for (int a = 0; a < 3; ++a) {
    CHECK(std::abs(first[a] / sqrt(n / 3.0)) < 4);
    CHECK(std::abs((second[a] - n / 3.0) / sqrt(n * 4 / 45.0)) < 4);
    CHECK(std::abs(perpendicular[a] / sqrt(n / 2.0)) < 4);  // variance at most (1 - 0.16) / 2
  }
  CHECK(along_axis / n == doctest::Approx(0.4).epsilon(1e-12));
}
