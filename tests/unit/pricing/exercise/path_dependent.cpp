// Early exercise of payoffs that depend on the path, of scripts and of plugins, against recursions.

#include <cmath>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "tests/unit/pricing/copied_parts.hpp"
#include "tests/unit/pricing/exercise/bounds.hpp"
#include "tests/unit/pricing/exercise/recursions.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

constexpr double no_right = -std::numeric_limits<double>::infinity();
const Lognormal quarterly{.spot = 100, .rate = 0.05, .dividend = 0.02, .volatility = 0.25};

const std::string quarterly_market = R"(
[market]
rate = 0.05
[market.assets.A]
spot = 100
dividend = 0.02
volatility = 0.25
)";

/// A trade on the asset for a year, with four periods.
std::string trade(const std::string& id, const std::string& keys) {
  return "[[trades]]\nid = \"" + id + "\"\nasset = \"A\"\nmaturity = 1\n" + keys;
}

std::string script(const std::string& id, const std::string& text, const std::string& keys = "") {
  return "[[trades]]\nid = \"" + id +
         "\"\nproduct = \"scripted\"\nassets = [\"A\"]\nmaturity = 1\nfixing_count = 4\n" + keys +
         "payoff = \"\"\"\n" + text + "\"\"\"\n";
}

ModuleResult priced(const std::string& trades, const std::string& options = "") {
  return run_module_alone(
      {.config = options + quarterly_market + trades, .stop = samples(1 << 16)});
}

const std::string barrier_keys =
    "product = \"barrier\"\ntype = \"put\"\nstrike = 105\nbarrier = 85\nmonitoring = "
    "\"discrete\"\nfixing_count = 4\nexercise = \"american\"\nrebate = 4\n";

/// The put with strike 105 and barrier 85 of `barrier_keys`.
SpotContract barrier_put(bool knock_in, bool at_hit) {
  const auto on = [=](int period, int state, double spot) -> SpotContract::Event {
    const bool is_last = period == 4, touched = state == 1 || spot <= 85;
    const double option = std::fmax(105 - spot, 0.0);
    const double rebate = 4 * (at_hit ? 1 : std::exp(-0.05 * 0.25 * (4 - period)));
    if (!knock_in && touched) return {1, rebate, false, no_right};
    if (is_last) return {0, knock_in && !touched ? 4.0 : option, true, no_right};
    return {touched ? 1 : 0, 0, true, knock_in && !touched ? no_right : option};
  };
  return {on, 2, 4, 85};
}

}  // namespace

TEST_CASE("early exercise of cliquets, of which exercise may cost, by a recursion over the sum") {
  const auto clip = [](double x, double low, double high) {
    return std::fmin(std::fmax(x, low), high);
  };
  SumContract cliquet;
  cliquet.term = [&](double x) { return 1000 * clip(std::exp(x) - 1, -0.08, 0.08); };
  cliquet.pays = [&](int, double sum) { return clip(sum, -250, 140); };
  cliquet.low = -320;
  cliquet.high = 320;
  const std::string keys =
      "product = \"cliquet\"\ntype = \"call\"\nlocal_floor = -0.08\nlocal_cap = 0.08\n"
      "global_floor = -0.25\nglobal_cap = 0.14\nfixing_count = 4\nquantity = 1000\n";
  const ModuleResult result =
      priced(trade("american", keys + "exercise = \"american\"\n") +
             trade("late", keys + "exercise = \"bermudan\"\nexercise_dates = [0.75]\n"));
  check_bounds(bounds_of(result, 0), value_of_sum(cliquet, quarterly), 0.3);
  cliquet.first_exercise = 3;
  check_bounds(bounds_of(result, 1), value_of_sum(cliquet, quarterly), 0.3);
}

TEST_CASE("early exercise of variance swaps, by a recursion over the sum") {
  // The realised variance of k periods is 4 / k times the sum of squared returns.
  SumContract swap;
  swap.term = [](double x) { return x * x; };
  swap.pays = [](int k, double sum) { return 1000 * (4.0 / k * sum - 0.06); };
  swap.low = 0;
  swap.high = 0.5;
  const std::string keys =
      "product = \"variance_swap\"\nstrike = 0.06\nfixing_count = 4\nquantity = 1000\n";
  const ModuleResult result =
      priced(trade("american", keys + "exercise = \"american\"\n") +
             trade("bermudan", keys + "exercise = \"bermudan\"\nexercise_dates = [0.5, 0.75]\n"));
  check_bounds(bounds_of(result, 0), value_of_sum(swap, quarterly), 0.5);
  swap.first_exercise = 2;
  check_bounds(bounds_of(result, 1), value_of_sum(swap, quarterly), 0.5);
}

