// Surfaces of implied volatilities: interpolation, arbitrage, and prices by local volatility.

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/greeks/market_bump.hpp"
#include "src/modules/pricing/volatility/local_volatility_grid.hpp"
#include "tests/unit/pricing/greeks/greek_rows.hpp"
#include "tests/unit/pricing/module_trades.hpp"
#include "tests/unit/pricing/trades/bad_input.hpp"
#include "tests/unit/pricing/volatility/surface_markets.hpp"

using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

VolatilitySurface surface_of(const std::string& market) {
  return *read(market + one_trade).market.assets.front().surface;
}

}  // namespace

TEST_CASE("a surface of strikes meets its quotes, between which total variance is linear in time") {
  const VolatilitySurface s = surface_of(index_surface + local);
  CHECK(s.implied_volatility(0.25, 80) == doctest::Approx(0.280).epsilon(1e-12));
  CHECK(s.implied_volatility(1, 120) == doctest::Approx(0.172).epsilon(1e-12));
  // Zero rates of 3 % and 4 %: the integral of the rate at 1 year is linear between 0.015 and 0.08.
  const double carry = 0.015 + (0.08 - 0.015) / 3 - 0.015;
  CHECK(s.forwards().log_forward(1) == doctest::Approx(std::log(100) + carry).epsilon(1e-14));
  const double k = -0.1;
  const auto at = [&](double t) {
    return s.total_variance(t, s.forwards().forward(t) * std::exp(k));
  };
  CHECK(at(0.7) == doctest::Approx(at(0.5) + 0.4 * (at(1) - at(0.5))).epsilon(1e-12));
  CHECK(at(0.1) == doctest::Approx(0.4 * at(0.25)).epsilon(1e-12));
  CHECK(at(3) == doctest::Approx(3 * at(1)).epsilon(1e-12));
}

TEST_CASE("moneyness, deltas and files give the same surface as strikes") {
  const std::string head =
      "[market]\nrate = 0.03\n[market.assets.A]\nspot = 1.1\ndividend = 0.02\nvolatility = "
      "\"S\"\n" +
      local + "[market.volatility_surfaces.S]\n";
  const double forward = 1.1 * std::exp(0.01), sd = 0.1;
  // Quotes of 10 % at one year, where N(d1) is 0.25 e^0.02 (spot delta) or 0.25 (forward delta).
  const double d_spot = -0.6586809475846583, d_forward = -0.6744897501960817;  // N^-1 of these
  for (const bool is_spot : {true, false}) {
    const VolatilitySurface s =
        surface_of(head + "expiries = [1.0]\ndeltas = [\"25P\", \"ATM\", \"25C\"]\ndelta = \"" +
                   (is_spot ? "spot" : "forward") + "\"\nvolatilities = [[0.1, 0.09, 0.1]]\n");
    const double d = is_spot ? d_spot : d_forward;
    CHECK(s.implied_volatility(1, forward * std::exp(0.5 * sd * sd - d * sd)) ==
          doctest::Approx(0.1).epsilon(1e-12));
    CHECK(s.implied_volatility(1, forward * std::exp(0.5 * sd * sd + d * sd)) ==
          doctest::Approx(0.1).epsilon(1e-12));
    CHECK(s.implied_volatility(1, forward * std::exp(0.5 * 0.09 * 0.09)) ==
          doctest::Approx(0.09).epsilon(1e-12));
  }
  const VolatilitySurface moneyness = surface_of(
      head + "expiries = [1.0]\nmoneyness = [0.8, 1.0, 1.2]\nvolatilities = [[0.2, 0.18, 0.17]]\n");
  CHECK(moneyness.implied_volatility(1, 0.8 * forward) == doctest::Approx(0.2).epsilon(1e-12));
  const TemporaryFile file(
      "expiry,moneyness,volatility\n1.0,1.0,0.18\n1.0,0.8,0.2\n1.0,1.2,0.17\n");
  const VolatilitySurface from_file = surface_of(head + "quotes_file = \"" + file.path + "\"\n");
  CHECK(from_file.total_variance(0.7, 1.03) == moneyness.total_variance(0.7, 1.03));
}

