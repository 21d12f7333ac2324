#include <cstdlib>
#include <string_view>
#include <vector>

#include <gsim/config/section.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/math/elementary.hpp>
#include <gsim/pricing/path_model_kind.hpp>
#include <gsim/pricing/payoff_kind.hpp>

GSIM_DECLARE_PAYOFF(european_copy)
GSIM_DECLARE_PAYOFF(asian_copy)
GSIM_DECLARE_PAYOFF(log_sum)
GSIM_DECLARE_PATH_MODEL(black_scholes_copy)
GSIM_DECLARE_PATH_MODEL(heston_copy)

namespace {
using namespace gsim;
using namespace gsim::pricing;

/// Numbers of an option: 1 for a call or -1 for a put, the strike, and 1 / number of fixings, which
/// validate() sets.
void describe(Section& s, KeyValues& values) {
  static constexpr std::string_view words[] = {"call", "put"};
  int type = 0;
  double strike = 0;
  s.required_word("type", type, words, {.doc = "whether the option is a call or a put"});
  s.required("strike", strike, {.doc = "strike price", .minimum = 0});
  values.numbers = {type == 0 ? 1.0 : -1.0, strike, 0};
}

void validate(const Section&, const PayoffTrade& trade, KeyValues& values) {
  values.numbers[2] = 1 / static_cast<double>(trade.fixings.size());
}

void describe_none(Section&, KeyValues&) {}

void describe_too_many_numbers(Section&, KeyValues& values) { values.numbers.resize(1'000'001); }

void describe_volatility(Section& s, KeyValues& values) {
  double volatility = 0;
  s.required("volatility", volatility,
             {.doc = "volatility of the spot's log returns", .minimum = 0, .maximum = 10});
  values.numbers = {volatility * volatility};
}

/// The drift and the standard deviation of the log return over a step.
std::vector<double> lognormal_step(std::span<const double> numbers, const PathStep& step) {
  const double variance = numbers[0] * (step.to - step.from);
  return {step.carry - 0.5 * variance, sqrt(variance)};
}

/// As lognormal_step, with a wrong drift: the discounted spot is not a martingale.
std::vector<double> step_with_wrong_drift(std::span<const double> numbers, const PathStep& step) {
  std::vector<double> constants = lognormal_step(numbers, step);
  constants[0] += 0.05 * (step.to - step.from);
  return constants;
}

void describe_unbounded_volatility(Section& s, KeyValues& values) {
  double volatility = 0;
  s.required("volatility", volatility, {.doc = "volatility of the spot's log returns"});
  values.numbers = {volatility * volatility};
}

double lognormal_reach(std::span<const double> numbers, double years) {
  return 12 * sqrt(numbers[0] * years);
}

enum HestonNumber { v0, kappa, theta, sigma, rho };

void describe_heston(Section& s, KeyValues& values) {
  std::vector<double>& n = values.numbers;
  n.assign(5, 0);
  s.required("v0", n[v0], {.doc = "instantaneous variance today", .minimum = 0, .maximum = 100});
  s.required("kappa", n[kappa],
             {.doc = "speed of mean reversion of the variance", .minimum = 1e-3, .maximum = 100});
  s.required("theta", n[theta], {.doc = "long-run variance", .minimum = 0, .maximum = 100});
  s.required("sigma", n[sigma],
             {.doc = "volatility of the variance", .minimum = 1e-3, .maximum = 10});
  s.required("rho", n[rho],
             {.doc = "correlation of spot and variance", .minimum = -0.99, .maximum = 0.99});
}

/// The same as gsim's QeStep, followed by the drift.
std::vector<double> heston_step(std::span<const double> n, const PathStep& step) {
  const double dt = step.to - step.from, decay = exp<Strict>(-n[kappa] * dt);
  const double span = (1 - decay) / n[kappa], s2 = n[sigma] * n[sigma];
  const double drift = 0.5 * dt * (n[kappa] * n[rho] / n[sigma] - 0.5);
  const double k1 = drift - n[rho] / n[sigma], k2 = drift + n[rho] / n[sigma];
  const double k3 = 0.5 * dt * (1 - n[rho] * n[rho]), k4 = k3;
  return {decay,
          n[theta] * (1 - decay),
          s2 * decay * span,
          0.5 * n[theta] * s2 * n[kappa] * span * span,
          -n[rho] * n[kappa] * n[theta] * dt / n[sigma],
          k1,
          k2,
          k3,
          k4,
          k2 + 0.5 * k4,
          0.5 * k3,
          0.5 * dt,
          step.carry};
}

double heston_spot_normal_correlation(std::span<const double> n) {
  return sqrt(1 - n[rho] * n[rho]);
}

// The example that `gsim plugin check` runs.
constexpr const char* example = R"(
module = "pricing"
[stop]
samples = 40_000
[pricing]
steps_per_year = 8
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
dividend = 0.01
model = "heston_copy"
v0 = 0.04
kappa = 1.5
theta = 0.06
sigma = 0.5
rho = -0.7
[market.assets.B]
spot = 40.0
model = "black_scholes_copy"
volatility = 0.3
[market.assets.C]
spot = 50.0
volatility = 0.2
[market.correlation]
assets = ["A", "B", "C"]
matrix = [[1.0, 0.4, 0.2], [0.4, 1.0, -0.3], [0.2, -0.3, 1.0]]
[[trades]]
id = "call"
product = "european"
type = "call"
asset = "A"
strike = 100.0
maturity = 1.0
[[trades]]
id = "lookback"
product = "lookback"
kind = "fixed"
type = "put"
asset = "B"
strike = 40.0
maturity = 0.5
[[trades]]
id = "basket"
product = "worst_of"
type = "call"
assets = ["A", "B", "C"]
strike = 90.0
weights = [1.0, 2.5, 2.0]
maturity = 1.0
)";

