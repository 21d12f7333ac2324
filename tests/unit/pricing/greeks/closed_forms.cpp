// Greeks against derivatives of closed forms, to four standard errors.

#include "src/modules/pricing/closed_forms/closed_forms.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "kernels/pricing/greeks/adjoint/normal_functions.hpp"
#include "src/modules/pricing/closed_forms/partial_barrier.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/greeks/greek_rows.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

/// One asset with constant parameters, and the time to the only date.
struct Flat {
  double spot = 100, rate = 0.05, dividend = 0.02, volatility = 0.2, maturity = 1;
  double forward() const { return spot * std::exp((rate - dividend) * maturity); }
  double variance() const { return volatility * volatility * maturity; }
  double discount() const { return std::exp(-rate * maturity); }
};
using Price = std::function<double(const Flat&)>;

double derivative(const Price& price, Flat at, double Flat::*parameter, double h) {
  return slope(
      [&](double x) {
        Flat moved = at;
        moved.*parameter = x;
        return price(moved);
      },
      at.*parameter, h);
}

const std::string flat_market = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
dividend = 0.02
volatility = 0.2
)";

/// Checks the Greeks of a trade on the asset of flat_market; `share` is the largest standard error
/// relative to the Greek's scale.
void check_flat(const std::map<std::string, GreekValue>& table, const std::string& trade,
                const Price& price, double share) {
  const Flat at;
  const double vega = derivative(price, at, &Flat::volatility, 1e-3);
  const double rho = derivative(price, at, &Flat::rate, 1e-3);
  const double theta = -derivative(price, at, &Flat::maturity, 1e-3);
  check_greek(table, trade + " delta A", derivative(price, at, &Flat::spot, 1e-2), share);
  // The bias of the second difference is (h S)^2 / 12 times the fourth derivative.
  check_greek(table, trade + " gamma A",
              curvature([&](double s) { return price({.spot = s}); }, at.spot, 1e-2), 0.2 * share,
              2e-5);
  check_greek(table, trade + " vega A", vega, 100 * share);
  check_greek(table, trade + " rho", rho, 100 * share);
  check_greek(table, trade + " theta", theta, 10 * share);
}

}  // namespace

TEST_CASE("Greeks: European and digital options and geometric averages, Black-Scholes") {
  const std::string trades =
      trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100) +
      trade_table("digital", "product = \"digital\"\nasset = \"A\"\n" + call_100) +
      trade_table("asset digital",
                  "product = \"digital\"\npays = \"asset\"\nasset = \"A\"\n" + call_100);
  const ModuleResult run =
      run_module_alone({.config = all_greeks + flat_market + trades, .stop = samples(1 << 18)});
  const auto table = greeks_of(run);
  check_flat(
      table, "call",
      [](const Flat& f) { return black(1, f.forward(), 100, f.variance(), f.discount()); }, 0.002);
  CHECK(table.at("call delta A").method == "adjoint");
  const auto digital = [](const Flat& f) {
    return cash_digital(1, f.forward(), 100, f.variance(), f.discount());
  };
  check_flat(table, "digital", digital, 5e-5);
  CHECK(table.at("digital gamma A").method == "smoothed");
  const auto asset = [](const Flat& f) {
    return asset_digital(1, f.forward(), 100, f.variance(), f.discount());
  };
  check_flat(table, "asset digital", asset, 0.01);
}

TEST_CASE("the normal distribution function of smoothed digitals from its exponential") {
  double largest = 0, exponential_error = 0;
  for (int i = -4000; i <= 4000; ++i) {
    const double x = 0.01 * i, a = -0.5 * x * x;
    const double e = pricing_kernels::exp_not_positive<Strict>(a);
    const double cdf = pricing_kernels::normal_cdf_given_exp(x, e);
    largest = std::fmax(largest, std::fabs(cdf - 0.5 * std::erfc(-x / std::sqrt(2.0))));
    exponential_error =
        std::fmax(exponential_error, std::fabs(e / std::exp(std::fmax(a, -700.0)) - 1));
  }
  CHECK(largest < 0x1p-51);
  CHECK(exponential_error < 0x1p-51);
}

