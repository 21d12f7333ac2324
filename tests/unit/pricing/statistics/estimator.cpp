#include "src/modules/pricing/statistics/estimator.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

using namespace gsim;
using namespace gsim::pricing;

namespace {

BlockStatistics statistics(const std::vector<double>& x, const std::vector<double>& y) {
  BlockStatistics s;
  s.count = static_cast<double>(x.size());
  for (const double v : x) s.mean_x += v / s.count;
  for (const double v : y) s.mean_y += v / s.count;
  for (std::size_t i = 0; i < x.size(); ++i) {
    s.m_xx += (x[i] - s.mean_x) * (x[i] - s.mean_x);
    s.m_yy += (y[i] - s.mean_y) * (y[i] - s.mean_y);
    s.m_xy += (x[i] - s.mean_x) * (y[i] - s.mean_y);
  }
  return s;
}

}  // namespace

TEST_CASE("without a control: mean and its standard error") {
  const BlockStatistics s = statistics({1, 2, 3, 6}, {0, 0, 0, 0});
  // A quantity of 2, and the confidence level of 95 %.
  const PriceEstimate e = estimate_price(std::vector{s}, {}, 2, 0.95);
  CHECK(e.price == 6);
  CHECK(e.standard_error == doctest::Approx(2 * std::sqrt(14.0 / (3 * 4))));
  CHECK(e.samples == 4);
  CHECK(e.half_width == doctest::Approx(1.959964 * e.standard_error));
}

TEST_CASE("with a control: the value of the regression at the known expectation") {
  // x = 1 + 2 y + noise orthogonal to 1 and y.
  const std::vector<double> y{-1, 0, 1, -1, 0, 1}, noise{0.5, -1, 0.5, -0.5, 1, -0.5};
  std::vector<double> x(6);
  for (std::size_t i = 0; i < 6; ++i) x[i] = 1 + 2 * y[i] + noise[i];
  TradeSetup setup;
  setup.control = TradeSetup::Control::spot;
  setup.control_expectation = 0.25;
  const PriceEstimate e = estimate_price(std::vector{statistics(x, y)}, setup, 1, 0.95);
  CHECK(e.beta == doctest::Approx(2));
  CHECK(e.price == doctest::Approx(1.5));
  CHECK(e.standard_error == doctest::Approx(std::sqrt(3.0 / (4 * 6))));
}

TEST_CASE("replicates: the error follows from the variance of their means") {
  std::vector<BlockStatistics> replicates;
  for (const double m : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0})
    replicates.push_back(statistics({m - 1, m + 1}, {0, 0}));
  const PriceEstimate e = estimate_price(replicates, {}, 1, 0.95);
  CHECK(e.price == doctest::Approx(4.5));
  CHECK(e.standard_error == doctest::Approx(std::sqrt(42.0 / (7 * 8))));
  CHECK(e.samples == 16);
  CHECK(e.half_width == doctest::Approx(2.364624 * e.standard_error).epsilon(1e-4));
}

TEST_CASE("without samples, and with one, the error is infinite") {
  CHECK(std::isinf(estimate_price({}, {}, 1, 0.95).standard_error));
  CHECK(std::isinf(estimate_price(std::vector{statistics({1}, {0})}, {}, 1, 0.95).standard_error));
}

TEST_CASE("equal samples: the error is unknown, unless the price is certain") {
  const std::vector equal_samples{
      statistics({0.9704455, 0.9704455, 0.9704455, 0.9704455}, {0, 0, 0, 0})};
  const PriceEstimate e = estimate_price(equal_samples, {}, 2, 0.95);
  CHECK(e.price == doctest::Approx(1.940891));
  CHECK(e.kind == ErrorKind::no_variance);
  CHECK(std::isnan(e.standard_error));
  CHECK(std::isnan(e.half_width));
  const PriceEstimate certain = estimate_price(equal_samples, {}, 2, 0.95, true);
  CHECK(certain.kind == ErrorKind::sampled);
  CHECK(certain.standard_error == 0);
  // The means of replicates of Sobol points may be equal although their samples are not.
  const std::vector balanced(8, statistics({1, 2, 3}, {0, 0, 0}));
  CHECK(estimate_price(balanced, {}, 1, 0.95).kind == ErrorKind::no_variance);
  // The price of a quantity of 0 is certain, before and after the first sample.
  for (const PriceEstimate& zero :
       {estimate_price({}, {}, 0, 0.95), estimate_price(equal_samples, {}, 0, 0.95)}) {
    CHECK(zero.price == 0);
    CHECK(zero.standard_error == 0);
    CHECK(zero.half_width == 0);
  }
}

TEST_CASE("a control that explains every sample leaves the error of the plain mean") {
  const std::vector<double> y{55, 80, 120, 101}, x{10, 35, 75, 56};
  TradeSetup setup;
  setup.control = TradeSetup::Control::spot;
  setup.control_expectation = 100;
  const std::vector sums{statistics(x, y)};
  const PriceEstimate e = estimate_price(sums, setup, 1, 0.95);
  CHECK(e.kind == ErrorKind::control_explains_all);
  CHECK(e.price == doctest::Approx(55));
  CHECK(e.standard_error == doctest::Approx(estimate_price(sums, {}, 1, 0.95).standard_error));
}