TEST_CASE("early exercise of a forward, of which exercise may cost") {
  const SpotContract forward{[](int period, int, double spot) -> SpotContract::Event {
                               const double pays = spot - 110;
                               return {0, period == 4 ? pays : 0, true, pays};
                             },
                             1, 4, 0};
  // A forward that pays less than nothing later, too, is exercised at a loss where it is expected
  // to fall: here the yield exceeds the rate.
  Lognormal falling = quarterly;
  falling.dividend = 0.15;
  const std::string text =
      "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100\ndividend = 0.15\nvolatility = 0.25\n" +
      trade("forward",
            "product = \"forward\"\nstrike = 110\nexercise = \"bermudan\"\nexercise_count = 4\n");
  const Bounds b = bounds_of(run_module_alone({.config = text, .stop = samples(1 << 16)}));
  const double reference = value_of_spot(forward, falling);
  CHECK(reference < 0);
  check_bounds(b, reference, 0.02);
}

TEST_CASE("early exercise of barrier options with a rebate, by a recursion over the spot") {
  const auto kind = [](const char* word, const char* paid = "at_expiry") {
    return barrier_keys + "kind = \"" + word + "\"\n" +
           (std::string(word) == "down_and_out" ? "rebate_paid = \"" + std::string(paid) + "\"\n"
                                                : "");
  };
  const std::string window =
      "product = \"window_barrier\"\ntype = \"put\"\nstrike = 105\nbarrier = 85\n"
      "fixing_count = 4\nexercise = \"american\"\nrebate = 4\n";
  const ModuleResult result = priced(
      trade("hit", kind("down_and_out", "at_hit")) + trade("expiry", kind("down_and_out")) +
      trade("in", kind("down_and_in")) + trade("window out", window + "kind = \"down_and_out\"\n") +
      trade("window in", window + "kind = \"down_and_in\"\n"));
  const double out = value_of_spot(barrier_put(false, false), quarterly);
  const double in = value_of_spot(barrier_put(true, false), quarterly);
  check_bounds(bounds_of(result, 0), value_of_spot(barrier_put(false, true), quarterly), 0.03);
  check_bounds(bounds_of(result, 1), out, 0.03);
  check_bounds(bounds_of(result, 2), in, 0.03);
  check_bounds(bounds_of(result, 3), out, 0.03);
  check_bounds(bounds_of(result, 4), in, 0.03);
}

TEST_CASE("early exercise of Parisian options and phoenix notes, by a recursion over the spot") {
  const auto parisian_on = [](int period, int state, double spot) -> SpotContract::Event {
    const int run = state == 2 ? 2 : spot <= 92 ? state + 1 : 0;
    const double option = std::fmax(105 - spot, 0.0);
    if (period == 4) return {run, run == 2 ? option : 0, true, no_right};
    return {run, 0, true, run == 2 ? option : no_right};
  };
  const auto phoenix_on = [](int period, int, double spot) -> SpotContract::Event {
    const double coupon = spot >= 92 ? 4 : 0;
    const double redemption = spot >= 92 ? 100 : spot;
    if (spot >= 108) return {0, coupon + 100, false, no_right};
    if (period == 4) return {0, coupon + redemption, true, no_right};
    return {0, coupon, true, redemption};
  };
  const ModuleResult result = priced(
      trade("parisian",
            "product = \"parisian\"\ntype = \"put\"\nstrike = 105\nkind = \"down_and_in\"\n"
            "barrier = 92\nconsecutive = 2\nfixing_count = 4\nexercise = \"american\"\n") +
      "[[trades]]\nid = \"phoenix\"\nassets = [\"A\"]\nmaturity = 1\nproduct = \"phoenix\"\n"
      "notional = 100\ncoupon = 0.04\ncoupon_barrier = 0.92\ncall = [1.08]\nknock_in = 0.92\n"
      "fixing_count = 4\nexercise = \"bermudan\"\nexercise_dates = [0.25, 0.5, 0.75]\n");
  check_bounds(bounds_of(result, 0), value_of_spot({parisian_on, 3, 4, 92}, quarterly), 0.03);
  check_bounds(bounds_of(result, 1), value_of_spot({phoenix_on, 1, 4, 92}, quarterly), 0.05);
}

