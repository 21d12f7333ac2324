// Products on rates with two factors: simulated prices against closed forms, Greeks, same bits, and
// messages.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/risk/revaluation.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

std::string market(double sigma, double eta, double rate = 0.03) {
  return "[market]\nrate = " + std::to_string(rate) +
         "\n[market.rates.USD]\nmodel = \"g2\"\na = 0.5\nsigma = " + std::to_string(sigma) +
         "\nb = 0.05\neta = " + std::to_string(eta) + "\nrho = -0.7\n";
}

const std::string rates = market(0.012, 0.009);

std::string trade(const std::string& id, const std::string& terms) {
  return "[[trades]]\nid = \"" + id + "\"\nrate = \"USD\"\n" + terms + "\n";
}

const std::string certain_trades =
    trade("swap", "product = \"swap\"\nstrike = 0.03\nend = 10.0") +
    trade("bond", "product = \"bond\"\nkind = \"floating\"\nend = 4.0");
const std::string options =
    trade("cap", "product = \"cap_floor\"\ntype = \"cap\"\nstrike = 0.03\nend = 5.0") +
    trade("floor", "product = \"cap_floor\"\ntype = \"floor\"\nstrike = 0.03\nend = 5.0") +
    trade("payer",
          "product = \"swaption\"\ntype = \"payer\"\nstrike = 0.03\nmaturity = 1.0\nend = 6.0") +
    trade(
        "receiver",
        "product = \"swaption\"\ntype = \"receiver\"\nstrike = 0.03\nmaturity = 6.0\nend = 12.0") +
    trade(
        "call",
        "product = \"bond_option\"\ntype = \"call\"\nstrike = 1.0\ncoupon = 0.03\nmaturity = 2.0\n"
        "end = 7.0");
const std::string bermudan =
    trade("bermudan",
          "product = \"swaption\"\ntype = \"payer\"\nstrike = 0.03\nmaturity = 9.0\nstart = 1.0\n"
          "end = 10.0\nexercise = \"bermudan\"\n"
          "exercise_dates = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]");

std::vector<double> closed_forms(const std::string& text) {
  const PricingConfig config = read(text);
  for (const std::uint8_t is_closed : closed_form_flags(config)) CHECK(is_closed == 1);
  const Revaluation values(config, gsim::test::test_executor(1), Arithmetic::strict, 1, 1024);
  std::vector<double> list;
  for (const TradeValue& v : values.today()) list.push_back(v.value);
  return list;
}

void check_prices(const ModuleResult& r, const std::vector<double>& expected, std::size_t certain) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(r.estimates[i].name);
    CAPTURE(r.estimates[i].mean);
    CAPTURE(expected[i]);
    if (i < certain) {
      CHECK(r.estimates[i].mean == doctest::Approx(expected[i]).epsilon(1e-12));
      CHECK(r.estimates[i].standard_error == 0);
    } else {
      CHECK(r.estimates[i].standard_error > 0);
      CHECK(std::fabs(r.estimates[i].mean - expected[i]) < 4 * r.estimates[i].standard_error);
    }
  }
}

std::string message_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("two-factor rates: simulated prices agree with the closed forms, swaps exactly") {
  const std::string curves = R"(
[market]
rate = { times = [1.0, 5.0, 10.0], values = [0.02, 0.03, 0.035] }
[market.curves.FORECAST]
times = [1.0, 5.0, 10.0]
values = [0.022, 0.033, 0.037]
[market.rates.USD]
model = "g2"
a = 1.5
sigma = 0.01
b = 0.02
eta = 0.008
rho = 0.6
forecast = "FORECAST"
)";
  const std::string trades = certain_trades + options;
  for (const std::string& text : {rates, curves}) {
    const std::vector<double> expected = closed_forms(text + trades);
    check_prices(run_module_alone({.config = text + trades, .stop = samples(1 << 17)}), expected,
                 2);
  }
  const std::vector<double> expected = closed_forms(rates + trades);
  for (const char* sampling : {"precision = \"float\"\n", "antithetic = true\n"})
    check_prices(
        run_module_alone({.config = "[pricing]\n" + std::string(sampling) + rates + options,
                          .stop = samples(1 << 16)}),
        {expected.begin() + 2, expected.end()}, 0);
  check_prices(run_module_alone({.config = "[pricing]\nsampling = \"sobol\"\n" + rates + options,
                                 .stop = samples(1 << 18)}),
               {expected.begin() + 2, expected.end()}, 0);
}

TEST_CASE("two-factor rates: with one factor left, prices are those of Hull and White") {
  const std::string trades = certain_trades + options;
  const std::vector<double> one = closed_forms(
      "[market]\nrate = 0.03\n[market.rates.USD]\nmean_reversion = 0.05\nvolatility = 0.009\n" +
      trades);
  const std::vector<double> two = closed_forms(market(0, 0.009) + trades);
  // Factors with the same mean reversion that move together, or against each other, are one.
  const auto together = [&](const std::string& volatilities) {
    return closed_forms(
        "[market]\nrate = 0.03\n[market.rates.USD]\nmodel = \"g2\"\na = 0.05\n"
        "b = 0.05\n" +
        volatilities + trades);
  };
  const std::vector<double> sum = together("sigma = 0.005\neta = 0.004\nrho = 1.0\n"),
                            difference = together("sigma = 0.003\neta = 0.012\nrho = -1.0\n");
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(two[i] == doctest::Approx(one[i]).epsilon(1e-10));
    CHECK(sum[i] == doctest::Approx(one[i]).epsilon(1e-10));
    CHECK(difference[i] == doctest::Approx(one[i]).epsilon(1e-10));
  }
}

