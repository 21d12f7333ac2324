// The module risk against closed forms.

#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "tests/unit/pricing/module_trades.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

/// Three positions of linear value: exposures of 1,000,000, -500,000 and 2,000,000.
std::string linear_portfolio(const std::string& risk) {
  return R"(
[risk]
horizon = 0.03968253968253968
spot_change = "normal"
levels = [0.975, 0.99]
)" + risk +
         R"(
[market]
rate = 0.0
[market.assets.A]
spot = 1.0
volatility = 0.2
[market.assets.B]
spot = 2.0
volatility = 0.3
[market.assets.C]
spot = 4.0
volatility = 0.15
[market.correlation]
assets = ["A", "B", "C"]
matrix = [[1.0, 0.3, 0.5], [0.3, 1.0, -0.2], [0.5, -0.2, 1.0]]
[[trades]]
id = "a"
product = "forward"
asset = "A"
strike = 0.0
maturity = 1.0
quantity = 1e6
[[trades]]
id = "b"
product = "forward"
asset = "B"
strike = 1.0
maturity = 1.0
quantity = -2.5e5
[[trades]]
id = "c"
product = "forward"
asset = "C"
strike = 0.0
maturity = 1.0
quantity = 5e5
)";
}

// Closed form; reference/pricing: Euler allocation of an elliptical portfolio.
constexpr double linear_var[] = {179981.259981, 213625.875183};
constexpr double linear_es[] = {214677.767268, 244743.58574};
constexpr double linear_component[2][3] = {{51665.2087475, 19056.8392921, 109259.211941},
                                           {61323.1924054, 22619.2103135, 129683.472464}};

/// A written call of strike 105 and maturity 1/2.
const std::string written_call = R"(
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
volatility = 0.2
[[trades]]
id = "call"
product = "european"
asset = "A"
type = "call"
strike = 105.0
maturity = 0.5
quantity = -10.0
)";

double call_value(double spot) {
  const double discount = exponential(-0.03 * 0.5);
  return black(1, spot / discount, 105, 0.04 * 0.5, discount);
}

constexpr double horizon = 10.0 / 252;

/// Loss of the written call where the spot's factor is z standard deviations.
double call_loss(double z) {
  return 10 * (call_value(100 * exponential(0.2 * std::sqrt(horizon) * z)) - call_value(100));
}

/// ES of the written call at `level`, by Simpson's rule over the tail of the normal distribution.
double call_shortfall(double level) {
  const double from = normal_quantile(level), to = 9;
  constexpr int intervals = 4000;
  const double h = (to - from) / intervals;
  double sum = 0;
  for (int i = 0; i <= intervals; ++i) {
    const double z = from + i * h;
    const double weight = i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * normal_pdf(z) * call_loss(z);
  }
  return sum * h / 3 / (1 - level);
}

void check_within(double value, double error, double expected, double errors = 4) {
  CAPTURE(value);
  CAPTURE(error);
  CAPTURE(expected);
  CHECK(error > 0);
  CHECK(std::fabs(value - expected) < errors * error);
}

}  // namespace

TEST_CASE("a linear portfolio in normal factors: delta-normal equals the closed form") {
  const ModuleResult r =
      run_module_alone(risk_run(linear_portfolio("methods = [\"delta_normal\"]\n")));
  const std::vector<double> var = column_of(r, "risk/var"), es = column_of(r, "risk/es");
  const std::vector<double> component = column_of(r, "contributions/component_var");
  for (std::size_t l = 0; l < 2; ++l) {
    CHECK(var[l] == doctest::Approx(linear_var[l]).epsilon(1e-10));
    CHECK(es[l] == doctest::Approx(linear_es[l]).epsilon(1e-10));
    for (std::size_t t = 0; t < 3; ++t)
      CHECK(component[3 * l + t] == doctest::Approx(linear_component[l][t]).epsilon(1e-9));
  }
}