TEST_CASE("early exercise of a Napoleon, which keeps the coupons paid before") {
  // Two coupons of two periods; the floor makes the second one cost, so that the right is worth
  // something: after the first one it is kept if its expected value is positive.
  const NormalRule rule(4000);
  double coupon = 0;  // expected, of two independent returns
  std::vector<double> returns;
  for (const double z : rule.z)
    returns.push_back(std::exp(quarterly.drift() + quarterly.sd() * z) - 1);
  double above = 1;  // probability that a return is at least this one
  for (std::size_t i = 0; i < returns.size(); ++i) {
    const double next = above - rule.weight[i];
    coupon += (above * above - next * next) * std::fmax(0.05 + returns[i], -0.2);
    above = next;
  }
  const double half = std::exp(-0.05 * 0.5), first = half * 100 * coupon;
  CHECK(coupon < 0);
  const ModuleResult result =
      priced(trade("napoleon",
                   "product = \"napoleon\"\nnotional = 100\ncoupon = 0.05\nfloor = -0.2\n"
                   "periods_per_coupon = 2\nfixing_count = 4\nexercise = \"bermudan\"\n"
                   "exercise_dates = [0.5]\n"));
  // The return that is known at 0.25 decides nothing at 0.5.
  check_bounds(bounds_of(result), first, 0.02);
}

TEST_CASE("the statement exercise, with conditions, coupons and payments after the date") {
  // The right exists only below 100, and pays a quarter of a year later.
  const auto lagged = [](int period, int, double spot) -> SpotContract::Event {
    const double lag = std::exp(-0.05 * 0.25), pays = lag * std::fmax(105 - spot, 0.0);
    if (period == 4) return {0, spot < 100 ? pays : 0, true, no_right};
    return {0, 0, true, spot < 100 ? pays : no_right};
  };
  // A bond with coupons that the holder may sell for 101 and, on the last date, for 99.
  const auto puttable = [](int period, int, double spot) -> SpotContract::Event {
    const double coupon = spot >= 95 ? 2.5 : 0;
    if (period == 4) return {0, coupon + std::fmax(99, spot < 80 ? spot : 100), true, no_right};
    return {0, coupon, true, 101};
  };
  const ModuleResult result = priced(
      script("lagged", "if spot < 100 { exercise max(105 - spot, 0) }\n", "payment_lag = 0.25\n") +
      script("puttable",
             "pay where(spot >= 95, 2.5, 0)\nexercise where(last, 99, 101)\n"
             "schedule maturity { pay where(spot < 80, spot, 100) }\n"));
  check_bounds(bounds_of(result, 0), value_of_spot({lagged, 1, 4, 100}, quarterly), 0.05);
  check_bounds(bounds_of(result, 1), value_of_spot({puttable, 1, 4, 95}, quarterly), 0.05);
  CHECK(result.report.rows.at(0).at(1) == "Bermudan scripted");
}

TEST_CASE("a script and a built-in product with the same rights have the same value") {
  const ModuleResult result = priced(
      trade("asian",
            "product = \"asian\"\ntype = \"call\"\nstrike = 98\nfixing_count = 4\n"
            "exercise = \"american\"\n") +
      script("script",
             "state total = 0\ntotal = total + spot\nexercise max(total / index - 98, 0)\n"));
  const Bounds asian = bounds_of(result, 0), scripted = bounds_of(result, 1);
  CHECK(std::fabs(asian.low - scripted.low) <=
        4 * std::hypot(asian.low_error, scripted.low_error) + 0.02);
  CHECK(asian.low <= scripted.high + 4 * std::hypot(asian.low_error, scripted.high_error));
  CHECK(scripted.low <= asian.high + 4 * std::hypot(scripted.low_error, asian.high_error));
}

TEST_CASE("a plugin's payoff is exercised as the built-in one") {
  const SpotContract call{[](int period, int, double spot) -> SpotContract::Event {
                            const double pays = std::fmax(spot - 95, 0.0);
                            return {0, period == 4 ? pays : 0, true, pays};
                          },
                          1, 4, 0};
  Lognormal paying = quarterly;
  paying.dividend = 0.12;
  const std::string text =
      "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100\ndividend = 0.12\nvolatility = 0.25\n";
  const std::string rights = "strike = 95\nexercise = \"bermudan\"\nexercise_count = 4\n";
  const std::string trades =
      trade("own", "product = \"european\"\ntype = \"call\"\n" + rights) +
      trade("plugin", "product = \"european_copy\"\n" + rights) +
      trade("now", "product = \"european_copy\"\nstrike = 40\nexercise = \"american\"\n");
  const ModuleResult result = run_module_alone(
      {.config = text + trades, .stop = samples(1 << 16), .payoffs = {&european_copy}});
  const double reference = value_of_spot(call, paying);
  check_bounds(bounds_of(result, 0), reference, 0.02);
  check_bounds(bounds_of(result, 1), reference, 0.03);
  const Bounds now = bounds_of(result, 2);  // exercised today
  CHECK(now.low == doctest::Approx(60).epsilon(1e-14));
  CHECK(now.low_error == 0);
}
