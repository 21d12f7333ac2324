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
  double spot = 100, rate = 0.06, volatility = 0.2;
  double passed = 0;  // years of the first period that have passed
};
constexpr double strike = 105;
constexpr int dates = 10;

// The value by backward recursion on a uniform grid of ln(S / S0), where the expectation over one
// period is a sum with the weights of the normal density (trapezoidal rule).
double value(const Put& p) {
  constexpr int half = 1800;
  constexpr double dx = 1e-3;
  const auto exercise = [&](int i) { return std::fmax(strike - p.spot * std::exp(i * dx), 0.0); };
  std::vector<double> v(2 * half + 1);
  for (int i = -half; i <= half; ++i) v[static_cast<std::size_t>(i + half)] = exercise(i);
  for (int d = dates - 1; d >= 0; --d) {
    const double dt = 1.0 / dates - (d == 0 ? p.passed : 0), sd = p.volatility * std::sqrt(dt);
    const double drift = (p.rate - 0.5 * p.volatility * p.volatility) * dt;
    const int reach = static_cast<int>(7 * sd / dx);
    const auto shift = std::lround(drift / dx);
    std::vector<double> weight;
    for (int k = -reach; k <= reach; ++k) {
      const double z = (static_cast<double>(k + shift) * dx - drift) / sd;
      weight.push_back(std::exp(-0.5 * z * z) * dx / (sd * std::sqrt(2 * M_PI)));
    }
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
  check_greek(table, "put theta", slope([](double t) { return value({.passed = t}); }, 0, 0.01),
              0.05, 0.02);
  check_greek(table, "put gamma A",
              curvature([](double s) { return value({.spot = s}); }, at.spot, 0.5), 2e-3, 1e-3);
  for (const char* greek : {"delta A", "vega A", "theta", "rho"})
    CHECK(table.at(std::string("put ") + greek).method == "adjoint");
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

TEST_CASE("Greeks of early exercise by a sweep are those by bumps") {
  const std::string config = R"(
greeks = ["delta", "vega", "vega_buckets", "theta", "rho", "rho_pillars"]
steps_per_year = 8
[pricing.exercise]
upper_bound = false
paths = 16384
[market]
rate = { times = [0.4, 2.0], values = [0.06, 0.05] }
[market.assets.A]
spot = 100
dividend = 0.08
volatility = { times = [0.3, 2.0], values = [0.25, 0.2] }
[market.assets.B]
spot = 95
dividend = 0.1
volatility = { times = [0.6, 2.0], values = [0.2, 0.3] }
[market.assets.H]
spot = 100
model = "heston"
v0 = 0.04
kappa = 2
theta = 0.05
sigma = 0.4
rho = -0.6
[market.assets.L]
spot = 100
model = "local_volatility"
local_times = [0.5, 2.0]
local_spots = [50.0, 100.0, 200.0]
local_volatility = [[0.36, 0.25, 0.18], [0.3, 0.22, 0.19]]
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.4], [0.4, 1.0]]
[[trades]]
id = "basket"
product = "basket"
assets = ["A", "B"]
type = "call"
strike = 185
maturity = 1
exercise = "bermudan"
exercise_count = 5
[[trades]]
id = "mean"
product = "asian"
asset = "A"
type = "put"
strike = 102
maturity = 1
fixing_count = 4
exercise = "american"
[[trades]]
id = "variance"
product = "european"
asset = "H"
type = "put"
strike = 105
maturity = 1
exercise = "bermudan"
exercise_count = 4
[[trades]]
id = "local"
product = "european"
asset = "L"
type = "put"
strike = 105
maturity = 1
exercise = "bermudan"
exercise_count = 4
)";
  const auto greeks = [&](const std::string& options) {
    return greeks_of(run_module_alone(
        {.config = "[pricing]\n" + options + config, .threads = 2, .stop = samples(1 << 15)}));
  };
  const auto swept = greeks("antithetic = true\n"), bumped = greeks("greeks_method = \"bump\"\n");
  std::size_t adjoint = 0;
  for (const auto& [name, a] : swept) {
    const GreekValue& b = bumped.at(name);
    CAPTURE(name);
    CAPTURE(a.value);
    CAPTURE(a.error);
    CAPTURE(b.value);
    CAPTURE(b.error);
    if (a.method != "adjoint") continue;
    ++adjoint;
    // Bumps have a bias, and that of a policy which is not the best one is another for a sweep.
    CHECK(std::fabs(a.value - b.value) <=
          4 * std::hypot(a.error, b.error) + 0.02 * std::fabs(b.value) + 0.02);
    CHECK(a.error < 1.1 * b.error + 1e-9);
  }
  // All but vega, its pillars and theta under Heston's model.
  CHECK(adjoint == swept.size() - 4);
}

TEST_CASE("early exercise: the rho of scripts does not depend on the size of the bump") {
  // Bumped markets exercise in the states of the market without bumps; the value of exercise is the
  // same on all paths of the second script.
  const std::string keys =
      "product = \"scripted\"\nassets = [\"A\"]\nmaturity = 1.0\nfixing_count = 4\npayoff = '''\n";
  const std::string rest =
      "if spot < 95 { exercise 98 }\nschedule maturity { pay min(spot, 100) }\n'''\n";
  const std::string trades = "[[trades]]\nid = \"coupons\"\n" + keys +
                             "pay where(spot >= 90, 1, 0)\n" + rest +
                             "[[trades]]\nid = \"no coupons\"\n" + keys + rest;
  const auto rho = [&](const std::string& bump) {
    return greeks_of(run_module_alone(
        {.config = "[pricing]\ngreeks = [\"rho\"]\nbumps.rate = " + bump +
                   "\nexercise = { paths = 8192, upper_bound = false }\n[market]\nrate = 0.025\n"
                   "[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n" +
                   trades,
         .threads = 2,
         .stop = samples(1 << 14)}));
  };
  const auto large = rho("0.01"), small = rho("0.0001");
  for (const auto& [name, of_large] : large) {
    const GreekValue& of_small = small.at(name);
    CAPTURE(name);
    CHECK(std::fabs(of_large.value - of_small.value) <=
          4 * std::hypot(of_large.error, of_small.error) + 0.03 * std::fabs(of_large.value));
  }
}
