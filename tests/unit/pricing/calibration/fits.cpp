// Least squares, and smiles and models that are recovered from their own values.

#include <cmath>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "src/modules/pricing/calibration/heston_calibration.hpp"
#include "src/modules/pricing/calibration/levenberg_marquardt.hpp"
#include "src/modules/pricing/calibration/smile_fit.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"
#include "tests/unit/pricing/module_trades.hpp"
#include "tests/unit/pricing/trades/bad_input.hpp"
#include "tests/unit/pricing/volatility/surface_markets.hpp"

using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

double parameter(const CalibrationReport& report, const std::string& name) {
  for (const CalibratedParameter& p : report.parameters)
    if (p.name == name) return p.value;
  throw gsim::Error("no parameter " + name);
}

// Payer swaptions under Hull and White's model with mean reversion 0.08 and volatility 0.012, on
// curves with a basis, as quotes.
const std::string swap_curves = R"(
[market]
rate = 0.02
[market.curves.D]
times = [1.0, 5.0, 15.0]
values = [0.01, 0.02, 0.03]
[market.curves.F]
times = [1.0, 5.0, 15.0]
values = [0.013, 0.024, 0.033]
)";

struct Swaption {
  double expiry, end, strike;
};
const std::vector<Swaption> swaptions = {{1, 3, 0.02},  {1, 9, 0.03},  {3, 8, 0.035},
                                         {5, 7, 0.045}, {5, 10, 0.04}, {7, 12, 0.04}};

std::string swaption_trade(const Swaption& s, std::size_t i) {
  return trade_table(
      std::to_string(i),
      fmt::format("product = \"swaption\"\nrate = \"R\"\ntype = \"payer\"\nmaturity = "
                  "{}\nend = {}\nstrike = {}\n",
                  s.expiry, s.end, s.strike));
}

std::vector<double> swaption_prices() {
  std::string text = swap_curves +
                     "[market.rates.R]\ndiscount = \"D\"\nforecast = \"F\"\nmean_reversion = 0.08\n"
                     "volatility = 0.012\n";
  for (std::size_t i = 0; i < swaptions.size(); ++i) text += swaption_trade(swaptions[i], i);
  const PricingConfig config = read(text);
  const ShortRateModel model(config.market, config.market.assets.front());
  std::vector<double> prices;
  for (const TradeConfig& t : config.trades)
    prices.push_back(model.expectation(remaining_swap(t, model, t.maturity), t.maturity, true));
  return prices;
}

}  // namespace

TEST_CASE("Levenberg-Marquardt: Rosenbrock's valley, and a minimum at a bound") {
  const auto rosenbrock = [](std::span<const double> p, std::span<double> r) {
    r[0] = 10 * (p[1] - p[0] * p[0]);
    r[1] = 1 - p[0];
  };
  const Fit free = levenberg_marquardt(rosenbrock, {{-1.2, -5, 5}, {1, -5, 5}}, 2);
  CHECK(free.has_converged);
  CHECK(free.parameters[0] == doctest::Approx(1).epsilon(1e-8));
  CHECK(free.parameters[1] == doctest::Approx(1).epsilon(1e-8));
  // With p[0] <= 0.5 the minimum is at (0.5, 0.25).
  const Fit bound = levenberg_marquardt(rosenbrock, {{-1.2, -5, 0.5}, {1, -5, 5}}, 2);
  CHECK(bound.has_converged);
  CHECK(bound.parameters[0] == 0.5);
  CHECK(bound.parameters[1] == doctest::Approx(0.25).epsilon(1e-6));
  CHECK(bound.root_mean_square() == doctest::Approx(0.5 / std::sqrt(2)).epsilon(1e-6));
}

