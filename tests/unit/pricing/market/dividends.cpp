// Discrete dividends: forwards, European, barrier and American options, Greeks, messages.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/risk/revaluation.hpp"
#include "support/test_executor.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/greeks/greek_rows.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"
#include "tests/unit/pricing/trades/bad_input.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace dividend_tests {
namespace {

constexpr double rate = 0.05, volatility = 0.3, ex_date = 0.6, share = 0.07;

std::string asset(const std::string& dividends, const std::string& more = "volatility = 0.3\n") {
  return "[market]\nrate = 0.05\n[market.assets.S]\nspot = 100.0\n" + more + "dividends = [" +
         dividends + "]\n";
}

std::string trade(const std::string& id, const std::string& terms) {
  return "[[trades]]\nid = \"" + id + "\"\nasset = \"S\"\nmaturity = 1.0\n" + terms + "\n";
}

std::string option(const std::string& id, const std::string& type, double strike,
                   const std::string& more = {}) {
  return trade(id, "product = \"european\"\ntype = \"" + type +
                       "\"\nstrike = " + std::to_string(strike) + "\n" + more);
}

double closed_form(const std::string& config, std::size_t trade = 0) {
  const Revaluation values(read(config), gsim::test::test_executor(1), Arithmetic::strict, 1, 1024);
  return values.today()[trade].value;
}

/// Simpson's rule.
double integral(double from, double to, const std::function<double(double)>& f) {
  constexpr int n = 4000;
  const double h = (to - from) / n;
  double sum = f(from) + f(to);
  for (int i = 1; i < n; ++i) sum += f(from + i * h) * (i % 2 == 1 ? 4 : 2);
  return sum * h / 3;
}

double density(double x, double mean, double variance) {
  return std::exp(-0.5 * (x - mean) * (x - mean) / variance) / std::sqrt(2 * M_PI * variance);
}

const double drift = (rate - 0.5 * volatility * volatility) * ex_date;
const double variance_before = volatility * volatility * ex_date;

/// The value of what is worth V(S) just before the ex-dividend date.
double value_at_ex_date(const std::function<double(double)>& value) {
  const double reach = 9 * std::sqrt(variance_before);
  return std::exp(-rate * ex_date) * integral(drift - reach, drift + reach, [&](double x) {
           return density(x, drift, variance_before) * value(100 * std::exp(x));
         });
}

double call_after(double spot, double strike) {
  const double left = 1 - ex_date;
  return black(1, spot * std::exp(rate * left), strike, volatility * volatility * left,
               std::exp(-rate * left));
}

const std::string proportional = "{ time = 0.6, proportional = 0.07 }";

}  // namespace

TEST_CASE("dividends: forwards fall by the amounts, and European options are on the forward") {
  const std::string market = asset(
      "{ time = 0.25, cash = 3.0 }, { time = 0.75, proportional = 0.02 }, "
      "{ time = 0.9, cash = 4.0 }, { time = 1.5, cash = 50.0 }");
  double forward = 100 * std::exp(rate * 0.25) - 3;
  forward *= std::exp(rate * 0.5) * 0.98;
  forward = forward * std::exp(rate * 0.15) - 4;
  forward *= std::exp(rate * 0.1);
  const double discount = std::exp(-rate);
  CHECK(closed_form(market + trade("f", "product = \"forward\"\nstrike = 0.0")) ==
        doctest::Approx(discount * forward).epsilon(1e-13));
  const double expected = black(1, forward, 95, volatility * volatility, discount);
  CHECK(closed_form(market + option("c", "call", 95)) == doctest::Approx(expected).epsilon(1e-13));
  // At an ex-dividend date spots are without the dividend, before it with it.
  for (const auto& [maturity, value] : {std::pair{"0.25", 100 * std::exp(rate * 0.25) - 3},
                                        std::pair{"0.2499", 100 * std::exp(rate * 0.2499)}}) {
    const std::string forward_at =
        "[[trades]]\nid = \"f\"\nasset = \"S\"\nproduct = \"forward\"\n"
        "strike = 0.0\nmaturity = " +
        std::string(maturity) + "\n";
    CHECK(closed_form(market + forward_at) ==
          doctest::Approx(std::exp(-rate * std::stod(maturity)) * value).epsilon(1e-13));
  }
  // Simulated, without the control variate; Heston's model has the same forwards.
  const std::string heston = asset(
      "{ time = 0.25, cash = 3.0 }, { time = 0.75, proportional = 0.02 }, "
      "{ time = 0.9, cash = 4.0 }",
      "model = \"heston\"\nv0 = 0.09\nkappa = 2.0\ntheta = 0.09\n"
      "sigma = 0.3\nrho = -0.5\n");
  for (const std::string& m : {market, heston}) {
    const ModuleResult r = run_module_alone(
        {.config = "[pricing]\ncontrol_variates = \"none\"\n" + m + option("c", "call", 95) +
                   trade("f", "product = \"forward\"\nstrike = 0.0"),
         .stop = samples(1 << 17)});
    CHECK(std::fabs(r.estimates[1].mean - discount * forward) < 4 * r.estimates[1].standard_error);
    const double reference = closed_form(m + option("c", "call", 95));
    CHECK(std::fabs(r.estimates[0].mean - reference) <
          4 * r.estimates[0].standard_error + (m == heston ? 0.01 : 0));
  }
}