TEST_CASE("a linear portfolio in normal factors: simulation agrees with the closed form") {
  const ModuleResult r = run_module_alone(
      risk_run(linear_portfolio("methods = [\"monte_carlo\", \"delta_gamma\"]\n"), 32768));
  const std::vector<double> var = column_of(r, "risk/var"), es = column_of(r, "risk/es");
  const std::vector<double> var_error = column_of(r, "risk/var_error");
  const std::vector<double> es_error = column_of(r, "risk/es_error");
  const std::vector<double> component = column_of(r, "contributions/component_var");
  const std::vector<double> error = column_of(r, "contributions/component_var_error");
  const std::vector<double> es_component = column_of(r, "contributions/component_es");
  for (std::size_t l = 0; l < 2; ++l) {
    CAPTURE(l);
    check_within(var[l], var_error[l], linear_var[l]);
    check_within(es[l], es_error[l], linear_es[l]);
    double var_sum = 0, es_sum = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      check_within(component[3 * l + t], error[3 * l + t], linear_component[l][t]);
      var_sum += component[3 * l + t];
      es_sum += es_component[3 * l + t];
    }
    CHECK(var_sum == doctest::Approx(var[l]).epsilon(1e-12));
    CHECK(es_sum == doctest::Approx(es[l]).epsilon(1e-12));
    // The second-order series of linear trades is exact.
    CHECK(var[2 + l] == doctest::Approx(var[l]).epsilon(1e-9));
    CHECK(es[2 + l] == doctest::Approx(es[l]).epsilon(1e-9));
  }
}

TEST_CASE("a written call: full revaluation agrees with the quantile of its closed form") {
  const ModuleResult r =
      run_module_alone(risk_run("[risk]\nlevels = [0.95, 0.99]\n" + written_call, 32768));
  const std::vector<double> var = column_of(r, "risk/var"), es = column_of(r, "risk/es");
  const std::vector<double> var_error = column_of(r, "risk/var_error");
  const std::vector<double> es_error = column_of(r, "risk/es_error");
  for (const std::size_t l : {0, 1}) {
    const double level = l == 0 ? 0.95 : 0.99;
    check_within(var[l], var_error[l], call_loss(normal_quantile(level)));
    check_within(es[l], es_error[l], call_shortfall(level));
    CHECK(var_error[l] < 0.015 * var[l]);
  }
}

TEST_CASE("a simulated trade has the risk of the closed form") {
  // The average of one fixing at the maturity is the spot, but has no closed form in gsim.
  std::string config = written_call;
  const std::size_t product = config.find("european");
  config.replace(product, 8, "asian");
  const std::string head = "[risk]\nlevels = [0.95, 0.99]\ninner_samples = 1024\n";
  const ModuleResult simulated =
      run_module_alone(risk_run(head + config + "fixing_count = 1\n", 2048));
  const ModuleResult closed = run_module_alone(risk_run(head + written_call, 2048));
  const std::vector<double> value = column_of(simulated, "trades/value");
  check_within(value[0], column_of(simulated, "trades/value_error")[0], -10 * call_value(100));
  for (const std::size_t l : {0, 1}) {
    const double error = column_of(simulated, "risk/var_simulation_error")[l];
    check_within(column_of(simulated, "risk/var")[l], error, column_of(closed, "risk/var")[l], 5);
    const double es_error = column_of(simulated, "risk/es_simulation_error")[l];
    check_within(column_of(simulated, "risk/es")[l], es_error, column_of(closed, "risk/es")[l], 5);
    CHECK(error < 0.03 * column_of(closed, "risk/var")[l]);
    CHECK(column_of(closed, "risk/var_simulation_error")[l] == 0);
  }
}

TEST_CASE("Student's t: the standard deviation is kept, the tail is heavier") {
  const std::string t = "methods = [\"monte_carlo\"]\ndegrees_of_freedom = 5\n";
  const ModuleResult r = run_module_alone(risk_run(linear_portfolio(t), 32768));
  // Quantile 3.36493 of t with 5 degrees of freedom at 0.99, times sqrt(3 / 5).
  const double expected = linear_var[1] / normal_quantile(0.99) * 3.364929999 * std::sqrt(0.6);
  check_within(column_of(r, "risk/var")[1], column_of(r, "risk/var_error")[1], expected);
  double squares = 0;
  const std::vector<double> gains = column_of(r, "monte_carlo/gain");
  for (const double g : gains) squares += g * g / static_cast<double>(gains.size());
  CHECK(std::sqrt(squares) == doctest::Approx(91828.8608366).epsilon(0.02));
}

