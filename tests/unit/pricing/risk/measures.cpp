// Value at risk and expected shortfall of samples, and their errors.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include <doctest/doctest.h>

#include "src/modules/pricing/risk/risk_measures.hpp"

using namespace gsim;
using namespace gsim::pricing;

namespace {

/// Gains of which -gain is uniform on (0, 1): VaR = level, ES = (1 + level) / 2.
std::vector<double> uniform_losses(std::size_t n, std::mt19937_64& random) {
  std::vector<double> gains(n);
  for (double& g : gains) g = -std::generate_canonical<double, 53>(random);
  return gains;
}

TailRisk tail_of(const std::vector<double>& gains, double level, double confidence = 0.95) {
  return tail_risk(gains, by_falling_loss(gains), level, confidence);
}

}  // namespace

TEST_CASE("value at risk is an order statistic, expected shortfall the mean of the tail") {
  // Losses 10, 9, …, 1.
  std::vector<double> gains;
  for (int loss = 1; loss <= 10; ++loss) gains.push_back(-((7 * loss) % 11));
  CHECK(tail_of(gains, 0.9).var.value == 9);
  CHECK(tail_of(gains, 0.9).es.value == 10);
  CHECK(tail_of(gains, 0.8).var.value == 8);
  CHECK(tail_of(gains, 0.8).es.value == 9.5);
  // 1.5 losses in the tail: 10, and half of 9.
  CHECK(tail_of(gains, 0.85).var.value == 9);
  CHECK(tail_of(gains, 0.85).es.value == doctest::Approx((10 + 0.5 * 9) / 1.5).epsilon(1e-15));
  CHECK(value_at_risk(gains, 0.85) == 9);
  CHECK(value_at_risk(gains, 0.5) == 5);
  // Fewer losses than 1 / (1 - level): the largest one.
  CHECK(tail_of(gains, 0.99).var.value == 10);
  CHECK(tail_of(gains, 0.99).es.value == doctest::Approx(10).epsilon(1e-15));
}

TEST_CASE("few losses: the upper end of the interval and the errors are unknown") {
  std::mt19937_64 random(3);
  const TailRisk risk = tail_of(uniform_losses(250, random), 0.99);
  CHECK(risk.var.high == std::numeric_limits<double>::infinity());
  CHECK(risk.var.low > 0.95);
  CHECK(std::isnan(tail_of(uniform_losses(90, random), 0.99).es.standard_error));
}

TEST_CASE("intervals cover the measures of the distribution, errors are those of many samples") {
  std::mt19937_64 random(5);
  constexpr int samples = 2000;
  constexpr std::size_t n = 1000;
  for (const double level : {0.9, 0.975}) {
    CAPTURE(level);
    int var_covered = 0, es_covered = 0;
    double var_error = 0, es_error = 0, var_squares = 0, es_squares = 0;
    for (int i = 0; i < samples; ++i) {
      const TailRisk risk = tail_of(uniform_losses(n, random), level);
      var_covered += risk.var.low <= level && level <= risk.var.high ? 1 : 0;
      const double es = (1 + level) / 2;
      es_covered += risk.es.low <= es && es <= risk.es.high ? 1 : 0;
      var_error += risk.var.standard_error / samples;
      es_error += risk.es.standard_error / samples;
      var_squares += std::pow(risk.var.value - level, 2) / samples;
      es_squares += std::pow(risk.es.value - es, 2) / samples;
    }
    // The exact level of the interval is at least 95 %; that of the normal one is approximate.
    const double deviation = std::sqrt(0.05 * 0.95 / samples);
    CHECK(var_covered >= (0.95 - 4 * deviation) * samples);
    CHECK(var_covered <= (0.975 + 4 * deviation) * samples);
    CHECK(es_covered >= 0.92 * samples);
    CHECK(var_error == doctest::Approx(std::sqrt(var_squares)).epsilon(0.1));
    CHECK(es_error == doctest::Approx(std::sqrt(es_squares)).epsilon(0.1));
  }
}

TEST_CASE("the bootstrap agrees with the formulas for independent gains") {
  std::mt19937_64 random(7);
  const std::vector<double> gains = uniform_losses(2000, random);
  const std::vector<Index> order = by_falling_loss(gains);
  const double levels[] = {0.9, 0.95};
  const std::vector<TailRisk> resampled =
      bootstrap(gains, order, levels, 0.95, 2000, 1, 11, Communicator::self(), {});
  for (std::size_t l = 0; l < 2; ++l) {
    const TailRisk risk = tail_risk(gains, order, levels[l], 0.95);
    CHECK(resampled[l].var.standard_error == doctest::Approx(risk.var.standard_error).epsilon(0.3));
    CHECK(resampled[l].es.standard_error == doctest::Approx(risk.es.standard_error).epsilon(0.08));
    CHECK(resampled[l].es.low == doctest::Approx(risk.es.low).epsilon(0.002));
    CHECK(resampled[l].es.high == doctest::Approx(risk.es.high).epsilon(0.002));
  }
}