TEST_CASE("surfaces on forwards with discrete dividends, and on exchange rates") {
  const std::string quotes =
      "[market.volatility_surfaces.S]\nexpiries = [1.0]\nmoneyness = [0.8, 1.0, 1.2]\n"
      "volatilities = [[0.2, 0.18, 0.17]]\n";
  const PricingConfig stock = read(
      "[market]\nrate = 0.04\n[market.assets.A]\nspot = 100.0\nvolatility = \"S\"\n"
      "dividends = [{ time = 0.5, cash = 3.0 }]\n" +
      local + quotes + one_trade);
  const AssetConfig& a = stock.market.assets.front();
  const double forward = (100 * std::exp(0.02) - 3) * std::exp(0.02);
  CHECK(a.surface->forwards().forward(1) == doctest::Approx(forward).epsilon(1e-13));
  CHECK(a.surface->implied_volatility(1, 0.8 * forward) == doctest::Approx(0.2).epsilon(1e-12));
  // Rows just before the dividend and at it.
  const auto at = std::find(a.local.times.begin(), a.local.times.end(), 0.5);
  REQUIRE(at != a.local.times.end());
  CHECK(*(at - 1) == doctest::Approx(0.5).epsilon(1e-8));
  std::string trade = one_trade;
  trade.replace(trade.find("asset = \"A\""), 11, "asset = \"EURUSD\"");
  const PricingConfig fx = read(
      "[market]\nrate = 0.04\ncurrency = \"USD\"\n[market.currencies.EUR]\nrate = 0.02\n"
      "[market.fx.EURUSD]\nspot = 1.1\nvolatility = \"S\"\n" +
      local + quotes + trade);
  CHECK(fx.market.assets.front().surface->forwards().forward(1) ==
        doctest::Approx(1.1 * std::exp(0.02)).epsilon(1e-13));
}

TEST_CASE("local volatility of a surface: constant volatilities, and volatilities by time") {
  const std::string market = R"(
[market]
rate = 0.05
[market.volatility_surfaces.S]
expiries = [0.5, 1.0]
moneyness = [0.9, 1.1]
volatilities = [[0.2, 0.2], [0.25, 0.25]]
[market.assets.A]
spot = 100.0
volatility = "S"
)";
  const PricingConfig config = read(market + local + one_trade);
  const LocalVolatilityGrid& grid = config.market.assets.front().local;
  // Forward volatilities: sqrt((0.0625 - 0.02) / 0.5) after the first expiry.
  for (std::size_t i = 0; i < grid.times.size(); ++i) {
    const double t = grid.times[i];
    const double expected = t <= 0.5 ? 0.2 : t <= 1 ? std::sqrt(0.085) : 0.25;
    for (const double volatility : grid.volatility[i])
      CHECK(volatility == doctest::Approx(expected).epsilon(1e-12));
  }
  // Without a smile black_scholes needs no warning and has the same forward volatilities.
  const PricingConfig lognormal = read(market + one_trade);
  CHECK(lognormal.market.warnings.empty());
  CHECK(lognormal.market.assets.front().variance.integral(0.75) ==
        doctest::Approx(0.02 + 0.25 * 0.085).epsilon(1e-12));
}