TEST_CASE("SVI and SABR are recovered from their own volatilities") {
  const SviTerms svi{0.01, 0.12, -0.45, 0.05, 0.2};
  const SabrTerms sabr{0.25 * std::sqrt(80.0), 0.5, -0.35, 0.7};
  std::vector<MoneynessQuote> from_svi, from_sabr;
  for (const double k : {-0.4, -0.25, -0.1, 0.0, 0.1, 0.2, 0.3}) {
    from_svi.push_back({k, std::sqrt(SviSmile(svi).total_variance(k).value / 1.5)});
    from_sabr.push_back({k, sabr_volatility(sabr, 80, 1.5, k).value});
  }
  const SviTerms a = fit_svi(from_svi, 1.5);
  CHECK(a.a == doctest::Approx(svi.a).epsilon(1e-5));
  CHECK(a.b == doctest::Approx(svi.b).epsilon(1e-5));
  CHECK(a.rho == doctest::Approx(svi.rho).epsilon(1e-5));
  CHECK(a.m == doctest::Approx(svi.m).epsilon(1e-5));
  CHECK(a.sigma == doctest::Approx(svi.sigma).epsilon(1e-5));
  const SabrTerms b = fit_sabr(from_sabr, 80, 1.5, 0.5);
  CHECK(b.alpha == doctest::Approx(sabr.alpha).epsilon(1e-7));
  CHECK(b.rho == doctest::Approx(sabr.rho).epsilon(1e-7));
  CHECK(b.nu == doctest::Approx(sabr.nu).epsilon(1e-7));
}

TEST_CASE("fitted smiles of a surface: parameters, differences from quotes, and too few quotes") {
  const std::string head = R"(
[market]
rate = 0.0
[market.assets.A]
spot = 100.0
volatility = "S"
model = "local_volatility"
[market.volatility_surfaces.S]
expiries = [0.5]
)";
  const std::string quotes =
      "strikes = [80.0, 90.0, 100.0, 110.0, 120.0, 130.0]\n"
      "volatilities = [[0.27, 0.235, 0.205, 0.185, 0.175, 0.172]]\n";
  for (const char* smile : {"svi", "sabr"}) {
    const PricingConfig config = read(head + quotes + "smile = \"" + smile + "\"\n" + one_trade);
    const AssetSurface& given = *config.market.assets.front().given_surface;
    CHECK(given.parameters.size() == (std::string(smile) == "svi" ? 5 : 4));
    for (const SurfacePoint& p : given.points) CHECK(std::fabs(p.volatility - p.quote) < 2e-3);
    CHECK(config.market.warnings.empty());
  }
  check_contains(error_of(head +
                          "strikes = [90.0, 100.0]\nvolatilities = [[0.2, 0.2]]\nsmile = "
                          "\"svi\"\n" +
                          one_trade),
                 {"the smile has 5 parameters, but there are 2 quotes", "smile = \"spline\""});
  const PricingConfig rough =
      read(head +
           "strikes = [80.0, 90.0, 100.0, 110.0]\nvolatilities = [[0.2, 0.27, 0.2, 0.27]]\n"
           "smile = \"sabr\"\n" +
           one_trade);
  REQUIRE(!rough.market.warnings.empty());
  CHECK(contains(rough.market.warnings.back(), "differs from the quote"));
}

TEST_CASE("Heston: calls of many strikes, and parameters from their own volatilities") {
  HestonTerms terms{0.035, 2, 0.06, 0.7, -0.65};
  std::vector<VolatilityQuote> quotes;
  for (const double expiry : {0.25, 0.5, 1.0, 2.0}) {
    terms.maturity = expiry;
    std::vector<double> strikes;
    for (const double x : {-1.5, -0.75, 0.0, 0.75, 1.5})
      strikes.push_back(100 * std::exp(0.2 * x * std::sqrt(expiry)));
    const std::vector<double> calls = heston_calls(100, strikes, terms);
    for (std::size_t i = 0; i < strikes.size(); ++i) {
      const double call = heston(1, 100, strikes[i], terms, 1);
      CHECK(std::fabs(calls[i] - call) < 1e-7);
      quotes.push_back(
          {expiry, 100, strikes[i], implied_volatility(1, 100, strikes[i], expiry, call)});
    }
  }
  HestonTerms none;
  none.v0 = none.kappa = none.theta = none.sigma = none.rho = std::nan("");
  const HestonFit fit = calibrate_heston(quotes, none);
  CHECK(fit.has_converged);
  CHECK(fit.terms.v0 == doctest::Approx(terms.v0).epsilon(1e-4));
  CHECK(fit.terms.kappa == doctest::Approx(terms.kappa).epsilon(1e-4));
  CHECK(fit.terms.theta == doctest::Approx(terms.theta).epsilon(1e-4));
  CHECK(fit.terms.sigma == doctest::Approx(terms.sigma).epsilon(1e-4));
  CHECK(fit.terms.rho == doctest::Approx(terms.rho).epsilon(1e-4));
  for (std::size_t i = 0; i < quotes.size(); ++i)
    CHECK(std::fabs(fit.volatilities[i] - quotes[i].volatility) < 1e-7);
}

