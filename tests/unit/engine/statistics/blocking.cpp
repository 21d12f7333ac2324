// Standard errors of correlated series by blocking: autoregressive series with known errors for
// many seeds, closed forms, and the same bits after a restart.

#include "gsim/engine/blocking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/io/memory_datasets.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/stream.hpp"
#include "support/messages.hpp"

using namespace gsim;
using gsim::test::contains;

namespace {

/// Independent standard normal numbers, addressed by series and index.
double normal(std::uint64_t series, std::uint64_t index) {
  const PhiloxKey key = stream_key({20891, Purpose::md_start_velocity});
  const auto z = normals<double, Strict>(philox_block(key, series, index / 4, 0));
  return z[static_cast<int>(index % 4)];
}

/// x_t = phi x_(t-1) + noise of variance 1 - phi^2, stationary with mean 0 and variance 1:
/// autocorrelation phi^t, inefficiency (1 + phi) / (1 - phi).
std::vector<double> autoregressive(std::uint64_t series, double phi, Index n) {
  std::vector<double> x;
  const double noise = std::sqrt(1 - phi * phi);
  for (Index t = 0; t < n; ++t) {
    const double z = normal(series, static_cast<std::uint64_t>(t));
    x.push_back(t == 0 ? z : phi * x.back() + noise * z);
  }
  return x;
}

/// The exact standard error of the mean of n such values.
double exact_error(double phi, Index n) {
  double sum = 1, power = 1;
  for (Index t = 1; t < n; ++t) {
    power *= phi;
    sum += 2 * (1 - static_cast<double>(t) / static_cast<double>(n)) * power;
  }
  return std::sqrt(sum / static_cast<double>(n));
}

struct CoverageStatistics {
  double within_one = 0, within_two = 0;  ///< fraction of |mean| < 1 and < 2 standard errors, among
                                          ///< series with a standard error
  double with_error = 0;                  ///< fraction of series with a standard error
  double error = 0;                       ///< mean standard error over the exact one
  double inefficiency = 0;
};

CoverageStatistics measure_coverage(double phi, Index n, int seeds) {
  CoverageStatistics c;
  for (int s = 0; s < seeds; ++s) {
    Blocking blocking;
    for (const double x : autoregressive(static_cast<std::uint64_t>(s), phi, n)) blocking.add(x);
    const BlockedMean mean = blocking.mean();
    if (!mean.has_error()) continue;
    c.with_error += 1;
    c.within_one += std::abs(mean.mean) < mean.standard_error;
    c.within_two += std::abs(mean.mean) < 2 * mean.standard_error;
    c.error += mean.standard_error / exact_error(phi, n);
    c.inefficiency += mean.inefficiency;
  }
  for (double* x : {&c.within_one, &c.within_two, &c.error, &c.inefficiency})
    *x /= std::fmax(c.with_error, 1.0);
  c.with_error /= seeds;
  return c;
}

}  // namespace

TEST_CASE("blocking: intervals of one and two standard errors have the coverage of normal errors") {
  struct Case {
    double phi;
    Index n;
    double within_one, within_two, error;  ///< least coverage and least mean error
  };
  constexpr int seeds = 400;  // standard deviation of a fraction of 0.68: 0.023, of 0.95: 0.011
  for (const Case& c : {Case{0, 32, 0.62, 0.90, 0.95}, Case{0, 2048, 0.63, 0.92, 0.98},
                        Case{0.5, 64, 0.58, 0.88, 0.93}, Case{0.5, 2048, 0.63, 0.92, 0.97},
                        Case{0.9, 256, 0.55, 0.84, 0.85}, Case{0.9, 2048, 0.61, 0.89, 0.94},
                        Case{0.97, 8192, 0.61, 0.89, 0.94}}) {
    CAPTURE(c.phi);
    CAPTURE(c.n);
    const CoverageStatistics result = measure_coverage(c.phi, c.n, seeds);
    CHECK(result.with_error > 0.95);
    CHECK(result.within_one > c.within_one);
    CHECK(result.within_one < 0.76);
    CHECK(result.within_two > c.within_two);
    CHECK(result.error > c.error);
    CHECK(result.error < 1.1);
    const double exact = (1 + c.phi) / (1 - c.phi);
    CHECK(result.inefficiency == doctest::Approx(exact).epsilon(0.25));
  }
}