TEST_CASE("local volatility reproduces the prices of its surface") {
  // The bias of Euler steps falls as 1 / n: twice the price with 2n steps minus that with n has
  // none of first order. The bounds are on what is left, and on the bias with 96 steps a year.
  constexpr double bias_bound = 0.01, plain_bias_bound = 0.05;
  const VolatilitySurface surface = surface_of(ssvi_surface);
  std::string trades;
  const std::vector<std::pair<double, double>> options = {
      {0.25, 90}, {0.25, 100}, {0.25, 108}, {0.6, 100}, {1, 75}, {1, 100}, {1, 125}};
  for (std::size_t i = 0; i < options.size(); ++i)
    trades += trade_table(std::to_string(i),
                          fmt::format("product = \"european\"\nasset = \"A\"\ntype = \"call\"\n"
                                      "maturity = {}\nstrike = {}\n",
                                      options[i].first, options[i].second));
  const auto run = [&](int steps) {
    return run_module_alone(
        {.config = fmt::format("[pricing]\nsteps_per_year = {}\n", steps) + ssvi_surface + trades,
         .stop = samples(1 << 18)});
  };
  const ModuleResult coarse = run(48), fine = run(96);
  for (std::size_t i = 0; i < options.size(); ++i) {
    const auto [t, strike] = options[i];
    const double exact = black(1, 100, strike, surface.total_variance(t, strike), 1);
    const double price = 2 * fine.estimates[i].mean - coarse.estimates[i].mean;
    const double error =
        std::hypot(2 * fine.estimates[i].standard_error, coarse.estimates[i].standard_error);
    CAPTURE(t);
    CAPTURE(strike);
    CAPTURE(exact);
    CAPTURE(price);
    CAPTURE(error);
    CHECK(std::fabs(price - exact) <= 4 * error + bias_bound);
    CHECK(std::fabs(fine.estimates[i].mean - exact) <=
          4 * fine.estimates[i].standard_error + plain_bias_bound);
  }
}

TEST_CASE("after the last expiry the implied volatility stays constant at equal moneyness") {
  const std::string market = R"(
[market]
rate = 0.08
[market.volatility_surfaces.S.ssvi]
expiries = [0.25]
volatilities = [0.15]
rho = -0.6
eta = 0.4
gamma = 0.5
[market.assets.A]
spot = 100.0
volatility = "S"
)";
  const std::string trades =
      trade_table("P",
                  "product = \"european\"\nasset = \"A\"\ntype = \"put\"\nmaturity = 3.0\n"
                  "strike = 80.0\n") +
      trade_table("C",
                  "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nmaturity = 3.0\n"
                  "strike = 130.0\n");
  const PricingConfig config = read(market + local + trades);
  CHECK(config.market.warnings.empty());
  const AssetConfig& a = config.market.assets.front();
  CHECK(a.local.times.back() == 3);
  CHECK(a.local.spots.front() < 100 * std::exp(0.24 - 6 * 0.15 * std::sqrt(3) + 1e-9));
  CHECK(a.local.spots.back() > 100 * std::exp(0.24 + 6 * 0.15 * std::sqrt(3) - 1e-9));
  // Shifts keep the grid.
  const MarketConfig shifted =
      bumped(config.market, {MarketBump::Quantity::volatility, 0, -1, 0.01});
  CHECK(shifted.assets.front().local.spots == a.local.spots);
  CHECK(shifted.assets.front().local.times == a.local.times);
  const auto run = [&](int steps) {
    return run_module_alone(
        {.config = fmt::format("[pricing]\nsteps_per_year = {}\n", steps) + market + local + trades,
         .stop = samples(1 << 17)});
  };
  const ModuleResult coarse = run(25), fine = run(50);
  // Black's formula with the total variance w(k) 3 / 0.25 of the strike, in 16 digits.
  const double exact[] = {2.5320300367744286, 8.995965250745815};
  for (std::size_t i = 0; i < 2; ++i) {
    const double price = 2 * fine.estimates[i].mean - coarse.estimates[i].mean;
    const double error =
        std::hypot(2 * fine.estimates[i].standard_error, coarse.estimates[i].standard_error);
    CAPTURE(price);
    CAPTURE(error);
    CHECK(std::fabs(price - exact[i]) <= 4 * error);
    CHECK(error < 0.06);
  }
  // black_scholes with expiries of different volatilities.
  const AssetConfig lognormal = read(index_surface + one_trade).market.assets.front();
  const double volatility = lognormal.implied_volatilities.back();
  CHECK(lognormal.variance.integral(3) == doctest::Approx(3 * square(volatility)).epsilon(1e-12));
  CHECK(volatility == doctest::Approx(lognormal.surface->implied_volatility(
                                          3, lognormal.surface->forwards().forward(3)))
                          .epsilon(1e-12));
  MarketConfig one_asset = read(index_surface + one_trade).market;
  one_asset = bumped(one_asset, {MarketBump::Quantity::volatility, 0, 2, 1e-4});
  CHECK(one_asset.assets.front().variance.integral(3) ==
        doctest::Approx(3 * square(volatility + 1e-4)).epsilon(1e-7));
}

