// Swaps, caps, floors and swaptions: simulated prices against closed forms, parities and Greeks.

#include <cmath>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/risk/revaluation.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string rates = R"(
[market]
rate = 0.03
[market.rates.USD]
mean_reversion = 0.05
volatility = 0.01
)";

std::string trade(const std::string& id, const std::string& terms) {
  return "[[trades]]\nid = \"" + id + "\"\nrate = \"USD\"\n" + terms + "\n";
}

const std::string portfolio =
    trade("swap", "product = \"swap\"\nstrike = 0.03\nend = 10.0") +
    trade("forward swap",
          "product = \"swap\"\nstrike = 0.035\nstart = 2.0\nend = 7.0\ntype = \"receiver\"") +
    trade("cap", "product = \"cap_floor\"\ntype = \"cap\"\nstrike = 0.03\nend = 5.0") +
    trade("floor", "product = \"cap_floor\"\ntype = \"floor\"\nstrike = 0.03\nend = 5.0") +
    trade("payer",
          "product = \"swaption\"\ntype = \"payer\"\nstrike = 0.03\nmaturity = 1.0\nend = 6.0") +
    trade("receiver",
          "product = \"swaption\"\ntype = \"receiver\"\nstrike = 0.03\nmaturity = 1.0\nend = 6.0");

std::vector<double> closed_forms(const std::string& market, const std::string& trades) {
  const PricingConfig config = read(market + trades);
  for (const std::uint8_t is_closed : closed_form_flags(config)) CHECK(is_closed == 1);
  const Revaluation values(config, gsim::test::test_executor(1), Arithmetic::strict, 1, 1024);
  std::vector<double> list;
  for (const TradeValue& v : values.today()) list.push_back(v.value);
  return list;
}

}  // namespace

TEST_CASE("rates: closed forms agree with formulas of the short rate") {
  const std::vector<double> v = closed_forms(rates, portfolio);
  // A swap of coupons L against K: 1 - P(10) - K sum of P(i).
  double fixed = 0;
  for (int i = 1; i <= 10; ++i) fixed += 0.03 * std::exp(-0.03 * i);
  CHECK(v[0] == doctest::Approx(1 - std::exp(-0.3) - fixed).epsilon(1e-12));
  // Bond puts (Brigo and Mercurio 2006, eq. 3.41), and Simpson's rule over the short rate.
  CHECK(v[2] == doctest::Approx(0.024474561308015317).epsilon(1e-9));
  CHECK(v[4] == doctest::Approx(0.016820349441098684).epsilon(1e-8));
  // Parities: cap - floor and payer - receiver are swaps.
  const std::string parity =
      trade("caps",
            "product = \"swap\"\nstrike = 0.03\nstart = 0.25\nend = 5.0\nfixed_period = 0.25") +
      trade("swaptions", "product = \"swap\"\nstrike = 0.03\nstart = 1.0\nend = 6.0");
  const std::vector<double> swaps = closed_forms(rates, parity);
  CHECK(v[2] - v[3] == doctest::Approx(swaps[0]).epsilon(1e-10));
  CHECK(v[4] - v[5] == doctest::Approx(swaps[1]).epsilon(1e-10));
}

TEST_CASE("rates: simulated prices agree with the closed forms, swaps exactly") {
  const std::string curves = R"(
[market]
rate = { times = [1.0, 5.0, 10.0], values = [0.02, 0.03, 0.035] }
[market.curves.FORECAST]
times = [1.0, 5.0, 10.0]
values = [0.022, 0.033, 0.037]
[market.rates.USD]
mean_reversion = 0.05
volatility = 0.01
forecast = "FORECAST"
)";
  for (const std::string& market : {rates, curves}) {
    const std::vector<double> expected = closed_forms(market, portfolio);
    const ModuleResult r =
        run_module_alone({.config = market + portfolio, .stop = samples(1 << 18)});
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(r.estimates[i].name);
      CAPTURE(r.estimates[i].mean);
      CAPTURE(expected[i]);
      if (i < 2) {
        CHECK(r.estimates[i].mean == doctest::Approx(expected[i]).epsilon(1e-12));
        CHECK(r.estimates[i].standard_error == 0);
      } else {
        CHECK(r.estimates[i].standard_error > 0);
        CHECK(std::fabs(r.estimates[i].mean - expected[i]) < 4 * r.estimates[i].standard_error);
      }
    }
  }
}

