// The model G2++: closed forms against its formulas, slow integrals and the model with one factor.

#include "src/modules/pricing/market/two_factors.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/market/short_rate_model.hpp"
#include "src/modules/pricing/market/two_factor_option.hpp"

using namespace gsim::pricing;

namespace {

struct Parameters {
  double a, sigma, b, eta, rho;
};

MarketConfig market(const Parameters& p) {
  MarketConfig config;
  config.rate = StepFunction({2, 5, 10}, {0.02, 0.03, 0.04});
  AssetConfig rate;
  rate.short_rate = ShortRate{p.a, p.sigma, {}, {}, 12, SecondFactor{p.b, p.eta, p.rho, 1}};
  config.assets = {rate};
  return config;
}

/// A call on a zero-coupon bond (Brigo and Mercurio 2006, eq. 4.27, with Sigma of its proof).
double bond_call(const ShortRateModel& model, const Parameters& p, double expiry, double end,
                 double strike) {
  const double length = end - expiry;
  const auto part = [&](double z) { return 1 - std::exp(-z * length); };
  const double variance =
      std::pow(p.sigma * part(p.a), 2) / (2 * p.a * p.a * p.a) * (1 - std::exp(-2 * p.a * expiry)) +
      std::pow(p.eta * part(p.b), 2) / (2 * p.b * p.b * p.b) * (1 - std::exp(-2 * p.b * expiry)) +
      2 * p.rho * p.sigma * p.eta / (p.a * p.b * (p.a + p.b)) * part(p.a) * part(p.b) *
          (1 - std::exp(-(p.a + p.b) * expiry));
  const double sd = std::sqrt(variance), bond = model.discount(end),
               paid = strike * model.discount(expiry);
  const double h = std::log(bond / paid) / sd + sd / 2;
  return bond * normal_cdf(h) - paid * normal_cdf(h - sd);
}

/// A payer swaption with yearly periods.
std::vector<RateTerm> swaption(const ShortRateModel& model, double expiry, int periods,
                               double strike) {
  std::vector<RateTerm> terms = {model.value_at(expiry, expiry, 1)};
  for (int i = 1; i <= periods; ++i)
    terms.push_back(model.value_at(expiry, expiry + i, -strike - (i == periods ? 1 : 0)));
  return terms;
}

/// E[max(A, 0)] by the trapezoidal rule over both factors.
double double_integral(const std::vector<RateTerm>& terms, const FactorCovariance& c) {
  constexpr int points = 1000;
  constexpr double reach = 8, step = 2 * reach / points;
  const double sd = std::sqrt(c.x), slope = sd > 0 ? c.xy / sd : 0,
               rest = std::sqrt(std::fmax(c.y - slope * slope, 0.0));
  double sum = 0;
  for (int i = 0; i <= points; ++i)
    for (int j = 0; j <= points; ++j) {
      const double u = -reach + i * step, v = -reach + j * step;
      double value = 0;
      for (const RateTerm& t : terms)
        value +=
            t.amount * std::exp(-t.loading * sd * u - t.second_loading * (slope * u + rest * v));
      sum += std::fmax(value, 0.0) * std::exp(-0.5 * (u * u + v * v));
    }
  return sum * step * step / (2 * std::acos(-1.0));
}

const Parameters typical{0.5, 0.012, 0.05, 0.009, -0.7};

}  // namespace

TEST_CASE("G2++: values at a date have the value today as their mean") {
  const MarketConfig config = market(typical);
  const ShortRateModel model(config, config.assets[0]);
  CHECK(model.has_two_factors());
  for (const double date : {0.5, 3.0, 7.0}) {
    CHECK(model.expectation({model.value_at(date, 8, 2.5)}, date, false) ==
          doctest::Approx(2.5 * model.discount(8)).epsilon(1e-13));
    CHECK(
        model.expectation({model.growth_at(date, 8, 9, 10, 1)}, date, false) ==
        doctest::Approx(model.discount(8) / model.discount(9) * model.discount(10)).epsilon(1e-13));
  }
}