TEST_CASE("stress scenarios are differences of closed forms") {
  const ModuleResult r = run_module_alone(risk_run(R"(
[risk]
methods = []
[[risk.stress]]
name = "crash"
spots = -0.25
volatilities = 0.1
rate = 0.01
[[risk.stress]]
name = "spot alone"
spots = 0.5
factors = ["A"]
changes = [0.1]
)" + written_call));
  const std::vector<double> gain = column_of(r, "stress/gain");
  const double discount = exponential(-0.04 * 0.5);
  const double crash = black(1, 75 / discount, 105, 0.09 * 0.5, discount);
  CHECK(gain[0] == doctest::Approx(-10 * (crash - call_value(100))).epsilon(1e-12));
  CHECK(gain[1] == doctest::Approx(-10 * (call_value(110) - call_value(100))).epsilon(1e-12));
  CHECK(r.done == 2);
}

TEST_CASE("volatilities fall by what a scenario says, and warnings count where they cannot") {
  const std::string surface = R"(
[market]
rate = 0.0
[market.volatility_surfaces.S]
expiries = [0.25, 1.0]
moneyness = [0.9, 1.1]
volatilities = [[0.2, 0.2], [0.2, 0.2]]
[market.assets.A]
spot = 100.0
volatility = "S"
)";
  const std::string trade = R"(
[[trades]]
id = "t"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 0.5
)";
  const std::string stress =
      "[risk]\nmethods = []\n[[risk.stress]]\nname = \"calm\"\nvolatilities = -0.1\n";
  const double expected = black(1, 100, 100, 0.01 * 0.5, 1) - black(1, 100, 100, 0.04 * 0.5, 1);
  const ModuleResult r = run_module_alone(risk_run(stress + surface + trade));
  CHECK(column_of(r, "stress/gain")[0] == doctest::Approx(expected).epsilon(1e-12));
  for (const std::string& warning : r.warnings) CHECK(warning.find("calm") == std::string::npos);
  // The same limits for local volatilities.
  const std::string local = "model = \"local_volatility\"\n";
  const ModuleResult simulated = run_module_alone(
      risk_run("[pricing]\nsteps_per_year = 20\n" + stress + surface + local + trade));
  CHECK(column_of(simulated, "stress/gain")[0] == doctest::Approx(expected).epsilon(0.03));

  // Volatilities of 0.3 and 0.2: the total variance falls in time after a fall of h where
  // (0.3 - h)^2 0.25 > (0.2 - h)^2, which is h > 0.1.
  std::string steep = surface;
  steep.replace(steep.find("[[0.2, 0.2], [0.2, 0.2]]"), 24, "[[0.3, 0.3], [0.2, 0.2]]");
  const std::vector<RiskFactor> factors = [] {
    RiskFactor factor;
    factor.name = "A volatility";
    factor.quantity = MarketBump::Quantity::volatility;
    factor.asset = 0;
    return std::vector<RiskFactor>{factor};
  }();
  std::vector<Scenario> scenarios;
  for (const double change : {0.1, -0.05, -0.12, -0.14, -0.19})
    scenarios.push_back({ScenarioKind::monte_carlo, {}, {change}});
  for (const std::string& model : {std::string(), local}) {
    const MarketConfig market = read(steep + model + trade).market;
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      const double change = scenarios[i].changes[0];
      const double size = bumps_of(market, factors, scenarios[i]).front().size;
      CHECK(size == doctest::Approx(std::fmax(change, -0.15)).epsilon(1e-12));
    }
    const std::vector<std::string> warnings = warnings_of_falls(market, factors, scenarios);
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[0] ==
          "`A volatility` falls by more than 0.15 in 1 of 5 scenarios, and by 0.15 there");
    CHECK(warnings[1] ==
          "`A volatility` falls by more than 0.1 in 3 of 5 scenarios, where the volatilities have "
          "arbitrage, and forward or local variances are cut off");
  }
}

TEST_CASE("components and increments of value at risk of two trades that hedge each other") {
  const std::string hedged = linear_portfolio("methods = [\"monte_carlo\"]\n") + R"(
[[trades]]
id = "hedge"
product = "forward"
asset = "C"
strike = 0.0
maturity = 1.0
quantity = -5e5
)";
  const ModuleResult r = run_module_alone(risk_run(hedged, 8192));
  const std::vector<double> increment = column_of(r, "contributions/incremental_var");
  const std::vector<double> component = column_of(r, "contributions/component_var");
  CHECK(component[2] == doctest::Approx(-component[3]).epsilon(1e-12));
  // Without the hedge the portfolio is the linear portfolio.
  const ModuleResult linear =
      run_module_alone(risk_run(linear_portfolio("methods = [\"monte_carlo\"]\n"), 8192));
  CHECK(column_of(r, "risk/var")[0] - increment[3] ==
        doctest::Approx(column_of(linear, "risk/var")[0]).epsilon(1e-12));
}

