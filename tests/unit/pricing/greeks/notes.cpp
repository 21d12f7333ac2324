// Greeks of Napoleon cliquets and phoenix notes against quadratures, and against bumps.

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/greeks/bumped_greeks.hpp"
#include "tests/unit/pricing/module_trades.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace notes_tests {
namespace {

using Table = std::map<std::string, GreekValue>;
constexpr double infinite = std::numeric_limits<double>::infinity();

double normal(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }

double integral(double from, double to, int intervals, const std::function<double(double)>& f) {
  if (!(to > from)) return 0;
  double sum = 0;  // Simpson's rule
  for (int i = 0; i <= intervals; ++i)
    sum += (i == 0 || i == intervals ? 1
            : i % 2 == 1             ? 4
                                     : 2) *
           f(from + (to - from) * i / intervals);
  return sum * (to - from) / intervals / 3;
}

/// Zero rates of half a year and of one year, linear between and flat before; up to three assets
/// with a volatility until and after half a year, whose normals have the correlation 0.5, after
/// some years have passed.
struct Market {
  double short_rate = 0.03, long_rate = 0.04, passed = 0;
  double spot[3] = {100, 100, 100};
  double early[3] = {0.25, 0.2, 0.3}, late[3] = {0.2, 0.28, 0.22};
  double log_discount(double t) const {
    const double share = std::fmin(std::fmax((t - 0.5) / 0.5, 0.0), 1.0);
    return -t * (short_rate + share * (long_rate - short_rate));
  }
  double discount(double t) const { return std::exp(log_discount(t) - log_discount(passed)); }
  double variance(int a, double t) const {
    return early[a] * early[a] * std::fmin(t, 0.5) + late[a] * late[a] * std::fmax(t - 0.5, 0.0);
  }
};
constexpr const char* names[] = {"A", "B", "C"};

/// The change of a log-spot until t, from `from` on.
struct Change {
  double mean, sd;
  Change(const Market& m, int a, double from, double t) {
    const double variance = m.variance(a, t) - m.variance(a, from);
    mean = m.log_discount(from) - m.log_discount(t) - 0.5 * variance;
    sd = std::sqrt(variance);
  }
};

const std::string market = R"(
[market]
rate = { times = [0.5, 1.0], values = [0.03, 0.04] }
[market.assets.A]
spot = 100.0
volatility = { times = [0.5, 1.0], values = [0.25, 0.2], kind = "forward" }
[market.assets.B]
spot = 100.0
volatility = { times = [0.5, 1.0], values = [0.2, 0.28], kind = "forward" }
[market.assets.C]
spot = 100.0
volatility = { times = [0.5, 1.0], values = [0.3, 0.22], kind = "forward" }
[market.correlation]
assets = ["A", "B", "C"]
matrix = [[1.0, 0.5, 0.5], [0.5, 1.0, 0.5], [0.5, 0.5, 1.0]]
)";

Table greeks(const std::string& options, const std::string& trades, int count) {
  return greeks_of(run_module_alone({.config = all_first_order + options + market + trades,
                                     .threads = 2,
                                     .stop = samples(count)}));
}

using Price = std::function<double(const Market&)>;

/// Checks the Greeks of a trade on the first `assets` assets; errors are at most `share` of scales.
void check_all(const Table& table, const std::string& trade, const std::string& method, int assets,
               const Price& price, double share) {
  const auto check = [&](const std::string& greek, double h, double scale, const auto& parameter) {
    Market m;
    double& x = parameter(m);
    const double value = x;
    x = value + h;
    const double above = price(m);
    x = value - h;
    const double exact = (above - price(m)) / (2 * h);
    check_greek(table, trade + " " + greek, exact, share * scale, 1e-5 * scale);
    CHECK(table.at(trade + " " + greek).method == method);
  };
  for (int a = 0; a < assets; ++a) {
    const std::string name = names[a];
    if (method == "smoothed")
      check("delta " + name, 0.1, 0.02, [=](Market& m) -> double& { return m.spot[a]; });
    check("vega_buckets " + name + " 0.5", 1e-3, 1,
          [=](Market& m) -> double& { return m.early[a]; });
    check("vega_buckets " + name + " 1", 1e-3, 1, [=](Market& m) -> double& { return m.late[a]; });
  }
  check("rho_pillars 0.5", 1e-3, 1, [](Market& m) -> double& { return m.short_rate; });
  check("rho_pillars 1", 1e-3, 1, [](Market& m) -> double& { return m.long_rate; });
  check("theta", 1e-3, 0.2, [](Market& m) -> double& { return m.passed; });
}

