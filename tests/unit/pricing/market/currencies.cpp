// Exchange rates, foreign assets, quantos and composites: closed forms, simulation, Greeks,
// messages.

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/risk/revaluation.hpp"
#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/greeks/greek_rows.hpp"
#include "tests/unit/pricing/module_run.hpp"
#include "tests/unit/pricing/trades/bad_input.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace currency_tests {
namespace {

constexpr double r_eur = 0.02, r_usd = 0.04, r_jpy = 0.005;
constexpr double eurusd = 1.10, usdjpy = 150, x_usd = 1 / eurusd, x_jpy = x_usd / usdjpy;

const std::string market = R"(
[market]
currency = "EUR"
rate = 0.02
[market.currencies.USD]
rate = 0.04
[market.currencies.JPY]
rate = 0.005
[market.fx.EURUSD]
spot = 1.10
volatility = 0.08
[market.fx.USDJPY]
spot = 150.0
volatility = { times = [0.5, 2.0], values = [0.12, 0.10] }
[market.assets.SPX]
currency = "USD"
spot = 5000.0
dividend = 0.013
volatility = { times = [0.5, 1.0], values = [0.2, 0.18] }
[market.assets.DAX]
spot = 180.0
volatility = 0.22
[market.assets.NKY]
currency = "JPY"
spot = 40000.0
volatility = 0.2
[market.correlation]
assets = ["EURUSD", "USDJPY", "SPX", "DAX", "NKY"]
matrix = [
  [1.0, -0.3, 0.25, 0.1, 0.1],
  [-0.3, 1.0, 0.15, 0.1, -0.35],
  [0.25, 0.15, 1.0, 0.6, 0.4],
  [0.1, 0.1, 0.6, 1.0, 0.4],
  [0.1, -0.35, 0.4, 0.4, 1.0],
]
)";

std::string trade(const std::string& id, const std::string& terms) {
  return "[[trades]]\nid = \"" + id + "\"\nmaturity = 1.0\n" + terms + "\n";
}

std::string option(const std::string& id, const std::string& asset, double strike,
                   const std::string& more = {}) {
  return trade(id, "product = \"european\"\ntype = \"call\"\nasset = \"" + asset +
                       "\"\nstrike = " + std::to_string(strike) + "\n" + more);
}

const std::string quanto = "currency = \"EUR\"\nconversion = \"quanto\"";
const std::string composite = "currency = \"EUR\"\nconversion = \"composite\"";

const std::string portfolio =
    trade("forward", "product = \"forward\"\nasset = \"EURUSD\"\nstrike = 1.05") +
    option("fx", "EURUSD", 1.12) + option("cross", "USDJPY", 150) + option("plain", "SPX", 5000) +
    option("quanto", "SPX", 5000, quanto) + option("composite", "SPX", 4500, composite) +
    option("two legs", "NKY", 40000, quanto) +
    option("composite of two legs", "NKY", 240, composite) +
    option("quanto in JPY", "SPX", 5000, "currency = \"JPY\"\nconversion = \"quanto\"") +
    option("quanto rate", "EURUSD", 1.12, quanto) +
    trade("digital",
          "product = \"digital\"\ntype = \"put\"\nasset = \"SPX\"\nstrike = 5000.0\n" + quanto);

/// Integral of sigma over the year for two total variances: forward volatility before and after
/// half a year.
double first_half(double implied) { return implied; }
double second_half(double early, double late, double end) {
  return std::sqrt((late * late * end - early * early * 0.5) / (end - 0.5));
}
const double spx_1 = first_half(0.2), spx_2 = second_half(0.2, 0.18, 1.0);
const double jpy_1 = first_half(0.12), jpy_2 = second_half(0.12, 0.10, 2.0);
constexpr double eur_vol = 0.08, nky_vol = 0.2;

/// The mean over the year of two values.
double mean(double first, double second) { return 0.5 * (first + second); }

