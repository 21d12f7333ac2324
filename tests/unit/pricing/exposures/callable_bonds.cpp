// Floating-rate bonds that may be called or put, also in another currency than that of the book:
// their prices and exposures against quadratures under Hull and White's model.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace exposures_of_callable_bonds {
namespace {

constexpr double curve = 0.03, a = 0.05, sigma = 0.02;  // flat curve, speed, volatility
constexpr double spread = 0.02, sold = 1.12;            // of the bond; notional sold at its end
constexpr double end = 6, prices[] = {1.0735, 1.0385};
constexpr int exercise_dates[] = {2, 4};

double discount(double t) { return std::exp(-curve * t); }
double part(double z, double t) { return (1 - std::exp(-z * t)) / z; }

/// A bond at t that pays 1 at `maturity`, where the short rate is x above its mean without
/// volatility, f(0, t) + sigma^2 B(t)^2 / 2 (Brigo and Mercurio 2006, section 3.3).
double bond(double t, double maturity, double x) {
  const double b = part(a, maturity - t), mean = 0.5 * sigma * sigma * part(a, t) * part(a, t);
  return discount(maturity) / discount(t) *
         std::exp(-b * (x + mean) - 0.5 * sigma * sigma * part(2 * a, t) * b * b);
}

/// E[f(x(t)) | x(s) = x] under the measure of payments at t (Brigo and Mercurio, eq. 3.36
/// and 3.37).
template <class F>
double mean_after(double s, double t, double x, const F& f, int n = 160) {
  constexpr double reach = 6;
  const double h = 2 * reach / n;
  const double shift = sigma * sigma / (a * a) * (1 - std::exp(-a * (t - s))) -
                       sigma * sigma / (2 * a * a) * (1 - std::exp(-2 * a * (t - s)));
  const double centre = x * std::exp(-a * (t - s)) - shift,
               sd = sigma * std::sqrt(part(2 * a, t - s));
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double z = -reach + (i + 0.5) * h;
    sum += h * std::exp(-0.5 * z * z) * f(centre + sd * z);
  }
  return sum / std::sqrt(2 * M_PI);
}

/// Nodes of integrals over functions that jump where exercise begins.
constexpr int many = 1500;

/// A bond of notional 1 with yearly coupons of the rate and a spread.
struct Bond {
  bool is_callable;

  /// At `t`, a whole number of years, without exercise then, and after its coupon.
  double held(int t, double x) const {
    double value = 0;
    const auto next = t < exercise_dates[0] ? 0 : t < exercise_dates[1] ? 1 : 2;
    const int until = next < 2 ? exercise_dates[next] : static_cast<int>(end);
    for (int k = t; k < until; ++k)  // coupons, with the notional that the forward rates earn
      value += bond(t, k, x) - bond(t, k + 1, x) + spread * bond(t, k + 1, x);
    if (next == 2) return value + bond(t, end, x);
    return value + bond(t, until, x) *
                       mean_after(t, until, x, [&](double y) { return exercised(next, y); });
  }
  bool is_exercised(int next, double x) const {
    const double value = held(exercise_dates[next], x);
    return is_callable ? value > prices[next] : value < prices[next];
  }
  double exercised(int next, double x) const {
    const double value = held(exercise_dates[next], x);
    return is_callable ? std::min(value, prices[next]) : std::max(value, prices[next]);
  }
};

const std::string in_own_currency =
    "[market]\nrate = 0.03\n[market.rates.R]\nmean_reversion = 0.05\nvolatility = 0.02\n";
/// The rate is that of euros in a book of dollars, and correlated with the exchange rate.
const std::string in_euros = R"([market]
currency = "USD"
rate = 0.01
[market.currencies.EUR]
rate = 0.03
[market.fx.EURUSD]
spot = 1.25
volatility = 0.1
[market.rates.R]
currency = "EUR"
mean_reversion = 0.05
volatility = 0.02
[market.rates.U]
mean_reversion = 0.1
volatility = 0.01
[market.correlation]
assets = ["R", "U", "EURUSD"]
matrix = [[1.0, 0.5, -0.6], [0.5, 1.0, 0.3], [-0.6, 0.3, 1.0]]
)";

