// Greeks of a Bermudan put, against derivatives of its value from a recursion of the density.

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/pricing/copied_parts.hpp"
#include "tests/unit/pricing/greeks/greek_rows.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

struct Put {
  double spot = 100, rate = 0.06, volatility = 0.2, maturity = 1;
};
constexpr double strike = 105;
constexpr int dates = 10;

// The value by backward recursion on a uniform grid of ln(S / S0), where the expectation over one
// period is a sum with the weights of the normal density (trapezoidal rule).
double value(const Put& p) {
  constexpr int half = 1800;
  constexpr double dx = 1e-3;
  const double dt = p.maturity / dates, sd = p.volatility * std::sqrt(dt);
  const double drift = (p.rate - 0.5 * p.volatility * p.volatility) * dt;
  const int reach = static_cast<int>(7 * sd / dx);
  const auto shift = std::lround(drift / dx);
  std::vector<double> weight;
  for (int k = -reach; k <= reach; ++k) {
    const double z = (static_cast<double>(k + shift) * dx - drift) / sd;
    weight.push_back(std::exp(-0.5 * z * z) * dx / (sd * std::sqrt(2 * M_PI)));
  }
  const auto exercise = [&](int i) { return std::fmax(strike - p.spot * std::exp(i * dx), 0.0); };
  std::vector<double> v(2 * half + 1);
  for (int i = -half; i <= half; ++i) v[static_cast<std::size_t>(i + half)] = exercise(i);
  for (int d = dates - 1; d >= 0; --d) {
    std::vector<double> before(v.size());
    for (int i = -half; i <= half; ++i) {
      double sum = 0;
      for (int k = -reach; k <= reach; ++k) {
        const long to = std::clamp<long>(i + k + shift, -half, half);
        sum += weight[static_cast<std::size_t>(k + reach)] * v[static_cast<std::size_t>(to + half)];
      }
      const double continuation = std::exp(-p.rate * dt) * sum;
      before[static_cast<std::size_t>(i + half)] =
          d > 0 ? std::fmax(continuation, exercise(i)) : continuation;
    }
    v = std::move(before);
  }
  return v[half];
}

}  // namespace

TEST_CASE("Greeks of a Bermudan put are those of its value by a recursion") {
  const std::string config = R"(
[pricing]
greeks = ["delta", "gamma", "vega", "theta", "rho"]
[pricing.exercise]
upper_bound = false
[market]
rate = 0.06
[market.assets.A]
spot = 100
volatility = 0.2
[[trades]]
id = "put"
product = "european"
asset = "A"
type = "put"
strike = 105
maturity = 1
exercise = "bermudan"
exercise_count = 10
[[trades]]
id = "today"
product = "european"
asset = "A"
type = "put"
strike = 200
maturity = 1
exercise = "american"
)";
  const auto table = greeks_of(run_module_alone({.config = config, .stop = samples(1 << 16)}));
  const Put at;
  check_greek(table, "put delta A",
              slope([](double s) { return value({.spot = s}); }, at.spot, 0.5), 2e-3, 1e-3);
  check_greek(table, "put vega A",
              slope([](double s) { return value({.volatility = s}); }, at.volatility, 0.01), 0.3,
              0.1);
  check_greek(table, "put rho", slope([](double r) { return value({.rate = r}); }, at.rate, 0.005),
              0.3, 0.1);
  check_greek(table, "put theta",
              -slope([](double t) { return value({.maturity = t}); }, at.maturity, 0.02), 0.05,
              0.02);
  check_greek(table, "put gamma A",
              curvature([](double s) { return value({.spot = s}); }, at.spot, 0.5), 2e-3, 1e-3);
  // An option that is exercised today is worth what it pays.
  CHECK(table.at("today delta A").value == doctest::Approx(-1));
  CHECK(table.at("today vega A").value == 0);
}

TEST_CASE("Greeks of options that scripts and plugins exercise are those of the built-in ones") {
  const std::string config = R"toml(
[pricing]
greeks = ["delta", "gamma", "vega", "theta", "rho"]
[pricing.exercise]
upper_bound = false
[market]
rate = 0.06
[market.assets.A]
spot = 100
dividend = 0.09
volatility = 0.2
[[trades]]
id = "call"
product = "european"
asset = "A"
type = "call"
strike = 95
maturity = 1
exercise = "bermudan"
exercise_count = 10
[[trades]]
id = "plugin"
product = "european_copy"
asset = "A"
strike = 95
maturity = 1
exercise = "bermudan"
exercise_count = 10
[[trades]]
id = "script"
product = "scripted"
assets = ["A"]
maturity = 1
fixing_count = 10
payoff = "exercise max(spot - 95, 0)"
)toml";
  const auto table = greeks_of(
      run_module_alone({.config = config, .stop = samples(1 << 16), .payoffs = {&european_copy}}));
  for (const std::string other : {"plugin", "script"})
    for (const std::string greek : {" delta A", " gamma A", " vega A", " theta", " rho"}) {
      const GreekValue &a = table.at("call" + greek), &b = table.at(other + greek);
      CAPTURE(other + greek);
      CAPTURE(a.value);
      CAPTURE(b.value);
      CHECK(std::fabs(a.value - b.value) <=
            4 * std::hypot(a.error, b.error) + 5e-3 * std::fabs(a.value));
      CHECK(b.error > 0);
      CHECK(b.error < 0.2 * std::fabs(b.value));
    }
}
