// Greeks of payoffs and path models of plugins (tests/plugin/copies), and of trades whose samples
// are not finite.

#include <limits>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/copied_parts.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/greeks/greek_rows.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string market = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
volatility = 0.2
[market.assets.P]
spot = 100.0
model = "black_scholes_copy"
volatility = 0.2
[market.assets.H]
spot = 100.0
model = "heston"
v0 = 0.04
kappa = 1.5
theta = 0.06
sigma = 0.4
rho = -0.6
[market.correlation]
assets = ["A", "P", "H"]
matrix = [[1.0, 0.5, 0.5], [0.5, 1.0, 0.5], [0.5, 0.5, 1.0]]
)";

const std::string greeks =
    "[pricing]\ngreeks = [\"delta\", \"vega\", \"theta\", \"rho\"]\nsteps_per_year = 12\n"
    "importance_sampling = false\n";

std::string call(const std::string& id, const std::string& product, const std::string& asset,
                 const std::string& type = "") {
  return trade_table(id, "product = \"" + product + "\"\nasset = \"" + asset +
                             "\"\nstrike = 100.0\nmaturity = 1.0\n" + type);
}

ModuleResult run(const std::string& trades, const std::string& options = greeks,
                 std::vector<const PayoffKind*> further = {}) {
  further.push_back(&european_copy);
  return run_module_alone({.config = options + market + trades,
                           .threads = 2,
                           .stop = samples(1 << 16),
                           .payoffs = further,
                           .models = {&black_scholes_copy}});
}

double value(double spot, double volatility, double rate, double maturity) {
  return black(1, spot * std::exp(rate * maturity), 100, volatility * volatility * maturity,
               std::exp(-rate * maturity));
}

/// A payoff whose samples are not numbers.
const PayoffKind not_a_number{
    .name = "not_a_number",
    .doc = "pays nothing that is a number",
    .describe =
        [](Section& s, KeyValues& values) {
          double strike = 0;
          s.required("strike", strike, {.doc = "strike price"});
          values.numbers = {std::numeric_limits<double>::quiet_NaN(), strike, 1};
        },
    .launchers = GSIM_PAYOFF(european_copy)};

}  // namespace

TEST_CASE("Greeks of a plugin's payoff and of a plugin's path model") {
  const std::string type = "type = \"call\"\n";
  const auto table =
      greeks_of(run(call("payoff", "european_copy", "A") + call("model", "european", "P", type) +
                    call("heston", "european", "H", type)));
  const double delta = slope([](double s) { return value(s, 0.2, 0.05, 1); }, 100, 1);
  const double vega = slope([](double v) { return value(100, v, 0.05, 1); }, 0.2, 1e-3);
  const double rho = slope([](double r) { return value(100, 0.2, r, 1); }, 0.05, 1e-3);
  const double theta = -slope([](double t) { return value(100, 0.2, 0.05, t); }, 1, 1e-3);
  for (const std::string trade : {"payoff", "model"}) {
    const std::string asset = trade == "payoff" ? " A" : " P";
    CHECK(table.at(trade + " rho").method == "bump");
    // The tolerances are the bias of the bumps.
    check_greek(table, trade + " delta" + asset, delta, 0.01, 1e-3);
    check_greek(table, trade + " rho", rho, 1, 0.05);
    check_greek(table, trade + " theta", theta, 0.2, 0.01);
  }
  check_greek(table, "payoff vega A", vega, 1, 0.05);
  CHECK(table.count("model vega P") == 0);
  CHECK(table.count("heston vega H") == 1);
}

TEST_CASE("Greeks of a trade whose payoff is not a number are skipped with it, or end the run") {
  const std::string good = call("good", "european", "A", "type = \"call\"\n");
  const std::string bad = call("bad", "not_a_number", "A");
  const std::string skip = greeks + "on_error = \"skip\"\n";
  const ModuleResult with = run(good + bad, skip, {&not_a_number});
  const auto table = greeks_of(with), alone = greeks_of(run(good, skip));
  for (const auto& [name, greek] : alone) {
    CAPTURE(name);
    CHECK(table.at(name).value == greek.value);
    CHECK(table.at(name).error == greek.error);
  }
  CHECK(table.size() == 2 * alone.size());
  CHECK(std::isnan(table.at("bad delta A").value));
  CHECK(std::isnan(table.at("bad rho").error));
  const auto& results = with.results.datasets;
  for (std::size_t i = 0; i < results.at("greeks/trade").strings.size(); ++i)
    CHECK(contains(results.at("greeks/remark").strings[i],
                   results.at("greeks/trade").strings[i] == "bad" ? "skipped" : ""));
  CHECK_THROWS_WITH_AS(run(good + bad, greeks, {&not_a_number}),
                       doctest::Contains("trade `bad`: a payoff is not a finite number"),
                       NumericalError);
}