TEST_CASE("arbitrage after the last expiry, up to the longest trade") {
  // Wings of slope 1.9 at one year: 5.7 at three years, above 2 (Lee 2004).
  const std::string market = R"(
[market]
rate = 0.0
[market.assets.A]
spot = 100.0
volatility = "S"
model = "local_volatility"
[[market.volatility_surfaces.S.svi]]
expiry = 1.0
a = 0.01
b = 0.35
rho = -0.4
m = 0.0
sigma = 0.3
)";
  std::string later = one_trade;
  later.replace(later.find("maturity = 0.75"), 15, "maturity = 12.0");
  CHECK(read(market + one_trade).market.warnings.empty());
  const PricingConfig config = read(market + later);
  REQUIRE(config.market.warnings.size() == 1);
  check_contains(config.market.warnings.front(),
                 {"surface `S` of asset `A`, continued after its last expiry, has butterfly "
                  "arbitrage: the density of the spot is negative at 12 years",
                  "local variances are cut off there"});
}

TEST_CASE("butterfly arbitrage far from the forward is found") {
  // Vogt's smile: Gatheral and Jacquier 2014, eq. 3.2, whose density is negative near k = 0.8.
  const std::string market = R"(
[market]
rate = 0.0
[market.assets.A]
spot = 100.0
volatility = "S"
model = "local_volatility"
[[market.volatility_surfaces.S.svi]]
expiry = 1.0
a = -0.041
b = 0.1331
rho = 0.306
m = 0.3586
sigma = 0.4153
)";
  check_contains(error_of(market + one_trade),
                 {"butterfly arbitrage: the density of the spot is negative at 1 years"});
}

TEST_CASE("vega of a surface: the sum over expiries, and Black's for strikes without a smile") {
  const std::string config =
      "[pricing]\nsteps_per_year = 20\ngreeks = [\"vega\", \"vega_buckets\"]\n"
      R"(
[market]
rate = 0.0
[market.volatility_surfaces.S]
expiries = [0.5, 1.0]
moneyness = [0.9, 1.1]
volatilities = [[0.2, 0.2], [0.2, 0.2]]
[market.assets.A]
spot = 100.0
volatility = "S"
)" + local +
      one_trade;
  const ModuleResult r = run_module_alone({.config = config, .stop = samples(1 << 15)});
  // Black's vega at 0.75 years. The total variance there is the mean of those at both expiries, so
  // that a third of the vega is that of the first expiry.
  const double vega = 100 * std::sqrt(0.75) * 0.3989422804 * std::exp(-0.5 * 0.0075);
  const auto table = greeks_of(r);
  check_greek(table, "T vega A", vega, 0.3, 1e-3);
  check_greek(table, "T vega_buckets A 0.5", vega / 3, 0.3, 1e-3);
  check_greek(table, "T vega_buckets A 1", vega * 2 / 3, 0.3, 1e-3);
}

TEST_CASE("shifts of an expiry are limited to what leaves local variances") {
  const PricingConfig config = read(index_surface + local + one_trade);
  const AssetConfig& asset = config.market.assets.front();
  CHECK(volatility_buckets(asset) == std::vector<std::string>{"0.25", "0.5", "1"});
  const double all = allowed_volatility_bump(asset, -1, 0.01);
  CHECK(all == 0.01);
  const double one = allowed_volatility_bump(asset, 1, 0.1);
  CHECK(one < 0.1);
  CHECK(one > 1e-3);
  const MarketConfig bumped_market =
      bumped(config.market, {MarketBump::Quantity::volatility, 0, 1, 0.01});
  const AssetConfig& changed = bumped_market.assets.front();
  CHECK(changed.surface->implied_volatility(0.5, 90) == doctest::Approx(0.238).epsilon(1e-12));
  CHECK(changed.surface->implied_volatility(1, 90) == doctest::Approx(0.229).epsilon(1e-12));
  CHECK(changed.local.spots == asset.local.spots);
  CHECK(changed.local.volatility != asset.local.volatility);
}