/// A Napoleon with the periods between these dates, and coupons of two periods each.
double napoleon(const Market& m, const std::vector<double>& dates, double coupon, double floor) {
  double value = 0;
  for (std::size_t first = 0; first + 2 < dates.size(); first += 2) {
    const auto exceeds = [&](double x) {
      double probability = 1;
      for (std::size_t k = first; k < first + 2; ++k) {
        const Change r(m, 0, std::fmax(dates[k], m.passed), dates[k + 1]);
        probability *= normal((r.mean - std::log(1 + x)) / r.sd);
      }
      return probability;
    };
    value += m.discount(dates[first + 2]) * (floor + integral(floor - coupon, 1.0, 400, exceeds));
  }
  return value;
}

/// A phoenix note on the first `assets` assets with the dates `date` and 1, which a performance of
/// `call` ends at the first one. With several assets `date` is 0.5, so that the normals of each
/// interval have the correlation of the market.
struct Phoenix {
  int assets;
  double date, coupon, barrier, call, knock_in;
  bool memory;

  double price(const Market& m) const {
    double sum = 0;  // over the common normals of both intervals, by the trapezoidal rule
    constexpr double step = 0.7;
    for (double z = -7 * step; z < 5 && assets > 1; z += step)
      for (double y = -7 * step; y < 5; y += step)
        sum += step * step * density(z) * density(y) * given(m, z, y);
    return assets > 1 ? sum : given(m, 0, 0);
  }

 private:
  /// The price given these normals.
  double given(const Market& m, double z, double y) const {
    // The probability that the worst performances are at least a and b at the two dates.
    const auto both = [&](double a, double b) -> double {
      double product = 1;
      for (int i = 0; i < assets; ++i) {
        const double common = assets > 1 ? std::sqrt(0.5) : 0, own = std::sqrt(1 - common * common);
        const Change first(m, i, m.passed, date), second(m, i, date, 1);
        const double start = std::log(m.spot[i] / 100);
        const double from =
            a > 0 ? (std::log(a) - start - first.mean - common * first.sd * z) / (own * first.sd)
                  : -6;
        product *= integral(std::fmax(from, -6.0), 6, 40, [&](double e) {
          const double x = start + first.mean + first.sd * (common * z + own * e);
          const double d =
              b > 0 ? (x + second.mean + common * second.sd * y - std::log(b)) / (own * second.sd)
                    : infinite;
          return density(e) * normal(d);
        });
      }
      return product;
    };
    const auto alive = [&](double b) { return both(0, b) - both(call, b); };
    const double paid = both(barrier, 0), called = both(call, 0), lives = 1 - called;
    double coupons = alive(barrier);
    if (memory) coupons += both(0, barrier) - both(barrier, barrier);
    const double lowest = std::fmin(knock_in, 1.0);
    const double loss = integral(0, lowest, 10, [&](double b) { return lives - alive(b); }) +
                        (1 - lowest) * (lives - alive(lowest));
    return m.discount(date) * (coupon * paid + called) +
           m.discount(1) * (coupon * coupons + lives - loss);
  }
};

std::string phoenix(const std::string& id, const std::string& assets, const std::string& keys) {
  return trade_table(id,
                     "product = \"phoenix\"\nassets = [" + assets + "]\nmaturity = 1.0\n" + keys);
}

}  // namespace

