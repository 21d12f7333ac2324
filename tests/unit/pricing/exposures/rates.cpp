// Exposures of netting sets with trades on short rates, beside other trades, in several currencies,
// against closed forms and integrals over Gaussian variables.

#include <cmath>
#include <functional>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exposures/option_table.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace rate_exposures {
namespace {

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
mean_reversion = 0.05
volatility = 0.01
[market.rates.E]
currency = "EUR"
mean_reversion = 0.02
volatility = 0.012
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

std::string set(const std::string& name, const std::string& rest = "") {
  return "[[exposure.netting_sets]]\nname = \"" + name + "\"\n" + rest;
}

std::string trade(const std::string& id, const std::string& set, const std::string& terms,
                  double quantity) {
  return "[[trades]]\nid = \"" + id + "\"\nnetting_set = \"" + set +
         "\"\nquantity = " + std::to_string(quantity) + "\n" + terms + "\n";
}

std::string bond(const std::string& rate, double end) {
  return "product = \"bond\"\nrate = \"" + rate + "\"\nend = " + std::to_string(end);
}

const std::string swap_in_euro =
    "product = \"swap\"\nrate = \"E\"\nstrike = 0.012\nend = 10.0\nfixed_period = 1.0\n"
    "float_period = 1.0";

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

/// Hull and White's model with a flat curve.
struct Rate {
  double rate, kappa, sigma;
  double discount(double t) const { return std::exp(-rate * t); }
  double B(double t) const { return (1 - std::exp(-kappa * t)) / kappa; }
  /// Standard deviation of the short rate at t.
  double sd(double t) const {
    return sigma * std::sqrt((1 - std::exp(-2 * kappa * t)) / (2 * kappa));
  }
  /// P(t, T) where the short rate is z standard deviations from its mean under the measure of
  /// payments at t (Brigo and Mercurio 2006, section 3.3.2).
  double bond(double t, double T, double z) const {
    const double s = B(T - t) * sd(t);
    return discount(T) / discount(t) * std::exp(-s * z - 0.5 * s * s);
  }
};
const Rate usd{0.03, 0.05, 0.01}, eur{0.01, 0.02, 0.012};

/// E[f(Z)] of a standard normal Z, by Simpson's rule.
double expectation(const std::function<double(double)>& f) {
  constexpr int n = 4000;
  constexpr double reach = 9, h = 2 * reach / n;
  double sum = 0;
  for (int i = 0; i <= n; ++i) {
    const double z = -reach + i * h;
    sum += (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * f(z) * std::exp(-0.5 * z * z);
  }
  return sum * h / 3 / std::sqrt(2 * M_PI);
}

/// The payer swap `swap_in_euro` at the whole year t after its payments.
double euro_swap(double t, double z) {
  double value = 1 - eur.bond(t, 10, z);
  for (double T = t + 1; T < 10.5; ++T) value -= 0.012 * eur.bond(t, T, z);
  return value;
}

}  // namespace

TEST_CASE("netting sets of rates and assets: discounted exposures of bought trades are prices") {
  const std::string call =
                        "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 110.0\n"
                        "maturity = 5.0",
                    euro_put =
                        "product = \"european\"\nasset = \"G\"\ntype = \"put\"\n"
                        "strike = 50.0\nmaturity = 5.0",
                    swaption =
                        "product = \"swaption\"\nrate = \"E\"\ntype = \"payer\"\n"
                        "strike = 0.012\nmaturity = 5.0\nend = 10.0";
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
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t k = 0; k < 3; ++k) {
      check(r, "discounted_positive", row(s, k, 3), expected[s]);
      const double t[] = {1, 3, 4.9};
      check(r, "expected_positive", row(s, k, 3), expected[s] * std::exp(0.03 * t[k]));
    }
  const double price =
      120 * eur.discount(5) * expectation([](double z) { return std::fmax(euro_swap(5, z), 0.0); });
  for (std::size_t k = 0; k < 3; ++k) check(r, "discounted_positive", row(3, k, 3), price);
}

TEST_CASE("a swap in another currency: the exposure is a swaption at today's exchange rate") {
  for (const bool has_dollars : {false, true}) {
    CAPTURE(has_dollars);
    const ModuleResult r =
        run("times = [2.0, 6.0]\n" + set("set"),
            trade("a", "set", swap_in_euro, 1000) +
                (has_dollars ? trade("b", "set", bond("R", 10), 1e-9) : std::string()));
    const double times[] = {2, 6};
    for (std::size_t k = 0; k < 2; ++k)
      for (const double sign : {1.0, -1.0}) {
        const double expected = 1200 * eur.discount(times[k]) * expectation([&](double z) {
                                  return std::fmax(sign * euro_swap(times[k], z), 0.0);
                                });
        check(r, sign > 0 ? "discounted_positive" : "discounted_negative", row(0, k, 2), expected);
      }
  }
}

