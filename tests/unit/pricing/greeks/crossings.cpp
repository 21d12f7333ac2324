// Greeks of barriers that are monitored at fixings, of windows and of Parisian options against a
// quadrature from date to date.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/pricing/greeks/adjoint/reverse_sweep.hpp"
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
/// year with constant forward rates until and after 0.5, after some years have passed.
struct Market {
  double spot = 100, early = 0.25, late = 0.2, short_rate = 0.03, long_rate = 0.04, passed = 0;
  double log_discount(double t) const {
    const double late_rate = (long_rate - 0.5 * short_rate) / 0.5;
    return -short_rate * std::min(t, 0.5) - late_rate * std::max(t - 0.5, 0.0);
  }
  double variance(double t) const {
    return early * early * std::min(t, 0.5) + late * late * std::max(t - 0.5, 0.0);
  }
};

/// A call or put of strike K and maturity 1 that is knocked out by a number of consecutive dates
/// beyond B, of which `run` may come before the first.
struct Option {
  double sign, strike, barrier, rebate;
  bool up;
  std::vector<double> dates = {0.25, 0.5, 1.0};
  std::size_t consecutive = 1, run = 0;
  bool is_monitored_at_maturity() const { return dates.back() == 1; }
};

/// The undiscounted excess of the payoff over the rebate on paths that are not knocked out before
/// the maturity, from the spot at the date before it; `is_at_risk`: nor at the maturity.
double value_of_last(const Option& o, double forward, double variance, bool is_at_risk) {
  double paid = black(o.sign, forward, o.strike, variance, 1);
  if (!is_at_risk) return paid - o.rebate;
  const double beyond = o.up ? 1 : -1;
  const double touch = cash_digital(beyond, forward, o.barrier, variance, 1);
  if (o.sign == beyond)  // it pays beyond the barrier, too
    paid -=
        black(o.sign, forward, o.barrier, variance, 1) + std::fabs(o.barrier - o.strike) * touch;
  return paid - o.rebate * (1 - touch);
}

/// The same from each date on, for log-spots at equal distances around that of the barrier and each
/// number of consecutive dates beyond it, by Simpson's rule from date to date.
class Quadrature {
 public:
  Quadrature(const Market& market, const Option& option) : m_(market), o_(option) {
    times_ = o_.dates;
    times_.insert(times_.begin(), m_.passed);
    if (!o_.is_monitored_at_maturity()) times_.push_back(1);
  }
  double value() {
    for (std::size_t date = times_.size() - 2; date > 0; --date) {
      Values now(o_.consecutive);
      for (std::size_t run = 0; run < now.size(); ++run)
        for (int j = -nodes; j <= nodes; ++j)
          now[run].push_back(value_from(date, run, std::log(o_.barrier) + j * distance));
      next_ = now;
    }
    return value_from(0, o_.run, std::log(m_.spot));
  }

 private:
  static constexpr int nodes = 100;  ///< on either side
  static constexpr double distance = 0.016;
  using Values = std::vector<std::vector<double>>;  ///< [run][node]

  double value_from(std::size_t date, std::size_t run, double log_spot) const {
    const double from = times_[date], to = times_[date + 1];
    const double variance = m_.variance(to) - m_.variance(from), sd = std::sqrt(variance);
    const double growth = m_.log_discount(from) - m_.log_discount(to);
    if (date + 2 == times_.size()) {
      const bool is_at_risk = o_.is_monitored_at_maturity() && run + 1 == o_.consecutive;
      return value_of_last(o_, std::exp(log_spot + growth), variance, is_at_risk);
    }
    const double mean = log_spot + growth - 0.5 * variance - std::log(o_.barrier);
    double sum = 0;
    for (const int side : {1, -1}) {
      const std::size_t after = (side > 0) == o_.up ? run + 1 : 0;
      if (after == o_.consecutive) continue;  // knocked out
      for (int i = 0; i <= nodes; ++i) {
        const double z = (side * i * distance - mean) / sd;
        const double weight = i == 0 || i == nodes ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * next_[after][static_cast<std::size_t>(nodes + side * i)] *
               std::exp(-0.5 * z * z);
      }
    }
    return sum * distance / 3 / (sd * std::sqrt(2 * std::numbers::pi));
  }

  const Market& m_;
  const Option& o_;
  std::vector<double> times_;  ///< today, the dates and the maturity
  Values next_;                ///< from the next date on
};