TEST_CASE("arbitrage in a surface is an error with its place, or a warning") {
  const auto surface = [](const std::string& rows, const std::string& keys = "") {
    return R"(
[market]
rate = 0.0
[market.assets.A]
spot = 100.0
volatility = "S"
model = "local_volatility"
[market.volatility_surfaces.S]
expiries = [0.5, 1.0]
strikes = [80.0, 90.0, 100.0, 110.0, 120.0]
volatilities = )" +
           rows + "\n" + keys + one_trade;
  };
  const std::string calendar = "[[0.3, 0.3, 0.3, 0.3, 0.3], [0.2, 0.2, 0.2, 0.2, 0.2]]";
  const std::string butterfly = "[[0.2, 0.2, 0.2, 0.2, 0.2], [0.2, 0.2, 0.26, 0.2, 0.2]]";
  check_contains(error_of(surface(calendar)),
                 {"surface `S` of asset `A` has calendar arbitrage: the total variance falls by "
                  "0.005 to 0.04 at 1 years, strike",
                  "arbitrage = \"warn\"", "test.toml:11:16"});
  check_contains(
      error_of(surface(butterfly)),
      {"butterfly arbitrage: the density of the spot is negative at 1 years, strike 100 ",
       "Durrleman's g = -", "implied volatility 0.2"});
  const PricingConfig config = read(surface(butterfly, "arbitrage = \"warn\"\n"));
  REQUIRE(config.market.warnings.size() == 1);
  CHECK(contains(config.market.warnings.front(), "butterfly arbitrage"));
  for (const auto& row : config.market.assets.front().local.volatility)
    for (const double volatility : row) CHECK(std::isfinite(volatility));
  // Wings that are too steep, but only far from the forward.
  check_contains(
      error_of(R"(
[market]
rate = 0.0
[market.assets.A]
spot = 100.0
volatility = "S"
model = "local_volatility"
[[market.volatility_surfaces.S.svi]]
expiry = 1.0
a = -0.469479
b = 1.1
rho = -0.9
m = -2.0647
sigma = 1.0
)" + one_trade),
      {"surface `S` of asset `A` has arbitrage: at 1 years the total variance rises by 2.09 per "
       "unit of log-strike far from the forward, and at most 2 is possible (Lee 2004)"});
}

TEST_CASE("black_scholes with a surface warns of the strikes that it does not price") {
  const PricingConfig config = read(index_surface + one_trade);
  REQUIRE(config.market.warnings.size() == 1);
  check_contains(config.market.warnings.front(),
                 {"asset `A`: black_scholes uses the volatilities of surface `SPX` at the forwards "
                  "for all strikes",
                  "model = \"local_volatility\""});
}

TEST_CASE("a surface whose smile is not used may have arbitrage, with a warning") {
  const std::string quotes = R"(
[market]
rate = 0.0
[market.volatility_surfaces.S]
expiries = [0.5, 1.0]
strikes = [80.0, 90.0, 100.0, 110.0, 120.0]
volatilities = [[0.2, 0.2, 0.2, 0.2, 0.2], [0.2, 0.2, 0.26, 0.2, 0.2]]
[market.assets.A]
spot = 100.0
)";
  for (const std::string keys :
       {"volatility = \"S\"\n", "model = \"heston\"\ncalibrate_to = \"S\"\n"}) {
    const PricingConfig config = read(quotes + keys + one_trade);
    REQUIRE(!config.market.warnings.empty());
    CHECK(contains(config.market.warnings.front(), "surface `S` of asset `A` has butterfly"));
    for (const std::string& warning : config.market.warnings)
      CHECK(!contains(warning, "local variances"));
  }
  CHECK(contains(error_of(quotes + "volatility = \"S\"\n" + local + one_trade), "butterfly"));
}

TEST_CASE("SABR parameters whose expansion gives negative volatilities are refused") {
  check_contains(error_of(R"(
[market]
rate = 0.0
[market.assets.A]
spot = 100.0
volatility = "S"
[[market.volatility_surfaces.S.sabr]]
expiry = 20.0
alpha = 1.0
beta = 1.0
rho = -0.9
nu = 0.3
)" + one_trade),
                 {"surface `S` of asset `A`, expiry 20 years: SABR's expansion gives the "
                  "volatility -"});
}