TEST_CASE("Greeks: continuously monitored barriers, Black-Scholes") {
  const std::string keys = "product = \"barrier\"\nasset = \"A\"\nrebate = 2.0\n" + call_100;
  const ModuleResult run = run_module_alone(
      {.config = all_greeks + flat_market +
                 trade_table("out", "kind = \"down_and_out\"\nbarrier = 85.0\n" + keys) +
                 trade_table("in", "kind = \"up_and_in\"\nbarrier = 120.0\n" + keys),
       .stop = samples(1 << 18)});
  const auto table = greeks_of(run);
  CHECK(table.at("out vega A").method == "smoothed");
  for (const bool is_out : {true, false}) {
    const auto price = [&](const Flat& f) {
      return continuous_barrier({f.spot, f.rate, f.dividend, f.volatility, f.maturity},
                                {.strike = 100,
                                 .barrier = is_out ? 85.0 : 120.0,
                                 .rebate = 2,
                                 .up = !is_out,
                                 .knock_in = !is_out,
                                 .rebate_at_hit = false});
    };
    check_flat(table, is_out ? "out" : "in", price, 0.002);
  }
}

TEST_CASE("Greeks: continuously monitored windows, Black-Scholes") {
  const std::string keys =
      "product = \"window_barrier\"\nasset = \"A\"\nrebate = 2.0\nmonitoring = \"continuous\"\n" +
      call_100;
  const ModuleResult run = run_module_alone(
      {.config = all_greeks + flat_market +
                 trade_table("until",
                             "kind = \"down_and_out\"\nbarrier = 85.0\nwindow_end = 0.5\n" + keys) +
                 trade_table("from",
                             "kind = \"up_and_in\"\nbarrier = 120.0\nwindow_start = 0.5\n" + keys),
       .stop = samples(1 << 18)});
  const auto table = greeks_of(run);
  CHECK(table.at("from gamma A").method == "smoothed");
  for (const bool is_until : {true, false}) {
    const auto price = [&](const Flat& f) {
      const FlatMarket m{f.spot, f.rate, f.dividend, f.volatility, f.maturity};
      const BarrierTerms terms{.strike = 100,
                               .barrier = is_until ? 85.0 : 120.0,
                               .rebate = 2,
                               .up = !is_until,
                               .knock_in = !is_until,
                               .rebate_at_hit = false};
      const double date = f.maturity - 0.5;  // the window's end comes closer with the maturity
      return is_until ? barrier_until(m, terms, date) : barrier_from(m, terms, date);
    };
    check_flat(table, is_until ? "until" : "from", price, 0.0025);
  }
}

TEST_CASE("Greeks: forward start and exchange options, Black-Scholes") {
  const std::string trades =
      trade_table("forward start",
                  "product = \"forward_start\"\nmoneyness = 1.1\nstart = 0.25\ntype = \"call\"\n"
                  "asset = \"A\"\nmaturity = 1.0\nquantity = -3\n") +
      trade_table("exchange", "product = \"exchange\"\nassets = [\"A\", \"B\"]\nmaturity = 1.0\n");
  const ModuleResult run =
      run_module_alone({.config = all_greeks + two_assets + trades, .stop = samples(1 << 18)});
  const auto table = greeks_of(run);
  const auto start = [](double spot, double rate, double volatility, double passed) {
    const double maturity = 1 - passed, first = 0.25 - passed;
    return -3 * forward_start(1, spot * std::exp(rate * first), spot * std::exp(rate * maturity),
                              1.1, volatility * volatility * (maturity - first),
                              std::exp(-rate * maturity));
  };
  const std::string f = "forward start ";
  check_greek(table, f + "delta A", slope([&](double s) { return start(s, 0.05, 0.2, 0); }, 100, 1),
              0.01);
  check_greek(table, f + "vega A",
              slope([&](double v) { return start(100, 0.05, v, 0); }, 0.2, 1e-3), 0.5);
  check_greek(table, f + "rho", slope([&](double r) { return start(100, r, 0.2, 0); }, 0.05, 1e-3),
              0.5);
  check_greek(table, f + "theta",
              slope([&](double t) { return start(100, 0.05, 0.2, t); }, 0, 1e-3), 0.1);
  const auto swap = [](double a, double b, double va, double vb) {
    return exchange(1, a * std::exp(0.05), b * std::exp(0.03),
                    va * va + vb * vb - 2 * 0.5 * va * vb, std::exp(-0.05));
  };
  check_greek(table, "exchange delta A",
              slope([&](double s) { return swap(s, 90, 0.2, 0.3); }, 100, 1e-2), 0.005);
  check_greek(table, "exchange delta B",
              slope([&](double s) { return swap(100, s, 0.2, 0.3); }, 90, 1e-2), 0.005);
  check_greek(table, "exchange vega A",
              slope([&](double v) { return swap(100, 90, v, 0.3); }, 0.2, 1e-3), 0.5);
  check_greek(table, "exchange vega B",
              slope([&](double v) { return swap(100, 90, 0.2, v); }, 0.3, 1e-3), 0.5);
  check_greek(table, "exchange gamma B",
              curvature([&](double s) { return swap(100, s, 0.2, 0.3); }, 90, 1e-1), 0.002, 2e-5);
  check_greek(
      table, "exchange cross_gamma A B",
      slope(
          [&](double a) { return slope([&](double b) { return swap(a, b, 0.2, 0.3); }, 90, 1e-1); },
          100, 1e-1),
      0.002, 2e-5);
}