TEST_CASE("Greeks: Napoleon cliquets") {
  const std::string keys =
      "product = \"napoleon\"\nasset = \"A\"\nmaturity = 1.0\ncoupon = 0.12\n"
      "floor = 0.02\nperiods_per_coupon = 2\n";
  const std::string trades =
      trade_table("later", keys + "fixings = [0.1, 0.25, 0.5, 0.75, 1.0]\n") +
      trade_table("today", keys + "fixings = [0.0, 0.25, 0.5, 0.75, 1.0]\n");
  const Table table = greeks("", trades, 1 << 15);
  check_all(
      table, "later", "adjoint", 1,
      [](const Market& m) {
        return napoleon(m, {0.1, 0.25, 0.5, 0.75, 1}, 0.12, 0.02);
      },
      0.01);
  check_all(
      table, "today", "adjoint", 1,
      [](const Market& m) {
        return napoleon(m, {0, 0.25, 0.5, 0.75, 1}, 0.12, 0.02);
      },
      0.01);
  for (const char* id : {"later", "today"})  // returns do not depend on the spot
    CHECK(std::fabs(table.at(std::string(id) + " delta A").value) < 1e-12);
}

TEST_CASE("Greeks: phoenix notes on one asset and on several") {
  const auto terms = [](double date, double barrier, double knock_in, bool memory) {
    return "coupon = 0.05\ncall = [1.04]\nfixings = [" + std::to_string(date) +
           ", 1.0]\ncoupon_barrier = " + std::to_string(barrier) +
           "\nknock_in = " + std::to_string(knock_in) +
           "\nmemory = " + (memory ? "true" : "false") + "\n";
  };
  const std::string three = "\"A\", \"B\", \"C\"";
  const std::string trades = phoenix("one", "\"A\"", terms(0.25, 0.9, 0.8, true)) +
                             phoenix("equal levels", "\"A\"", terms(0.25, 1.04, 1.04, false)) +
                             phoenix("three", three, terms(0.5, 0.85, 0.75, true));
  const Table table = greeks("", trades, 1 << 16);
  const auto check = [&](const std::string& id, const Phoenix& note) {
    check_all(
        table, id, "smoothed", note.assets, [&](const Market& m) { return note.price(m); }, 0.02);
  };
  check("one", {1, 0.25, 0.05, 0.9, 1.04, 0.8, true});
  check("equal levels", {1, 0.25, 0.05, 1.04, 1.04, 1.04, false});
  check("three", {3, 0.5, 0.05, 0.85, 1.04, 0.75, true});
}

TEST_CASE("Greeks: notes with a fixing today") {
  const gsim::test::ScratchFolder folder;
  const std::string path = folder / "fixings.csv";
  std::ofstream(path) << "asset,date,value\nA,-0.25,98\n";
  std::string rest = market;
  rest.insert(rest.find("[market.assets.A]"), "fixings_file = \"" + path + "\"\n");
  const std::string keys = "maturity = 1.0\npayment_lag = 0.2\nfixings = [-0.25, 0.0, 0.5, 1.0]\n";
  const std::string of_napoleon = keys + "product = \"napoleon\"\nasset = \"A\"\ncoupon = 0.2\n";
  rest += trade_table("phoenix", keys +
                                     "product = \"phoenix\"\nassets = [\"A\"]\ncoupon = 0.3\n"
                                     "coupon_barrier = 0.0\ncall = [inf]\nknock_in = 1.0\n");
  rest += trade_table("paid today", of_napoleon + "periods_per_coupon = 1\n");
  rest += trade_table("goes on", of_napoleon);
  const Table table = greeks_with("", rest);
  for (const auto& [name, bump] : greeks_with("greeks_method = \"bump\"\n" + small_bumps, rest)) {
    CAPTURE(name);
    CHECK(table.at(name).value == doctest::Approx(bump.value).epsilon(5e-3).scale(0.1));
  }
  // With the part D(0.2) of a return until today, paid after 0.2 years.
  CHECK(table.at("paid today delta A").value ==
        doctest::Approx(std::exp(-0.2 * 0.03) / 98).epsilon(1e-6));
}

}  // namespace notes_tests
