// Standard errors of means over correlated batches, moments of batches, and restored statistics.

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/transport/tallies/statistics/batch_statistics.hpp"
#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

/// An approximately normal number of variance 1: the sum of twelve uniform numbers minus 6.
double nearly_normal(TestRandom& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

/// An autoregressive series x' = rho x + noise with stationary variance 1.
std::vector<double> autoregressive(std::size_t n, double rho, TestRandom& random) {
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

/// The standard error of the mean from blocks of `length` values of the complete series.
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

TEST_CASE(
    "tally statistics: mean and standard error agree with those from the list of all batches") {
  TestRandom random(1);
  for (const std::size_t n : {2, 3, 19, 20, 39, 40, 41, 79, 80, 83, 159, 160, 333, 1000}) {
    CAPTURE(n);
    const std::vector<double> x = autoregressive(n, 0.7, random);
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
    const BatchStatistics unblocked = statistics_of(x, false);
    CHECK(unblocked.block_length() == 1);
    CHECK(unblocked.moments(0).standard_error == doctest::Approx(block_error(x, 1)).epsilon(1e-12));
  }
}

TEST_CASE(
    "tally statistics: the standard error of an autocorrelated series is biased only by the finite "
    "length of blocks") {
  // The mean of n values has the variance (1 + rho) / (1 - rho) / n. Series of 640 values are
  // divided into blocks of 32, whose estimate of this variance is low by 2 rho / (1 - rho^2) / 32 =
  // 5.9 %; it is averaged over 300 series.
  constexpr double rho = 0.6, n = 640;
  const double exact_variance = (1 + rho) / (1 - rho) / n;
  TestRandom random(2);
  double mean_variance = 0, unblocked_variance = 0, variance_of_means = 0, mean_square = 0;
  constexpr int trials = 300;
  for (int i = 0; i < trials; ++i) {
    const std::vector<double> x = autoregressive(640, rho, random);
    const BatchMoments m = statistics_of(x, true).moments(0);
    const double variance = m.standard_error * m.standard_error;
    mean_variance += variance / trials;
    mean_square += variance * variance / trials;
    variance_of_means += m.mean * m.mean / trials;
    const double unblocked = statistics_of(x, false).moments(0).standard_error;
    unblocked_variance += unblocked * unblocked / trials;
  }
  const double error = std::sqrt((mean_square - mean_variance * mean_variance) / trials);
  const double bias = exact_variance * 2 * rho / (1 - rho * rho) / 32;
  CHECK(std::abs(mean_variance - (exact_variance - bias)) < 3.5 * error);
  CHECK(std::abs(variance_of_means - exact_variance) <
        3.5 * exact_variance * std::sqrt(2.0 / trials));
  CHECK(unblocked_variance < 0.3 * exact_variance);  // four times too small without blocks
}

TEST_CASE(
    "tally statistics: the error of one batch is infinite, that of equal batches 0; beyond the "
    "planned number of batches blocks have a limited length") {
  CHECK(std::isinf(statistics_of({1}, true).moments(0).standard_error));
  CHECK(statistics_of(std::vector<double>(100, 0.1), true).moments(0).standard_error == 0);
  BatchStatistics s(1, 40, true);
  TestRandom random(3);
  for (int i = 0; i < 200; ++i) s.add(std::vector<double>{random.uniform()});
  CHECK(s.block_length() == 8);
  CHECK(s.blocks() == 25);
  CHECK(s.max_batches() == 639);
  for (int i = 200; i < 2000; ++i) s.add(std::vector<double>{random.uniform()});
  CHECK(s.block_length() == 16);
  CHECK(s.blocks() == 125);
  CHECK(s.moments(0).standard_error == doctest::Approx(std::sqrt(1.0 / 12 / 2000)).epsilon(0.3));
}

TEST_CASE("tally statistics: restored statistics continue with the same bits") {
  TestRandom random(4);
  const std::vector<double> x = autoregressive(200, 0.5, random);
  BatchStatistics reference(1, 200, true), first(1, 200, true), second(1, 200, true);
  for (std::size_t i = 0; i < x.size(); ++i) {
    reference.add(std::vector<double>{x[i]});
    (i < 77 ? first : second).add(std::vector<double>{x[i]});
    if (i == 76)
      second.restore({first.records().begin(), first.records().end()}, first.columns(), 77);
  }
  CHECK(second.batches() == 200);
  CHECK(second.moments(0).mean == reference.moments(0).mean);
  CHECK(second.moments(0).standard_error == reference.moments(0).standard_error);
}

TEST_CASE(
    "tally statistics: moments and contributing samples agree with those from the list of "
    "batches") {
  TestRandom random(6);
  for (const bool is_rare : {false, true}) {
    std::vector<double> x;
    for (int i = 0; i < 50; ++i)
      x.push_back(is_rare ? (random.uniform() < 0.1 ? 3.0 : 0.0) : 1e3 + random.uniform());
    const BatchStatistics s = statistics_of(x, false);
    const SampleMoments spread = s.spread(0), expected = moments_of(x);
    CHECK(spread.count == 50);
    CHECK(spread.nonzero == expected.nonzero);
    CHECK(spread.second == doctest::Approx(expected.second).epsilon(1e-10));
    CHECK(spread.fourth == doctest::Approx(expected.fourth).epsilon(1e-10));
    const double contributing = contributing_samples(expected);
    CHECK(std::isinf(contributing) == !is_rare);
    if (is_rare) CHECK(s.contributing_histories(0) == doctest::Approx(contributing).epsilon(1e-9));
    if (!is_rare) CHECK(std::isinf(s.contributing_histories(0)));
    CHECK(s.widened_moments(0).standard_error ==
          s.moments(0).standard_error * error_widening(s.contributing_histories(0)));
    CHECK((s.contributing_histories(0) < min_contributing_samples) == is_rare);
  }
  CHECK(std::isinf(statistics_of(std::vector<double>(100, 0.1), true).contributing_histories(0)));
  // Correlated batches: one burst does not count as independent batches.
  std::vector<double> burst(80, 0.0);
  for (std::size_t i = 0; i < 8; ++i) burst[32 + i] = 1;
  CHECK(statistics_of(burst, true).contributing_histories(0) < 5);
  CHECK(statistics_of(burst, false).contributing_histories(0) == doctest::Approx(8).epsilon(0.1));
}

TEST_CASE("tally statistics: a run that is extended has the statistics of a longer run") {
  TestRandom random(6);
  const std::vector<double> x = autoregressive(319, 0.5, random);
  BatchStatistics reference(1, 319, true), first(1, 33, true), extended(1, 319, true);
  CHECK(first.max_batches() == 319);
  for (std::size_t i = 0; i < x.size(); ++i) {
    reference.add(std::vector<double>{x[i]});
    (i < 33 ? first : extended).add(std::vector<double>{x[i]});
    if (i == 32)
      extended.restore({first.records().begin(), first.records().end()}, first.columns(), 33);
    if (i < 32) continue;
    CHECK(extended.moments(0).standard_error == reference.moments(0).standard_error);
    CHECK(extended.growth(0) == reference.growth(0));
  }
}

TEST_CASE("tally statistics: the growth of the variance shows that blocks are too short") {
  TestRandom random(5);
  const auto mean_growth = [&](std::size_t n, double rho) {
    double sum = 0;
    for (int i = 0; i < 400; ++i)
      sum += statistics_of(autoregressive(n, rho, random), true).growth(0) / 400;
    return sum;
  };
  // Independent values: 1, up to the scatter of 400 series with 9 to 38 degrees of freedom.
  CHECK(mean_growth(60, 0.0) == doctest::Approx(1).epsilon(0.06));
  CHECK(mean_growth(640, 0.0) == doctest::Approx(1).epsilon(0.06));
  // 60 values, correlated over 20, are in blocks of 2; longer blocks nearly double the variance.
  CHECK(mean_growth(60, 0.95) > 1.7);
  // Blocks of 32 are long compared with the correlation time of 4 values.
  CHECK(mean_growth(640, 0.6) == doctest::Approx(1.06).epsilon(0.06));
  CHECK(statistics_of(autoregressive(9, 0.5, random), true).growth(0) == 0);
  CHECK(statistics_of(autoregressive(640, 0.5, random), false).growth(0) == 0);
}
