// The number of contributing samples, compared with closed forms and with the coverage of
// intervals.

#include "gsim/engine/contributing_samples.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/random/normal.hpp"
#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"

using namespace gsim;

namespace {

const PhiloxKey key = stream_key({881, Purpose::transport_history});

double normal(std::uint64_t series, std::uint64_t index) {
  const auto z = normals<double, Strict>(philox_block(key, series, index, 0));
  return z[0];
}

/// Events of a Poisson process with `expected` of them in `batches` batches, counted by batch.
std::vector<double> events_by_batch(std::uint64_t series, double expected, int batches) {
  std::vector<double> counts(static_cast<std::size_t>(batches), 0.0);
  double time = 0;
  for (std::uint64_t i = 0;; ++i) {
    time -= std::log(uniforms<double>(philox_block(key, series, i, 1))[0]) / expected;
    if (time >= 1) return counts;
    counts[static_cast<std::size_t>(time * batches)] += 1;
  }
}

Estimate mean_of(const std::vector<double>& samples) {
  Estimate e;
  const auto n = static_cast<double>(samples.size());
  e.count = static_cast<Index>(samples.size());
  e.degrees_of_freedom = e.count - 1;
  e.mean = 0;
  for (const double x : samples) e.mean += x / n;
  e.standard_error = std::sqrt(moments_of(samples).second / (n * (n - 1)));
  return e;
}

/// Fraction of 95 % intervals that miss the mean, among series with at least one event.
double fraction_outside(double expected, bool is_widened) {
  constexpr int batches = 30, series = 2000;
  constexpr double t = 2.045;  // Student's t of 29 degrees of freedom, 97.5 %
  int outside = 0, with_events = 0;
  for (int s = 0; s < series; ++s) {
    const auto counts = events_by_batch(static_cast<std::uint64_t>(s), expected, batches);
    Estimate e = mean_of(counts);
    if (e.mean == 0) continue;
    if (is_widened) set_contributing_samples(e, contributing_samples(moments_of(counts)));
    ++with_events;
    outside += std::abs(e.mean - expected / batches) > t * e.standard_error ? 1 : 0;
  }
  return static_cast<double>(outside) / with_events;
}

}  // namespace

TEST_CASE("contributing samples: for events of equal size their number is the number of events") {
  // 3 of 1000 samples are 1: the variance of the variance is 1/3 - 1/1000 to first order, so 3
  // contribute.
  std::vector<double> x(1000, 0.0);
  x[5] = x[400] = x[999] = 1;
  const SampleMoments m = moments_of(x);
  CHECK(m.count == 1000);
  CHECK(m.nonzero == 3);
  CHECK(m.second == doctest::Approx(3 * 0.997).epsilon(1e-12));
  CHECK(variance_of_variance(m) == doctest::Approx(1.0 / 3).epsilon(0.02));
  CHECK(contributing_samples(m) == doctest::Approx(3).epsilon(0.02));
  // 2 of 30 batches.
  std::vector<double> few_events(30, 0.0);
  few_events[3] = few_events[17] = 0.25;
  CHECK(contributing_samples(moments_of(few_events)) == doctest::Approx(2.07).epsilon(0.02));
}

TEST_CASE("contributing samples: one outlier among many equal samples contributes almost alone") {
  std::vector<double> x;
  for (std::uint64_t i = 0; i < 100; ++i) x.push_back(1 + 0.01 * normal(1, i));
  x[40] = 3;
  const SampleMoments m = moments_of(x);
  CHECK(m.nonzero == 100);
  CHECK(variance_of_variance(m) > 0.9);
  CHECK(contributing_samples(m) < 1.5);
}