std::string config(const Bond& bond, const std::string& market = in_own_currency) {
  const std::string floating =
      "product = \"bond\"\nrate = \"R\"\nkind = \"floating\"\nspread = 0.02\nend = 6.0\n"
      "exercise = \"bermudan\"\nexercise_dates = [2.0, 4.0]\nexercise_prices = [1.0735, 1.0385]\n"
      "quantity = 1000\nexercised_by = \"" +
      std::string(bond.is_callable ? "issuer" : "holder") + "\"\n";
  return "[pricing.exercise]\nupper_bound = false\n" + market +
         "[[trades]]\nid = \"bond\"\nnetting_set = \"bond\"\n" + floating +
         "[[trades]]\nid = \"hedged\"\nnetting_set = \"hedged\"\n" + floating +
         "[[trades]]\nid = \"sold\"\nnetting_set = \"hedged\"\nproduct = \"bond\"\nrate = \"R\"\n"
         "coupon = 0.0\nend = 6.0\nquantity = -1120\n";
}

void check(const ModuleResult& r, const char* name, std::size_t row, double expected) {
  const std::string column = std::string("exposures/discounted_") + name;
  const double value = column_of(r, column)[row], error = column_of(r, column + "_error")[row];
  CAPTURE(column);
  CAPTURE(row);
  CAPTURE(value);
  CAPTURE(error);
  CAPTURE(expected);
  CHECK(std::fabs(value - expected) < 3.5 * error + 2e-4 * std::fabs(expected));
}

/// The exposures of config() against quadratures, where notionals are `quantity` in the base
/// currency.
void check_exposures(const ModuleResult& r, const Bond& b, double quantity) {
  const double today = quantity * b.held(0, 0);
  check(r, "positive", 0, today);
  // Without the coupon of a date; that of the period until 2 is fixed at 1.
  const double first = discount(1) - discount(2) + spread * discount(2);
  const double at_one = quantity * (1 - discount(1) + spread * discount(1)),
               at_two = quantity * first;
  check(r, "positive", 1, today - at_one);
  check(r, "positive", 2, today - at_one - at_two);
  const double held_from_two =
      quantity * discount(2) *
      mean_after(
          0, 2, 0, [&](double x) { return b.is_exercised(0, x) ? 0.0 : b.held(2, x); }, many);
  check(r, "positive", 3, held_from_two);
  // Less a sold bond: at 2 with its exercise, and at 2.5 given the rates at 2 and 2.5.
  const auto at_exercise = [&](double sign) {
    return quantity * discount(2) *
           mean_after(
               0, 2, 0,
               [&](double x) {
                 return std::fmax(sign * (b.exercised(0, x) - sold * bond(2, end, x)), 0.0);
               },
               many);
  };
  check(r, "positive", 5 + 2, at_exercise(1));
  check(r, "negative", 5 + 2, at_exercise(-1));
  // The value at 2.5 of what is paid from 3 on, without the coupon of 3, on a grid of rates.
  const auto from_three = [&](double x) {
    double value = bond(2.5, 3, x) - bond(2.5, 4, x) + spread * bond(2.5, 4, x);
    return value +
           bond(2.5, 4, x) * mean_after(2.5, 4, x, [&](double y) { return b.exercised(1, y); });
  };
  constexpr int nodes = 400;
  constexpr double reach = 0.3;
  std::vector<double> grid;
  for (int i = 0; i <= nodes; ++i) grid.push_back(from_three(-reach + 2 * reach * i / nodes));
  const auto at_grid = [&](double x) {
    const double at = std::clamp((x + reach) / (2 * reach), 0.0, 1.0) * nodes;
    const int i = std::min(static_cast<int>(at), nodes - 1);
    return grid[static_cast<std::size_t>(i)] +
           (at - i) * (grid[static_cast<std::size_t>(i) + 1] - grid[static_cast<std::size_t>(i)]);
  };
  const auto between = [&](double sign) {
    return quantity * discount(2) *
           mean_after(
               0, 2, 0,
               [&](double x) {
                 const double coupon = 1 / bond(2, 3, x) - 1 + spread;
                 const bool is_held = !b.is_exercised(0, x);
                 return bond(2, 2.5, x) * mean_after(2, 2.5, x, [&](double y) {
                          const double held = is_held ? coupon * bond(2.5, 3, y) + at_grid(y) : 0.0;
                          return std::fmax(sign * (held - sold * bond(2.5, end, y)), 0.0);
                        });
               },
               many);
  };
  check(r, "positive", 5 + 3, between(1));
  check(r, "negative", 5 + 3, between(-1));
}

}  // namespace