TEST_CASE("two-factor rates: vegas of both volatilities and rho are those of the closed forms") {
  const std::string greeks =
      "[pricing]\ngreeks = [\"delta\", \"vega\", \"vega_buckets\", \"rho\"]\n";
  const ModuleResult r =
      run_module_alone({.config = greeks + rates + options, .stop = samples(1 << 17)});
  const double h = 1e-4;
  const auto slopes = [&](double sigma, double eta, double rate) {
    const auto up = closed_forms(market(0.012 + sigma, 0.009 + eta, 0.03 + rate) + options);
    auto down = closed_forms(market(0.012 - sigma, 0.009 - eta, 0.03 - rate) + options);
    for (std::size_t i = 0; i < up.size(); ++i) down[i] = (up[i] - down[i]) / (2 * h);
    return down;
  };
  const std::vector<std::vector<double>> expected = {slopes(h, h, 0), slopes(h, 0, 0),
                                                     slopes(0, h, 0), slopes(0, 0, h)};
  const std::vector<double> value = column_of(r, "greeks/value");
  const std::vector<double> error = column_of(r, "greeks/standard_error");
  // Of each trade: vega, its two parts, and rho.
  REQUIRE(value.size() == 20);
  for (std::size_t t = 0; t < 5; ++t)
    for (std::size_t k = 0; k < 4; ++k) {
      CAPTURE(t);
      CAPTURE(k);
      CHECK(error[4 * t + k] > 0);
      CHECK(std::fabs(value[4 * t + k] - expected[k][t]) <
            4 * error[4 * t + k] + 1e-4 * std::fabs(expected[k][t]));
    }
}

TEST_CASE("two-factor rates: a Bermudan swaption agrees with a recursion on a grid") {
  // By backward recursion, as in validation/risk/g2.toml.
  constexpr double reference = 0.0343306;
  const ModuleResult r =
      run_module_alone({.config = "[pricing.exercise]\nouter_paths = 512\n" + rates + bermudan,
                        .stop = samples(1 << 18)});
  const Estimate& e = r.estimates[0];
  CAPTURE(e.mean);
  CAPTURE(e.standard_error);
  CHECK(std::fabs(e.mean - reference) < 4 * e.standard_error + 0.003 * reference);
  const double bound = column_of(r, "trades/upper_bound")[0];
  const double bound_error = column_of(r, "trades/upper_bound_error")[0];
  CAPTURE(bound);
  CAPTURE(bound_error);
  CHECK(bound > reference - 4 * bound_error);
  CHECK(bound < reference + 4 * bound_error + 0.01 * reference);
}

TEST_CASE("two-factor rates: same bits on any number of ranks and threads") {
  const std::string config =
      "[pricing]\ngreeks = [\"vega\"]\n[pricing.exercise]\npaths = 8192\nouter_paths = 64\n"
      "inner_paths = 64\n" +
      rates + options + bermudan;
  const ModuleResult one = run_module_alone({.config = config, .stop = samples(8 * 4096)});
  for (const int ranks : {2, 7}) {
    CAPTURE(ranks);
    const ModuleResult other = run_module_alone({.config = config,
                                                 .ranks = ranks,
                                                 .threads = 1 + ranks % 2,
                                                 .slice = 3,
                                                 .stop = samples(8 * 4096)});
    CHECK(one.results == other.results);
    CHECK(one.digest == other.digest);
  }
}

TEST_CASE("two-factor rates: messages") {
  const auto expect_part = [](const std::string& part, const std::string& text) {
    const std::string found = message_of(text);
    CAPTURE(found);
    CHECK(found.find(part) != std::string::npos);
  };
  const std::string swap = trade("a", "product = \"swap\"\nstrike = 0.03\nend = 5.0");
  const std::string head = "[market]\nrate = 0.03\n[market.rates.USD]\nmodel = \"g2\"\n";
  expect_part("missing key `rho`", head + "a = 0.5\nsigma = 0.01\nb = 0.05\neta = 0.01\n" + swap);
  expect_part("rho", head + "a = 0.5\nsigma = 0.01\nb = 0.05\neta = 0.01\nrho = 1.5\n" + swap);
  expect_part(
      "volatility",
      head + "a = 0.5\nsigma = 0.01\nb = 0.05\neta = 0.01\nrho = 0.5\nvolatility = 0.1\n" + swap);
  expect_part("no asset `USD second factor`",
              rates +
                  "[[trades]]\nid = \"a\"\nproduct = \"forward\"\nasset = \"USD second factor\"\n"
                  "strike = 1.0\nmaturity = 1.0\n");
  const std::string quote =
      "[[market.rates.USD.swaptions]]\nexpiry = 1.0\nlength = 5.0\nnormal_volatility = 0.01\n";
  expect_part("1 swaption does not determine 5 parameters", head + quote + swap);
  expect_part("2 swaptions do not determine 3 parameters",
              head + "a = 0.5\nb = 0.05\n" + quote + quote + swap);
  expect_part("the volatility is calibrated to the swaptions",
              head + "a = 0.5\nb = 0.05\nrho = 0.0\neta = 0.01\n" + quote + quote + swap);
}