TEST_CASE("blocking: too short a series has an unknown error and a remark") {
  // 96 values of a series with the inefficiency 199: less than one independent value.
  const CoverageStatistics short_series = measure_coverage(0.99, 96, 400);
  CHECK(short_series.with_error < 0.03);
  Blocking blocking;
  CHECK(std::isnan(blocking.mean().mean));
  CHECK(blocking.mean().remark() == "no samples");
  for (const double x : autoregressive(1, 0.99, 96)) blocking.add(x);
  const BlockedMean mean = blocking.mean();
  REQUIRE(!mean.has_error());
  CHECK(std::isinf(mean.standard_error));
  CHECK(std::isfinite(mean.mean));
  const Estimate e = mean.estimate("x", "K", -2);
  CHECK(e.mean == -2 * mean.mean);
  CHECK(std::isinf(e.standard_error));
  CHECK(e.remark == "standard error unknown, 96 samples span too few correlation times");
  Blocking few_samples;
  for (int i = 0; i < 15; ++i) few_samples.add(normal(5, static_cast<std::uint64_t>(i)));
  CHECK(!few_samples.mean().has_error());
  CHECK(few_samples.mean().remark() == "standard error unknown, 15 samples are too few");
  few_samples.add(0.25);
  CHECK(few_samples.mean().has_error());
}

TEST_CASE(
    "blocking: an error from few blocks has a remark, meets no target, and gives intervals by "
    "Student's t") {
  // 8 to 9 blocks remain of 256 values with the inefficiency 19.
  StopRule stop;
  stop.absolute_error = 10;
  int few_count = 0, many_count = 0, outside = 0, outside_normal = 0;
  constexpr double t_7 = 2.365;  // 97.5 % quantile of Student's t with 7 degrees of freedom
  for (std::uint64_t s = 0; s < 400; ++s) {
    Blocking blocking;
    for (const double x : autoregressive(s, 0.9, 256)) blocking.add(x);
    const BlockedMean mean = blocking.mean();
    const Estimate e = mean.estimate("x", "K");
    if (!mean.has_error()) continue;
    if (mean.degrees_of_freedom >= min_degrees) {
      ++many_count;
      CHECK(e.remark.empty());
      CHECK(stop.converged(e));
      continue;
    }
    ++few_count;
    CHECK(!stop.converged(e));
    if (mean.degrees_of_freedom == 7)
      CHECK(e.remark ==
            "the standard error comes from only 8 blocks and is uncertain by 27 %; it meets "
            "no error target");
    outside += std::abs(e.mean) > t_7 * e.standard_error ? 1 : 0;
    outside_normal += std::abs(e.mean) > 1.96 * e.standard_error ? 1 : 0;
  }
  CHECK(few_count > 100);
  CHECK(many_count > 0);
  CHECK(outside < (0.05 + 0.045) * few_count);  // 5 %, and three standard deviations of 200 series
  CHECK(outside < outside_normal);
}

TEST_CASE(
    "blocking: the samples that contribute rare events are counted, and too few meet no target") {
  StopRule stop;
  stop.absolute_error = 1;
  const auto estimate_of = [](int events) {
    Blocking blocking(2);
    for (int i = 0; i < 1024; ++i) {
      const bool is_event = events > 0 && (37 * i + 11) % (1024 / events) == 0;
      const double values[] = {is_event ? 5.0 : 0.0, normal(6, static_cast<std::uint64_t>(i))};
      blocking.add(values);
    }
    MemoryDatasets memory{Communicator::self()};
    blocking.save(memory, "b");
    Blocking restored(2);
    restored.restore(memory, "b");
    CHECK(restored.mean(0).contributing_blocks == blocking.mean(0).contributing_blocks);
    CHECK(std::isinf(blocking.mean(1).contributing_blocks));
    return restored.mean(0).estimate("x", "1");
  };
  const Estimate few_events = estimate_of(4), many_events = estimate_of(256);
  CHECK(few_events.contributing_samples == doctest::Approx(4).epsilon(0.2));
  CHECK(!stop.converged(few_events));
  CHECK(contains(few_events.remark, "about 4 of 1024 samples contribute: the error is widened"));
  CHECK(stop.converged(many_events));
  CHECK(many_events.remark.empty());
}

TEST_CASE("blocking: mean and error are accurate far from zero and for a constant series") {
  Blocking blocking;
  std::vector<double> x;
  for (std::uint64_t i = 0; i < 1000; ++i) x.push_back(1e6 + normal(3, i));
  for (const double v : x) blocking.add(v);
  double mean = 0, sum_of_squares = 0;
  for (const double v : x) mean += (v - 1e6) / 1000;
  for (const double v : x) sum_of_squares += (v - 1e6 - mean) * (v - 1e6 - mean);
  const BlockedMean result = blocking.mean();
  CHECK(result.mean - 1e6 == doctest::Approx(mean).epsilon(1e-8));
  CHECK(result.count == 1000);
  CHECK(result.standard_error ==
        doctest::Approx(std::sqrt(sum_of_squares / 999 / 1000)).epsilon(0.25));
  Blocking constant;
  for (int i = 0; i < 20; ++i) constant.add(0.1);
  CHECK(constant.mean().mean == doctest::Approx(0.1).epsilon(1e-16));
  CHECK(constant.mean().standard_error == 0);
  CHECK(constant.mean().degrees_of_freedom == 19);
  CHECK(constant.mean().remark().empty());
}