TEST_CASE("Greeks: Merton's model") {
  const std::string market = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
model = "merton"
volatility = 0.2
jump_intensity = 1.0
jump_mean = -0.1
jump_sd = 0.15
)";
  const ModuleResult run = run_module_alone(
      {.config = all_greeks + market +
                 trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100),
       .stop = samples(1 << 18)});
  const auto table = greeks_of(run);
  const auto price = [](double s, double r, double v, double t) {
    return merton(1, s * std::exp(r * t), 100, v * v * t, t, -0.1, 0.15, std::exp(-r * t));
  };
  check_greek(table, "call delta A",
              slope([&](double s) { return price(s, 0.05, 0.2, 1); }, 100, 1), 0.005);
  check_greek(table, "call gamma A",
              curvature([&](double s) { return price(s, 0.05, 0.2, 1); }, 100, 0.1), 0.002, 2e-5);
  check_greek(table, "call vega A",
              slope([&](double v) { return price(100, 0.05, v, 1); }, 0.2, 1e-3), 0.5);
  check_greek(table, "call rho", slope([&](double r) { return price(100, r, 0.2, 1); }, 0.05, 1e-3),
              0.5);
  check_greek(table, "call theta",
              -slope([&](double t) { return price(100, 0.05, 0.2, t); }, 1, 1e-3), 1);
  CHECK(table.at("call theta").method == "bump");
}

TEST_CASE("Greeks: Heston's model") {
  const std::string market = R"(
[market]
rate = 0.03
[market.assets.H]
spot = 100.0
model = "heston"
v0 = 0.04
kappa = 1.5
theta = 0.06
sigma = 0.4
rho = -0.6
)";
  const ModuleResult run = run_module_alone(
      {.config = all_greeks + "steps_per_year = 20\n" + market +
                 trade_table("call", "product = \"european\"\nasset = \"H\"\n" + call_100),
       .stop = samples(1 << 17)});
  const auto table = greeks_of(run);
  const auto price = [](double s, double r, double v0, double theta, double t) {
    return heston(1, s * std::exp(r * t), 100, {v0, 1.5, theta, 0.4, -0.6, 0, 0, 0, t},
                  std::exp(-r * t));
  };
  const double v = 0.2, w = std::sqrt(0.06);
  // The tolerances are the bias of the steps: below 1e-3 of a vega.
  check_greek(table, "call delta H",
              slope([&](double s) { return price(s, 0.03, 0.04, 0.06, 1); }, 100, 1), 0.005, 1e-3);
  check_greek(
      table, "call vega H",
      slope([&](double x) { return price(100, 0.03, (v + x) * (v + x), (w + x) * (w + x), 1); }, 0,
            1e-3),
      0.5, 0.04);
  check_greek(table, "call vega_buckets H v0",
              slope([&](double x) { return price(100, 0.03, x * x, 0.06, 1); }, v, 1e-3), 0.5,
              0.04);
  check_greek(table, "call vega_buckets H theta",
              slope([&](double x) { return price(100, 0.03, 0.04, x * x, 1); }, w, 1e-3), 0.5,
              0.04);
  check_greek(table, "call rho",
              slope([&](double r) { return price(100, r, 0.04, 0.06, 1); }, 0.03, 1e-3), 0.5, 0.1);
  check_greek(table, "call theta",
              -slope([&](double t) { return price(100, 0.03, 0.04, 0.06, t); }, 1, 1e-2), 0.5,
              0.02);
}

