// Errors of means over correlated batches.

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/transport/tallies/statistics/batch_statistics.hpp"
#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

/// Nearly normal numbers of variance 1: the sum of twelve uniform numbers.
double nearly_normal(TestRandom& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

/// An autoregressive series x' = rho x + noise with stationary variance 1.
std::vector<double> resembling(std::size_t n, double rho, TestRandom& random) {
  std::vector<double> series{nearly_normal(random)};
  while (series.size() < n)
    series.push_back(rho * series.back() + std::sqrt(1 - rho * rho) * nearly_normal(random));
  return series;
}

BatchStatistics statistics_of(const std::vector<double>& series, bool correlated) {
  BatchStatistics s(1, static_cast<Index>(series.size()), correlated);
  for (const double x : series) s.add(std::vector<double>{x});
  return s;
}

/// The same statistics from the complete series.
double block_error(const std::vector<double>& x, std::size_t length) {
  std::vector<double> sums;
  double mean = 0;
  for (std::size_t i = 0; i + length <= x.size(); i += length) {
    double sum = 0;
    for (std::size_t j = i; j < i + length; ++j) sum += x[j];
    sums.push_back(sum);
    mean += sum;
  }
  const auto n = static_cast<double>(sums.size());
  mean /= n;
  double deviations = 0;
  for (const double s : sums) deviations += (s - mean) * (s - mean);
  return std::sqrt(deviations / (n - 1) /
                   (static_cast<double>(length) * static_cast<double>(x.size())));
}

}  // namespace

TEST_CASE("tallies statistics: blocks agree with those of a list of all batches") {
  TestRandom random(1);
  for (const std::size_t n : {2, 3, 19, 20, 39, 40, 41, 79, 80, 83, 159, 160, 333, 1000}) {
    CAPTURE(n);
    const std::vector<double> x = resembling(n, 0.7, random);
    const BatchStatistics s = statistics_of(x, true);
    double sum = 0;
    for (const double v : x) sum += v;
    CHECK(s.moments(0).mean == doctest::Approx(sum / static_cast<double>(n)).epsilon(1e-14));
    CHECK(
        s.moments(0).standard_error ==
        doctest::Approx(block_error(x, static_cast<std::size_t>(s.block_length()))).epsilon(1e-12));
    if (n >= 20) CHECK(s.blocks() >= 20);
    if (n >= 20) CHECK(s.blocks() <= 39);
    CHECK(s.degrees_of_freedom() == s.blocks() - 1);
    const BatchStatistics plain = statistics_of(x, false);
    CHECK(plain.block_length() == 1);
    CHECK(plain.moments(0).standard_error == doctest::Approx(block_error(x, 1)).epsilon(1e-12));
  }
}

TEST_CASE("tallies statistics: the error of a correlated series") {
  // The mean of n values has the variance (1 + rho) / (1 - rho) / n. Series of 640 values are
  // divided into blocks of 32, whose estimate of this variance is low by 2 rho / (1 - rho^2) / 32 =
  // 5.9 %; it is averaged over 300 series.
  constexpr double rho = 0.6, n = 640;
  const double truth = (1 + rho) / (1 - rho) / n;
  TestRandom random(2);
  double found = 0, naive = 0, scatter = 0, squares = 0;
  constexpr int trials = 300;
  for (int i = 0; i < trials; ++i) {
    const std::vector<double> x = resembling(640, rho, random);
    const BatchMoments m = statistics_of(x, true).moments(0);
    const double variance = m.standard_error * m.standard_error;
    found += variance / trials;
    squares += variance * variance / trials;
    scatter += m.mean * m.mean / trials;
    const double plain = statistics_of(x, false).moments(0).standard_error;
    naive += plain * plain / trials;
  }
  const double error = std::sqrt((squares - found * found) / trials);
  const double bias = truth * 2 * rho / (1 - rho * rho) / 32;
  CHECK(std::abs(found - (truth - bias)) < 3.5 * error);
  CHECK(std::abs(scatter - truth) < 3.5 * truth * std::sqrt(2.0 / trials));
  CHECK(naive < 0.3 * truth);  // four times too small without blocks
}

TEST_CASE("tallies statistics: few batches, equal batches, and more batches than planned") {
  CHECK(std::isinf(statistics_of({1}, true).moments(0).standard_error));
  CHECK(statistics_of(std::vector<double>(100, 0.1), true).moments(0).standard_error == 0);
  BatchStatistics s(1, 40, true);
  TestRandom random(3);
  for (int i = 0; i < 200; ++i) s.add(std::vector<double>{random.uniform()});
  CHECK(s.block_length() == 8);
  CHECK(s.blocks() == 25);
  CHECK(s.most_batches() == 639);
  for (int i = 200; i < 2000; ++i) s.add(std::vector<double>{random.uniform()});
  CHECK(s.block_length() == 16);
  CHECK(s.blocks() == 125);
  CHECK(s.moments(0).standard_error == doctest::Approx(std::sqrt(1.0 / 12 / 2000)).epsilon(0.3));
}

