// Greeks by likelihood ratios against closed forms and a quadrature, and where they are refused.

#include <cmath>
#include <functional>
#include <numbers>
#include <tuple>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/greeks/greek_rows.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace likelihood_ratio_tests {
namespace {

/// A flat market after some years have passed.
struct Flat {
  double spot = 100, rate = 0.05, volatility = 0.2, passed = 0;
};
using Price = std::function<double(const Flat&)>;

constexpr double yield = 0.02;

const std::string market = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
dividend = 0.02
volatility = 0.2
)";

double derivative(const Price& price, double Flat::*parameter, double h) {
  return slope(
      [&](double x) {
        Flat moved;
        moved.*parameter = x;
        return price(moved);
      },
      Flat{}.*parameter, h);
}

double forward(const Flat& f, double spot, double years) {
  return spot * std::exp((f.rate - yield) * years);
}

/// A down-and-out call with fixings at 0.5 and 1 and a strike of 100 above the barrier of 92: the
/// integral of the call's value over the spots at 0.5 above the barrier, and of the rebate of 4.
double down_and_out(const Flat& f) {
  constexpr double level = 92, rebate = 4;
  constexpr int intervals = 4000;
  const double first = 0.5 - f.passed, all = 1 - f.passed;
  const double sd = f.volatility * std::sqrt(first),
               rest = f.volatility * f.volatility * (all - first);
  const double mean = std::log(forward(f, f.spot, first)) - 0.5 * sd * sd;
  const double from = (std::log(level) - mean) / sd, to = 9;
  double sum = 0;  // Simpson's rule
  for (int i = 0; i <= intervals; ++i) {
    const double z = from + (to - from) * i / intervals;
    const double at = std::exp(mean + sd * z);
    const double call = black(1, forward(f, at, all - first), 100, rest, 1);
    // The second fixing below the barrier pays the rebate, too.
    const double touched = cash_digital(-1, forward(f, at, all - first), level, rest, 1);
    const double weight = i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi) *
           (call + rebate * touched);
  }
  sum *= (to - from) / intervals / 3;
  return std::exp(-f.rate * all) * (sum + rebate * normal_cdf(from));
}

void check_all(const std::map<std::string, GreekValue>& table, const std::string& trade,
               const Price& price, double share) {
  check_greek(table, trade + " delta A", derivative(price, &Flat::spot, 1e-2), share);
  check_greek(table, trade + " gamma A",
              curvature([&](double s) { return price({.spot = s}); }, 100, 1e-2), 0.2 * share);
  check_greek(table, trade + " vega A", derivative(price, &Flat::volatility, 1e-3), 100 * share);
  check_greek(table, trade + " rho", derivative(price, &Flat::rate, 1e-3), 100 * share);
  check_greek(table, trade + " theta", derivative(price, &Flat::passed, 1e-3), 20 * share);
  for (const char* greek : {" delta A", " gamma A", " vega A", " rho", " theta"})
    CHECK(table.at(trade + greek).method == "likelihood_ratio");
}

const std::string options = "[pricing]\ngreeks_method = \"likelihood_ratio\"\ngreeks = ";
const std::string barrier =
    "product = \"barrier\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\nbarrier = 92.0\n"
    "rebate = 4.0\n";
const std::string two_dates = "monitoring = \"discrete\"\nmaturity = 1.0\nfixings = [0.5, 1.0]\n";

}  // namespace

TEST_CASE("likelihood ratios: Greeks of digitals and of discrete barriers") {
  const std::string trades =
      trade_table("cash", "product = \"digital\"\nasset = \"A\"\n" + call_100) +
      trade_table("asset", "product = \"digital\"\npays = \"asset\"\nasset = \"A\"\n" + call_100) +
      trade_table("out", barrier + "kind = \"down_and_out\"\n" + two_dates) +
      trade_table("in", barrier + "kind = \"down_and_in\"\n" + two_dates) +
      trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100);
  const auto table = greeks_of(run_module_alone(
      {.config =
           options + "[\"delta\", \"gamma\", \"vega\", \"theta\", \"rho\"]\n" + market + trades,
       .stop = samples(1 << 18)}));
  const auto terms = [](const Flat& f) {
    const double years = 1 - f.passed;
    return std::tuple{forward(f, f.spot, years), f.volatility * f.volatility * years,
                      std::exp(-f.rate * years)};
  };
  check_all(
      table, "cash",
      [&](const Flat& f) {
        const auto [at, variance, discount] = terms(f);
        return cash_digital(1, at, 100, variance, discount);
      },
      0.001);
  check_all(
      table, "asset",
      [&](const Flat& f) {
        const auto [at, variance, discount] = terms(f);
        return asset_digital(1, at, 100, variance, discount);
      },
      0.1);
  check_all(table, "out", down_and_out, 0.03);
  // Knocked in or out, the option is paid once, and the rebate once.
  check_all(
      table, "in",
      [&](const Flat& f) {
        const auto [at, variance, discount] = terms(f);
        return black(1, at, 100, variance, discount) + 4 * discount - down_and_out(f);
      },
      0.03);
  CHECK(table.at("call delta A").method == "adjoint");
}