double knocked_out(const Market& m, const Option& o) {
  return std::exp(m.log_discount(1) - m.log_discount(m.passed)) *
         (o.rebate + Quadrature(m, o).value());
}
double vanilla(const Market& m, const Option& o) {
  const double discount = std::exp(m.log_discount(1) - m.log_discount(m.passed));
  const double variance = m.variance(1) - m.variance(m.passed);
  return black(o.sign, m.spot / discount, o.strike, variance, discount);
}
/// In or out, the option is paid once, and the rebate once.
double knocked_in(const Market& m, const Option& o) {
  const double discount = std::exp(m.log_discount(1) - m.log_discount(m.passed));
  return vanilla(m, o) + o.rebate * discount - knocked_out(m, o);
}

const std::string term_structures = R"(
[market]
rate = { times = [0.5, 1.0], values = [0.03, 0.04] }
[market.assets.A]
spot = 100.0
volatility = { times = [0.5, 1.0], values = [0.25, 0.2], kind = "forward" }
)";

std::string barrier(const std::string& id, const std::string& keys) {
  return trade_table(id, "asset = \"A\"\nmaturity = 1.0\n" + keys);
}
const std::string three_dates =
    "product = \"barrier\"\nmonitoring = \"discrete\"\nfixings = [0.25, 0.5, 1.0]\n";

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
  const std::string up_out = "kind = \"up_and_out\"\n" + call;
  const std::string up_in = "kind = \"up_and_in\"\n" + call;
  const std::string down_out = "kind = \"down_and_out\"\n" + put;
  const std::string down_in = "kind = \"down_and_in\"\n" + put;
  const std::string window = "product = \"window_barrier\"\nfixings = [0.25, 0.5]\n";
  const std::string near =  // the spot is beyond the barrier at the first date, today
      "kind = \"up_and_out\"\ntype = \"call\"\nstrike = 95.0\nbarrier = 97.0\nrebate = 3.0\n"
      "product = \"parisian\"\nconsecutive = 3\nconsecutive_before = 1\n"
      "fixings = [0.0, 0.25, 0.5, 0.75, 1.0]\n";
  const std::string two_of_three =
      "product = \"parisian\"\nconsecutive = 2\nfixings = [0.25, 0.5, 0.75]\n";
  const std::string trades =
      barrier("up out", up_out + three_dates) + barrier("up in", up_in + three_dates) +
      barrier("down out", down_out + three_dates) + barrier("down in", down_in + three_dates) +
      barrier("window out", up_out + window) + barrier("window in", down_in + window) +
      barrier("three", near) + barrier("two", down_in + two_of_three) +
      barrier("vanilla", up_in + two_of_three + "touched = true\n");
  const Option up{1, 95, 118, 3, true}, down{-1, 104, 91, 3, false};
  const Option up_window{1, 95, 118, 3, true, {0.25, 0.5}};
  const Option down_window{-1, 104, 91, 3, false, {0.25, 0.5}};
  const Option three{1, 95, 97, 3, true, {0.25, 0.5, 0.75, 1.0}, 3, 2};
  const Option two{-1, 104, 91, 3, false, {0.25, 0.5, 0.75}, 2};
  std::vector<std::map<std::string, GreekValue>> tables;
  for (const std::string options : {"", "antithetic = true\n"})
    tables.push_back(
        greeks_of(run_module_alone({.config = all_first_order + options + term_structures + trades,
                                    .threads = 2,
                                    .stop = samples(1 << 16)})));
  const auto check = [&](const std::string& trade, const Price& price) {
    check_all(tables, trade, price, 0.01);
  };
  check("up out", [&](const Market& m) { return knocked_out(m, up); });
  check("up in", [&](const Market& m) { return knocked_in(m, up); });
  check("down out", [&](const Market& m) { return knocked_out(m, down); });
  check("down in", [&](const Market& m) { return knocked_in(m, down); });
  check("window out", [&](const Market& m) { return knocked_out(m, up_window); });
  check("window in", [&](const Market& m) { return knocked_in(m, down_window); });
  check("three", [&](const Market& m) { return knocked_out(m, three); });
  check("two", [&](const Market& m) { return knocked_in(m, two); });
  check("vanilla", [&](const Market& m) { return vanilla(m, up); });
}

TEST_CASE("Greeks: densities at barriers many standard deviations away, in both arithmetics") {
  for (const double z : {0.0, -1.0, 5.0, 37.0, 38.0, -40.0, 1e3, 1e155}) {
    CAPTURE(z);
    const double exact = std::exp(-0.5 * z * z);
    for (const double bell :
         {pricing_kernels::normal_bell<Strict>(z), pricing_kernels::normal_bell<Fast>(z)}) {
      CAPTURE(bell);
      CHECK(std::fabs(bell - exact) <= 1e-10 * exact + 1e-299);
    }
  }
}

}  // namespace crossings_tests