TEST_CASE("names of surfaces and curves must not be empty, and are not numbers") {
  const std::string head = "[market]\n", asset = "[market.assets.A]\nspot = 100.0\n";
  check_contains(error_of(head + "rate = 0.0\n" + asset + "volatility = \"\"\n" + one_trade),
                 {"`volatility` must be a number, a name or a table, not \"\""});
  check_contains(error_of(head + "rate = \"\"\n" + asset + "volatility = 0.2\n" + one_trade),
                 {"`rate` must be a number, a name or a table, not \"\""});
  check_contains(
      error_of(head + "rate = 0.0\n" + asset + "volatility = 0.2\ndividend = \"\"\n" + one_trade),
      {"`dividend` must be a number, a name or a table, not \"\""});
  check_contains(error_of(head + "rate = 0.0\n" + asset + "volatility = 0.2\n" + local + one_trade),
                 {"`volatility` must be a string, not 0.2",
                  "for a constant volatility set model = \"black_scholes\""});
}

TEST_CASE("bad surfaces") {
  const auto error = [](const std::string& keys, const std::string& name = "S") {
    return error_of("[market]\nrate = 0.0\n[market.assets.A]\nspot = 100.0\nvolatility = \"" +
                    name + "\"\n[market.volatility_surfaces.S]\n" + keys + one_trade);
  };
  const std::string row = "expiries = [1.0]\nvolatilities = [[0.2, 0.2]]\n";
  check_contains(error(row + "strikes = [90.0, 100.0]\n", "T"),
                 {"no surface `T` in [market.volatility_surfaces]"});
  check_contains(error(row), {"`volatilities` need one of `strikes`, `moneyness` and `deltas`"});
  check_contains(error(row + "strikes = [90.0]\n"), {"row 1 has 2 volatilities for 1 columns"});
  check_contains(error("expiries = [1.0, 2.0]\nvolatilities = [[0.2]]\nstrikes = [90.0]\n"),
                 {"1 rows for 2 expiries"});
  check_contains(error("expiries = [1.0, 0.5]\nvolatilities = [[0.2], [0.2]]\nstrikes = [90.0]\n"),
                 {"expiries must increase, but number 2 is 0.5 after 1"});
  check_contains(error(row + "strikes = [90.0, 90.0]\n"), {"two quotes have the strike 90"});
  check_contains(error(row + "deltas = [\"25P\", \"25X\"]\n"),
                 {"`25X` is not a delta", "percent and P (put) or C (call)"});
  check_contains(error("delta = \"spot\"\n"), {"a volatility surface needs one of"});
  check_contains(error("strikes = [90.0]\n[market.volatility_surfaces.S.ssvi]\nexpiries = [1.0]\n"
                       "volatilities = [0.2]\nrho = 0.0\neta = 1.0\ngamma = 0.5\n"),
                 {"`strikes` is for `volatilities`"});
  check_contains(
      error("expiries = [1.0, 1.0000001]\nvolatilities = [[0.2], [0.2]]\nstrikes = [90.0]\n"),
      {"expiry number 2 is 1.0000001 after 1, less than 1e-06 years apart"});
  const TemporaryFile near("expiry,strike,volatility\n1.0,90,0.2\n1.0000001,95,0.2\n");
  check_contains(error("quotes_file = \"" + near.path + "\"\n"),
                 {"expiry number 2 is 1.0000001 after 1, less than 1e-06 years apart"});
  check_contains(error(row + "strikes = [90.0, 100.0]\nbeta = 0.5\n"),
                 {"`beta` is for quotes with smile = \"sabr\""});
  check_contains(error(row + "strikes = [90.0, 100.0]\ndelta = \"forward\"\n"),
                 {"`delta` is for quotes by delta, and the surface has none"});
  const TemporaryFile mixed("expiry,strike,delta,volatility\n1.0,90,,0.2\n1.0,,25C,0.2\n");
  check_contains(error("quotes_file = \"" + mixed.path + "\"\n"),
                 {"all quotes of a surface have strikes, or all moneyness, or all deltas", ":3"});
}