TEST_CASE("a control that is constant up to rounding has the coefficient 0") {
  // The mean of the control differs from its expectation by a few rounding errors; a slope fitted
  // to rounding errors would carry this difference into the price.
  TradeSetup setup;
  setup.control = TradeSetup::Control::spot;
  setup.control_expectation = 100;
  const double u = 100 * 0x1p-52;
  const std::vector sums{
      statistics({1, 2, 3, 6}, {100 + 3 * u, 100 + 3 * u, 100 + 4 * u, 100 + 4 * u})};
  const PriceEstimate e = estimate_price(sums, setup, 1, 0.95);
  CHECK(e.beta == 0);
  CHECK(e.price == 3);
  CHECK(control_deviation(sums, setup) == 0);
}

TEST_CASE("deviation of a control from its expectation") {
  const std::vector<double> y{1, 2, 3, 6};  // 3 +- sqrt(14 / 12)
  const std::vector sums{statistics({0, 0, 0, 0}, y)};
  TradeSetup setup;
  CHECK(control_deviation(sums, setup) == 0);  // there is no control
  setup.control = TradeSetup::Control::spot;
  setup.control_expectation = 2;
  CHECK(control_deviation(sums, setup) == doctest::Approx(1 / std::sqrt(14.0 / 12)));
  CHECK(control_deviation({}, setup) == 0);
  // A mean that is a quarter of the expectation is attributed to payments on few paths, whose
  // variance is taken to be four times that of the samples.
  setup.control_expectation = 12;
  CHECK(control_deviation(sums, setup) == doctest::Approx(-9 / std::sqrt(4 * 14.0 / 12)));
  // Replicates: 5 standard deviations of a normal variable are as improbable as 15 to 18 of
  // Student's t with 7 degrees of freedom.
  std::vector<BlockStatistics> replicates;
  for (const double m : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0})
    replicates.push_back(statistics({0, 0}, {m - 1, m + 1}));
  setup.control_expectation = 1;
  const double deviation = 3.5 / std::sqrt(42.0 / (7 * 8));
  CHECK(control_deviation(replicates, setup) < 5 * deviation / 15);
  CHECK(control_deviation(replicates, setup) > 5 * deviation / 18);
  replicates.pop_back();
  CHECK(control_deviation(replicates, setup) == 0);  // too few replicates
}

TEST_CASE("quantiles of Student's t") {
  CHECK(student_quantile(0.975, 0) == doctest::Approx(1.959963985));
  CHECK(student_quantile(0.975, 15) == doctest::Approx(2.131450).epsilon(1e-5));
  CHECK(student_quantile(0.995, 31) == doctest::Approx(2.744042).epsilon(1e-5));
  CHECK(student_quantile(0.025, 31) == doctest::Approx(-2.039513).epsilon(1e-5));
}

TEST_CASE("evaluation points are fixed and grow by about a third to a half") {
  const EvaluationSchedule plain(40, Sampling::pseudo_random, 1);
  std::vector<Index> points;
  for (Index done = 0; done < plain.total();) points.push_back(done = plain.next(done));
  CHECK(points == std::vector<Index>{4, 6, 8, 12, 16, 24, 32, 40});
  CHECK(plain.next(5) == 6);
  CHECK(plain.next(13) == 16);

  const EvaluationSchedule sobol(40, Sampling::sobol, 8);
  CHECK(sobol.total() == 64);
  points.clear();
  for (Index done = 0; done < sobol.total();) points.push_back(done = sobol.next(done));
  CHECK(points == std::vector<Index>{8, 16, 32, 64});
  CHECK(EvaluationSchedule(1, Sampling::pseudo_random, 1).next(0) == 1);
}

TEST_CASE("means over batches: Student's t, and the number of contributing samples") {
  // Statistics as those of adjoint Greeks: each batch is a sample in a lane of its own.
  const auto of_batches = [](const std::vector<double>& means) {
    BlockStatistics s = statistics(means, std::vector<double>(means.size()));
    s.lanes = s.count;
    for (const double m : means) s.q_xx_xx += std::pow(m - s.mean_x, 4);
    return s;
  };
  const BlockStatistics few = of_batches({1, 2, 3, 4, 5, 6, 7, 8});
  const PriceEstimate e = estimate_price(std::vector{few}, {}, 1, 0.95);
  CHECK(e.price == doctest::Approx(4.5));
  CHECK(e.standard_error == doctest::Approx(std::sqrt(42.0 / (7 * 8))));
  CHECK(e.half_width == doctest::Approx(2.364624 * e.standard_error).epsilon(1e-4));
  // Payments in four of 1024 batches, one of which is of the double size: by the squares and fourth
  // powers as many as (1 + 1 + 1 + 4)^2 / (1 + 1 + 1 + 16) of equal size.
  std::vector<double> rare(1024, 0.0);
  for (const std::size_t b : {7, 150, 702}) rare[b] = 1;
  rare[900] = 2;
  CHECK(contributing_samples(of_batches(rare), 0) == doctest::Approx(49.0 / 19).epsilon(0.03));
  // Normal means, by their quantiles: many samples contribute.
  std::vector<double> normal;
  for (int i = 0; i < 1024; ++i)
    normal.push_back(std::sin(2.399963 * i) + std::sin(3.883222 * i) + std::sin(5.2 * i) +
                     std::sin(7.7 * i));
  CHECK(contributing_samples(of_batches(normal), 0) > 100);
}