TEST_CASE("rates: vega and rho are those of the closed forms") {
  const std::string greeks = "[pricing]\ngreeks = [\"delta\", \"vega\", \"rho\"]\n";
  const ModuleResult r =
      run_module_alone({.config = greeks + rates + portfolio, .stop = samples(1 << 18)});
  const auto shifted = [&](double rate, double volatility) {
    return closed_forms("[market]\nrate = " + std::to_string(0.03 + rate) +
                            "\n[market.rates.USD]\nmean_reversion = 0.05\nvolatility = " +
                            std::to_string(0.01 + volatility) + "\n",
                        portfolio);
  };
  const double h = 1e-4;
  const std::vector<double> up = shifted(h, 0), down = shifted(-h, 0);
  const std::vector<double> high = shifted(0, h), low = shifted(0, -h);
  const std::vector<double> value = column_of(r, "greeks/value");
  const std::vector<double> error = column_of(r, "greeks/standard_error");
  // No deltas: each trade has vega and rho.
  REQUIRE(value.size() == 12);
  // The volatility changes neither swap, with or without a floating leg that is known.
  const auto& remarks = r.results.datasets.at("greeks/remark").strings;
  for (std::size_t t = 0; t < 2; ++t) {
    CHECK(value[2 * t] == 0);
    CHECK(error[2 * t] == 0);
    CHECK(remarks[2 * t] == "certain");
  }
  for (std::size_t t = 2; t < 6; ++t) {
    CAPTURE(t);
    CHECK(std::fabs(value[2 * t] - (high[t] - low[t]) / (2 * h)) < 4 * error[2 * t] + 0.003);
    CHECK(std::fabs(value[2 * t + 1] - (up[t] - down[t]) / (2 * h)) < 4 * error[2 * t + 1] + 0.01);
    CHECK(r.results.datasets.at("greeks/method").strings[2 * t] == "adjoint");
    CHECK(r.results.datasets.at("greeks/method").strings[2 * t + 1] == "adjoint");
  }
}

TEST_CASE("rates: rho by bumps does not depend on other trades of the portfolio") {
  const std::string greeks = "[pricing]\ngreeks = [\"rho\"]\ngreeks_method = \"bump\"\n";
  const std::string payer =
      trade("payer",
            "product = \"swaption\"\ntype = \"payer\"\nstrike = 0.03\nmaturity = 1.0\nend = 6.0");
  const std::string call =
      "[market.assets.A]\nspot = 100\nvolatility = 0.2\n[[trades]]\nid = \"call\"\n"
      "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100\nmaturity = 1\n";
  const auto rho = [&](const std::string& trades) {
    return column_of(
        run_module_alone({.config = greeks + rates + trades, .stop = samples(1 << 14)}),
        "greeks/value");
  };
  // Bumps of trades on rates are smaller than those of others.
  CHECK(rho(call + payer)[1] == doctest::Approx(rho(payer)[0]).epsilon(0.05));
}

TEST_CASE("rates: a Bermudan swaption agrees with a recursion of its values") {
  const ModuleResult r = run_module_alone(
      {.config = "[pricing.exercise]\nouter_paths = 512\n" + rates +
                 trade("payer",
                       "product = \"swaption\"\ntype = \"payer\"\nstrike = 0.03\nmaturity = 9.0\n"
                       "start = 1.0\nend = 10.0\nexercise = \"bermudan\"\n"
                       "exercise_dates = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]"),
       .stop = samples(1 << 18)});
  const Estimate& e = r.estimates[0];
  CHECK(std::fabs(e.mean - 0.04688211465102915) <
        4 * e.standard_error + 0.002 * 0.04688211465102915);
  const double bound = column_of(r, "trades/upper_bound")[0];
  const double bound_error = column_of(r, "trades/upper_bound_error")[0];
  CHECK(bound > 0.04688211465102915 - 4 * bound_error);
  CHECK(bound < 0.04688211465102915 + 4 * bound_error + 0.01 * 0.04688211465102915);
}