TEST_CASE("increments of value at risk: their errors agree with the spread over seeds") {
  constexpr int seeds = 32;
  std::vector<double> values[3], errors[3];
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    ModuleRun run = risk_run(linear_portfolio("methods = [\"monte_carlo\"]\n"), 2048);
    run.seed = seed;
    const ModuleResult r = run_module_alone(run);
    const std::vector<double> increment = column_of(r, "contributions/incremental_var");
    const std::vector<double> error = column_of(r, "contributions/incremental_var_error");
    for (std::size_t t = 0; t < 3; ++t) {
      values[t].push_back(increment[t]);
      errors[t].push_back(error[t]);
    }
  }
  // Exposures x of the three positions, their covariance over the horizon, and the closed form of
  // VaR without one of them.
  constexpr double horizon = 0.03968253968253968;
  const double x[] = {1e6, -5e5, 2e6}, v[] = {0.2, 0.3, 0.15};
  const double correlation[3][3] = {{1, 0.3, 0.5}, {0.3, 1, -0.2}, {0.5, -0.2, 1}};
  for (std::size_t t = 0; t < 3; ++t) {
    CAPTURE(t);
    double variance = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        if (i != t && j != t) variance += x[i] * x[j] * v[i] * v[j] * correlation[i][j] * horizon;
    const double exact = linear_var[0] - normal_quantile(0.975) * std::sqrt(variance);
    double mean = 0, squares = 0, error = 0;
    for (const double value : values[t]) mean += value / seeds;
    for (const double value : values[t]) squares += (value - mean) * (value - mean) / (seeds - 1);
    for (const double e : errors[t]) error += e / seeds;
    // The deviation of a spread of 32 values is 0.13, that of bootstrap errors of a quantile 0.2
    // each.
    CHECK(error == doctest::Approx(std::sqrt(squares)).epsilon(0.45));
    CHECK(std::fabs(mean - exact) < 4 * std::sqrt(squares / seeds) + 0.002 * linear_var[0]);
  }
}

TEST_CASE("increments of value at risk: errors without a bootstrap, of one trade, and of threads") {
  const std::string one = "[risk]\nlevels = [0.95, 0.99]\n" + written_call;
  const auto errors = [](const std::string& config, const char* method, int threads = 1) {
    ModuleRun run = risk_run(config, 2048);
    run.threads = threads;
    std::string text = run.config;
    text.replace(text.find("[risk]\n"), 7, std::string("[risk]\nmethods = [\"") + method + "\"]\n");
    run.config = text;
    return run_module_alone(run);
  };
  // Without the only trade VaR is 0: the error is the standard deviation of the resampled VaR.
  const ModuleResult r = errors(one, "monte_carlo");
  for (const std::size_t l : {0, 1})
    CHECK(column_of(r, "contributions/incremental_var_error")[l] ==
          doctest::Approx(column_of(r, "risk/var_error")[l]).epsilon(0.35));
  CHECK(
      std::isnan(column_of(errors(one, "delta_normal"), "contributions/incremental_var_error")[0]));
  std::string without = one;
  without.insert(7, "resamples = 0\n");
  CHECK(std::isnan(
      column_of(errors(without, "monte_carlo"), "contributions/incremental_var_error")[0]));
  CHECK(column_of(errors(one, "monte_carlo", 3), "contributions/incremental_var_error") ==
        column_of(r, "contributions/incremental_var_error"));
}

TEST_CASE("one trade: its components are the measures, with the same errors") {
  const ModuleResult r =
      run_module_alone(risk_run("[risk]\nlevels = [0.95, 0.99]\n" + written_call, 8192));
  for (const std::size_t l : {0, 1}) {
    CHECK(column_of(r, "contributions/component_var")[l] ==
          doctest::Approx(column_of(r, "risk/var")[l]).epsilon(1e-12));
    CHECK(column_of(r, "contributions/component_var_error")[l] ==
          doctest::Approx(column_of(r, "risk/var_error")[l]).epsilon(0.15));
    CHECK(column_of(r, "contributions/component_es_error")[l] ==
          doctest::Approx(column_of(r, "risk/es_error")[l]).epsilon(0.15));
    CHECK(column_of(r, "contributions/incremental_var")[l] ==
          doctest::Approx(column_of(r, "risk/var")[l]).epsilon(1e-12));
  }
}