TEST_CASE("dividends: continuous barriers, whose paths jump at the ex-dividend date") {
  // Killed before the date below the barrier by reflection, and afterwards by the closed form.
  const double barrier = 85, strike = 95, level = std::log(barrier / 100);
  const double mu = rate - 0.5 * volatility * volatility, left = 1 - ex_date;
  const auto after = [&](double spot) {
    if (spot <= barrier) return 0.0;
    return continuous_barrier({spot, rate, 0, volatility, left},
                              {1, strike, barrier, 0, false, false, false});
  };
  const double reach = 9 * std::sqrt(variance_before);
  const double expected =
      std::exp(-rate * ex_date) * integral(level, drift + reach, [&](double x) {
        const double image = std::exp(2 * mu * level / (volatility * volatility));
        const double killed = density(x, drift, variance_before) -
                              image * density(x, drift + 2 * level, variance_before);
        return killed * after(100 * std::exp(x) * (1 - share));
      });
  const std::string option_terms =
      "product = \"barrier\"\ntype = \"call\"\nkind = \"down_and_out\"\n"
      "strike = 95.0\nbarrier = 85.0";
  const ModuleResult r = run_module_alone(
      {.config = asset(proportional) + trade("b", option_terms), .stop = samples(1 << 18)});
  CAPTURE(r.estimates[0].mean);
  CAPTURE(expected);
  CHECK(std::fabs(r.estimates[0].mean - expected) < 4 * r.estimates[0].standard_error);
  CHECK(r.estimates[0].standard_error < 0.003 * expected);
}

TEST_CASE("dividends: an American call is exercised just before a dividend") {
  const double strike = 90;
  const double american = value_at_ex_date([&](double spot) {
    return std::fmax(spot - strike, call_after(spot * (1 - share), strike));
  });
  const double european =
      value_at_ex_date([&](double spot) { return call_after(spot * (1 - share), strike); });
  CHECK(closed_form(asset(proportional) + option("e", "call", strike)) ==
        doctest::Approx(european).epsilon(1e-9));
  CHECK(american > 1.02 * european);
  const ModuleResult r = run_module_alone(
      {.config = "[pricing.exercise]\nouter_paths = 128\ninner_paths = 128\n" +
                 asset(proportional) + option("a", "call", strike, "exercise = \"american\""),
       .stop = samples(1 << 18)});
  const Estimate& e = r.estimates[0];
  CAPTURE(e.mean);
  CAPTURE(american);
  CHECK(e.mean < american + 4 * e.standard_error);
  CHECK(e.mean > american - 4 * e.standard_error - 5e-4 * american);
  CHECK(column_of(r, "trades/upper_bound")[0] >
        american - 4 * column_of(r, "trades/upper_bound_error")[0]);
}