TEST_CASE("Hull and White: mean reversion and volatility from swaptions by price") {
  const std::vector<double> prices = swaption_prices();
  std::string quotes;
  for (std::size_t i = 0; i < swaptions.size(); ++i)
    quotes += fmt::format(
        "[[market.rates.R.swaptions]]\nexpiry = {}\nlength = {}\nstrike = {}\nprice = {:.17g}\n",
        swaptions[i].expiry, swaptions[i].end - swaptions[i].expiry, swaptions[i].strike,
        prices[i]);
  const auto calibrated = [&](const std::string& keys) {
    return read(swap_curves + "[market.rates.R]\ndiscount = \"D\"\nforecast = \"F\"\n" + keys +
                quotes + swaption_trade(swaptions[0], 0));
  };
  const PricingConfig both = calibrated("");
  CHECK(both.market.assets.front().short_rate->mean_reversion ==
        doctest::Approx(0.08).epsilon(1e-6));
  CHECK(both.market.assets.front().short_rate->volatility == doctest::Approx(0.012).epsilon(1e-6));
  CHECK(both.market.warnings.empty());
  const CalibrationReport& report = *both.market.assets.front().calibration;
  REQUIRE(report.errors.size() == swaptions.size());
  for (std::size_t i = 0; i < prices.size(); ++i)
    CHECK(report.errors[i].model == doctest::Approx(prices[i]).epsilon(1e-6));
  // With another mean reversion the volatility alone cannot meet all prices.
  const PricingConfig fixed = calibrated("mean_reversion = 0.02\n");
  CHECK(fixed.market.assets.front().short_rate->mean_reversion == 0.02);
  CHECK(parameter(*fixed.market.assets.front().calibration, "volatility") < 0.0115);
  check_contains(error_of(swap_curves + "[market.rates.R]\nvolatility = 0.01\n" + quotes +
                          swaption_trade(swaptions[0], 0)),
                 {"the volatility is calibrated to the swaptions"});
}

TEST_CASE("Hull and White: normal and Black volatilities are quotes of the same price") {
  const auto calibrated = [](const std::string& quote) {
    return read(swap_curves + "[market.rates.R]\nmean_reversion = 0.05\n" +
                "[[market.rates.R.swaptions]]\nexpiry = 2.0\nlength = 5.0\n" + quote +
                swaption_trade(swaptions[0], 0));
  };
  const PricingConfig normal = calibrated("normal_volatility = 0.008\n");
  const CalibrationReport& report = *normal.market.assets.front().calibration;
  CHECK(report.errors.front().model == doctest::Approx(0.008).epsilon(1e-9));
  // At the money: the price of a normal volatility is annuity * volatility * sqrt(T / 2 pi), and so
  // is that of Black's volatility v to first order in v, with forward * v in its place; the next
  // term is -v^2 T / 24 relative to it. The forward rate of annual coupons is e^0.02 - 1.
  const double forward = std::exp(0.02) - 1;
  const PricingConfig black = calibrated("black_volatility = 0.1\n");
  CHECK(black.market.assets.front().short_rate->volatility /
            normal.market.assets.front().short_rate->volatility ==
        doctest::Approx(0.1 * forward * (1 - 0.01 * 2 / 24) / 0.008).epsilon(1e-3));
}

TEST_CASE("warnings of swaptions are in the units of their quotes") {
  // Two volatilities at the same expiry and strike differ from their mean by half the difference.
  const auto warnings = [](const std::string& first, const std::string& second) {
    const std::string swaption = "[[market.rates.R.swaptions]]\nexpiry = 2.0\nlength = 5.0\n";
    return read(swap_curves + "[market.rates.R]\nmean_reversion = 0.05\n" + swaption + first +
                swaption + second + swaption_trade(swaptions[0], 0))
        .market.warnings;
  };
  CHECK(warnings("normal_volatility = 0.0080\n", "normal_volatility = 0.0088\n").empty());
  REQUIRE(warnings("normal_volatility = 0.0080\n", "normal_volatility = 0.0092\n").size() == 1);
  // 0.016 of Black's volatility is 0.0003 of a normal one at a forward rate of 2 %.
  CHECK(warnings("black_volatility = 0.200\n", "black_volatility = 0.216\n").empty());
  const std::vector<std::string> black =
      warnings("black_volatility = 0.2\n", "black_volatility = 0.224\n");
  REQUIRE(black.size() == 1);
  CHECK(contains(black.front(), "differs from the quote 0.2"));
}