TEST_CASE("tallies statistics: they are restored from their records") {
  TestRandom random(4);
  const std::vector<double> x = resembling(200, 0.5, random);
  BatchStatistics whole(1, 200, true), first(1, 200, true), second(1, 200, true);
  for (std::size_t i = 0; i < x.size(); ++i) {
    whole.add(std::vector<double>{x[i]});
    (i < 77 ? first : second).add(std::vector<double>{x[i]});
    if (i == 76)
      second.restore({first.records().begin(), first.records().end()}, first.columns(), 77);
  }
  CHECK(second.batches() == 200);
  CHECK(second.moments(0).mean == whole.moments(0).mean);
  CHECK(second.moments(0).standard_error == whole.moments(0).standard_error);
}

TEST_CASE("tallies statistics: spread and contributing histories agree with a list of batches") {
  TestRandom random(6);
  for (const bool is_rare : {false, true}) {
    std::vector<double> x;
    for (int i = 0; i < 50; ++i)
      x.push_back(is_rare ? (random.uniform() < 0.1 ? 3.0 : 0.0) : 1e3 + random.uniform());
    const BatchStatistics s = statistics_of(x, false);
    const SampleMoments got = s.spread(0), expected = moments_of(x);
    CHECK(got.count == 50);
    CHECK(got.nonzero == expected.nonzero);
    CHECK(got.second == doctest::Approx(expected.second).epsilon(1e-10));
    CHECK(got.fourth == doctest::Approx(expected.fourth).epsilon(1e-10));
    const double few = contributing_samples(expected);
    CHECK(std::isinf(few) == !is_rare);
    if (is_rare) CHECK(s.contributing(0) == doctest::Approx(few).epsilon(1e-9));
    if (!is_rare) CHECK(std::isinf(s.contributing(0)));
    CHECK(s.widened_moments(0).standard_error ==
          s.moments(0).standard_error * error_widening(s.contributing(0)));
    CHECK((s.contributing(0) < fewest_contributing) == is_rare);
  }
  CHECK(std::isinf(statistics_of(std::vector<double>(100, 0.1), true).contributing(0)));
  // Correlated batches: one burst does not count as independent batches.
  std::vector<double> burst(80, 0.0);
  for (std::size_t i = 0; i < 8; ++i) burst[32 + i] = 1;
  CHECK(statistics_of(burst, true).contributing(0) < 5);
  CHECK(statistics_of(burst, false).contributing(0) == doctest::Approx(8).epsilon(0.1));
}

TEST_CASE("tallies statistics: a run that is extended has the statistics of a long run") {
  TestRandom random(6);
  const std::vector<double> x = resembling(319, 0.5, random);
  BatchStatistics whole(1, 319, true), first(1, 33, true), longer(1, 319, true);
  CHECK(first.most_batches() == 319);
  for (std::size_t i = 0; i < x.size(); ++i) {
    whole.add(std::vector<double>{x[i]});
    (i < 33 ? first : longer).add(std::vector<double>{x[i]});
    if (i == 32)
      longer.restore({first.records().begin(), first.records().end()}, first.columns(), 33);
    if (i < 32) continue;
    CHECK(longer.moments(0).standard_error == whole.moments(0).standard_error);
    CHECK(longer.growth(0) == whole.growth(0));
  }
}

TEST_CASE("tallies statistics: blocks that are too short are detected") {
  TestRandom random(5);
  const auto mean_growth = [&](std::size_t n, double rho) {
    double sum = 0;
    for (int i = 0; i < 400; ++i)
      sum += statistics_of(resembling(n, rho, random), true).growth(0) / 400;
    return sum;
  };
  // Independent values: 1, up to the scatter of 400 series with 9 to 38 degrees of freedom.
  CHECK(mean_growth(60, 0.0) == doctest::Approx(1).epsilon(0.06));
  CHECK(mean_growth(640, 0.0) == doctest::Approx(1).epsilon(0.06));
  // 60 values, correlated over 20, are in blocks of 2; longer blocks nearly double the variance.
  CHECK(mean_growth(60, 0.95) > 1.7);
  // Blocks of 32 are long compared with the correlation time of 4 values.
  CHECK(mean_growth(640, 0.6) == doctest::Approx(1.06).epsilon(0.06));
  CHECK(statistics_of(resembling(9, 0.5, random), true).growth(0) == 0);
  CHECK(statistics_of(resembling(640, 0.5, random), false).growth(0) == 0);
}
