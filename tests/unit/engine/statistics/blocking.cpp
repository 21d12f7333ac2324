// Standard errors of correlated series: autoregressive series with known errors, for many seeds;
// closed forms; and the same bits after save and restore.

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
double normal(std::uint64_t series, std::uint64_t place) {
  const PhiloxKey key = stream_key({20891, Purpose::md_start_velocity});
  const auto z = normals<double, Strict>(philox_block(key, series, place / 4, 0));
  return z[static_cast<int>(place % 4)];
}

/// x_t = phi x_(t-1) + noise of variance 1 - phi^2, stationary with mean 0 and variance 1:
/// autocorrelation phi^t, inefficiency (1 + phi) / (1 - phi).
std::vector<double> autoregressive(std::uint64_t series, double phi, Index n) {
  std::vector<double> x;
  const double width = std::sqrt(1 - phi * phi);
  for (Index t = 0; t < n; ++t) {
    const double z = normal(series, static_cast<std::uint64_t>(t));
    x.push_back(t == 0 ? z : phi * x.back() + width * z);
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

struct Coverage {
  double one = 0, two = 0;  ///< fraction of |mean| < 1 and < 2 standard errors, among series with a
                            ///< standard error
  double known = 0;         ///< fraction of series with a standard error
  double error = 0;         ///< mean standard error over the exact one
  double inefficiency = 0;
};

Coverage measure(double phi, Index n, int seeds) {
  Coverage c;
  for (int s = 0; s < seeds; ++s) {
    Blocking blocking;
    for (const double x : autoregressive(static_cast<std::uint64_t>(s), phi, n)) blocking.add(x);
    const BlockedMean mean = blocking.mean();
    if (!mean.has_error()) continue;
    c.known += 1;
    c.one += std::abs(mean.mean) < mean.standard_error;
    c.two += std::abs(mean.mean) < 2 * mean.standard_error;
    c.error += mean.standard_error / exact_error(phi, n);
    c.inefficiency += mean.inefficiency;
  }
  for (double* x : {&c.one, &c.two, &c.error, &c.inefficiency}) *x /= std::fmax(c.known, 1.0);
  c.known /= seeds;
  return c;
}

}  // namespace

TEST_CASE("blocking: intervals of one and two standard errors cover what they should") {
  struct Case {
    double phi;
    Index n;
    double one, two, error;  ///< least coverage and least mean error
  };
  constexpr int seeds = 400;  // standard deviation of a fraction of 0.68: 0.023, of 0.95: 0.011
  for (const Case& c : {Case{0, 32, 0.62, 0.90, 0.95}, Case{0, 2048, 0.63, 0.92, 0.98},
                        Case{0.5, 64, 0.58, 0.88, 0.93}, Case{0.5, 2048, 0.63, 0.92, 0.97},
                        Case{0.9, 256, 0.55, 0.84, 0.85}, Case{0.9, 2048, 0.61, 0.89, 0.94},
                        Case{0.97, 8192, 0.61, 0.89, 0.94}}) {
    CAPTURE(c.phi);
    CAPTURE(c.n);
    const Coverage got = measure(c.phi, c.n, seeds);
    CHECK(got.known > 0.95);
    CHECK(got.one > c.one);
    CHECK(got.one < 0.76);
    CHECK(got.two > c.two);
    CHECK(got.error > c.error);
    CHECK(got.error < 1.1);
    const double exact = (1 + c.phi) / (1 - c.phi);
    CHECK(got.inefficiency == doctest::Approx(exact).epsilon(0.25));
  }
}

TEST_CASE("blocking: a series that is too short has a remark") {
  // 96 values of a series with the inefficiency 199: less than one independent value.
  const Coverage short_one = measure(0.99, 96, 400);
  CHECK(short_one.known < 0.03);
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
  Blocking few;
  for (int i = 0; i < 15; ++i) few.add(normal(5, static_cast<std::uint64_t>(i)));
  CHECK(!few.mean().has_error());
  CHECK(few.mean().remark() == "standard error unknown, 15 samples are too few");
  few.add(0.25);
  CHECK(few.mean().has_error());
}

TEST_CASE(
    "blocking: an error of few blocks has a remark, meets no target, and covers by Student's t") {
  // 8 to 9 blocks remain of 256 values with the inefficiency 19.
  StopRule stop;
  stop.absolute_error = 10;
  int few = 0, many = 0, outside = 0, outside_normal = 0;
  constexpr double t_7 = 2.365;
  for (std::uint64_t s = 0; s < 400; ++s) {
    Blocking blocking;
    for (const double x : autoregressive(s, 0.9, 256)) blocking.add(x);
    const BlockedMean mean = blocking.mean();
    const Estimate e = mean.estimate("x", "K");
    if (!mean.has_error()) continue;
    if (mean.degrees >= min_degrees) {
      ++many;
      CHECK(e.remark.empty());
      CHECK(stop.converged(e));
      continue;
    }
    ++few;
    CHECK(!stop.converged(e));
    if (mean.degrees == 7)
      CHECK(e.remark ==
            "the standard error comes from 8 blocks: it is itself known to 27 %, and meets no "
            "target");
    outside += std::abs(e.mean) > t_7 * e.standard_error ? 1 : 0;
    outside_normal += std::abs(e.mean) > 1.96 * e.standard_error ? 1 : 0;
  }
  CHECK(few > 100);
  CHECK(many > 0);
  CHECK(outside < (0.05 + 0.045) * few);  // and three standard deviations of 200
  CHECK(outside < outside_normal);
}

TEST_CASE("blocking: rare events are counted, and few of them meet no target") {
  StopRule stop;
  stop.absolute_error = 1;
  const auto estimate_of = [](int events) {
    Blocking blocking(2);
    for (int i = 0; i < 1024; ++i) {
      const bool happens = events > 0 && (37 * i + 11) % (1024 / events) == 0;
      const double values[] = {happens ? 5.0 : 0.0, normal(6, static_cast<std::uint64_t>(i))};
      blocking.add(values);
    }
    MemoryDatasets memory{Communicator::self()};
    blocking.save(memory, "b");
    Blocking again(2);
    again.restore(memory, "b");
    CHECK(again.mean(0).contributing == blocking.mean(0).contributing);
    CHECK(std::isinf(blocking.mean(1).contributing));
    return again.mean(0).estimate("x", "1");
  };
  const Estimate few = estimate_of(4), many = estimate_of(256);
  CHECK(few.contributing_samples == doctest::Approx(4).epsilon(0.2));
  CHECK(!stop.converged(few));
  CHECK(contains(few.remark, "about 4 of 1024 samples contribute: the error is widened"));
  CHECK(stop.converged(many));
  CHECK(many.remark.empty());
}

TEST_CASE("blocking: mean and error far from zero; a constant series") {
  Blocking blocking;
  std::vector<double> x;
  for (std::uint64_t i = 0; i < 1000; ++i) x.push_back(1e6 + normal(3, i));
  for (const double v : x) blocking.add(v);
  double mean = 0, squares = 0;
  for (const double v : x) mean += (v - 1e6) / 1000;
  for (const double v : x) squares += (v - 1e6 - mean) * (v - 1e6 - mean);
  const BlockedMean got = blocking.mean();
  CHECK(got.mean - 1e6 == doctest::Approx(mean).epsilon(1e-8));
  CHECK(got.count == 1000);
  CHECK(got.standard_error == doctest::Approx(std::sqrt(squares / 999 / 1000)).epsilon(0.25));
  Blocking constant;
  for (int i = 0; i < 20; ++i) constant.add(0.1);
  CHECK(constant.mean().mean == doctest::Approx(0.1).epsilon(1e-16));
  CHECK(constant.mean().standard_error == 0);
  CHECK(constant.mean().degrees == 19);
  CHECK(constant.mean().remark().empty());
}

TEST_CASE("blocking: a level's sums are those of its blocks") {
  // The block length chosen for phi = 0.9 leaves blocks whose variance is computed here directly.
  constexpr Index n = 5000;
  const std::vector<double> x = autoregressive(17, 0.9, n);
  Blocking blocking;
  for (const double v : x) blocking.add(v);
  const BlockedMean got = blocking.mean();
  REQUIRE(got.has_error());
  const Index blocks = n / got.block;
  REQUIRE(blocks == got.degrees + 1);
  std::vector<double> block;
  for (Index b = 0; b < blocks; ++b) {
    double sum = 0;
    for (Index i = 0; i < got.block; ++i) sum += x[static_cast<std::size_t>(b * got.block + i)];
    block.push_back(sum / static_cast<double>(got.block));
  }
  const auto k = static_cast<double>(blocks);
  double mean = 0, c0 = 0, c1 = 0;
  for (const double b : block) mean += b / k;
  for (std::size_t i = 0; i < block.size(); ++i) {
    c0 += (block[i] - mean) * (block[i] - mean) / k;
    if (i > 0) c1 += (block[i] - mean) * (block[i - 1] - mean) / k;
  }
  const double shared = std::fmax(1.0, 1 + 2 * c1 / c0 + 2 / k);
  CHECK(got.standard_error == doctest::Approx(std::sqrt(c0 / (k - 1) * shared)).epsilon(1e-10));
}

TEST_CASE("blocking: ratios of correlated components have the error of their residual") {
  constexpr int seeds = 400;
  constexpr Index n = 1024;
  const std::array<double, 2> upper = {1, 0}, lower = {0, 1};
  int one = 0, two = 0;
  for (int s = 0; s < seeds; ++s) {
    const auto common = autoregressive(static_cast<std::uint64_t>(2 * s) + 1000, 0.8, n);
    const auto own = autoregressive(static_cast<std::uint64_t>(2 * s) + 1001, 0.5, n);
    Blocking blocking(1, 2);
    for (std::size_t i = 0; i < common.size(); ++i) {
      const double below = 10 + common[i];
      blocking.add(std::array{3 * below + 0.1 * own[i], below});
    }
    const BlockedMean r = blocking.ratio(0, upper, lower);
    REQUIRE(r.has_error());
    // The common part cancels: the error is that of `own` alone.
    CHECK(r.standard_error < 4 * 0.01 * exact_error(0.5, n));
    one += std::abs(r.mean - 3) < r.standard_error;
    two += std::abs(r.mean - 3) < 2 * r.standard_error;
  }
  CHECK(one > 0.62 * seeds);
  CHECK(one < 0.76 * seeds);
  CHECK(two > 0.92 * seeds);
}

TEST_CASE("blocking: save and restore at any point, with the same bits after") {
  constexpr Index n = 100;
  const auto value = [](Index i, int s) {
    return normal(static_cast<std::uint64_t>(s), static_cast<std::uint64_t>(i));
  };
  const auto feed = [&](Blocking& b, Index first, Index last) {
    for (Index i = first; i < last; ++i)
      b.add(std::array{value(i, 0), value(i, 1), value(i, 2), value(i, 3)});
  };
  const auto digest = [](const Blocking& b) {
    Digest d;
    b.add_to(d);
    return d.value();
  };
  Blocking whole(2, 2);
  feed(whole, 0, n);
  const Communicator self = Communicator::self();
  for (Index cut = 0; cut <= n; cut += 7) {
    Blocking before(2, 2);
    feed(before, 0, cut);
    MemoryDatasets memory(self);
    before.save(memory, "a/b");
    Blocking after(2, 2);
    feed(after, 3, 9);  // previous contents are discarded
    after.restore(memory, "a/b");
    CHECK(digest(after) == digest(before));
    feed(after, cut, n);
    CHECK(digest(after) == digest(whole));
    CHECK(after.mean(1).standard_error == whole.mean(1).standard_error);
    Blocking other(3, 2);
    CHECK_THROWS_AS(other.restore(memory, "a/b"), IoError);
  }
}