TEST_CASE("G2++: an option on a bond has the value of its formula, also by the integral") {
  for (const Parameters& p : {typical, Parameters{0.77, 0.0223, 0.082, 0.0104, -0.702},
                              Parameters{0.1, 0.01, 0.04, 0.01, 0.9}}) {
    const MarketConfig config = market(p);
    const ShortRateModel model(config, config.assets[0]);
    for (const double expiry : {0.5, 3.0, 7.0}) {
      const double end = expiry + 2, strike = model.discount(end) / model.discount(expiry) * 1.01;
      const RateTerm bond = model.value_at(expiry, end, 1),
                     price = model.value_at(expiry, expiry, -strike);
      const double expected = bond_call(model, p, expiry, end, strike);
      CHECK(model.expectation({bond, price}, expiry, true) ==
            doctest::Approx(expected).epsilon(1e-10));
      // A third term of no weight makes it an integral.
      const RateTerm tiny = model.value_at(expiry, end + 2, 1e-13);
      CHECK(model.expectation({bond, price, tiny}, expiry, true) ==
            doctest::Approx(expected).epsilon(1e-9));
      // Terms of equal loadings are one.
      RateTerm half = price;
      half.amount *= 0.5;
      CHECK(model.expectation({half, bond, half}, expiry, true) ==
            doctest::Approx(expected).epsilon(1e-10));
    }
  }
}

TEST_CASE("G2++: swaptions agree with a double integral") {
  for (const Parameters& p : {typical, Parameters{0.54, 0.0058, 0.076, 0.0117, -0.991},
                              Parameters{0.3, 0.01, 0.05, 0.01, 0.99}}) {
    const MarketConfig config = market(p);
    const ShortRateModel model(config, config.assets[0]);
    const std::vector<RateTerm> terms = swaption(model, 3, 6, 0.035);
    const double slow = double_integral(terms, factor_covariance(*config.assets[0].short_rate, 3));
    CAPTURE(p.rho);
    CHECK(model.expectation(terms, 3, true) == doctest::Approx(slow).epsilon(1e-5));
  }
}

TEST_CASE("G2++: swaptions where the factors are one, are exchanged, or one of them is constant") {
  const auto value = [](const Parameters& p, double strike) {
    const MarketConfig config = market(p);
    const ShortRateModel model(config, config.assets[0]);
    return model.expectation(swaption(model, 3, 6, strike), 3, true);
  };
  const auto one_factor = [](double kappa, double sigma, double strike) {
    MarketConfig config = market(typical);
    config.assets[0].short_rate = ShortRate{kappa, sigma, {}, {}, 12, {}};
    const ShortRateModel model(config, config.assets[0]);
    CHECK(!model.has_two_factors());
    return model.expectation(swaption(model, 3, 6, strike), 3, true);
  };
  for (const double strike : {0.025, 0.035, 0.05}) {
    CAPTURE(strike);
    const double expected = one_factor(0.1, 0.01, strike);
    CHECK(value({0.1, 0.01, 0.4, 0, 0}, strike) == doctest::Approx(expected).epsilon(1e-10));
    CHECK(value({0.4, 0, 0.1, 0.01, -0.5}, strike) == doctest::Approx(expected).epsilon(1e-10));
    CHECK(value({0.1, 0.01, 0.4, 1e-9, 0.3}, strike) == doctest::Approx(expected).epsilon(1e-6));
    // Equal mean reversions: the sum of the factors is one of the variance sigma^2 + eta^2 + 2 rho
    // sigma eta.
    CHECK(value({0.1, 0.006, 0.1, 0.008, 0}, strike) == doctest::Approx(expected).epsilon(1e-10));
    CHECK(value({0.1, 0.006, 0.1, 0.004, 1}, strike) == doctest::Approx(expected).epsilon(1e-9));
    CHECK(value({0.1, 0.014, 0.1, 0.004, -1}, strike) == doctest::Approx(expected).epsilon(1e-9));
    // A bend instead of a smooth integrand: the limit from inside.
    CHECK(value({0.3, 0.01, 0.05, 0.01, 1}, strike) ==
          doctest::Approx(value({0.3, 0.01, 0.05, 0.01, 0.999999}, strike)).epsilon(1e-5));
    CHECK(value({typical.b, typical.eta, typical.a, typical.sigma, typical.rho}, strike) ==
          doctest::Approx(value(typical, strike)).epsilon(1e-11));
  }
  CHECK(value({0.1, 0, 0.4, 0, 0}, 0.001) > 0.1);
  CHECK(value({0.1, 0, 0.4, 0, 0}, 0.2) == 0);
  CHECK(value(typical, 0.5) < 1e-12);
}

