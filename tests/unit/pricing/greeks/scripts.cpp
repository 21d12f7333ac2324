// Greeks of scripted payoffs by reverse execution of their programs: against bumps of the same
// paths, against gsim's own products, and the derivatives of operations against differences.

#include <cmath>

#include <doctest/doctest.h>

#include "kernels/pricing/greeks/adjoint/script_adjoint.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/greeks/bumped_greeks.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string script_market = R"(
[market]
rate = { times = [0.25, 0.5, 1.0], values = [0.02, 0.03, 0.035] }
[market.assets.A]
spot = 100.0
dividend = 0.01
volatility = { times = [0.25, 0.5, 1.0], values = [0.25, 0.22, 0.2] }
[market.assets.B]
spot = 90.0
volatility = { times = [0.25, 0.5, 1.0], values = [0.3, 0.29, 0.28] }
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.5], [0.5, 1.0]]
)";

/// A trade on quarterly fixings, which are the dates of the pillars.
std::string quarterly(const std::string& id, const std::string& keys) {
  return trade_table(id, keys + "maturity = 1.0\nfixing_count = 4\n");
}
std::string scripted(const std::string& id, const std::string& assets, const std::string& payoff,
                     const std::string& keys = "") {
  return quarterly(id, "product = \"scripted\"\nassets = [" + assets + "]\n" + keys +
                           "payoff = \"\"\"\n" + payoff + "\"\"\"\n");
}
const std::string on_a = "\"A\"", both = "\"A\", \"B\"";

const std::string asian = R"(
state total = 0
total = total + spot
if last { pay max(total / dates - 100, 0) }
)";

/// Payments at all dates, which depend on rates each in its own way, and every operation.
const std::string continuous = R"(
state last_spot[assets] = 100
state variance = 1
state highest = 100
for each asset {
  let step = log(spot / last_spot)
  variance = variance + step * step
  last_spot = spot
  pay 50 * clip(step, -0.05, 0.08) after 0.1
}
highest = max(highest, spot(A))
pay 0.1 * min(best(spot), 1.1 * average(spot))
if index > 2 { pay exp(-time) * abs(spot(A) - 101) }
schedule maturity { pay max(highest - worst(spot / 0.9), 0) + 20 * sqrt(variance) at maturity }
)";

std::map<std::string, GreekValue> scripts_with(const std::string& options,
                                               const std::string& rest) {
  return greeks_of(run_module_alone(
      {.config = all_first_order + options + rest, .threads = 2, .stop = samples(8192)}));
}

struct Point {
  double a, b, c, before;
};
/// Computes an operation at a point.
struct Execution {
  Point at;
  double* result;
  template <class F>
  void unary(const F& f) const {
    *result = f(at.a);
  }
  template <class F>
  void binary(const F& f) const {
    *result = f(at.a, at.b);
  }
  template <class F>
  void ternary(const F& f) const {
    *result = f(at.a, at.b, at.c);
  }
  template <class F>
  void update(const F& f) const {
    *result = f(at.a, at.b, at.c, at.before);
  }
};
/// Computes its derivatives.
struct Derivation {
  Point at;
  double result;
  pricing_kernels::ScriptShares<double>* shares;
  template <int operands, class F>
  void to(const F& f) const {
    *shares = f(1.0, at.a, at.b, at.c, result);
  }
  template <int operands, class F>
  void update(const F& f) const {
    *shares = f(1.0, at.a, at.b, at.c, at.before);
  }
  void none() const {}
};

}  // namespace

TEST_CASE("derivatives of the operations of scripts are those of differences") {
  using pricing_kernels::ScriptRamp;
  constexpr double step = 1e-6;
  const Point points[] = {{0.7, 1.3, 0.4, 0.2},  {1.4, 0.6, 0.9, 0.7}, {0.5, 0.6, 0.25, 0.8},
                          {0.62, 0.6, 0.1, 0.3}, {2.2, 0.1, 0.5, 0.4}, {-0.4, -0.3, 0.8, 0.5}};
  for (int o = 0; o <= static_cast<int>(ScriptOperation::add_where); ++o) {
    const auto operation = static_cast<ScriptOperation>(o);
    if (operation == ScriptOperation::skip_if_none) continue;
    CAPTURE(o);
    const bool is_of_positive =
        operation == ScriptOperation::logarithm || operation == ScriptOperation::square_root;
    for (const Point& point : points) {
      if (is_of_positive && point.a <= 0) continue;
      const bool has_ramp = operation >= ScriptOperation::less;
      const ScriptRamp<double> ramp{has_ramp ? 1.25 : 0.0, has_ramp ? 0.5 : 0.0};
      const auto value = [&](double Point::*changed, double by) {
        Point p = point;
        p.*changed += by;
        double result = 0;
        pricing_kernels::with_smooth_operation<Strict, double>(operation, ramp,
                                                               Execution{p, &result});
        return result;
      };
      pricing_kernels::ScriptShares<double> shares;
      pricing_kernels::with_derivative<double>(operation, ramp,
                                               Derivation{point, value(&Point::a, 0), &shares});
      const auto check = [&](double Point::*operand, double share) {
        const double slope = (value(operand, step) - value(operand, -step)) / (2 * step);
        CHECK(share == doctest::Approx(slope).epsilon(1e-7));
      };
      check(&Point::a, shares.a);
      check(&Point::b, shares.b);
      check(&Point::c, shares.c);
      if (reads_result(operation)) check(&Point::before, shares.before);
    }
  }
}