TEST_CASE("likelihood ratios: pillars add up, and agree with smoothed digitals") {
  const std::string rest = R"(
[market]
rate = { times = [0.5, 1.0], values = [0.02, 0.03] }
[market.assets.A]
spot = 100.0
dividends = [{ time = 0.3, proportional = 0.02 }]
volatility = { times = [0.5, 1.0], values = [0.25, 0.22] }
)" + trade_table("digital", "product = \"digital\"\nasset = \"A\"\npayment_lag = 0.1\n" + call_100);
  const std::string greeks =
      "[\"delta\", \"vega\", \"vega_buckets\", \"theta\", \"rho\", \"rho_pillars\"]\n";
  const auto run = [&](const std::string& head, int threads) {
    return greeks_of(run_module_alone(
        {.config = head + greeks + rest, .threads = threads, .stop = samples(1 << 17)}));
  };
  const auto table = run(options, 1), smoothed = run("[pricing]\ngreeks = ", 1);
  REQUIRE(table.size() == smoothed.size());
  for (const auto& [name, greek] : table) {
    CAPTURE(name);
    CAPTURE(greek.value);
    CAPTURE(smoothed.at(name).value);
    if (name == "digital vega_buckets A 0.5") {  // the variance until the maturity stays
      CHECK(greek.value == 0);
      CHECK(std::fabs(smoothed.at(name).value) < 4 * smoothed.at(name).error);
      continue;
    }
    CHECK(greek.error > 0);
    CHECK(std::fabs(greek.value - smoothed.at(name).value) <
          4 * std::hypot(greek.error, smoothed.at(name).error));
  }
  const auto other = run(options, 3);
  for (const auto& [name, greek] : table) CHECK(greek.value == other.at(name).value);
}

TEST_CASE("likelihood ratios: gammas where cash dividends are a part of the forward") {
  constexpr double cash = 15, at = 0.3, rate = 0.05;
  const auto with_dividend = [](double date) {
    return "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n"
           "dividends = [{ time = " +
           std::to_string(date) + ", cash = 15.0 }]\n";
  };
  const std::string trades =
      trade_table("digital", "product = \"digital\"\nasset = \"A\"\n" + call_100) +
      trade_table("call",
                  "product = \"barrier\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\n"
                  "barrier = 1.0\nkind = \"down_and_out\"\n" +
                      two_dates);
  const auto run = [&](double date) {
    return greeks_of(
        run_module_alone({.config = options + "[\"gamma\"]\n" + with_dividend(date) + trades,
                          .stop = samples(1 << 18)}));
  };
  const auto table = run(at), between = run(0.7);
  const double discount = std::exp(-rate), variance = 0.04;
  const auto forward_of = [&](double spot) {
    return (spot - cash * std::exp(-rate * at)) / discount;
  };
  check_greek(
      table, "digital gamma A",
      curvature([&](double s) { return cash_digital(1, forward_of(s), 100, variance, discount); },
                100, 1e-2),
      2e-5);
  check_greek(table, "call gamma A",
              curvature([&](double s) { return black(1, forward_of(s), 100, variance, discount); },
                        100, 1e-2),
              1e-3);
  for (const char* name : {"digital gamma A", "call gamma A"})
    CHECK(table.at(name).method == "likelihood_ratio");
  // Both fixings depend on the spot otherwise than in proportion.
  CHECK(between.at("digital gamma A").method == "likelihood_ratio");
  CHECK(between.at("call gamma A").method == "bump");
}

TEST_CASE("likelihood ratios: refused where they are not defined") {
  const auto refused = [](const std::string& trade, const std::string& extra,
                          const std::string& reason) {
    CAPTURE(reason);
    const std::string config = options + "[\"delta\"]\n" + extra + trade_table("t", trade);
    CHECK_THROWS_WITH_AS(run_module_alone({.config = config, .stop = samples(4096)}),
                         doctest::Contains(reason.c_str()), ConfigError);
  };
  const std::string out = barrier + "kind = \"down_and_out\"\nmaturity = 1.0\n";
  refused(out + "monitoring = \"continuous\"\n", market, "monitored continuously");
  refused(out + "monitoring = \"discrete\"\nfixing_count = 4\nrebate_paid = \"at_hit\"\n", market,
          "a rebate that is paid at the touch");
  const std::string digital = "product = \"digital\"\nasset = \"A\"\n" + call_100;
  refused(digital,
          "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100.0\nmodel = \"heston\"\nv0 = 0.04\n"
          "kappa = 1.0\ntheta = 0.04\nsigma = 0.3\nrho = -0.5\n",
          "whose model is not black_scholes");
  refused(digital, "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100.0\nvolatility = 0.0\n",
          "whose volatility is 0");
}

}  // namespace likelihood_ratio_tests