TEST_CASE("rates: the exposure of a swap is a swaption on its remaining coupons") {
  const std::string config = R"([exposure]
times = [1.0, 2.0, 5.0, 8.0, 8.1, 10.0]
regression_paths = 4096
[[exposure.netting_sets]]
name = "set"
)" + rates + trade("swap", "product = \"swap\"\nstrike = 0.03\nend = 10.0\nfixed_period = 0.25");
  const ModuleResult r = run_module_alone(exposure_run(config, 32 * 4096));
  std::string swaptions;
  const double times[] = {1, 2, 5, 8};
  for (const double t : times)
    swaptions += trade("t" + std::to_string(t),
                       "product = \"swaption\"\ntype = \"payer\"\nstrike = 0.03\nend = 10.0\n"
                       "fixed_period = 0.25\nmaturity = " +
                           std::to_string(t));
  const std::vector<double> expected = closed_forms(rates, swaptions);
  const std::vector<double> value = column_of(r, "exposures/discounted_positive");
  const std::vector<double> error = column_of(r, "exposures/discounted_positive_error");
  for (std::size_t k = 0; k < 4; ++k) {
    CAPTURE(times[k]);
    CHECK(error[k + 1] > 0);
    CHECK(std::fabs(value[k + 1] - expected[k]) < 4 * error[k + 1]);
  }
  CHECK(value[5] == doctest::Approx(value[4]).epsilon(0.05));  // between two fixings
  CHECK(value[6] == 0);
}

