// The model of Hull and White: bonds and options against formulas of the short rate.

#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/short_rate_model.hpp"

using namespace gsim::pricing;

namespace {

MarketConfig market(double kappa, double sigma, double forecast_spread = 0) {
  MarketConfig config;
  config.rate = StepFunction({2, 5, 10}, {0.02, 0.03, 0.04});
  AssetConfig rate;
  rate.name = "R";
  rate.spot = 1;
  rate.short_rate = ShortRate{kappa, sigma, {}, {}, 0, {}};
  if (forecast_spread != 0)
    rate.short_rate->forecast = StepFunction(
        {2, 5, 10}, {0.02 + forecast_spread, 0.03 + forecast_spread, 0.04 + forecast_spread});
  config.assets = {rate};
  return config;
}

/// A call on a zero-coupon bond (Brigo and Mercurio 2006, "Interest Rate Models", eq. 3.40).
double bond_call(const ShortRateModel& model, double kappa, double sigma, double expiry, double end,
                 double strike) {
  const double sd = sigma * std::sqrt((1 - std::exp(-2 * kappa * expiry)) / (2 * kappa)) *
                    (1 - std::exp(-kappa * (end - expiry))) / kappa;
  const double bond = model.discount(end), discount = model.discount(expiry);
  const double h = std::log(bond / (discount * strike)) / sd + sd / 2;
  return bond * normal_cdf(h) - strike * discount * normal_cdf(h - sd);
}

}  // namespace

TEST_CASE("values at a date have the value today as their mean") {
  const MarketConfig config = market(0.1, 0.015);
  const ShortRateModel model(config, config.assets[0]);
  for (const double date : {0.5, 3.0, 7.0})
    CHECK(model.expectation({model.value_at(date, 8, 2.5)}, date, false) ==
          doctest::Approx(2.5 * model.discount(8)).epsilon(1e-13));
}

TEST_CASE("an option on a bond has the value of its formula") {
  const double kappa = 0.1, sigma = 0.015;
  const MarketConfig config = market(kappa, sigma);
  const ShortRateModel model(config, config.assets[0]);
  for (const double expiry : {0.5, 3.0, 7.0}) {
    const double end = expiry + 2, strike = model.discount(end) / model.discount(expiry) * 1.01;
    const double call = model.expectation(
        {model.value_at(expiry, end, 1), model.value_at(expiry, expiry, -strike)}, expiry, true);
    CHECK(call ==
          doctest::Approx(bond_call(model, kappa, sigma, expiry, end, strike)).epsilon(1e-11));
  }
}

double variance_of(const MarketConfig& config, double t) {
  return short_rate_variance(*config.assets[0].short_rate, t);
}

TEST_CASE("without mean reversion the model is that of Ho and Lee, also near it") {
  const MarketConfig zero = market(0, 0.01), small = market(1e-9, 0.01);
  const ShortRateModel a(zero, zero.assets[0]), b(small, small.assets[0]);
  CHECK(variance_of(zero, 4) == doctest::Approx(1e-4 * 4).epsilon(1e-14));
  CHECK(variance_of(small, 4) == doctest::Approx(variance_of(zero, 4)).epsilon(1e-8));
  CHECK(b.value_at(4, 6, 1).amount == doctest::Approx(a.value_at(4, 6, 1).amount).epsilon(1e-8));
  // The series of small exponents meets the formula.
  const MarketConfig below = market(0.99e-5, 0.01), above = market(1.01e-5, 0.01);
  const ShortRateModel c(below, below.assets[0]), d(above, above.assets[0]);
  CHECK(variance_of(below, 5) ==
        doctest::Approx(1e-4 * (std::expm1(0.99e-4) / 1.98e-5)).epsilon(1e-11));
  CHECK(variance_of(above, 5) ==
        doctest::Approx(1e-4 * (std::expm1(1.01e-4) / 2.02e-5)).epsilon(1e-11));
}

TEST_CASE("options without volatility, and options that are certain to be exercised") {
  const MarketConfig config = market(0.1, 0), moving = market(0.1, 0.01);
  const ShortRateModel fixed(config, config.assets[0]), model(moving, moving.assets[0]);
  const auto terms = [](const ShortRateModel& m, double strike) {
    return std::vector<RateTerm>{m.value_at(2, 3, 1), m.value_at(2, 2, -strike)};
  };
  CHECK(fixed.expectation(terms(fixed, 0.9), 2, true) ==
        doctest::Approx(fixed.discount(3) - 0.9 * fixed.discount(2)).epsilon(1e-13));
  CHECK(fixed.expectation(terms(fixed, 1.1), 2, true) == 0);
  CHECK(model.expectation(terms(model, 0.1), 2, true) ==
        doctest::Approx(model.discount(3) - 0.1 * model.discount(2)).epsilon(1e-13));
  CHECK(model.expectation(terms(model, 10), 2, true) == 0);
}

TEST_CASE("the basis of a forecast curve multiplies the ratio of discount factors") {
  const MarketConfig config = market(0.1, 0.01, 0.002), single = market(0.1, 0.01);
  CHECK(ShortRateModel(config, config.assets[0]).basis(1, 1.5) ==
        doctest::Approx(std::exp(0.001)).epsilon(1e-13));
  CHECK(ShortRateModel(single, single.assets[0]).basis(1, 1.5) == 1);
}