std::vector<double> references() {
  const double d_eur = std::exp(-r_eur), d_usd = std::exp(-r_usd), d_jpy = std::exp(-r_jpy);
  const double spx_variance = 0.18 * 0.18;
  const double spx_forward = 5000 * std::exp(r_usd - 0.013);
  const double fx_forward = eurusd * std::exp(r_usd - r_eur);
  const double jpy_variance = mean(jpy_1 * jpy_1, jpy_2 * jpy_2);
  // EUR per USD is the inverse of EURUSD: the correlations change their signs.
  const double spx_usd = -0.25 * eur_vol * mean(spx_1, spx_2);
  // EUR per JPY = 1 / (USDJPY EURUSD).
  const double nky_jpy = nky_vol * (0.35 * mean(jpy_1, jpy_2) - 0.1 * eur_vol);
  const double eur_jpy = jpy_variance + eur_vol * eur_vol - 2 * 0.3 * eur_vol * mean(jpy_1, jpy_2);
  // JPY per USD.
  const double spx_in_jpy = 0.15 * mean(spx_1 * jpy_1, spx_2 * jpy_2);
  return {
      x_usd * d_usd * (fx_forward - 1.05),
      x_usd * black(1, fx_forward, 1.12, eur_vol * eur_vol, d_usd),
      x_jpy * black(1, usdjpy * std::exp(r_jpy - r_usd), 150, jpy_variance, d_jpy),
      x_usd * black(1, spx_forward, 5000, spx_variance, d_usd),
      black(1, spx_forward * std::exp(-spx_usd), 5000, spx_variance, d_eur),
      black(1, 5000 * x_usd * std::exp(r_eur - 0.013), 4500,
            spx_variance + 2 * spx_usd + eur_vol * eur_vol, d_eur),
      black(1, 40000 * std::exp(r_jpy - nky_jpy), 40000, nky_vol * nky_vol, d_eur),
      black(1, 40000 * x_jpy * std::exp(r_eur), 240, nky_vol * nky_vol + 2 * nky_jpy + eur_jpy,
            d_eur),
      x_jpy * black(1, spx_forward * std::exp(-spx_in_jpy), 5000, spx_variance, d_jpy),
      black(1, fx_forward * std::exp(eur_vol * eur_vol), 1.12, eur_vol * eur_vol, d_eur),
      cash_digital(-1, spx_forward * std::exp(-spx_usd), 5000, spx_variance, d_eur),
  };
}

std::vector<double> closed_forms(const PricingConfig& config) {
  for (const std::uint8_t is_closed : closed_form_flags(config)) CHECK(is_closed == 1);
  const Revaluation values(config, gsim::test::test_executor(1), Arithmetic::strict, 1, 1024);
  std::vector<double> list;
  for (const TradeValue& v : values.today()) list.push_back(v.value);
  return list;
}

PricingConfig bumped_config(PricingConfig config, const MarketBump& bump) {
  config.market = bumped(std::move(config.market), bump);
  return config;
}

}  // namespace

TEST_CASE("currencies: closed forms are those of Garman and Kohlhagen, Reiner and composites") {
  const std::vector<double> values = closed_forms(read(market + portfolio)),
                            expected = references();
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    CAPTURE(i);
    CHECK(values[i] == doctest::Approx(expected[i]).epsilon(1e-12));
  }
}

TEST_CASE("currencies: simulated prices agree with the closed forms") {
  const std::vector<double> expected = references();
  for (const char* controls : {"auto", "none"}) {
    const ModuleResult r =
        run_module_alone({.config = "[pricing]\ncontrol_variates = \"" + std::string(controls) +
                                    "\"\n" + market + portfolio,
                          .stop = samples(1 << 17)});
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(r.estimates[i].name);
      CAPTURE(r.estimates[i].mean);
      CAPTURE(expected[i]);
      CHECK(r.estimates[i].standard_error > 0);
      CHECK(std::fabs(r.estimates[i].mean - expected[i]) < 4 * r.estimates[i].standard_error);
    }
    const std::vector<double> own = column_of(r, "trades/price_in_currency");
    CHECK(own[3] == doctest::Approx(r.estimates[3].mean * eurusd).epsilon(1e-14));
    CHECK(own[4] == r.estimates[4].mean);
  }
}