TEST_CASE("rates: assets and rates are not taken for each other") {
  const auto message = [](const std::string& text) {
    try {
      read(rates + "[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n" + text);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const auto expect_part = [&](const std::string& part, const std::string& text) {
    const std::string found = message(text);
    CAPTURE(found);
    CHECK(found.find(part) != std::string::npos);
  };
  expect_part("`USD` is a rate of [market.rates]",
              "[[trades]]\nid = \"a\"\nproduct = \"forward\"\nasset = \"USD\"\nstrike = 1.0\n"
              "maturity = 1.0\n");
  expect_part(
      "there is no [market.rates.A]",
      "[[trades]]\nid = \"a\"\nproduct = \"swap\"\nrate = \"A\"\nstrike = 0.03\nend = 5.0\n");
  expect_part("are not a whole number of periods",
              trade("a", "product = \"swap\"\nstrike = 0.03\nend = 5.1"));
  expect_part("the end 1 is not after the start 2",
              trade("a", "product = \"swap\"\nstrike = 0.03\nstart = 2.0\nend = 1.0"));
  expect_part("no period begins after today",
              trade("a",
                    "product = \"cap_floor\"\ntype = \"cap\"\nstrike = 0.03\nend = 0.25\n"
                    "fixed_period = 0.25"));
}

TEST_CASE("rates: late swaptions with strong mean reversion, in closed form and simulated") {
  // By integration over the short rate in the forward measure of the expiry.
  struct Case {
    double kappa, sigma, expiry, end, payer, receiver;
  };
  const Case cases[] = {{0.2, 0.01, 20, 30, 0.014810418369425217, 0.012687456712331603},
                        {0.3, 0.015, 20, 30, 0.013625534678634765, 0.011502573021541153},
                        {0.05, 0.01, 30, 40, 0.03562372124997505, 0.03405099257259137}};
  for (const Case& c : cases) {
    CAPTURE(c.kappa);
    const std::string market =
        "[market]\nrate = 0.03\n[market.rates.USD]\nmean_reversion = " + std::to_string(c.kappa) +
        "\nvolatility = " + std::to_string(c.sigma) + "\n";
    const auto swaption = [&](const char* type) {
      return trade(type, std::string("product = \"swaption\"\ntype = \"") + type +
                             "\"\nstrike = 0.03\nmaturity = " + std::to_string(c.expiry) +
                             "\nend = " + std::to_string(c.end));
    };
    const std::string trades = swaption("payer") + swaption("receiver");
    const std::vector<double> closed = closed_forms(market, trades);
    CHECK(closed[0] == doctest::Approx(c.payer).epsilon(1e-7));
    CHECK(closed[1] == doctest::Approx(c.receiver).epsilon(1e-7));
    const ModuleResult r = run_module_alone({.config = market + trades, .stop = samples(1 << 18)});
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(r.estimates[i].standard_error < 0.01 * closed[i]);
      CHECK(std::fabs(r.estimates[i].mean - closed[i]) < 4 * r.estimates[i].standard_error);
    }
  }
}

TEST_CASE("rates: theta is that of the closed forms when a day passes") {
  // Whatever is certain grows at the short rate: payments whose dates and amounts stay. A rate that
  // is fixed today stays as it is.
  const std::string curves = R"(
[market]
rate = { times = [1.0, 5.0, 10.0], values = [0.02, 0.03, 0.035] }
[market.curves.FORECAST]
times = [1.0, 5.0, 10.0]
values = [0.022, 0.033, 0.037]
[market.rates.USD]
mean_reversion = 0.05
volatility = 0.01
forecast = "FORECAST"
)";
  const std::string certain =
      trade("swap", "product = \"swap\"\nstrike = 0.03\nend = 10.0") +
      trade("forward swap",
            "product = \"swap\"\nstrike = 0.035\nstart = 2.0\nend = 7.0\ntype = \"receiver\"") +
      trade("listed",
            "product = \"swap\"\nstrike = 0.035\nfloat_dates = [-0.1, 0.0, 0.5, 1.0]\n"
            "float_accruals = [0.1, 0.0, 0.51]\nfloat_payments = [0.1, 0.6, 1.1]\n"
            "known_rates = [0.05]\nfixed_dates = [-0.5, 0.5, 1.0]\nspread = 0.001") +
      trade("zero", "product = \"bond\"\nend = 4.0") +
      trade("fixed", "product = \"bond\"\ncoupon = 0.05\nstart = -0.3\nend = 3.7") +
      trade("floating", "product = \"bond\"\nkind = \"floating\"\nspread = 0.01\nend = 4.0");
  const std::string greeks = "[pricing]\ngreeks = [\"theta\"]\n";
  for (const char* method : {"", "greeks_method = \"bump\"\n"}) {
    const ModuleResult r =
        run_module_alone({.config = greeks + method + curves + certain, .stop = samples(4096)});
    const std::vector<double> theta = column_of(r, "greeks/value");
    REQUIRE(theta.size() == r.estimates.size());
    for (std::size_t i = 0; i < theta.size(); ++i) {
      CAPTURE(r.estimates[i].name);
      CHECK(theta[i] == doctest::Approx(0.02 * r.estimates[i].mean).epsilon(1e-5));
    }
  }
  const auto options = [](double passed) {
    const auto years = [&](double date) { return fmt::format("{:.17g}", date - passed); };
    std::string dates;
    for (int i = 1; i <= 20; ++i) dates += (i > 1 ? ", " : "") + years(0.25 * i);
    const std::string option =
        "strike = 0.03\nmaturity = " + years(1) + "\nend = " + years(6) + "\ntype = ";
    return trade("cap", "product = \"cap_floor\"\ntype = \"cap\"\nstrike = 0.03\nfloat_dates = [" +
                            dates + "]") +
           trade("payer", "product = \"swaption\"\n" + option + "\"payer\"") +
           trade("receiver", "product = \"swaption\"\n" + option + "\"receiver\"") +
           trade("call",
                 "product = \"bond_option\"\ntype = \"call\"\nstrike = 1.0\ncoupon = 0.03\n"
                 "maturity = " +
                     years(2) + "\nstart = " + years(0) + "\nend = " + years(7));
  };
  const std::string two_factors = R"(
[market]
rate = 0.03
[market.rates.USD]
model = "g2"
a = 0.5
sigma = 0.012
b = 0.05
eta = 0.009
rho = -0.7
)";
  for (const std::string& market : {rates, two_factors})
    for (const char* method : {"", "greeks_method = \"bump\"\n"}) {
      const double h = 1e-3;
      const std::vector<double> later = closed_forms(market, options(h)),
                                before = closed_forms(market, options(-h));
      const ModuleResult r = run_module_alone(
          {.config = greeks + method + market + options(0), .stop = samples(1 << 17)});
      const std::vector<double> theta = column_of(r, "greeks/value");
      const std::vector<double> error = column_of(r, "greeks/standard_error");
      REQUIRE(theta.size() == later.size());
      for (std::size_t i = 0; i < theta.size(); ++i) {
        CAPTURE(r.estimates[i].name);
        CAPTURE(theta[i]);
        const double expected = (later[i] - before[i]) / (2 * h);
        CAPTURE(expected);
        CAPTURE(error[i]);
        CHECK(error[i] > 0);
        CHECK(error[i] < 0.1 * std::fabs(expected));
        CHECK(std::fabs(theta[i] - expected) < 4 * error[i] + 1e-4 * std::fabs(expected));
      }
    }
}