TEST_CASE("G2++: payer less receiver swaption is the swap") {
  const MarketConfig config = market(typical);
  const ShortRateModel model(config, config.assets[0]);
  std::vector<RateTerm> payer = swaption(model, 5, 5, 0.04), receiver = payer;
  for (RateTerm& term : receiver) term.amount = -term.amount;
  CHECK(model.expectation(payer, 5, true) - model.expectation(receiver, 5, true) ==
        doctest::Approx(model.expectation(payer, 5, false)).epsilon(1e-9));
}

TEST_CASE("G2++: options given the factors at a date before their expiry") {
  for (const Parameters& p :
       {typical, Parameters{0.54, 0.0058, 0.076, 0.0117, -0.991},
        Parameters{0.1, 0.01, 0.04, 0.01, 0.9}, Parameters{1.0, 0.05, 0.02, 0.03, -0.9},
        Parameters{0.3, 0.01, 0.05, 0.0, 0.2}}) {
    const MarketConfig config = market(p);
    const ShortRateModel model(config, config.assets[0]);
    const ShortRate& rate = *config.assets[0].short_rate;
    for (const int periods : {1, 2, 7}) {
      constexpr double expiry = 4;
      const std::vector<RateTerm> terms = swaption(model, expiry, periods, 0.035);
      for (const double date : {0.0, 0.3, 2.0, 3.99}) {
        const double years = expiry - date;
        const TwoFactorOption option(rate, terms, date, expiry);
        const FactorCovariance c = factor_covariance(rate, date);
        for (const double u : {-2.0, 0.0, 1.0})
          for (const double v : {-1.5, 0.5}) {
            const double x = u * std::sqrt(c.x), y = v * std::sqrt(c.y);
            // Given them, the factors at the expiry are these, and noise of the covariance of the
            // time that is left.
            std::vector<RateTerm> given = terms;
            for (RateTerm& term : given)
              term.amount *= std::exp(-term.loading * std::exp(-p.a * years) * x -
                                      term.second_loading * std::exp(-p.b * years) * y);
            const double exact =
                two_factor_expectation(given, factor_covariance(rate, years), true);
            CHECK(std::fabs(option.value(x, y) - exact) < 1e-8);
          }
      }
    }
  }
}

TEST_CASE("G2++: options at a date where both factors are one") {
  const MarketConfig two = market({0.1, 0.01, 0.1, 0.01, 1.0}),
                     one = market({0.1, 0.02, 0.1, 0, 0});
  const std::vector<RateTerm> terms = swaption(ShortRateModel(two, two.assets[0]), 4, 5, 0.035);
  for (const double date : {0.0, 1e-5, 2.0, 3.99}) {
    const TwoFactorOption option(*two.assets[0].short_rate, terms, date, 4),
        expected(*one.assets[0].short_rate,
                 swaption(ShortRateModel(one, one.assets[0]), 4, 5, 0.035), date, 4);
    const double sd = 0.01 * std::sqrt(date);
    for (const double u : {-2.0, 0.0, 1.5})
      CHECK(option.value(u * sd, u * sd) ==
            doctest::Approx(expected.value(2 * u * sd, 0)).epsilon(1e-9));
  }
}