TEST_CASE("contributing samples: the errors of normal samples are almost never widened") {
  for (const int n : {10, 20, 30, 100}) {
    CAPTURE(n);
    int below_minimum = 0, widened = 0;
    constexpr int series = 3000;
    for (int s = 0; s < series; ++s) {
      std::vector<double> x;
      for (int i = 0; i < n; ++i)
        x.push_back(7 + normal(static_cast<std::uint64_t>(100 * n + 1000000 * s),
                               static_cast<std::uint64_t>(i)));
      const double c = contributing_samples(moments_of(x));
      below_minimum += c < min_contributing_samples ? 1 : 0;
      widened += error_widening(c) > 1.05 ? 1 : 0;
    }
    CHECK(below_minimum <= 0.005 * series);
    CHECK(widened <= 0.02 * series);
  }
}

TEST_CASE(
    "contributing samples: their number is infinite for too few or equal samples, below two if all "
    "but one are zero") {
  const std::vector<double> no_samples, two_samples{1, 2}, equal(20, 0.1),
      tiny{0, 0, 0, 0, 0, 1e-200};
  CHECK(std::isinf(contributing_samples(moments_of(no_samples))));
  CHECK(std::isinf(contributing_samples(moments_of(two_samples))));
  CHECK(std::isnan(variance_of_variance(moments_of(two_samples))));
  CHECK(moments_of(equal).second == 0);
  CHECK(std::isinf(contributing_samples(moments_of(equal))));
  CHECK(contributing_samples(moments_of(tiny)) < 2);
  const std::vector<double> zero(20, 0.0);
  CHECK(std::isinf(contributing_samples(moments_of(zero))));
}

TEST_CASE("contributing samples: widened errors reach Garwood's Poisson limits") {
  // Upper 97.5 % limits of a Poisson mean (chi-squared quantiles over 2): 1: 5.572, 2: 7.225,
  // 10: 18.39, 30: 42.83.
  const auto upper_limit = [](double k) { return k + 1.959964 * std::sqrt(k) * error_widening(k); };
  CHECK(upper_limit(1) == doctest::Approx(5.572).epsilon(0.002));
  CHECK(upper_limit(2) == doctest::Approx(7.225).epsilon(0.002));
  CHECK(upper_limit(10) == doctest::Approx(18.39).epsilon(0.001));
  CHECK(upper_limit(30) == doctest::Approx(42.83).epsilon(0.001));
  CHECK(error_widening(0.2) == error_widening(1));
  CHECK(error_widening(100) == 1);
  CHECK(error_widening(std::numeric_limits<double>::infinity()) == 1);
  CHECK(error_widening(65) < error_widening(30));
}

TEST_CASE("contributing samples: intervals from few events have at least their nominal coverage") {
  for (const double expected : {3.0, 6.0, 12.0, 25.0, 60.0}) {
    CAPTURE(expected);
    // 5 % and three standard deviations of a fraction of 2000.
    CHECK(fraction_outside(expected, true) < 0.05 + 3 * 0.005);
  }
  // 6 expected: without widening the intervals of 1 and 2 events miss (6.2 %), with it those of 1
  // only (1.5 %).
  CHECK(fraction_outside(6, false) > 0.045);
  CHECK(fraction_outside(6, true) < 0.03);
  CHECK(fraction_outside(60, true) > 0.02);  // the intervals are not so wide that they are useless
}

TEST_CASE("contributing samples: errors from too few degrees of freedom or events meet no target") {
  StopRule stop;
  stop.relative_error = 0.1;
  Estimate e;
  e.mean = 1;
  e.standard_error = 0.01;
  e.count = 30;
  CHECK(stop.converged(e));
  for (const Index degrees : {1, 8}) {
    e.degrees_of_freedom = degrees;
    CHECK(!stop.converged(e));
  }
  e.degrees_of_freedom = 9;
  CHECK(stop.converged(e));
  Estimate many_samples = e;
  set_contributing_samples(many_samples, 200);
  CHECK(many_samples.standard_error == 0.01);
  CHECK(many_samples.remark.empty());
  CHECK(stop.converged(many_samples));
  e.remark = "biased";
  set_contributing_samples(e, 2.2);
  CHECK(e.standard_error == 0.01 * error_widening(2.2));
  CHECK(e.remark ==
        "about 2 of 30 samples contribute: the error is widened, and does not count as converged; "
        "biased");
  CHECK(!stop.converged(e));
}