TEST_CASE("rates: the bias of vegas by bumps is far below their error, also without volatility") {
  const std::string greeks = "[pricing]\ngreeks = [\"vega\"]\ngreeks_method = \"bump\"\n";
  const auto market = [](double volatility) {
    return "[market]\nrate = 0.03\n[market.rates.USD]\nmean_reversion = 0.05\nvolatility = " +
           std::to_string(volatility) + "\n";
  };
  // Out of the money, where the price is far from linear in the volatility.
  const std::string trades =
      trade("payer",
            "product = \"swaption\"\ntype = \"payer\"\nstrike = 0.05\nmaturity = 1.0\nend = 6.0") +
      trade("receiver",
            "product = \"swaption\"\ntype = \"receiver\"\nstrike = 0.03\nmaturity = 1.0\n"
            "end = 6.0");
  const double h = 1e-4;
  const std::vector<double> high = closed_forms(market(0.01 + h), trades),
                            low = closed_forms(market(0.01 - h), trades);
  const ModuleResult r =
      run_module_alone({.config = greeks + market(0.01) + trades, .stop = samples(1 << 18)});
  const std::vector<double> vega = column_of(r, "greeks/value");
  const std::vector<double> error = column_of(r, "greeks/standard_error");
  for (std::size_t i = 0; i < 2; ++i) {
    const double expected = (high[i] - low[i]) / (2 * h);
    CAPTURE(vega[i]);
    CAPTURE(expected);
    CHECK(error[i] < 0.02 * expected);
    CHECK(std::fabs(vega[i] - expected) < 4 * error[i]);
  }
  // Without volatility the derivative is that of a rise: of an option at the money that of its
  // price, which is proportional to the volatility there.
  const std::string at_money =
      trade("atm",
            "product = \"swaption\"\ntype = \"payer\"\nstrike = 0.030454533953517\n"
            "maturity = 1.0\nend = 6.0");
  const double expected = closed_forms(market(1e-5), at_money)[0] / 1e-5;
  for (const char* method : {"", "greeks_method = \"bump\"\nbumps.volatility = 1e-4\n"}) {
    const ModuleResult at_zero = run_module_alone(
        {.config = std::string("[pricing]\ngreeks = [\"vega\"]\n") + method + market(0) + at_money,
         .stop = samples(1 << 16)});
    CHECK(std::fabs(column_of(at_zero, "greeks/value")[0] - expected) <
          4 * column_of(at_zero, "greeks/standard_error")[0] + 0.01 * expected);
  }
}