TEST_CASE("a bond less a stock: the exposure is an option to exchange one for the other") {
  const ModuleResult r =
      run("times = [2.0, 4.0]\n" + set("set"),
          trade("a", "set", bond("R", 10), 135) +
              trade("b", "set",
                    "product = \"forward\"\nasset = \"A\"\nstrike = 1e-6\nmaturity = 5.0", -1));
  const double times[] = {2, 4};
  for (std::size_t k = 0; k < 2; ++k) {
    // Margrabe 1978; the integral of both volatilities, with the short rate's growing as e^(kappa
    // t).
    const double t = times[k], s = usd.B(10 - t) * usd.sd(t);
    const double covariance =
        -0.6 * 0.2 * usd.sigma * usd.B(10 - t) * (1 - std::exp(-usd.kappa * t)) / usd.kappa;
    const double variance = s * s + 0.04 * t - 2 * covariance;
    for (const int sign : {1, -1})
      check(r, sign > 0 ? "discounted_positive" : "discounted_negative", row(0, k, 2),
            black(sign, 135 * usd.discount(10), 100, variance, 1));
  }
}

TEST_CASE("rates: potential future exposure, collateral and its calls are in money") {
  const std::string collateral = "[exposure.netting_sets.collateral]\n";
  const ModuleResult r =
      run("times = [3.0, 6.0]\nquantile = 0.95\n" + set("bond") +
              set("threshold", collateral + "threshold = 80.0\n") +
              set("none", collateral + "minimum_transfer = 1e9\n") + set("full", collateral),
          trade("a", "bond", bond("R", 10), 100) + trade("b", "threshold", bond("R", 10), 100) +
              trade("c", "none", bond("R", 10), 100) + trade("d", "full", bond("R", 10), 100));
  const double times[] = {3, 6}, z = -1.6448536269514722;
  for (std::size_t k = 0; k < 2; ++k) {
    const double t = times[k];
    const double value = column_of(r, "exposures/potential_future")[row(0, k, 2)];
    CHECK(value == doctest::Approx(100 * usd.bond(t, 10, z)).epsilon(0.002));
    check(r, "expected_positive", row(1, k, 2),
          expectation([&](double x) { return std::fmin(100 * usd.bond(t, 10, x), 80.0); }));
    check(r, "expected_positive", row(2, k, 2), 100 * usd.discount(10) / usd.discount(t));
    CHECK(std::fabs(column_of(r, "exposures/expected_positive")[row(3, k, 2)]) < 1e-9);
  }
}

namespace {

/// A put with strike K on the bond P(., end), with expiry T, at t (Brigo and Mercurio 2006, section
/// 3.3.2).
double bond_put(const Rate& r, double t, double T, double end, double K, double z) {
  const double sd = r.B(end - T) * r.sd(T - t);
  return black(-1, r.bond(t, end, z), K * r.bond(t, T, z), sd * sd, 1);
}

}  // namespace

TEST_CASE(
    "caps: exposures are caplets that are not paid yet, and PFE is the caplet at a quantile") {
  const std::string cap = "product = \"cap_floor\"\ntype = \"cap\"\nfloat_period = 1.0\nend = ",
                    strike = "\nstrike = 0.03\nrate = \"R\"";
  const ModuleResult r =
      run("times = [0.5, 1.5, 2.0, 3.0, 3.5, 4.0]\n" + set("cap") + set("caplet"),
          trade("a", "cap", cap + "4.0" + strike, 1000) +
              trade("b", "caplet", cap + "4.0\nstart = 3.0" + strike, 1000));
  const double times[] = {0.5, 1.5, 2, 3, 3.5, 4};
  for (std::size_t k = 0; k < 6; ++k) {
    double value = 0;
    for (double start = 1; start < 3.5; ++start)
      if (start + 1 > times[k]) value += 1030 * bond_put(usd, 0, start, start + 1, 1 / 1.03, 0);
    check(r, "discounted_positive", row(0, k, 6), value);
    if (times[k] >= 3) continue;
    const double pfe = column_of(r, "exposures/potential_future")[row(1, k, 6)];
    const double z = 1.9599639845400545, t = times[k];
    CHECK(pfe == doctest::Approx(1030 * bond_put(usd, t, 3, 4, 1 / 1.03, z)).epsilon(0.01));
  }
}

TEST_CASE("options on rates: the table agrees with the formula on each state") {
  MarketConfig quotes;
  quotes.rate = StepFunction(0.02);
  AssetConfig asset;
  asset.short_rate.emplace();
  asset.short_rate->mean_reversion = 0.05;
  asset.short_rate->volatility = 0.01;
  asset.short_rate->horizon = 10;
  const ShortRateModel model(quotes, asset);
  for (const double expiry : {2.001, 2.02, 2.1, 2.5, 5.0}) {
    CAPTURE(expiry);
    const std::vector<RateTerm> terms = {model.value_at(expiry, expiry, 1),
                                         model.value_at(expiry, expiry + 1, -1.021)};
    const std::vector<RateOption> options = {{model, terms, 2, expiry}};
    std::vector<double> states;
    const double sd = std::sqrt(model.variance(2));
    for (int i = -400; i <= 400; ++i) states.push_back(0.01 * i * sd);
    const OptionTable table(options, states);
    double mean = 0, error = 0;
    for (const double state : states) {
      const double exact = options[0].value(state).value;
      mean += exact / 801;
      error = std::fmax(error, std::fabs(table.value(state) - exact));
    }
    CHECK(mean > 0);
    CHECK(error < 1e-5 * mean);
  }
}