void add(Registry& registry) {
  // The environment variable COPIES_FAULT, which plugin_loading.py sets, selects an error.
  const char* selected = std::getenv("COPIES_FAULT");
  const std::string_view fault = selected != nullptr ? selected : "";
  registry.extend(PayoffKind{.name = fault == "payoff name in use" ? "asian" : "european_copy",
                             .doc = "as european",
                             .describe = describe,
                             .validate = validate,
                             .launchers = GSIM_PAYOFF(european_copy)});
  registry.extend(PayoffKind{.name = "asian_copy",
                             .doc = "as asian",
                             .dates = PayoffDates::schedule,
                             .describe = describe,
                             .validate = validate,
                             .launchers = GSIM_PAYOFF(asian_copy)});
  registry.extend(PayoffKind{.name = "log_sum",
                             .doc = "the sum of logarithms",
                             .dates = PayoffDates::schedule,
                             .reads_logs = fault != "undeclared logarithms",
                             .describe = fault == "incomplete"         ? nullptr
                                         : fault == "too many numbers" ? describe_too_many_numbers
                                                                       : describe_none,
                             .launchers = GSIM_PAYOFF(log_sum)});
  registry.extend(PathModelKind{
      .name = fault == "model name in use" ? "heston" : "black_scholes_copy",
      .doc = "as black_scholes",
      .bridged = true,
      .describe = fault == "model incomplete" ? nullptr
                  : fault == "no bounds"      ? describe_unbounded_volatility
                                              : describe_volatility,
      .step_numbers = fault == "not a martingale" ? step_with_wrong_drift : lognormal_step,
      .reach = fault == "no bounds" ? nullptr : lognormal_reach,
      .launchers = GSIM_PATH_MODEL(black_scholes_copy),
      .example = example});
  registry.extend(PathModelKind{.name = "heston_copy",
                                .doc = "as heston",
                                .normals = fault == "normals" ? 3 : 2,
                                .bridged = fault != "no bridge",
                                .small_steps = true,
                                .describe = describe_heston,
                                .step_numbers = heston_step,
                                .spot_normal_correlation = heston_spot_normal_correlation,
                                .launchers = GSIM_PATH_MODEL(heston_copy),
                                .example = example});
}

}  // namespace

GSIM_PLUGIN("copies", "1", "MIT", "copies of payoffs and path models of gsim", add)