TEST_CASE("exposures of floating-rate bonds that may be called or put agree with quadratures") {
  for (const bool is_callable : {true, false}) {
    CAPTURE(is_callable);
    const Bond b{is_callable};
    check_exposures(run_module_alone(exposure_run("[exposure]\ntimes = [1.5, 2.0, 2.5, 4.0]\n"
                                                  "regression_paths = 8192\n"
                                                  "[[exposure.netting_sets]]\nname = \"bond\"\n"
                                                  "[[exposure.netting_sets]]\nname = \"hedged\"\n" +
                                                  config(b))),
                    b, 1000);
  }
}

TEST_CASE("exposures of callable and puttable bonds in another currency agree with quadratures") {
  for (const bool is_callable : {true, false}) {
    CAPTURE(is_callable);
    const Bond b{is_callable};
    // A small swap in dollars gives one of the sets the numeraire of the rate of dollars.
    const ModuleResult r = run_module_alone(exposure_run(
        "[exposure]\ntimes = [1.5, 2.0, 2.5, 4.0]\nregression_paths = 4096\n"
        "[[exposure.netting_sets]]\nname = \"bond\"\n"
        "[[exposure.netting_sets]]\nname = \"hedged\"\n" +
            config(b, in_euros) +
            "[[trades]]\nid = \"swap\"\nnetting_set = \"bond\"\nproduct = \"swap\"\nrate = \"U\"\n"
            "strike = 0.01\nend = 5.0\nquantity = 1e-6\n",
        8 * 4096));
    check_exposures(r, b, 1250);
  }
}

TEST_CASE(
    "exposures of a callable bond on a rate with two factors are the same in all currencies") {
  // Of one currency at the exchange rate of today, whatever the measure of the netting set is.
  const auto run = [](std::string market) {
    const std::string one = "mean_reversion = 0.05\nvolatility = 0.02\n";
    market.replace(market.find(one), one.size(),
                   "model = \"g2\"\na = 0.5\nsigma = 0.02\nb = 0.05\neta = 0.016\nrho = -0.6\n");
    return run_module_alone(
        exposure_run("[exposure]\ntimes = [2.5, 4.5, 5.5]\nregression_paths = 4096\n"
                     "[[exposure.netting_sets]]\nname = \"bond\"\n[[exposure.netting_sets]]\n"
                     "name = \"hedged\"\n" +
                         config(Bond{true}, market),
                     8 * 4096));
  };
  const ModuleResult own = run(in_own_currency), foreign = run(in_euros);
  for (const char* name : {"exposures/discounted_positive", "exposures/discounted_negative"}) {
    const std::string errors = std::string(name) + "_error";
    const std::vector<double> a = column_of(own, name), b = column_of(foreign, name);
    const std::vector<double> a_error = column_of(own, errors),
                              b_error = column_of(foreign, errors);
    for (std::size_t k = 0; k < a.size(); ++k) {
      CAPTURE(name);
      CAPTURE(k);
      CAPTURE(a[k]);
      CAPTURE(b[k]);
      CHECK(std::fabs(b[k] - 1.25 * a[k]) <=
            3.5 * std::hypot(b_error[k], 1.25 * a_error[k]) + 1e-9);
    }
  }
}

TEST_CASE("prices of floating-rate bonds that may be called or put agree with quadratures") {
  for (const bool is_callable : {true, false}) {
    CAPTURE(is_callable);
    std::string text = config(Bond{is_callable});
    for (const char* key : {"netting_set = \"bond\"\n", "netting_set = \"hedged\"\n"})
      for (std::size_t at; (at = text.find(key)) != std::string::npos;)
        text.erase(at, std::string(key).size());
    const ModuleResult r = run_module_alone({.config = text, .stop = samples(1 << 17)});
    const Estimate& price = r.estimates[0];
    const double expected = 1000 * Bond{is_callable}.held(0, 0);
    CAPTURE(price.mean);
    CAPTURE(price.standard_error);
    CAPTURE(expected);
    CHECK(price.standard_error < 1e-4 * expected);
    CHECK(std::fabs(price.mean - expected) < 3.5 * price.standard_error + 2e-5 * expected);
  }
}

}  // namespace exposures_of_callable_bonds