TEST_CASE("a fitted smile at a bound of its fit is a warning") {
  // Volatilities that fall linearly to the right: SVI's slope on the right wants to be negative.
  const PricingConfig config = read(R"(
[market]
rate = 0.0
[market.assets.A]
spot = 100.0
volatility = "S"
model = "local_volatility"
[market.volatility_surfaces.S]
expiries = [0.5]
strikes = [80.0, 90.0, 100.0, 110.0, 120.0, 130.0]
volatilities = [[0.27, 0.25, 0.23, 0.21, 0.19, 0.17]]
smile = "svi"
)" + one_trade);
  bool has_warning = false;
  for (const std::string& warning : config.market.warnings) {
    INFO(warning);
    has_warning = has_warning || contains(warning, "smile at 0.5 years: ");
  }
  CHECK(has_warning);
}

TEST_CASE("bad swaptions") {
  const auto error = [](const std::string& keys, const std::string& swaption) {
    return error_of(swap_curves + "[market.rates.R]\n" + keys + "[[market.rates.R.swaptions]]\n" +
                    swaption + swaption_trade(swaptions[0], 0));
  };
  check_contains(error("", "expiry = 1.0\nlength = 2.0\nnormal_volatility = 0.01\n"),
                 {"one swaption does not determine mean reversion and volatility"});
  check_contains(error("", "expiry = 1.0\nlength = 2.0\n"),
                 {"a swaption needs one of `normal_volatility`, `black_volatility` and `price`"});
  check_contains(error("", "expiry = 1.0\nlength = 2.5\nprice = 0.01\n"),
                 {"2.5 years from start to end are not a whole number of periods of 1 years"});
  check_contains(error("mean_reversion = 0.05\n",
                       "expiry = 1.0\nlength = 2.0\nstrike = 0.001\nprice = 0.001\n"),
                 {"which no volatility gives: its intrinsic value is"});
  check_contains(error("mean_reversion = 0.05\n",
                       "expiry = 1.0\nlength = 2.0\nstrike = -0.01\nblack_volatility = 0.2\n"),
                 {"Black's volatility needs positive ones", "give normal_volatility"});
  // Deep in the money, Black's price is the intrinsic value in floating-point numbers.
  check_contains(error("mean_reversion = 0.05\n",
                       "expiry = 1.0\nlength = 2.0\nstrike = 0.001\nblack_volatility = 0.2\n"),
                 {"the swaption of 1 into 2 years has no time value at the strike 0.001 with the "
                  "volatility 0.2",
                  "give quotes of strikes nearer to the forward rate"});
  // Without swaptions both keys are required.
  CHECK(contains(error_of(swap_curves + "[market.rates.R]\nvolatility = 0.01\n" +
                          swaption_trade(swaptions[0], 0)),
                 "missing key `mean_reversion`"));
}

TEST_CASE("an asset's Heston model is calibrated to its surface") {
  const std::string market = [] {
    std::string text = index_surface;
    text.replace(text.find("volatility = \"SPX\""), 18, "calibrate_to = \"SPX\"");
    return text + "model = \"heston\"\n";
  }();
  const PricingConfig config = read(market + one_trade);
  const AssetConfig& a = config.market.assets.front();
  REQUIRE(a.calibration);
  CHECK(a.calibration->target == "SPX");
  CHECK(parameter(*a.calibration, "rho") == a.rho);
  CHECK(a.rho < -0.4);
  REQUIRE(a.calibration->errors.size() == 18);
  CHECK(a.calibration->errors[0].instrument == "0.25 years, strike 70");
  for (const CalibrationError& e : a.calibration->errors)
    CHECK(std::fabs(e.model - e.quote) < 0.02);
  // Known parameters are found from a start, too, and without calibrate_to they are required.
  CHECK(contains(error_of("[market]\nrate = 0.0\n[market.assets.A]\nspot = 1.0\nmodel = "
                          "\"heston\"\nv0 = 0.04\n" +
                          one_trade),
                 "missing key `kappa`"));
  check_contains(error_of("[market]\nrate = 0.0\n[market.assets.A]\nspot = 1.0\nmodel = "
                          "\"heston\"\ncalibrate_to = \"X\"\n" +
                          one_trade),
                 {"no surface `X` in [market.volatility_surfaces]"});
}
