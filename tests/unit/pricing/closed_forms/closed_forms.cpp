#include "src/modules/pricing/closed_forms/closed_forms.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/pricing/closed_forms/reference_values.hpp"

using namespace gsim::pricing;

namespace {

double forward(double spot, double rate, double dividend, double t) {
  return spot * std::exp((rate - dividend) * t);
}

// Expectation of payoff(exp(X)) for a normal X, by the midpoint rule over +-12 standard deviations.
template <class Payoff>
double expectation(double mean, double variance, const Payoff& payoff) {
  constexpr int n = 200000;
  const double sd = std::sqrt(variance), width = 24.0 / n;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double z = -12 + (i + 0.5) * width;
    sum += std::exp(-0.5 * z * z) * payoff(std::exp(mean + sd * z));
  }
  return sum * width / std::sqrt(2 * M_PI);
}

}  // namespace

TEST_CASE("Black's formula gives the published European prices") {
  for (const auto& r : reference::europeans)
    CHECK(black(r.sign, forward(r.spot, r.rate, r.dividend, r.maturity), r.strike,
                r.volatility * r.volatility * r.maturity,
                std::exp(-r.rate * r.maturity)) == doctest::Approx(r.value).epsilon(1e-11));
}

TEST_CASE("Black's formula has the limits of zero variance and of zero strike") {
  CHECK(black(1, 100, 90, 0, 0.5) == 5);
  CHECK(black(-1, 100, 90, 0, 0.5) == 0);
  CHECK(black(1, 100, 0, 0.04, 0.5) == 50);
  CHECK(cash_digital(1, 100, 90, 0, 0.5) == 0.5);
  CHECK(asset_digital(-1, 100, 90, 0, 0.5) == 0);
}

TEST_CASE("digitals agree with published values and add up to the vanilla") {
  const double f = forward(100, 0.05, 0, 1), discount = std::exp(-0.05);
  CHECK(cash_digital(1, f, 100, 0.04, discount) == doctest::Approx(0.532324815454).epsilon(1e-11));
  CHECK(asset_digital(1, f, 100, 0.04, discount) == doctest::Approx(63.6830651176).epsilon(1e-11));
  for (const double sign : {1.0, -1.0})
    CHECK(sign * (asset_digital(sign, f, 95, 0.04, discount) -
                  95 * cash_digital(sign, f, 95, 0.04, discount)) ==
          doctest::Approx(black(sign, f, 95, 0.04, discount)).epsilon(1e-12));
}

TEST_CASE("a forward start agrees with Rubinstein 1990 as printed in Haug 1998") {
  const double start = forward(60, 0.08, 0.04, 0.25), end = forward(60, 0.08, 0.04, 1);
  CHECK(forward_start(1, start, end, 1.1, 0.09 * 0.75, std::exp(-0.08)) ==
        doctest::Approx(4.40645433937).epsilon(1e-11));
}

TEST_CASE("Margrabe's formula gives Haug's table") {
  for (const auto& r : reference::exchanges) {
    const double variance = (r.volatility1 * r.volatility1 + r.volatility2 * r.volatility2 -
                             2 * r.rho * r.volatility1 * r.volatility2) *
                            r.maturity;
    CHECK(exchange(1, forward(22, 0.1, 0.06, r.maturity), forward(20, 0.1, 0.04, r.maturity),
                   variance,
                   std::exp(-0.1 * r.maturity)) == doctest::Approx(r.value).epsilon(1e-10));
  }
}

TEST_CASE("Stulz's formulas give published prices of options on the best and worst of two assets") {
  for (const auto& r : reference::extremes) {  // values of a quadrature with 8 digits
    const double f[2] = {forward(r.spot1, r.rate, r.dividend1, r.maturity),
                         forward(r.spot2, r.rate, r.dividend2, r.maturity)};
    const double v[2] = {r.volatility1 * r.volatility1 * r.maturity,
                         r.volatility2 * r.volatility2 * r.maturity};
    CHECK(
        two_asset_extreme(r.best, r.sign, f, r.strike, v, r.rho, std::exp(-r.rate * r.maturity)) ==
        doctest::Approx(r.value).epsilon(1e-7));
  }
}