TEST_CASE("blocking: the standard error is that of the blocks of the chosen length") {
  // The block length chosen for phi = 0.9 leaves blocks whose variance is computed here directly.
  constexpr Index n = 5000;
  const std::vector<double> x = autoregressive(17, 0.9, n);
  Blocking blocking;
  for (const double v : x) blocking.add(v);
  const BlockedMean result = blocking.mean();
  REQUIRE(result.has_error());
  const Index blocks = n / result.block;
  REQUIRE(blocks == result.degrees_of_freedom + 1);
  std::vector<double> block;
  for (Index b = 0; b < blocks; ++b) {
    double sum = 0;
    for (Index i = 0; i < result.block; ++i)
      sum += x[static_cast<std::size_t>(b * result.block + i)];
    block.push_back(sum / static_cast<double>(result.block));
  }
  const auto k = static_cast<double>(blocks);
  double mean = 0, c0 = 0, c1 = 0;
  for (const double b : block) mean += b / k;
  for (std::size_t i = 0; i < block.size(); ++i) {
    c0 += (block[i] - mean) * (block[i] - mean) / k;
    if (i > 0) c1 += (block[i] - mean) * (block[i - 1] - mean) / k;
  }
  // The correlation of adjacent blocks, whose estimate c1 / c0 is too low by 1 / k.
  const double correlation_factor = std::fmax(1.0, 1 + 2 * c1 / c0 + 2 / k);
  CHECK(result.standard_error ==
        doctest::Approx(std::sqrt(c0 / (k - 1) * correlation_factor)).epsilon(1e-10));
}

TEST_CASE(
    "blocking: the error of a ratio is that of its numerator minus the ratio times its "
    "denominator") {
  constexpr int seeds = 400;
  constexpr Index n = 1024;
  const std::array<double, 2> upper = {1, 0}, lower = {0, 1};
  int within_one = 0, within_two = 0;
  for (int s = 0; s < seeds; ++s) {
    const auto common = autoregressive(static_cast<std::uint64_t>(2 * s) + 1000, 0.8, n);
    const auto independent = autoregressive(static_cast<std::uint64_t>(2 * s) + 1001, 0.5, n);
    Blocking blocking(1, 2);
    for (std::size_t i = 0; i < common.size(); ++i) {
      const double denominator = 10 + common[i];
      blocking.add(std::array{3 * denominator + 0.1 * independent[i], denominator});
    }
    const BlockedMean r = blocking.ratio(0, upper, lower);
    REQUIRE(r.has_error());
    // The common part cancels: the error is that of `independent` alone.
    CHECK(r.standard_error < 4 * 0.01 * exact_error(0.5, n));
    within_one += std::abs(r.mean - 3) < r.standard_error;
    within_two += std::abs(r.mean - 3) < 2 * r.standard_error;
  }
  CHECK(within_one > 0.62 * seeds);
  CHECK(within_one < 0.76 * seeds);
  CHECK(within_two > 0.92 * seeds);
}

TEST_CASE("blocking: a restart at any sample has the same bits") {
  constexpr Index n = 100;
  const auto value = [](Index i, int s) {
    return normal(static_cast<std::uint64_t>(s), static_cast<std::uint64_t>(i));
  };
  const auto add_values = [&](Blocking& b, Index first, Index last) {
    for (Index i = first; i < last; ++i)
      b.add(std::array{value(i, 0), value(i, 1), value(i, 2), value(i, 3)});
  };
  const auto digest = [](const Blocking& b) {
    Digest d;
    b.add_to(d);
    return d.value();
  };
  Blocking uninterrupted(2, 2);
  add_values(uninterrupted, 0, n);
  const Communicator self = Communicator::self();
  for (Index restart = 0; restart <= n; restart += 7) {
    Blocking before(2, 2);
    add_values(before, 0, restart);
    MemoryDatasets memory(self);
    before.save(memory, "a/b");
    Blocking after(2, 2);
    add_values(after, 3, 9);  // previous contents are discarded
    after.restore(memory, "a/b");
    CHECK(digest(after) == digest(before));
    add_values(after, restart, n);
    CHECK(digest(after) == digest(uninterrupted));
    CHECK(after.mean(1).standard_error == uninterrupted.mean(1).standard_error);
    Blocking other(3, 2);
    CHECK_THROWS_AS(other.restore(memory, "a/b"), IoError);
  }
}
