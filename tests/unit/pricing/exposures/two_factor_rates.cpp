// Exposures of netting sets with trades on short rates with two factors, beside other trades, in
// two currencies, against closed forms and integrals over both factors.

#include <cmath>
#include <functional>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace two_factor_exposures {
namespace {

/// R, of the base currency, and E have two factors.
const std::string market = R"(
[market]
currency = "USD"
rate = 0.03
[market.currencies.EUR]
rate = 0.01
[market.fx.EURUSD]
spot = 1.2
volatility = 0.1
[market.rates.R]
model = "g2"
a = 0.5
sigma = 0.012
b = 0.05
eta = 0.009
rho = -0.7
[market.rates.E]
model = "g2"
currency = "EUR"
a = 0.3
sigma = 0.01
b = 0.03
eta = 0.011
rho = -0.5
[market.assets.A]
spot = 100.0
volatility = 0.2
[market.assets.G]
currency = "EUR"
spot = 50.0
volatility = 0.25
[market.correlation]
assets = ["R", "E", "EURUSD", "A", "G"]
matrix = [[1.0, 0.5, -0.3, 0.6, 0.3],
          [0.5, 1.0, 0.1, 0.2, 0.1],
          [-0.3, 0.1, 1.0, 0.1, -0.1],
          [0.6, 0.2, 0.1, 1.0, 0.4],
          [0.3, 0.1, -0.1, 0.4, 1.0]]
)";

std::string set(const std::string& name) {
  return "[[exposure.netting_sets]]\nname = \"" + name + "\"\n";
}

std::string trade(const std::string& id, const std::string& set, const std::string& terms,
                  double quantity) {
  return "[[trades]]\nid = \"" + id + "\"\nnetting_set = \"" + set +
         "\"\nquantity = " + std::to_string(quantity) + "\n" + terms + "\n";
}

std::string bond(const std::string& rate, double end) {
  return "product = \"bond\"\nrate = \"" + rate + "\"\nend = " + std::to_string(end);
}

std::string swap(const std::string& rate) {
  return "product = \"swap\"\nstrike = 0.02\nend = 10.0\nfixed_period = 1.0\nfloat_period = 1.0\n"
         "rate = \"" +
         rate + "\"";
}

ModuleResult run(const std::string& exposure, const std::string& trades, Index paths = 16 * 4096) {
  return run_module_alone(
      exposure_run("[exposure]\nregression_paths = 4096\n" + exposure + market + trades, paths));
}

/// The row of a netting set at a date, where `times` has all dates but today.
std::size_t row(std::size_t set, std::size_t time, std::size_t times) {
  return set * (times + 1) + time + 1;
}

void check(const ModuleResult& r, const std::string& column, std::size_t at, double expected) {
  const std::string path = "exposures/" + column;
  const double value = column_of(r, path)[at], error = column_of(r, path + "_error")[at];
  CAPTURE(column);
  CAPTURE(at);
  CAPTURE(value);
  CAPTURE(error);
  CAPTURE(expected);
  CHECK(std::fabs(value - expected) <= 4 * error + 1e-9 * std::fabs(expected));
}

/// G2++ with a flat curve (Brigo and Mercurio 2006, section 4.2).
struct Rate {
  double rate, a, sigma, b, eta, rho;
  double discount(double t) const { return std::exp(-rate * t); }
  static double B(double z, double t) { return (1 - std::exp(-z * t)) / z; }
  /// P(t, T) where the factors are x and y under the measure of payments at t, with mean 0.
  double bond(double t, double T, double x, double y) const {
    const double l = B(a, T - t), m = B(b, T - t);
    const double variance = l * l * sigma * sigma * B(2 * a, t) + m * m * eta * eta * B(2 * b, t) +
                            2 * l * m * rho * sigma * eta * B(a + b, t);
    return discount(T) / discount(t) * std::exp(-l * x - m * y - 0.5 * variance);
  }
  /// E[f(x(t), y(t))] under the measure of payments at t, by Simpson's rule.
  double expectation(double t, const std::function<double(double, double)>& f) const {
    constexpr int n = 300;
    constexpr double reach = 8, h = 2 * reach / n;
    const double x_sd = sigma * std::sqrt(B(2 * a, t)), y_sd = eta * std::sqrt(B(2 * b, t)),
                 r = rho * sigma * eta * B(a + b, t) / (x_sd * y_sd), rest = std::sqrt(1 - r * r);
    double sum = 0;
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) {
        const auto weight = [&](int k) { return k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2; };
        const double u = -reach + i * h, v = -reach + j * h;
        sum += weight(i) * weight(j) * std::exp(-0.5 * (u * u + v * v)) *
               f(x_sd * u, y_sd * (r * u + rest * v));
      }
    return sum * h * h / 9 / (2 * M_PI);
  }
  /// The payer swap of swap() at the whole year t after its payments.
  double swap(double t, double x, double y) const {
    double value = 1 - bond(t, 10, x, y);
    for (double T = t + 1; T < 10.5; ++T) value -= 0.02 * bond(t, T, x, y);
    return value;
  }
};
const Rate usd{0.03, 0.5, 0.012, 0.05, 0.009, -0.7}, eur{0.01, 0.3, 0.01, 0.03, 0.011, -0.5};

}  // namespace