TEST_CASE("adjoint Greeks of scripts without jumps are those by bumps, and of gsim's products") {
  const std::string no_controls = "control_variates = \"none\"\n";
  const std::string trades =
      scripted("asian", on_a, asian) + scripted("continuous", both, continuous) +
      trade_table("today",
                  "product = \"scripted\"\nassets = [\"B\"]\nmaturity = 1.0\n"
                  "fixings = [0.0, 0.5, 1.0]\npayoff = \"\"\"" +
                      asian + "\"\"\"\n") +
      quarterly("product", "product = \"asian\"\nasset = \"A\"\ntype = \"call\"\nstrike = 100.0\n");
  for (const std::string& options : {no_controls, "antithetic = true\n" + no_controls}) {
    CAPTURE(options);
    const auto adjoint = scripts_with(options, script_market + trades);
    const auto bumped =
        scripts_with(options + "greeks_method = \"bump\"\n" + small_bumps, script_market + trades);
    for (const auto& [name, greek] : adjoint) {
      CAPTURE(name);
      CAPTURE(greek.value);
      CAPTURE(bumped.at(name).value);
      CHECK(greek.method == "adjoint");
      if (std::isnan(greek.error)) continue;  // all samples are equal
      const GreekValue& bump = bumped.at(name);
      CHECK(std::fabs(greek.value - bump.value) <= 4 * std::hypot(greek.error, bump.error));
      // A pillar between the dates of this trade, and the time, change a part of its paths.
      if (name == "today vega_buckets B 0.5" || name == "today theta") continue;
      check_same_paths(options, greek, bump);
      if (name.rfind("asian", 0) != 0) continue;
      const GreekValue& of_product = adjoint.at("product" + name.substr(5));
      CHECK(greek.value == doctest::Approx(of_product.value).epsilon(1e-9));
      CHECK(greek.error == doctest::Approx(of_product.error).epsilon(1e-9));
    }
  }
}

TEST_CASE("Greeks of scripts with jumps: ramps against bumps and products") {
  const std::string note = R"(
parameter reference[assets]
state missed = 0
state below = 0
state is_in = false
let level = worst(spot / reference)
if level < 0.85 { below = below + 1 } else { below = 0 }
if below >= 2 { is_in = true }
if level >= 0.8 {
  pay 3 * (missed + 1)
  missed = 0
} else { missed = missed + 1 }
if level >= 1.05 and index < dates {
  pay 100
  call
}
schedule maturity { pay where(is_in, min(100 * worst(spot / reference), 100), 100) }
)";
  const std::string phoenix = R"(
parameter reference[assets]
let level = worst(spot / reference)
if level >= 0.9 { pay 0.03 }
if level >= 1 {
  pay 1
  call
}
if last { pay where(level < 0.8, level, 1) }
)";
  const std::string of_return = R"(
state last_spot = 100
let step = spot / last_spot - 1
if step > 0.02 and step <= 0.1 { pay 2 after 0.1 }
last_spot = spot
)";
  const std::string references = "parameters = { reference = [100.0, 90.0] }\n";
  const std::string trades =
      scripted("note", both, note, references) + scripted("phoenix", both, phoenix, references) +
      scripted("return", on_a, of_return) +
      trade_table("digital",
                  "product = \"scripted\"\nassets = [\"A\"]\nmaturity = 1.0\n"
                  "payoff = \"\"\"if spot - 100 > 0 { pay 10 }\"\"\"\n") +
      trade_table("closed", "product = \"digital\"\nasset = \"A\"\ncash = 10.0\n" + call_100);
  const auto smoothed =
      greeks_of(run_module_alone({.config = all_first_order + script_market + trades,
                                  .threads = 2,
                                  .stop = samples(1 << 15)}));
  const auto bumped = greeks_of(run_module_alone(
      {.config = all_first_order + "greeks_method = \"bump\"\n" + script_market + trades,
       .threads = 2,
       .stop = samples(1 << 15)}));
  for (const auto& [name, greek] : smoothed) {
    if (name.rfind("closed", 0) == 0) continue;
    CAPTURE(name);
    CAPTURE(greek.value);
    CAPTURE(greek.error);
    const GreekValue& bump = bumped.at(name);
    CAPTURE(bump.value);
    CAPTURE(bump.error);
    CHECK(greek.method == "smoothed");
    if (std::isnan(greek.error)) continue;
    CHECK(std::fabs(greek.value - bump.value) <= 4 * std::hypot(greek.error, bump.error) + 1e-9);
    // A count that passes between two whole numbers does so in a part of the ramp.
    CHECK(greek.error <= (name.rfind("note", 0) == 0 ? 1.6 : 1.25) * bump.error);
    if (name.rfind("digital", 0) != 0) continue;
    const GreekValue& closed = smoothed.at("closed" + name.substr(7));
    CHECK(std::fabs(greek.value - closed.value) <= 4 * std::hypot(greek.error, closed.error));
  }
}

TEST_CASE("Greeks of scripts that allow no ramps are bumps") {
  const std::string leader = "if spot(A) == best(spot) { pay 1 }\n";
  const std::string chosen = R"(
state level = 100
if spot > 110 { level = spot }
if last and spot < 0.9 * level { pay 1 }
)";
  const auto table = greeks_of(run_module_alone(
      {.config = "[pricing]\ngreeks = [\"delta\"]\n" + script_market +
                 scripted("leader", both, leader) + scripted("chosen", on_a, chosen),
       .stop = samples(4096)}));
  for (const auto& [name, greek] : table) {
    CAPTURE(name);
    CHECK(greek.method == "bump");
  }
}