TEST_CASE("blocks of dependent gains have wider bootstrap intervals") {
  // Every gain occurs five times in a row.
  std::mt19937_64 random(9);
  std::vector<double> gains;
  for (const double g : uniform_losses(400, random)) gains.insert(gains.end(), 5, g);
  const std::vector<Index> order = by_falling_loss(gains);
  const double levels[] = {0.9};
  const auto error = [&](Index block) {
    return bootstrap(gains, order, levels, 0.95, 1000, block, 11, Communicator::self(), {})[0]
        .es.standard_error;
  };
  const double alone = error(1), blocks = error(5);
  CHECK(blocks > 1.7 * alone);
  CHECK(blocks < 2.6 * alone);
}

TEST_CASE("resamples are those of the bootstrap, however they are grouped") {
  std::mt19937_64 random(13);
  const std::vector<double> gains = uniform_losses(500, random);
  const std::vector<Index> order = by_falling_loss(gains);
  const double levels[] = {0.9};
  for (const Index block : {Index{1}, Index{4}}) {
    const TailRisk expected =
        bootstrap(gains, order, levels, 0.95, 60, block, 11, Communicator::self(), {})[0];
    std::vector<double> values;
    for (const Index first : {Index{0}, Index{25}}) {
      const Resamples part(500, first, first == 0 ? 25 : 35, block, 11);
      for (const double v : part.values_at_risk(gains, order, 0.9)) values.push_back(v);
      for (Index r = 0; r < part.count(); ++r) {
        const auto copies = part.copies(r);
        CHECK(std::accumulate(copies.begin(), copies.end(), 0) == 500);
      }
    }
    REQUIRE(values.size() == 60);
    CHECK(deviation_of(values) == doctest::Approx(expected.var.standard_error).epsilon(1e-12));
    CHECK(*std::min_element(values.begin(), values.end()) <= expected.var.low);
    CHECK(std::accumulate(values.begin(), values.end(), 0.0) / 60 ==
          doctest::Approx(expected.var.value).epsilon(1e-12));
  }
  CHECK(std::isnan(deviation_of(std::vector<double>{1.0})));
}

TEST_CASE("ranks share the resamples of a bootstrap, also fewer resamples than ranks") {
  std::mt19937_64 random(17);
  const std::vector<double> gains = uniform_losses(300, random);
  const std::vector<Index> order = by_falling_loss(gains);
  const double levels[] = {0.9, 0.95};
  for (const Index resamples : {5, 40}) {
    const auto alone =
        bootstrap(gains, order, levels, 0.95, resamples, 3, 11, Communicator::self(), {});
    for (const int ranks : {2, 3, 7}) {
      CAPTURE(ranks);
      run_in_process(ranks, [&](Communicator communicator) {
        WorkShares shares;  // equal ones, then those of a slow rank
        for (const double seconds : {1.0, 1.0 + 3.0 * communicator.rank()}) {
          shares.measure(communicator, 100, seconds);
          const auto shared =
              bootstrap(gains, order, levels, 0.95, resamples, 3, 11, communicator, shares);
          const bool is_same = std::memcmp(shared.data(), alone.data(), sizeof(TailRisk) * 2) == 0;
          CHECK(communicator.sum(is_same ? 1 : 0) == ranks);
        }
      });
    }
  }
}

TEST_CASE("equal losses are in the order of their scenarios") {
  CHECK(by_falling_loss(std::vector<double>{1, -2, 0.0, -2, -0.0, 1}) ==
        std::vector<Index>{1, 3, 2, 4, 0, 5});
}

TEST_CASE("the weights of the quantile are symmetric, those of the tail give expected shortfall") {
  const std::vector<double> near = quantile_weights(100, 0.95);
  CHECK(std::accumulate(near.begin(), near.end(), 0.0) == doctest::Approx(1).epsilon(1e-14));
  CHECK(near[4] == near[6]);
  CHECK(near[5] > near[4]);
  const std::vector<double> tail = tail_weights(100, 0.975);
  CHECK(tail[0] == doctest::Approx(0.4).epsilon(1e-14));
  CHECK(tail[2] == doctest::Approx(0.2).epsilon(1e-14));
  CHECK(tail[3] == 0);
}