TEST_CASE("currencies: path-dependent quantos are those on an asset with an adjusted yield") {
  // Under the measure of EUR, SPX has the drift r_usd - q - rho sigma_S sigma_X.
  const std::string flat = R"(
[market]
currency = "EUR"
rate = 0.02
[market.currencies.USD]
rate = 0.04
[market.fx.USDEUR]
spot = 0.9
volatility = 0.1
[market.assets.S]
currency = "USD"
spot = 100.0
dividend = 0.01
volatility = 0.25
[market.correlation]
assets = ["USDEUR", "S"]
matrix = [[1.0, -0.4], [-0.4, 1.0]]
)";
  const double yield = r_eur - (r_usd - 0.01 + 0.4 * 0.1 * 0.25);
  const std::string single =
      "[market]\nrate = 0.02\n[market.assets.S]\nspot = 100.0\nvolatility = "
      "0.25\ndividend = " +
      std::to_string(yield) + "\n";
  const auto trades = [](const std::string& more) {
    return trade("barrier",
                 "product = \"barrier\"\nasset = \"S\"\ntype = \"call\"\nkind = \"down_and_out\"\n"
                 "strike = 100.0\nbarrier = 85.0\nrebate = 2.0\nrebate_paid = \"at_hit\"\n" +
                     more) +
           trade("asian",
                 "product = \"asian\"\nasset = \"S\"\ntype = \"call\"\nstrike = 100.0\n"
                 "fixing_count = 12\n" +
                     more) +
           trade("lookback",
                 "product = \"lookback\"\nasset = \"S\"\ntype = \"put\"\n"
                 "kind = \"floating\"\n" +
                     more) +
           trade("american",
                 "product = \"european\"\nasset = \"S\"\ntype = \"put\"\n"
                 "strike = 110.0\nexercise = \"american\"\n" +
                     more);
  };
  const std::string options = "[pricing.exercise]\nupper_bound = false\n";
  const ModuleResult a =
      run_module_alone({.config = options + flat + trades(quanto), .stop = samples(1 << 15)});
  const ModuleResult b =
      run_module_alone({.config = options + single + trades(""), .stop = samples(1 << 15)});
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(a.estimates[i].name);
    CHECK(a.estimates[i].mean == doctest::Approx(b.estimates[i].mean).epsilon(1e-6));
    CHECK(a.estimates[i].standard_error ==
          doctest::Approx(b.estimates[i].standard_error).epsilon(1e-4));
  }
  // The same trades paid in USD are those of a market of USD alone, times the exchange rate.
  const std::string usd =
      "[market]\nrate = 0.04\n[market.assets.S]\nspot = 100.0\nvolatility = 0.25\ndividend = "
      "0.01\n";
  const ModuleResult c =
      run_module_alone({.config = options + flat + trades(""), .stop = samples(1 << 15)});
  const ModuleResult d =
      run_module_alone({.config = options + usd + trades(""), .stop = samples(1 << 15)});
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(c.estimates[i].name);
    CHECK(c.estimates[i].mean == doctest::Approx(0.9 * d.estimates[i].mean).epsilon(1e-10));
    CHECK(c.estimates[i].standard_error ==
          doctest::Approx(0.9 * d.estimates[i].standard_error).epsilon(1e-8));
  }
}