TEST_CASE("the bivariate normal distribution agrees with known values") {
  // P(X <= 0, Y <= 0) = 1/4 + asin(rho) / (2 pi) (Sheppard 1899).
  for (const double rho : {-0.99, -0.6, 0.0, 0.3, 0.9, 0.999})
    CHECK(bivariate_normal_cdf(0, 0, rho) ==
          doctest::Approx(0.25 + std::asin(rho) / (2 * M_PI)).epsilon(1e-13));
  CHECK(bivariate_normal_cdf(1, -0.5, 0) ==
        doctest::Approx(0.25 * std::erfc(-1 / std::sqrt(2.0)) * std::erfc(0.5 / std::sqrt(2.0))));
}

TEST_CASE("the Reiner-Rubinstein formulas give all rows of Haug's table") {
  for (const auto& r : reference::barriers) {
    const FlatMarket market{100, 0.08, 0.04, r.volatility, 0.5};
    const BarrierTerms terms{r.sign, r.strike, r.barrier, 3, r.up, r.knock_in, true};
    CHECK(continuous_barrier(market, terms) == doctest::Approx(r.value).epsilon(1e-10));
  }
}

TEST_CASE(
    "knock-out and knock-in with the rebate at maturity add up to the vanilla and the rebate") {
  for (const auto& r : reference::barriers) {
    const FlatMarket market{100, 0.08, 0.04, r.volatility, 0.5};
    const double discount = std::exp(-0.04);
    const double vanilla = black(r.sign, forward(100, 0.08, 0.04, 0.5), r.strike,
                                 r.volatility * r.volatility * 0.5, discount);
    double sum = 0;
    for (const bool in : {false, true})
      sum += continuous_barrier(market, {r.sign, r.strike, r.barrier, 3, r.up, in, false});
    CHECK(sum == doctest::Approx(vanilla + 3 * discount).epsilon(1e-12));
  }
}

TEST_CASE("floating lookbacks agree with published values") {
  for (const auto& r : reference::floating_lookbacks)
    CHECK(lookback_floating({r.spot, r.rate, r.dividend, r.volatility, r.maturity}, r.sign,
                            r.extreme) == doctest::Approx(r.value).epsilon(1e-10));
}

TEST_CASE("lookbacks are continuous where the carry vanishes") {
  for (const double sign : {1.0, -1.0}) {
    const double at_zero = lookback_floating({100, 0.05, 0.05, 0.3, 1}, sign, 100);
    const double nearby = lookback_floating({100, 0.05, 0.05 - 2e-6, 0.3, 1}, sign, 100);
    CHECK(at_zero == doctest::Approx(nearby).epsilon(1e-4));
  }
}

TEST_CASE("fixed lookbacks agree with Haug 1998, p. 64") {
  // S = 100, r = 0.1, q = 0, volatility 0.1, T = 0.5; calls with strikes 95, 100 and 105, puts with
  // strikes 95 and 105.
  CHECK(lookback_fixed({100, 0.1, 0, 0.1, 0.5}, 1, 95, 100) ==
        doctest::Approx(13.2687).epsilon(1e-5));
  CHECK(lookback_fixed({100, 0.1, 0, 0.1, 0.5}, 1, 100, 100) ==
        doctest::Approx(8.5126).epsilon(1e-5));
  CHECK(lookback_fixed({100, 0.1, 0, 0.1, 0.5}, 1, 105, 100) ==
        doctest::Approx(4.3908).epsilon(1e-5));
  CHECK(lookback_fixed({100, 0.1, 0, 0.1, 0.5}, -1, 95, 100) ==
        doctest::Approx(0.6899).epsilon(1e-4));
  CHECK(lookback_fixed({100, 0.1, 0, 0.1, 0.5}, -1, 105, 100) ==
        doctest::Approx(8.1478).epsilon(1e-5));
}