TEST_CASE("Greeks: pillars of rates and volatilities add up to parallel shifts") {
  const std::string market = R"(
[market]
rate = { times = [0.25, 1.0], values = [0.03, 0.04] }
[market.assets.A]
spot = 100.0
volatility = { times = [0.3, 1.0, 2.0], values = [0.25, 0.22, 0.2], kind = "KIND" }
)";
  for (const std::string kind : {"implied", "forward"}) {
    CAPTURE(kind);
    std::string text = all_greeks + market +
                       trade_table("call", "product = \"european\"\nasset = \"A\"\n" + call_100);
    text.replace(text.find("KIND"), 4, kind);
    const ModuleResult run = run_module_alone({.config = text, .stop = samples(1 << 17)});
    const auto table = greeks_of(run);
    // The variance to the maturity: sigma^2 of the implied volatility there, or of both intervals.
    const bool implied = kind == "implied";
    const auto price = [&](double r1, double r2, double v1, double v2) {
      const double variance = implied ? v2 * v2 : v1 * v1 * 0.3 + v2 * v2 * 0.7;
      const double rate = r2 + 0 * r1;  // the zero rate at the maturity
      return black(1, 100 * std::exp(rate), 100, variance, std::exp(-rate));
    };
    const double r1 = 0.03, r2 = 0.04, v1 = 0.25, v2 = 0.22;
    const double rho = slope([&](double r) { return price(r1, r, v1, v2); }, r2, 1e-3);
    const double first = slope([&](double v) { return price(r1, r2, v, v2); }, v1, 1e-3);
    const double second = slope([&](double v) { return price(r1, r2, v1, v); }, v2, 1e-3);
    check_greek(table, "call rho", rho, 0.5);
    check_greek(table, "call rho_pillars 1", rho, 0.5);
    CHECK(table.at("call rho_pillars 0.25").value == doctest::Approx(0).epsilon(1e-6));
    check_greek(table, "call vega A", first + second, 0.5);
    check_greek(table, "call vega_buckets A 1", second, 0.5);
    if (!implied) check_greek(table, "call vega_buckets A 0.3", first, 0.5);
    if (implied) CHECK(std::fabs(table.at("call vega_buckets A 0.3").value) < 1e-5);
    CHECK(std::fabs(table.at("call vega_buckets A 2").value) < 1e-5);
  }
}

TEST_CASE("Greeks: rho of a swaption by bumps is that by derivatives") {
  const auto rho = [](const std::string& method) {
    const ModuleResult r = run_module_alone(
        {.config = "[pricing]\ngreeks = [\"rho\"]\ngreeks_method = \"" + method +
                   "\"\n[market]\nrate = 0.03\n[market.rates.R]\nmean_reversion = 0.05\n"
                   "volatility = 0.01\n[[trades]]\nid = \"a\"\nproduct = \"swaption\"\n"
                   "rate = \"R\"\ntype = \"payer\"\nstrike = 0.03\nmaturity = 1.0\nend = 6.0\n",
         .stop = samples(8192)});
    return greeks_of(r).at("a rho");
  };
  const GreekValue bump = rho("bump"), derivative = rho("auto");
  CHECK(bump.method == "bump");
  CHECK(derivative.method == "adjoint");
  CHECK(bump.value == doctest::Approx(derivative.value).epsilon(0.01));
}