TEST_CASE("errors by simulated values: those of sensitivities agree with the spread over seeds") {
  std::string config = written_call;
  config.replace(config.find("european"), 8, "asian");
  std::vector<double> values, errors;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    ModuleRun run = risk_run(
        "[risk]\nmethods = [\"delta_normal\"]\nlevels = [0.99]\n"
        "inner_samples = 1024\n" +
        config + "fixing_count = 3\n");
    run.seed = seed;
    const ModuleResult r = run_module_alone(run);
    values.push_back(column_of(r, "risk/var")[0]);
    errors.push_back(column_of(r, "risk/var_error")[0]);
  }
  double mean = 0, squares = 0, error = 0;
  for (const double v : values) mean += v / 24;
  for (const double v : values) squares += (v - mean) * (v - mean) / 23;
  for (const double e : errors) error += e / 24;
  CHECK(error == doctest::Approx(std::sqrt(squares)).epsilon(0.4));
}

TEST_CASE("sensitivities of options on rates are derivatives at today's rate") {
  const auto run = [](const std::string& rate) {
    return run_module_alone(
        risk_run("[risk]\nmethods = [\"delta_gamma\"]\n[[risk.factors]]\nfactor = \"rate\"\n"
                 "deviation = 0.01\n[market]\nrate = " +
                 rate +
                 "\n[market.rates.R]\nmean_reversion = 0.05\nvolatility = 0.01\n[[trades]]\n"
                 "id = \"a\"\nproduct = \"swaption\"\nrate = \"R\"\ntype = \"payer\"\n"
                 "strike = 0.025\nmaturity = 0.5\nend = 5.5\nquantity = 1e6\n"));
  };
  const ModuleResult r = run("0.03");
  const auto value = [&](const std::string& rate) {
    return column_of(run(rate), "trades/value")[0];
  };
  const double h = 1e-4, up = value("0.0301"), down = value("0.0299");
  const double here = column_of(r, "trades/value")[0];
  CHECK(column_of(r, "sensitivities/first")[0] ==
        doctest::Approx((up - down) / (2 * h)).epsilon(0.002));
  CHECK(column_of(r, "sensitivities/second")[0] ==
        doctest::Approx((up - 2 * here + down) / (h * h)).epsilon(0.02));
}

TEST_CASE("fixings and strikes of today do not change with the spots") {
  const std::string stress = R"([risk]
methods = []
[[risk.stress]]
name = "fall"
spots = -0.2
)";
  const std::string market = written_call.substr(0, written_call.find("[[trades]]"));
  const auto gain = [&](const std::string& terms) {
    const ModuleResult r = run_module_alone(risk_run(
        stress + market + "[[trades]]\nid = \"t\"\nasset = \"A\"\nmaturity = 1.0\n" + terms));
    return column_of(r, "stress/gain")[0];
  };
  CHECK(gain("product = \"forward_start\"\ntype = \"put\"\nstart = 0.0\nmoneyness = 1.1") ==
        doctest::Approx(gain("product = \"european\"\ntype = \"put\"\nstrike = 110.0"))
            .epsilon(1e-12));
  CHECK(gain("product = \"asian\"\ntype = \"put\"\nstrike = 100.0\naverage = \"geometric\"\n"
             "fixings = [0.0, 1.0]") ==
        doctest::Approx(gain("product = \"asian\"\ntype = \"put\"\nstrike = 100.0\n"
                             "average = \"geometric\"\nfixings = [1.0]\npast_fixings = [100.0]"))
            .epsilon(1e-12));
}

TEST_CASE("the ranks and threads revalue scenarios of closed forms at the same time") {
  ModuleRun run = risk_run(linear_portfolio("methods = [\"monte_carlo\"]\nresamples = 0\n"), 64);
  run.ranks = 3;
  run.threads = 2;
  CHECK(run_module_alone(run).plan.units_at_once == 6);
}

TEST_CASE("the forecast counts the resamples of a rank") {
  RiskOptions options;
  options.levels = {0.99};
  options.resamples = 1000;
  const auto megabytes = [&](Index scenarios, int ranks) {
    return resample_bytes(options, scenarios, 10, ranks) / 1e6;
  };
  // Besides the draws, the orders of losses without each of 10 trades: three copies of 4 bytes.
  CHECK(megabytes(60'000, 1) == doctest::Approx(120 + 7.2).epsilon(0.01));
  CHECK(megabytes(60'000, 4) == doctest::Approx(30 + 7.2).epsilon(0.02));
  CHECK(megabytes(6'000'000, 1) == doctest::Approx(264 + 720).epsilon(0.02));  // 22 at once
  CHECK(megabytes(0, 1) == 0);
  options.resamples = 0;
  CHECK(megabytes(60'000, 1) == 0);
}
