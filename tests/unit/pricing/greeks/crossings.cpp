// Greeks of barriers that are monitored at fixings against a quadrature from date to date.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/greeks/bumped_greeks.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace crossings_tests {
namespace {

/// A market with forward volatilities until and after 0.5, and zero rates of that time and of 1
/// year that are interpolated linearly between and flat before, after some years have passed.
struct Market {
  double spot = 100, early = 0.25, late = 0.2, short_rate = 0.03, long_rate = 0.04, passed = 0;
  double log_discount(double t) const {
    const double share = std::clamp((t - 0.5) / 0.5, 0.0, 1.0);
    return -t * (short_rate + share * (long_rate - short_rate));
  }
  double variance(double t) const {
    return early * early * std::min(t, 0.5) + late * late * std::max(t - 0.5, 0.0);
  }
};

/// A call or put of strike K that is knocked out at B at the dates 0.25, 0.5 and 1.
struct Option {
  double sign, strike, barrier, rebate;
  bool up;
};

double integral(double from, double to, const std::function<double(double)>& f) {
  constexpr int intervals = 120;
  if (!(to > from)) return 0;
  double sum = 0;  // Simpson's rule
  for (int i = 0; i <= intervals; ++i)
    sum += (i == 0 || i == intervals ? 1
            : i % 2 == 1             ? 4
                                     : 2) *
           f(from + (to - from) * i / intervals);
  return sum * (to - from) / intervals / 3;
}

/// The undiscounted excess of the payoff over the rebate on paths that are not knocked out before
/// the last date, from the spot at the last but one.
double value_of_last(const Option& o, double forward, double variance) {
  const double beyond = o.up ? 1 : -1;
  const double touch = cash_digital(beyond, forward, o.barrier, variance, 1);
  double paid = black(o.sign, forward, o.strike, variance, 1);
  if (o.sign == beyond)  // it pays beyond the barrier, too
    paid -=
        black(o.sign, forward, o.barrier, variance, 1) + std::fabs(o.barrier - o.strike) * touch;
  return paid - o.rebate * (1 - touch);
}

/// The same from a date on.
double value_from(const Market& m, const Option& o, std::size_t date, double log_spot) {
  constexpr double dates[] = {0, 0.25, 0.5, 1.0};
  const double from = date == 0 ? m.passed : dates[date], to = dates[date + 1];
  const double variance = m.variance(to) - m.variance(from), sd = std::sqrt(variance);
  const double growth = m.log_discount(from) - m.log_discount(to);
  if (date == 2) return value_of_last(o, std::exp(log_spot + growth), variance);
  const double mean = log_spot + growth - 0.5 * variance, barrier = std::log(o.barrier);
  return integral(o.up ? mean - 8 * sd : barrier, o.up ? barrier : mean + 8 * sd, [&](double y) {
    const double z = (y - mean) / sd;
    return value_from(m, o, date + 1, y) * std::exp(-0.5 * z * z) /
           (sd * std::sqrt(2 * std::numbers::pi));
  });
}

double knocked_out(const Market& m, const Option& o) {
  return std::exp(m.log_discount(1) - m.log_discount(m.passed)) *
         (o.rebate + value_from(m, o, 0, std::log(m.spot)));
}
/// In or out, the option is paid once, and the rebate once.
double knocked_in(const Market& m, const Option& o) {
  const double discount = std::exp(m.log_discount(1) - m.log_discount(m.passed));
  const double variance = m.variance(1) - m.variance(m.passed);
  return black(o.sign, m.spot / discount, o.strike, variance, discount) + o.rebate * discount -
         knocked_out(m, o);
}

const std::string term_structures = R"(
[market]
rate = { times = [0.5, 1.0], values = [0.03, 0.04] }
[market.assets.A]
spot = 100.0
volatility = { times = [0.5, 1.0], values = [0.25, 0.2], kind = "forward" }
)";

std::string barrier(const std::string& id, const std::string& keys) {
  return trade_table(id, "product = \"barrier\"\nasset = \"A\"\nmaturity = 1.0\n" + keys);
}
const std::string three_dates = "monitoring = \"discrete\"\nfixings = [0.25, 0.5, 1.0]\n";

using Price = std::function<double(const Market&)>;

/// Checks first-order Greeks in the tables of several runs; their errors are at most `share` of
/// their scales.
void check_all(const std::vector<std::map<std::string, GreekValue>>& tables,
               const std::string& trade, const Price& price, double share) {
  const auto check = [&](const std::string& greek, double Market::*parameter, double h,
                         double scale) {
    const double exact = slope(
        [&](double x) {
          Market m;
          m.*parameter = x;
          return price(m);
        },
        Market().*parameter, h);
    for (const auto& table : tables) {
      check_greek(table, trade + " " + greek, exact, share * scale, 1e-4 * scale);
      CHECK(table.at(trade + " " + greek).method == "smoothed");
    }
  };
  check("delta A", &Market::spot, 1e-2, 1);
  check("vega_buckets A 0.5", &Market::early, 1e-3, 100);
  check("vega_buckets A 1", &Market::late, 1e-3, 100);
  check("rho_pillars 0.5", &Market::short_rate, 1e-3, 100);
  check("rho_pillars 1", &Market::long_rate, 1e-3, 100);
  check("theta", &Market::passed, 1e-3, 20);
}

}  // namespace

TEST_CASE("Greeks: barriers that are monitored at fixings, with term structures") {
  const std::string call = "type = \"call\"\nstrike = 95.0\nbarrier = 118.0\nrebate = 3.0\n";
  const std::string put = "type = \"put\"\nstrike = 104.0\nbarrier = 91.0\nrebate = 3.0\n";
  const std::string trades = barrier("up out", "kind = \"up_and_out\"\n" + call + three_dates) +
                             barrier("up in", "kind = \"up_and_in\"\n" + call + three_dates) +
                             barrier("down out", "kind = \"down_and_out\"\n" + put + three_dates) +
                             barrier("down in", "kind = \"down_and_in\"\n" + put + three_dates);
  const Option up{1, 95, 118, 3, true}, down{-1, 104, 91, 3, false};
  std::vector<std::map<std::string, GreekValue>> tables;
  for (const std::string options : {"", "antithetic = true\n"})
    tables.push_back(
        greeks_of(run_module_alone({.config = all_first_order + options + term_structures + trades,
                                    .threads = 2,
                                    .stop = samples(1 << 16)})));
  check_all(
      tables, "up out", [&](const Market& m) { return knocked_out(m, up); }, 0.01);
  check_all(
      tables, "up in", [&](const Market& m) { return knocked_in(m, up); }, 0.01);
  check_all(
      tables, "down out", [&](const Market& m) { return knocked_out(m, down); }, 0.01);
  check_all(
      tables, "down in", [&](const Market& m) { return knocked_in(m, down); }, 0.01);
}

}  // namespace crossings_tests