TEST_CASE("caps less floors are swaps, and payer less receiver swaptions are forward swaps") {
  for (const char* rate : {"R", "E"}) {
    CAPTURE(rate);
    const auto terms = [&](const std::string& product, const std::string& type,
                           const std::string& rest) {
      return "product = \"" + product + "\"\ntype = \"" + type + "\"\nrate = \"" + rate +
             "\"\nstrike = 0.02\nend = 5.0\nfloat_period = 0.5\n" + rest;
    };
    const ModuleResult r = run(
        "times = [1.0, 2.0, 2.5, 3.0, 4.9, 5.0]\n" + set("caps") + set("swaptions"),
        trade("a", "caps", terms("cap_floor", "cap", "start = 0.5"), 1000) +
            trade("b", "caps", terms("cap_floor", "floor", "start = 0.5"), -1000) +
            trade("c", "caps", terms("swap", "receiver", "start = 0.5\nfixed_period = 0.5"), 1000) +
            trade("d", "swaptions",
                  terms("swaption", "payer", "maturity = 3.0\nfixed_period = 0.5"), 1000) +
            trade("e", "swaptions",
                  terms("swaption", "receiver", "maturity = 3.0\nfixed_period = 0.5"), -1000) +
            trade("f", "swaptions", terms("swap", "receiver", "start = 3.0\nfixed_period = 0.5"),
                  1000),
        8 * 4096);
    for (const char* column : {"exposures/expected_positive", "exposures/expected_negative"})
      for (std::size_t k = 0; k < 6; ++k) {
        CAPTURE(k);
        CHECK(std::fabs(column_of(r, column)[row(0, k, 6)]) < 1e-4);
        if (k < 3) CHECK(std::fabs(column_of(r, column)[row(1, k, 6)]) < 1e-4);
      }
  }
}

TEST_CASE("netting sets with rates: combinations that are not supported are refused") {
  const auto message_in = [](const std::string& tables, const std::string& trades) {
    try {
      run_module_alone(exposure_run("[exposure]\ntimes = [1.0]\n" + set("s") + tables + trades));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const auto message = [&](const std::string& changed, const std::string& trades) {
    return message_in(market + changed, trades);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  const std::string other = "[market.rates.Q]\nmean_reversion = 0.1\nvolatility = 0.01\n";
  has(message(other, trade("a", "s", bond("R", 5), 1) + trade("b", "s", bond("Q", 5), 1)),
      "netting set `s`: trades on two rates of one currency, `R` and `Q`");
  has(message("",
              trade("a", "s", bond("R", 5), 1) +
                  trade("b", "s",
                        "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\n"
                        "maturity = 2.0\npayment_lag = 0.1",
                        1)),
      "trade `b` has a payment lag, and other trades are on the rate `R`");
  // Covariances with rates change drifts, of the numeraire and of exchange rates.
  const std::string heston =
      "model = \"heston\"\nv0 = 0.04\nkappa = 2.0\ntheta = 0.04\nsigma = 0.3\nrho = 0.0\n";
  const std::string rate = "mean_reversion = 0.02\nvolatility = 0.012\n";
  const auto correlation = [](const std::string& first, const std::string& second) {
    return "[market.correlation]\nassets = [\"" + first + "\", \"" + second +
           "\"]\nmatrix = [[1.0, 0.8], [0.8, 1.0]]\n";
  };
  has(message_in("[market]\nrate = 0.03\n[market.rates.R]\n" + rate +
                     "[market.assets.H]\nspot = 100.0\nmodel = \"local_volatility\"\n"
                     "local_times = [1.0]\nlocal_spots = [50.0, 200.0]\n"
                     "local_volatility = [[0.3, 0.2]]\n" +
                     correlation("R", "H"),
                 trade("a", "s", bond("R", 5), 1) +
                     trade("b", "s",
                           "product = \"european\"\nasset = \"H\"\ntype = \"call\"\nstrike = "
                           "100.0\nmaturity = 2.0",
                           1)),
      "the correlation of `H` with the rate `R` is 0.8, and its volatility is random");
  has(message_in("[market]\ncurrency = \"USD\"\nrate = 0.03\n[market.currencies.GBP]\nrate = 0.02\n"
                 "[market.fx.GBPUSD]\nspot = 1.3\n" +
                     heston +
                     "[market.rates.G]\ncurrency = "
                     "\"GBP\"\n" +
                     "model = \"g2\"\na = 0.4\nsigma = 0.012\nb = 0.05\neta = 0.01\nrho = -0.6\n" +
                     correlation("G", "GBPUSD"),
                 trade("a", "s", bond("G", 5), 1)),
      "the correlation of `GBPUSD` with the rate `G` is 0.8, and its volatility is random");
}

}  // namespace rate_exposures