TEST_CASE("currencies: Greeks are the derivatives of the closed forms") {
  const PricingConfig config = read(market + portfolio);
  const ModuleResult r = run_module_alone(
      {.config =
           "[pricing]\ngreeks = [\"delta\", \"gamma\", \"cross_gamma\", \"vega\", \"rho\"]\n" +
           market + portfolio,
       .stop = samples(1 << 15)});
  const auto table = greeks_of(r);
  using Quantity = MarketBump::Quantity;
  const auto derivative = [&](std::size_t trade, Quantity quantity, const std::string& name,
                              double unit) {
    const double h = 1e-5;
    const Index i = quantity == Quantity::rate
                        ? (name.empty() ? -1 : find_currency(config.market, name))
                        : config.market.find(name);
    const auto value = [&](double size) {
      return closed_forms(bumped_config(config, {quantity, i, -1, size}))[trade];
    };
    return (value(h) - value(-h)) / (2 * h * unit);
  };
  const auto check = [&](const std::string& name, double reference) {
    CAPTURE(name);
    REQUIRE(table.count(name) == 1);
    const GreekValue& g = table.at(name);
    CAPTURE(g.value);
    CAPTURE(g.error);
    CAPTURE(reference);
    CHECK(std::fabs(g.value - reference) <= 4 * g.error + 2e-4 * std::fabs(reference) + 1e-7);
  };
  const char* ids[] = {"forward", "fx", "cross", "plain", "quanto", "composite", "two legs"};
  const std::vector<std::vector<std::string>> spots = {
      {"EURUSD"},        {"EURUSD"}, {"EURUSD", "USDJPY"}, {"SPX", "EURUSD"}, {"SPX"},
      {"SPX", "EURUSD"}, {"NKY"}};
  const std::vector<std::vector<std::string>> volatilities = {{},
                                                              {"EURUSD"},
                                                              {"USDJPY"},
                                                              {"SPX"},
                                                              {"SPX", "EURUSD"},
                                                              {"SPX", "EURUSD"},
                                                              {"NKY", "EURUSD", "USDJPY"}};
  const std::vector<std::vector<std::string>> rates = {
      {"", "USD"}, {"", "USD"}, {"USD", "JPY"}, {"USD"}, {"", "USD"}, {""}, {"", "JPY"}};
  for (std::size_t t = 0; t < 7; ++t) {
    const std::string id = ids[t];
    for (const std::string& name : spots[t]) {
      const double spot =
          config.market.assets[static_cast<std::size_t>(config.market.find(name))].spot;
      check(id + " delta " + name, derivative(t, Quantity::spot, name, spot));
    }
    for (const std::string& name : volatilities[t])
      check(id + " vega " + name, derivative(t, Quantity::volatility, name, 1));
    for (const std::string& name : rates[t])
      check(id + " rho" + (name.empty() ? "" : " " + name), derivative(t, Quantity::rate, name, 1));
  }
  // Nothing else: a quanto does not depend on the exchange rate's spot, nor a plain trade on its
  // volatility and on the base currency's rate.
  for (const char* absent : {"quanto delta EURUSD", "plain vega EURUSD", "plain rho",
                             "composite rho USD", "cross rho", "two legs delta USDJPY"})
    CHECK_MESSAGE(table.count(absent) == 0, absent);
}

TEST_CASE("currencies: stress scenarios and simulated changes are in the base currency") {
  const std::string risk = R"(
[risk]
methods = ["monte_carlo", "delta_normal"]
[[risk.stress]]
name = "dollar"
factors = ["EURUSD"]
changes = [0.1]
[[risk.stress]]
name = "rates"
factors = ["USD rate"]
changes = [0.01]
)";
  const std::string trades =
      trade("position", "product = \"forward\"\nasset = \"SPX\"\nstrike = 0.0") +
      option("quanto", "SPX", 5000, quanto);
  const ModuleResult r = run_module_alone(risk_run(risk + market + trades, 4096));
  const PricingConfig config = read(market + trades);
  const std::vector<double> before = closed_forms(config);
  const auto change = [&](const MarketBump& bump) {
    const std::vector<double> after = closed_forms(bumped_config(config, bump));
    return after[0] - before[0] + after[1] - before[1];
  };
  const std::vector<double> gains = column_of(r, "stress/gain");
  const Index pair = config.market.find("EURUSD");
  CHECK(gains[0] ==
        doctest::Approx(change({MarketBump::Quantity::spot, pair, -1, 0.1})).epsilon(1e-12));
  CHECK(gains[1] ==
        doctest::Approx(change({MarketBump::Quantity::rate, 1, -1, 0.01})).epsilon(1e-12));
  // In USD the position does not change with EURUSD, and the quanto does not at all: the value in
  // EUR falls by 1 - 1 / 1.1.
  CHECK(gains[0] == doctest::Approx(before[0] * (1 / 1.1 - 1)).epsilon(1e-12));
}