TEST_CASE("two-factor rates and assets: discounted exposures of bought trades are prices") {
  const std::string call =
                        "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 110.0\n"
                        "maturity = 5.0",
                    euro_put =
                        "product = \"european\"\nasset = \"G\"\ntype = \"put\"\n"
                        "strike = 50.0\nmaturity = 5.0",
                    swaption =
                        "product = \"swaption\"\nrate = \"E\"\ntype = \"payer\"\nfixed_period = "
                        "1.0\nfloat_period = 1.0\nstrike = 0.02\nmaturity = 5.0\nend = 10.0";
  const ModuleResult r = run(
      "times = [1.0, 3.0, 4.9]\n" + set("dollars") + set("both") + set("euros") + set("swaption"),
      trade("a", "dollars", bond("R", 10), 100) + trade("b", "dollars", call, 2) +
          trade("c", "both", bond("R", 10), 100) + trade("d", "both", bond("E", 8), 100) +
          trade("e", "both", euro_put, 3) + trade("f", "euros", bond("E", 8), 100) +
          trade("g", "euros", call, 2) + trade("h", "swaption", swaption, 100) +
          trade("i", "swaption", bond("R", 10), 1e-9));
  const double dollar_bond = 100 * usd.discount(10), euro_bond = 120 * eur.discount(8),
               calls = 2 * black(1, 100 * std::exp(0.15), 110, 0.2, std::exp(-0.15)),
               puts = 3.6 * black(-1, 50 * std::exp(0.05), 50, 0.3125, std::exp(-0.05));
  const double expected[] = {dollar_bond + calls, dollar_bond + euro_bond + puts,
                             euro_bond + calls};
  const double times[] = {1, 3, 4.9};
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t k = 0; k < 3; ++k) {
      check(r, "discounted_positive", row(s, k, 3), expected[s]);
      check(r, "expected_positive", row(s, k, 3), expected[s] * std::exp(0.03 * times[k]));
    }
  const double price = 120 * eur.discount(5) * eur.expectation(5, [](double x, double y) {
    return std::fmax(eur.swap(5, x, y), 0.0);
  });
  for (std::size_t k = 0; k < 3; ++k) check(r, "discounted_positive", row(3, k, 3), price);
}

TEST_CASE("two-factor rates: the exposure of a swap is a swaption") {
  const ModuleResult r =
      run("times = [2.0, 6.0]\n" + set("dollars") + set("euros") + set("both"),
          trade("a", "dollars", swap("R"), 1000) + trade("b", "euros", swap("E"), 1000) +
              trade("c", "both", swap("E"), 1000) + trade("d", "both", bond("R", 10), 1e-9));
  const double times[] = {2, 6};
  for (std::size_t k = 0; k < 2; ++k)
    for (const double sign : {1.0, -1.0}) {
      const double t = times[k];
      const auto option = [&](const Rate& rate) {
        return rate.discount(t) * rate.expectation(t, [&](double x, double y) {
          return std::fmax(sign * rate.swap(t, x, y), 0.0);
        });
      };
      const std::string column = sign > 0 ? "discounted_positive" : "discounted_negative";
      check(r, column, row(0, k, 2), 1000 * option(usd));
      check(r, column, row(1, k, 2), 1200 * option(eur));
      check(r, column, row(2, k, 2), 1200 * option(eur));
    }
}

TEST_CASE("a bond less a stock that is correlated with a two-factor rate is an exchange option") {
  // Steps are so short that the covariance of a step's normals is that of its Brownian motions.
  const ModuleResult r =
      run("dates_per_year = 8\n" + set("set"),
          trade("a", "set", bond("R", 10), 135) +
              trade("b", "set",
                    "product = \"forward\"\nasset = \"A\"\nstrike = 1e-6\nmaturity = 4.0", -1));
  for (const double t : {2.0, 3.5}) {
    // Margrabe 1978; the correlations of the factors with the stock are those of market/
    // short_rate_correlation.hpp.
    const Rate& p = usd;
    const double short_rate_sd =
        std::sqrt(p.sigma * p.sigma + 2 * p.rho * p.sigma * p.eta + p.eta * p.eta);
    const double x_correlation = 0.6 * (p.sigma + p.rho * p.eta) / short_rate_sd,
                 y_correlation = 0.6 * (p.rho * p.sigma + p.eta) / short_rate_sd;
    const double l = Rate::B(p.a, 10 - t), m = Rate::B(p.b, 10 - t);
    const double bond_variance = l * l * p.sigma * p.sigma * Rate::B(2 * p.a, t) +
                                 m * m * p.eta * p.eta * Rate::B(2 * p.b, t) +
                                 2 * l * m * p.rho * p.sigma * p.eta * Rate::B(p.a + p.b, t);
    const double covariance = -0.2 * (l * x_correlation * p.sigma * Rate::B(p.a, t) +
                                      m * y_correlation * p.eta * Rate::B(p.b, t));
    const double variance = bond_variance + 0.04 * t - 2 * covariance;
    const auto at = static_cast<std::size_t>(std::lround(8 * t));
    for (const int sign : {1, -1})
      check(r, sign > 0 ? "discounted_positive" : "discounted_negative", at,
            black(sign, 135 * usd.discount(10), 100, variance, 1));
  }
}