TEST_CASE("dividends: Greeks are derivatives of the closed forms") {
  const std::string dividends = "{ time = 0.3, cash = 5.0 }, { time = 0.8, cash = 5.0 }";
  const auto value = [&](double spot, double rate_of) {
    const std::string market = "[market]\nrate = " + std::to_string(rate_of) +
                               "\n[market.assets.S]\nspot = " + std::to_string(spot) +
                               "\nvolatility = 0.3\ndividends = [" + dividends + "]\n";
    return closed_form(market + option("c", "call", 95));
  };
  const ModuleResult r = run_module_alone(
      {.config = "[pricing]\ngreeks = [\"delta\", \"gamma\", \"rho\", \"theta\"]\n" +
                 asset(dividends) + option("c", "call", 95) +
                 trade("b",
                       "product = \"barrier\"\ntype = \"call\"\nkind = \"up_and_out\"\n"
                       "strike = 95.0\nbarrier = 150.0"),
       .stop = samples(1 << 16)});
  const auto table = greeks_of(r);
  const auto check = [&](const char* name, double reference) {
    CAPTURE(name);
    CAPTURE(table.at(name).value);
    CAPTURE(reference);
    CHECK(std::fabs(table.at(name).value - reference) <
          4 * table.at(name).error + 1e-4 * std::fabs(reference));
  };
  check("c delta S", (value(100.1, rate) - value(99.9, rate)) / 0.2);
  check("c gamma S", (value(101, rate) - 2 * value(100, rate) + value(99, rate)));
  check("c rho", (value(100, rate + 1e-3) - value(100, rate - 1e-3)) / 2e-3);
  // Continuous monitoring: dividends do not move with the steps.
  CHECK(table.count("c theta") == 1);
  CHECK(table.count("b theta") == 0);
}

TEST_CASE(
    "dividends: theta does not pass an ex-dividend date, and sees those before the maturity") {
  const auto theta = [](const std::string& keys, const std::string& dividends,
                        const std::string& trades) {
    return greeks_of(run_module_alone(
        {.config = "[pricing]\ngreeks = [\"theta\"]\n" + keys + asset(dividends) + trades,
         .stop = samples(1 << 15)}));
  };
  const std::string soon = "{ time = 0.005, cash = 6.0 }";
  const auto pathwise = theta("", soon, option("c", "call", 95)).at("c theta");
  const auto bumped =
      theta("greeks_method = \"bump\"\n", soon, option("c", "call", 95)).at("c theta");
  CHECK(std::fabs(bumped.value - pathwise.value) <
        4 * std::hypot(bumped.error, pathwise.error) + 0.01);
  const std::string lookback =
      trade("l", "product = \"lookback\"\nkind = \"fixed\"\ntype = \"call\"\nstrike = 100.0");
  CHECK(theta("", "{ time = 5.0, cash = 1.0 }", lookback).count("l theta") == 1);
  CHECK(theta("", soon, lookback + option("c", "call", 95)).count("l theta") == 0);
}

TEST_CASE("dividends: files and messages") {
  const TemporaryFile file("time,cash,proportional\n0.75,,0.02\n-0.25,3.0,\n0.25,3.0,\n0,3.0,\n");
  const std::string from_file =
      "[market]\nrate = 0.05\n[market.assets.S]\nspot = 100.0\nvolatility = 0.3\ndividends_file = "
      "\"" +
      file.path + "\"\n";
  CHECK(closed_form(from_file + option("c", "call", 95)) ==
        closed_form(asset("{ time = 0.25, cash = 3.0 }, { time = 0.75, proportional = 0.02 }") +
                    option("c", "call", 95)));
  const auto error = [](const std::string& dividends) {
    return error_of(asset(dividends) + option("c", "call", 95));
  };
  check_contains(error("{ time = 0.5 }"), {"either cash or proportional"});
  check_contains(error("{ time = 0.5, cash = 1.0, proportional = 0.1 }"),
                 {"either cash or proportional"});
  check_contains(error("{ time = 0.5, cash = 1.0 }, { time = 0.5, cash = 1.0 }"),
                 {"two dividends"});
  check_contains(error("{ time = 0.5, cash = 110.0 }"), {"99 % of the forward", "0.5"});
  check_contains(error("{ time = 0.000001, cash = 1.0 }"), {"is today"});
  check_contains(error("{ time = -0.5, cash = 1.0 }"), {"in the past"});
  check_contains(error("{ time = 0.5, cash = -1.0 }"), {"cash"});
}

}  // namespace dividend_tests