TEST_CASE("Merton's series agrees with published values") {
  for (const auto& r : reference::merton_calls)
    CHECK(merton(1, forward(100, 0.05, 0, 1), r.strike, 0.04, 1, -0.1, 0.15, std::exp(-0.05)) ==
          doctest::Approx(r.value).epsilon(1e-10));
  for (const auto& r : reference::merton_haug) {
    const double jump_variance = r.share * 0.0625 / r.intensity;
    CHECK(merton(1, forward(100, 0.08, 0, r.maturity), r.strike,
                 (1 - r.share) * 0.0625 * r.maturity, r.intensity * r.maturity,
                 -0.5 * jump_variance, std::sqrt(jump_variance),
                 std::exp(-0.08 * r.maturity)) == doctest::Approx(r.value).epsilon(1e-10));
  }
}

TEST_CASE("geometric Asian options agree with published values") {
  for (const auto& r : reference::geometric_asians) {
    std::vector<double> forwards, variances;
    for (int k = 1; k <= r.fixings; ++k) {
      const double t = r.maturity * k / r.fixings;
      forwards.push_back(forward(r.spot, r.rate, r.dividend, t));
      variances.push_back(r.volatility * r.volatility * t);
    }
    const Lognormal law = geometric_average(forwards, variances, 0, 0);
    CHECK(black(r.sign, law.expectation(), r.strike, law.variance,
                std::exp(-r.rate * r.maturity)) == doctest::Approx(r.value).epsilon(1e-10));
  }
}

TEST_CASE("a geometric average with past fixings has the right mean") {
  // Two past fixings and one future fixing: A = (90 * 95 * S)^(1/3).
  const Lognormal law =
      geometric_average(std::vector{105.0}, std::vector{0.04}, std::log(90) + std::log(95), 2);
  const double quadrature =
      expectation(std::log(105) - 0.02, 0.04, [](double s) { return std::cbrt(90.0 * 95.0 * s); });
  CHECK(law.expectation() == doctest::Approx(quadrature).epsilon(1e-12));
  CHECK(geometric_average_covariance(std::vector{0.01, 0.04}, 2) == doctest::Approx(0.05 / 4));
}

TEST_CASE("geometric baskets agree with published values") {
  for (const auto& r : reference::geometric_baskets) {
    const auto n = static_cast<std::size_t>(r.assets);
    std::vector<double> forwards(n, forward(100, 0.05, 0, 1)), covariance(n * n);
    const auto volatility = [](std::size_t i) { return 0.2 + 0.01 * static_cast<double>(i); };
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        covariance[i * n + j] = (i == j ? 1 : 0.5) * volatility(i) * volatility(j);
    const std::vector<double> weights(n, 1.0 / r.assets);
    const Lognormal law = geometric_basket(forwards, covariance, weights, 0);
    CHECK(black(1, law.expectation(), r.strike, law.variance, std::exp(-0.05)) ==
          doctest::Approx(r.value).epsilon(1e-10));
  }
}

TEST_CASE("expected realised variances agree with their formulas") {
  CHECK(heston_mean_variance(0.04, 2, 0.09, 1) == doctest::Approx(0.0683833820809).epsilon(1e-12));
  CHECK(heston_mean_variance(0.09, 1, 0.04, 0.5) ==
        doctest::Approx(0.0793469340287).epsilon(1e-12));
  CHECK(expected_squared_returns(std::vector{0.01, 0.02}, std::vector{0.04, 0.01}) ==
        doctest::Approx(0.01 * 0.01 + 0.04 + 0.015 * 0.015 + 0.01));
}

TEST_CASE("clipped returns agree with quadrature for both signs and all floors and caps") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const double mean = 1.02, variance = 0.03;
  for (const double sign : {1.0, -1.0})
    for (const double floor : {-inf, -0.05, 0.0})
      for (const double cap : {0.04, 2.0, inf}) {
        CAPTURE(sign);
        CAPTURE(floor);
        CAPTURE(cap);
        const double quadrature = expectation(
            std::log(mean) - 0.5 * variance, variance,
            [&](double ratio) { return std::fmin(std::fmax(sign * (ratio - 1.01), floor), cap); });
        CHECK(clipped_return(sign, mean, 1.01, floor, cap, variance, 0, 0, 0) ==
              doctest::Approx(quadrature).epsilon(1e-7));
      }
  // Zero variance.
  CHECK(clipped_return(1, 1.1, 1, 0, 0.05, 0, 0, 0, 0) == doctest::Approx(0.05));
}