TEST_CASE("two-factor rates: caps less floors are swaps, and swaptions forward swaps") {
  for (const char* rate : {"R", "E"}) {
    CAPTURE(std::string(rate));
    const auto terms = [&](const std::string& product, const std::string& type,
                           const std::string& rest) {
      return "product = \"" + product + "\"\ntype = \"" + type + "\"\nrate = \"" + rate +
             "\"\nstrike = 0.02\nend = 5.0\nfloat_period = 0.5\n" + rest;
    };
    const std::string option =
        "product = \"bond_option\"\nmaturity = 3.0\nend = 5.0\ncoupon = "
        "0.02\nstrike = 1.0\nrate = \"" +
        std::string(rate) + "\"\ntype = ";
    const ModuleResult r = run(
        "times = [1.0, 2.0, 2.5, 3.0, 4.9, 5.0]\n" + set("caps") + set("swaptions") + set("bonds"),
        trade("a", "caps", terms("cap_floor", "cap", "start = 0.5"), 1000) +
            trade("b", "caps", terms("cap_floor", "floor", "start = 0.5"), -1000) +
            trade("c", "caps", terms("swap", "receiver", "start = 0.5\nfixed_period = 0.5"), 1000) +
            trade("d", "swaptions",
                  terms("swaption", "payer", "maturity = 3.0\nfixed_period = 0.5"), 1000) +
            trade("e", "swaptions",
                  terms("swaption", "receiver", "maturity = 3.0\nfixed_period = 0.5"), -1000) +
            trade("f", "swaptions", terms("swap", "receiver", "start = 3.0\nfixed_period = 0.5"),
                  1000) +
            trade("g", "bonds", option + "\"call\"", 1000) +
            trade("h", "bonds", option + "\"put\"", -1000) +
            trade("i", "bonds",
                  "product = \"bond\"\ncoupon = 0.02\nend = 5.0\nrate = \"" + std::string(rate) +
                      "\"",
                  -1000) +
            trade("j", "bonds", bond(rate, 3), 1000) + trade("k", "bonds", bond(rate, 1), 20) +
            trade("l", "bonds", bond(rate, 2), 20) + trade("m", "bonds", bond(rate, 3), 20),
        4096);
    for (const char* column : {"exposures/expected_positive", "exposures/expected_negative"})
      for (std::size_t k = 0; k < 6; ++k) {
        CAPTURE(k);
        CHECK(std::fabs(column_of(r, column)[row(0, k, 6)]) < 1e-4);
        if (k < 3) CHECK(std::fabs(column_of(r, column)[row(1, k, 6)]) < 1e-4);
        if (k < 3) CHECK(std::fabs(column_of(r, column)[row(2, k, 6)]) < 1e-4);
      }
  }
}

TEST_CASE("two-factor rates: a Bermudan swaption today, and after its first date of exercise") {
  const std::string terms =
      "product = \"swaption\"\nrate = \"R\"\ntype = \"payer\"\nfixed_period = 1.0\nfloat_period = "
      "1.0\nstrike = 0.03\nend = 6.0\nstart = 1.0\nmaturity = 5.0\nexercise = \"bermudan\"\n"
      "exercise_dates = [1.0, 3.0]";
  const ModuleResult r = run("times = [0.5, 2.0]\n" + set("set"), trade("a", "set", terms, 1000));
  const double today = column_of(r, "exposures/expected_positive")[0];
  // Exercised trades have no value: less is left after the first date.
  const double before = column_of(r, "exposures/discounted_positive")[row(0, 0, 2)],
               after = column_of(r, "exposures/discounted_positive")[row(0, 1, 2)],
               error = column_of(r, "exposures/discounted_positive_error")[row(0, 0, 2)];
  CHECK(std::fabs(before - today) < 4 * error + 0.002 * today);
  CHECK(after < 0.8 * today);
  CHECK(after > 0.05 * today);
}

}  // namespace two_factor_exposures