TEST_CASE("currencies: exposures of quantos, and messages for other currencies") {
  const std::string terms =
      "[exposure]\ntimes = [0.5, 1.0]\n[[exposure.netting_sets]]\nname = \"A\"\n";
  const ModuleResult r = run_module_alone(exposure_run(
      terms + market +
      trade("quanto", "product = \"forward\"\nasset = \"SPX\"\nstrike = 5000.0\n" + quanto)));
  const double covariance = -0.25 * eur_vol * mean(spx_1, spx_2);
  const double forward = 5000 * std::exp(r_usd - 0.013 - covariance);
  const double expected = black(1, forward, 5000, 0.5 * spx_1 * spx_1, std::exp(-r_eur));
  const std::vector<double> times = column_of(r, "exposures/time");
  const std::vector<double> positive = column_of(r, "exposures/discounted_positive");
  const std::vector<double> error = column_of(r, "exposures/discounted_positive_error");
  REQUIRE(times.at(1) == 0.5);
  CAPTURE(positive[1]);
  CAPTURE(expected);
  CHECK(std::fabs(positive[1] - expected) < 4 * error[1]);
  const auto message = [&](const std::string& trade) -> std::string {
    try {
      run_module_alone(exposure_run(terms + market + trade));
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  check_contains(message(option("composite", "SPX", 5000, composite)),
                 {"does not support composites"});
  const std::string no_correlation =
      "[market]\ncurrency = \"EUR\"\nrate = 0.02\n[market.currencies.USD]\nrate = 0.04\n"
      "[market.fx.EURUSD]\nspot = 1.1\nvolatility = 0.1\n[market.assets.S]\ncurrency = \"USD\"\n"
      "spot = 1.0\nvolatility = 0.1\n";
  const std::string plain = option("plain", "S", 1);
  try {
    run_module_alone(exposure_run(terms + no_correlation + plain));
    FAIL("no error");
  } catch (const InputError& error) {
    check_contains(error.what(),
                   {"needs the correlation of", "in trade `plain`, which is paid in USD"});
  }
}

TEST_CASE("currencies: exposures of trades in other currencies are those of products in EUR") {
  // A forward on SPX pays (S - K) X in EUR, a forward on EURUSD 1 - K X: options on both at a date
  // before the maturity are closed forms in EUR.
  const auto exposure = [&](const std::string& trades) {
    const ModuleResult r = run_module_alone(
        exposure_run("[exposure]\ntimes = [0.5, 1.0]\n[[exposure.netting_sets]]\nname = \"A\"\n" +
                         market + trades,
                     1 << 17));
    return std::pair{column_of(r, "exposures/discounted_positive")[1],
                     column_of(r, "exposures/discounted_positive_error")[1]};
  };
  const auto check = [&](const std::string& trades, double expected) {
    const auto [value, error] = exposure(trades);
    CAPTURE(trades);
    CAPTURE(value);
    CAPTURE(error);
    CAPTURE(expected);
    CHECK(error > 0);
    CHECK(std::fabs(value - expected) < 4 * error);
  };
  const double v = eur_vol * eur_vol * 0.5;
  check(trade("fx forward", "product = \"forward\"\nasset = \"EURUSD\"\nstrike = 1.12"),
        black(-1, x_usd * std::exp(r_eur - r_usd), 1 / 1.12, v, 1.12 * std::exp(-r_eur)));
  // (S_t e^(-q (T - t)) - K e^(-r (T - t))) X_t: an option to exchange two lognormal amounts.
  const double spx_in_eur = 5000 * x_usd * std::exp(-0.013), usd = 5000 * x_usd * std::exp(-r_usd);
  check(trade("forward", "product = \"forward\"\nasset = \"SPX\"\nstrike = 5000.0"),
        exchange(1, spx_in_eur, usd, 0.5 * spx_1 * spx_1, 1));
  // The cross rate: (F - K) JPY, where F = USDJPY and X = 1 / (F EURUSD): (1 / EURUSD) e^(-r) - K
  // X.
  const double first = x_usd * std::exp(-r_usd), second = 150 * x_jpy * std::exp(-r_jpy);
  check(trade("cross", "product = \"forward\"\nasset = \"USDJPY\"\nstrike = 150.0"),
        exchange(1, first, second, 0.5 * jpy_1 * jpy_1, 1));
  // An option is never worth less than 0, so that its discounted exposure is its price; netted with
  // the opposite trade in EUR nothing is left but noise.
  check(option("option", "SPX", 5000), references()[3]);
  check(option("quanto in JPY", "SPX", 5000, "currency = \"JPY\"\nconversion = \"quanto\""),
        references()[8]);
  const auto asian = [](double quantity) {
    return "product = \"asian\"\nasset = \"SPX\"\ntype = \"call\"\nstrike = 5000.0\n"
           "average = \"geometric\"\nfixing_count = 4\nquantity = " +
           std::to_string(quantity);
  };
  const PricingConfig one = read(market + trade("asian", asian(1)));
  check(trade("asian", asian(1)), closed_forms(one)[0]);
  CHECK(exposure(trade("a", asian(1)) + trade("b", asian(-1))).first == 0);
}

TEST_CASE("currencies: the value of exercise today is converted") {
  const auto american = [](const std::string& type, double strike) {
    return trade(type, "product = \"european\"\nasset = \"USDJPY\"\ntype = \"" + type +
                           "\"\nstrike = " + std::to_string(strike) + "\nexercise = \"american\"");
  };
  const ModuleResult r = run_module_alone(
      {.config = "[pricing]\ngreeks = [\"delta\"]\n[pricing.exercise]\nupper_bound = false\n" +
                 market + american("call", 50) + american("put", 200),
       .stop = samples(1 << 14)});
  const auto price = doubles(r.results, "trades/price");
  // USD yield 4 % and JPY 0.5 %: the call is exercised today, and the put is not.
  CHECK(price[0] == doctest::Approx((usdjpy - 50) * x_jpy).epsilon(1e-12));
  CHECK(price[1] > 1.02 * (200 - usdjpy) * x_jpy);
  CHECK(price[1] < 200 * x_jpy);
  const auto greeks = greeks_of(r);
  CHECK(greeks.at("call delta USDJPY").value ==
        doctest::Approx(x_jpy - (usdjpy - 50) * x_jpy / usdjpy).epsilon(1e-3));
}

TEST_CASE("currencies: the same bits on any number of ranks and threads, and in slices") {
  const std::string config =
      "[pricing]\ngreeks = [\"delta\", \"vega\", \"rho\"]\n" + market + portfolio;
  const std::uint64_t digest =
      run_module_alone({.config = config, .stop = samples(1 << 14)}).digest;
  for (const int ranks : {2, 3, 7})
    CHECK(
        run_module_alone(
            {.config = config, .ranks = ranks, .threads = 2, .slice = 1, .stop = samples(1 << 14)})
            .digest == digest);
}

TEST_CASE("currencies: past fixings of composites are products of those of asset and rates") {
  const gsim::test::ScratchFolder folder;
  const auto config = [&](const std::string& fixings, const std::string& trades) {
    const std::string path = folder / "fixings.csv";
    std::ofstream(path) << "asset,date,value\n" << fixings;
    return "[market]\nfixings_file = \"" + path + "\"\n" + market.substr(market.find("currency")) +
           trades;
  };
  const std::string asian = "product = \"asian\"\ntype = \"call\"\n" + composite + "\n";
  const std::string spx = asian + "asset = \"SPX\"\nstrike = 4500.0\n";
  const std::string nky = asian + "asset = \"NKY\"\nstrike = 240.0\n";
  const std::string all = "fixings = [-0.25, 0.5, 1.0]\n";
  const std::string later = "fixings = [0.5, 1.0]\npast_fixings = ";
  const std::string scripted =
      trade("script", "product = \"scripted\"\nassets = [\"SPX\"]\n" + all + composite +
                          "\npayoff = 'state n = 0; n = n + spot / 3; "
                          "if last { pay max(n - 4500, 0) }'\n");
  const std::string known = "SPX,-0.25,4800\nEURUSD,-0.25,1.2\nNKY,-0.25,36000\nUSDJPY,-0.25,120\n";
  const ModuleResult r = run_module_alone(
      {.config = "[pricing]\ncontrol_variates = \"none\"\n" +
                 config(known, trade("file", spx + all) + trade("given", spx + later + "[4000.0]") +
                                   trade("two legs", nky + all) +
                                   trade("two legs given", nky + later + "[250.0]") + scripted),
       .stop = samples(1 << 12)});
  REQUIRE(r.estimates.size() == 5);
  const auto check_equal = [&](std::size_t i, std::size_t j) {
    CAPTURE(i);
    CHECK(r.estimates[i].standard_error > 0);
    CHECK(r.estimates[i].mean == doctest::Approx(r.estimates[j].mean).epsilon(1e-12));
  };
  check_equal(0, 1);
  check_equal(2, 3);
  check_equal(4, 0);
  const std::string partly = "SPX,-0.25,4800\nEURUSD,-0.5,1.2\n";
  check_contains(error_of(config(partly, trade("t", spx + all))),
                 {"no fixing of asset `SPX composite EUR`",
                  "add the value of `SPX` and `EURUSD` on this date to market.fixings_file",
                  "`past_fixings`"});
  check_contains(error_of(config(partly, scripted)),
                 {"no fixing of asset `SPX composite EUR`", "of `SPX` and `EURUSD`"});
  check_contains(error_of(config("EURUSD,-0.25,1.2\n",
                                 trade("t",
                                       "product = \"asian\"\ntype = \"call\"\nasset = \"SPX\"\n"
                                       "strike = 1.0\n" +
                                           quanto + "\n" + all))),
                 {"add the value of `SPX` on this date to market.fixings_file"});
}

TEST_CASE("currencies: messages") {
  const auto error = [](const std::string& trades) { return error_of(market + trades); };
  check_contains(error(option("t", "SPX", 1, "currency = \"EUR\"")),
                 {"another currency than EUR", "quanto"});
  check_contains(error(option("t", "SPX", 1, "currency = \"CHF\"")), {"no currency `CHF`", "EUR"});
  check_contains(error(option("t", "SPX", 1, "conversion = \"quanto\"")), {"needs `currency`"});
  check_contains(error(option("t", "DAX", 1, quanto)), {"leave `conversion` out"});
  check_contains(error(trade("t",
                             "product = \"basket\"\nassets = [\"SPX\", \"DAX\"]\ntype = \"call\"\n"
                             "strike = 1.0")),
                 {"`SPX` is in USD and `DAX` in EUR"});
  check_contains(error(trade("t",
                             "product = \"basket\"\nassets = [\"SPX\", \"DAX\"]\ntype = \"call\"\n"
                             "strike = 1.0\n" +
                                 composite)),
                 {"composites of several assets"});
  const std::string base =
      "[market]\ncurrency = \"EUR\"\nrate = 0.02\n[market.currencies.USD]\nrate = 0.04\n";
  const std::string asset = "[market.assets.S]\nspot = 1.0\nvolatility = 0.1\ncurrency = \"USD\"\n";
  const std::string pair = "[market.fx.EURUSD]\nspot = 1.1\nvolatility = 0.1\n";
  check_contains(error_of(base + asset + option("t", "S", 1)),
                 {"no exchange rates connect USD and EUR"});
  check_contains(error_of(base + asset + pair + option("t", "S", 1, quanto)),
                 {"needs the correlation of", "[market.correlation]"});
  check_contains(error_of(base + "[market.fx.EURCHF]\nspot = 1.0\nvolatility = 0.1\n" +
                          option("t", "EURCHF", 1)),
                 {"`EURCHF` does not consist of the names of two currencies"});
  check_contains(error_of(base + pair + "[market.fx.USDEUR]\nspot = 0.9\nvolatility = 0.1\n" +
                          option("t", "EURUSD", 1)),
                 {"follows from the others already"});
  check_contains(error_of("[market]\nrate = 0.02\n[market.currencies.USD]\nrate = 0.04\n" +
                          option("t", "S", 1)),
                 {"market.currency"});
  check_contains(
      error_of(base + pair +
               "[market.assets.S]\ncurrency = \"USD\"\nspot = 1.0\nmodel = \"heston\"\nv0 = 0.04\n"
               "kappa = 1.0\ntheta = 0.04\nsigma = 0.3\nrho = -0.5\n[market.correlation]\n"
               "assets = [\"S\", \"EURUSD\"]\nmatrix = [[1.0, 0.1], [0.1, 1.0]]\n" +
               option("t", "S", 1, quanto)),
      {"black_scholes", "`S` has the model `heston`"});
}

}  // namespace currency_tests
