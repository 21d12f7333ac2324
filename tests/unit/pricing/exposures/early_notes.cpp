// Exposures of structured notes and knock-out options that may be exercised early against
// integrals over the spots at their dates.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "tests/unit/pricing/exposures/exposure_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace exposures_of_early_notes {
namespace {

constexpr double rate = 0.03, sd = 0.25, spot_today = 100;

const std::string own_currency =
    "[market]\nrate = 0.03\n[market.assets.A]\nspot = 100.0\nvolatility = 0.25\n";

ModuleResult run(const std::string& exposure, const std::string& terms,
                 const std::string& market = own_currency, Index paths = 16 * 4096) {
  return run_module_alone(
      exposure_run("[exposure]\n" + exposure +
                       "regression_paths = 8192\n[[exposure.netting_sets]]\nname = \"set\"\n"
                       "[pricing.exercise]\nupper_bound = false\n" +
                       market + "[[trades]]\nid = \"a\"\n" + terms,
                   paths));
}

double discount(double years) { return std::exp(-rate * years); }
double later(double spot, double years, double z) {
  return spot * std::exp((rate - 0.5 * sd * sd) * years + sd * std::sqrt(years) * z);
}
double put(double spot, double years, double strike) {
  return black(-1, spot / discount(years), strike, sd * sd * years, discount(years));
}

/// E[f(Z)] of a standard normal Z by the midpoint rule.
double mean(const std::function<double(double)>& f, int n = 400) {
  constexpr double reach = 7;
  const double h = 2 * reach / n;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double z = -reach + (i + 0.5) * h;
    sum += f(z) * std::exp(-0.5 * z * z);
  }
  return sum * h / std::sqrt(2 * M_PI);
}

/// Checks the discounted expected positive exposure in row k.
void check_exposure(const ModuleResult& r, std::size_t k, double expected) {
  const double value = column_of(r, "exposures/discounted_positive")[k],
               error = column_of(r, "exposures/discounted_positive_error")[k];
  CAPTURE(k);
  CAPTURE(value);
  CAPTURE(error);
  CAPTURE(expected);
  CHECK(std::fabs(value - expected) < 3.5 * error + 0.002 * expected);
}

}  // namespace

TEST_CASE("exposures of a phoenix note that may be returned agree with integrals") {
  const ModuleResult r =
      run("times = [0.2, 0.5, 0.7]\nquantile = 0.8\n",
          "product = \"phoenix\"\nassets = [\"A\"]\nmaturity = 1.0\nfixings = [0.5, 1.0]\n"
          "notional = 100.0\ncoupon = 0.05\ncoupon_barrier = 0.9\ncall = [1.1]\nknock_in = 0.8\n"
          "exercise = \"bermudan\"\nexercise_dates = [0.5]\n");
  const auto repaid = [](double spot) { return spot >= 80 ? 100 : spot; };
  // What is paid at the maturity, seen `years` before it.
  const auto held = [&](double spot, double years) {
    return discount(years) * mean([&](double z) {
             const double end = later(spot, years, z);
             return (end >= 90 ? 5 : 0) + repaid(end);
           });
  };
  const auto is_held = [&](double spot) { return spot < 110 && held(spot, 0.5) > repaid(spot); };
  const double at_half =
      discount(0.5) * mean([&](double z) {
        const double spot = later(spot_today, 0.5, z);
        return (spot >= 90 ? 5 : 0) + (spot >= 110 ? 100 : std::max(held(spot, 0.5), repaid(spot)));
      });
  const double after = discount(0.5) * mean(
                                           [&](double z) {
                                             const double spot = later(spot_today, 0.5, z);
                                             return is_held(spot) ? held(spot, 0.5) : 0.0;
                                           },
                                           1500);
  check_exposure(r, 0, at_half);
  check_exposure(r, 1, at_half);
  check_exposure(r, 2, at_half);
  check_exposure(r, 3, after);
}

TEST_CASE("exposures of a Parisian put that may be exercised agree with integrals") {
  // It is knocked in by two consecutive dates at or below 100, and may then be exercised.
  const ModuleResult r =
      run("times = [0.25, 0.5, 0.6]\n",
          "product = \"parisian\"\nasset = \"A\"\ntype = \"put\"\nkind = \"down_and_in\"\n"
          "strike = 115.0\nbarrier = 100.0\nconsecutive = 2\nmaturity = 0.75\n"
          "fixings = [0.25, 0.5, 0.75]\nexercise = \"bermudan\"\nexercise_dates = [0.5]\n");
  // At 0.5, once it is knocked in; and if the date is the first one at the barrier.
  const auto one_more = [&](double spot) {
    return discount(0.25) * mean([&](double z) {
             const double end = later(spot, 0.25, z);
             return end <= 100 ? 115 - end : 0.0;
           });
  };
  // Values on a grid of spots up to the barrier.
  constexpr double least = 20, step = 0.1;
  std::vector<double> one_more_at, kept_at;
  for (double spot = least; spot < 100 + 1.5 * step; spot += step) {
    one_more_at.push_back(one_more(spot));
    kept_at.push_back(put(spot, 0.25, 115));
  }
  const auto grid = [&](const std::vector<double>& values, double spot) {
    const double at = std::max((spot - least) / step, 0.0);
    const auto i = static_cast<std::size_t>(at);
    return values[i] + (at - static_cast<double>(i)) * (values[i + 1] - values[i]);
  };
  double at_half = 0, after = 0;
  constexpr int nodes = 1000;  // of functions that jump at the barrier
  for (const bool is_held : {false, true}) {
    double& sum = is_held ? after : at_half;
    const auto given_both = [&](double first, double spot) {
      if (spot > 100) return 0.0;
      if (first > 100) return grid(one_more_at, spot);
      const double exercised = 115 - spot, kept = grid(kept_at, spot);
      if (is_held) return kept > exercised ? kept : 0.0;
      return std::max(kept, exercised);
    };
    sum = discount(0.5) *
          mean(
              [&](double y) {
                const double first = later(spot_today, 0.25, y);
                return mean([&](double z) { return given_both(first, later(first, 0.25, z)); },
                            nodes);
              },
              nodes);
  }
  check_exposure(r, 0, at_half);
  check_exposure(r, 1, at_half);
  check_exposure(r, 2, at_half);
  check_exposure(r, 3, after);
}

TEST_CASE("exposures of a knock-out put that may be exercised agree with integrals") {
  const ModuleResult r =
      run("times = [0.3, 0.5, 0.7, 1.0]\n",
          "product = \"barrier\"\nasset = \"A\"\ntype = \"put\"\nkind = \"up_and_out\"\n"
          "strike = 110.0\nbarrier = 120.0\nmonitoring = \"discrete\"\nfixings = [0.5, 1.0]\n"
          "rebate = 0.0\nmaturity = 1.0\nexercise = \"bermudan\"\nexercise_dates = [0.5]\n");
  const auto at_half = [&](bool is_held) {
    return discount(0.5) * mean(
                               [&](double z) {
                                 const double spot = later(spot_today, 0.5, z);
                                 if (spot >= 120) return 0.0;
                                 const double exercised = 110 - spot, kept = put(spot, 0.5, 110);
                                 if (is_held) return kept > exercised ? kept : 0.0;
                                 return std::max(kept, exercised);
                               },
                               4000);
  };
  check_exposure(r, 0, at_half(false));
  check_exposure(r, 1, at_half(false));
  check_exposure(r, 2, at_half(false));
  check_exposure(r, 3, at_half(true));
  check_exposure(r, 4, at_half(true));
}

TEST_CASE(
    "exposures of a Bermudan put whose payments are late: what is exercised is owed until then") {
  const std::string terms =
      "product = \"european\"\nasset = \"A\"\ntype = \"put\"\nstrike = 110.0\nmaturity = 1.0\n"
      "exercise = \"bermudan\"\nexercise_dates = [0.5]\npayment_lag = 0.1\n";
  const ModuleResult r = run("times = [0.3, 0.5, 0.55, 0.6, 0.7, 1.0, 1.05, 1.1, 1.2]\n", terms);
  const auto at_half = [&](bool is_held) {
    return discount(0.6) * mean(
                               [&](double z) {
                                 const double spot = later(spot_today, 0.5, z);
                                 const double exercised = 110 - spot, kept = put(spot, 0.5, 110);
                                 if (is_held) return kept > exercised ? kept : 0.0;
                                 return std::max(kept, exercised);
                               },
                               4000);
  };
  for (std::size_t k = 0; k <= 4; ++k) check_exposure(r, k, at_half(false));
  for (std::size_t k = 5; k <= 8; ++k) check_exposure(r, k, at_half(true));
  CHECK(column_of(r, "exposures/discounted_positive")[9] == 0);
  // Exercised today, it pays 0.1 years later.
  const ModuleResult today =
      run("times = [0.05, 0.1, 0.2]\n",
          "product = \"european\"\nasset = \"A\"\ntype = \"put\"\nstrike = 300.0\nmaturity = 1.0\n"
          "exercise = \"american\"\npayment_lag = 0.1\n");
  for (std::size_t k = 0; k <= 2; ++k)
    CHECK(column_of(today, "exposures/discounted_positive")[k] ==
          doctest::Approx(200 * discount(0.1)));
  CHECK(column_of(today, "exposures/discounted_positive")[3] == 0);
}

TEST_CASE("exposures of a script that may be exercised, with late payments, agree with integrals") {
  // A coupon that is fixed at 0.5 and paid at 0.8, whether or not the right is used then, as it is
  // wherever it exists.
  const ModuleResult r =
      run("times = [0.3, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0, 1.05, 1.1, 1.2]\n",
          "product = \"scripted\"\nassets = [\"A\"]\nmaturity = 1.0\nfixings = [0.5]\n"
          "payment_lag = 0.1\npayoff = \"\"\"\npay where(spot >= 100, 5, 0) after 0.3\n"
          "if spot < 90 { exercise 130 - spot }\nschedule maturity { pay max(110 - spot, 0) "
          "}\n\"\"\"\n");
  const auto of_right = [&](bool is_held) {
    return discount(0.6) * mean(
                               [&](double z) {
                                 const double spot = later(spot_today, 0.5, z);
                                 const bool has_right = spot < 90;
                                 if (has_right && !is_held) return 130 - spot;
                                 return has_right ? 0 : put(spot, 0.5, 110);
                               },
                               4000);
  };
  const double coupon =
      discount(0.8) *
      mean([&](double z) { return later(spot_today, 0.5, z) >= 100 ? 5.0 : 0.0; }, 4000);
  for (std::size_t k = 0; k <= 4; ++k) check_exposure(r, k, coupon + of_right(false));
  for (std::size_t k = 5; k <= 6; ++k) check_exposure(r, k, coupon + of_right(true));
  for (std::size_t k = 7; k <= 10; ++k) check_exposure(r, k, of_right(true));
  CHECK(column_of(r, "exposures/discounted_positive")[11] == 0);
  // What is paid at the maturity is owed until then, also after exercise.
  const ModuleResult kept =
      run("times = [0.5, 0.7, 1.0]\n",
          "product = \"scripted\"\nassets = [\"A\"]\nmaturity = 1.0\nfixings = [0.5]\n"
          "payment_lag = 0.01\npayoff = \"\"\"\npay 5 at maturity\nexercise 1\n"
          "schedule maturity { pay -100 }\n\"\"\"\n",
          own_currency, 8 * 4096);
  const double owed = 5 * discount(1.01);
  CHECK(column_of(kept, "exposures/discounted_positive")[1] ==
        doctest::Approx(owed + discount(0.51)).epsilon(1e-9));
  CHECK(column_of(kept, "exposures/discounted_positive")[2] == doctest::Approx(owed).epsilon(1e-9));
  CHECK(column_of(kept, "exposures/discounted_positive")[3] == doctest::Approx(owed).epsilon(1e-9));
}

TEST_CASE("exposures of a knock-in put that may be exercised agree with integrals") {
  // Less a European put, which is what is left of it once it is knocked in and not exercised.
  constexpr double strike = 115, barrier = 95;
  const ModuleResult r =
      run("times = [0.25, 0.5, 0.6]\n",
          "product = \"barrier\"\nasset = \"A\"\ntype = \"put\"\nkind = \"down_and_in\"\n"
          "strike = 115.0\nbarrier = 95.0\nmonitoring = \"discrete\"\nfixings = [0.25, 0.5, 0.75]\n"
          "maturity = 0.75\nexercise = \"bermudan\"\nexercise_dates = [0.5]\n[[trades]]\n"
          "id = \"sold\"\nproduct = \"european\"\nasset = \"A\"\ntype = \"put\"\nstrike = 115.0\n"
          "maturity = 0.75\nquantity = -1\n");
  const auto not_knocked_in = [&](double spot) {  // at 0.5
    return discount(0.25) * mean([&](double z) {
             const double end = later(spot, 0.25, z);
             return end <= barrier ? strike - end : 0.0;
           });
  };
  constexpr int nodes = 1000;
  std::vector<std::pair<double, double>> of_spot;  // kept, not knocked in; on a grid of spots
  constexpr double least = 20, step = 0.25;
  for (double spot = least; spot < 330; spot += step)
    of_spot.emplace_back(put(spot, 0.25, strike), not_knocked_in(spot));
  // What the set owes at 0.5, and after the exercise.
  const auto owed = [&](bool is_after) {
    return discount(0.5) *
           mean(
               [&](double y) {
                 const double first = later(spot_today, 0.25, y);
                 return mean(
                     [&](double z) {
                       const double spot = std::clamp(later(first, 0.25, z), least, 329.0);
                       const auto& [kept, out] =
                           of_spot[static_cast<std::size_t>((spot - least) / step + 0.5)];
                       if (first > barrier && spot > barrier) return kept - out;
                       const bool is_exercised = strike - spot > kept;
                       return is_after && is_exercised ? kept : 0.0;
                     },
                     nodes);
               },
               400);
  };
  // Before the exercise the values are less than those of the sold put less its time value.
  const auto check = [&](std::size_t k, double expected) {
    const double value = column_of(r, "exposures/discounted_negative")[k],
                 error = column_of(r, "exposures/discounted_negative_error")[k],
                 positive = column_of(r, "exposures/discounted_positive")[k];
    CAPTURE(k);
    CAPTURE(value);
    CAPTURE(error);
    CAPTURE(expected);
    CHECK(std::fabs(value - expected) < 3.5 * error + 0.01 * expected);
    if (k == 3) CHECK(positive < 0.02 * expected);
  };
  check(2, owed(false));
  check(3, owed(true));
}

TEST_CASE("exposures of windows that are monitored and may be exercised agree with integrals") {
  // A window from 0.25 to 0.5, after which a put is exercised or kept.
  constexpr double strike = 115, barrier = 85, window = 0.25;
  for (const bool knock_in : {false, true}) {
    const ModuleResult r =
        run("times = [0.1, 0.4, 0.5, 0.6]\n",
            "product = \"window_barrier\"\nasset = \"A\"\ntype = \"put\"\nkind = \"down_and_" +
                std::string(knock_in ? "in" : "out") +
                "\"\nstrike = 115.0\nbarrier = 85.0\nmonitoring = \"continuous\"\n"
                "window_start = 0.25\nwindow_end = 0.5\nmaturity = 0.75\n"
                "exercise = \"bermudan\"\nexercise_dates = [0.5]\n");
    const auto at_half = [&](bool is_held) {
      return discount(0.5) * mean([&](double y) {
               const double first = later(spot_today, 0.25, y);
               return mean(
                   [&](double z) {
                     const double spot = later(first, window, z);
                     const bool is_at_barrier = first <= barrier || spot <= barrier;
                     const double touched =
                         is_at_barrier ? 1
                                       : std::exp(-2 * std::log(first / barrier) *
                                                  std::log(spot / barrier) / (sd * sd * window));
                     const double exercised = strike - spot, kept = put(spot, 0.25, strike);
                     const double value =
                         is_held ? (kept > exercised ? kept : 0.0) : std::max(kept, exercised);
                     return (knock_in ? touched : 1 - touched) * value;
                   },
                   1000);
             });
    };
    CAPTURE(knock_in);
    for (std::size_t k = 0; k <= 3; ++k) check_exposure(r, k, at_half(false));
    check_exposure(r, 4, at_half(true));
  }
}

TEST_CASE("exposures of payments that are late, in another currency, end with the payments") {
  const std::string euros =
      "[market]\ncurrency = \"USD\"\nrate = 0.01\n[market.currencies.EUR]\nrate = 0.03\n"
      "[market.fx.EURUSD]\nspot = 1.25\nvolatility = 0.1\n[market.assets.A]\ncurrency = \"EUR\"\n"
      "spot = 100.0\nvolatility = 0.25\n[market.correlation]\nassets = [\"EURUSD\", \"A\"]\n"
      "matrix = [[1.0, 0.4], [0.4, 1.0]]\n";
  const ModuleResult european =
      run("times = [0.5, 1.0, 1.05, 1.1, 1.2]\n",
          "product = \"european\"\nasset = \"A\"\ntype = \"put\"\nstrike = 110.0\n"
          "maturity = 1.0\npayment_lag = 0.1\n",
          euros, 8 * 4096);
  for (std::size_t k = 0; k <= 4; ++k)
    check_exposure(european, k, 1.25 * discount(0.1) * put(spot_today, 1, 110));
  CHECK(column_of(european, "exposures/discounted_positive")[5] == 0);
  const ModuleResult bermudan =
      run("times = [0.5, 0.55, 0.6, 0.7, 1.05, 1.2]\n",
          "product = \"european\"\nasset = \"A\"\ntype = \"put\"\nstrike = 110.0\n"
          "maturity = 1.0\nexercise = \"bermudan\"\nexercise_dates = [0.5]\npayment_lag = 0.1\n",
          euros, 8 * 4096);
  const auto at_half = [&](bool is_held) {
    return 1.25 * discount(0.6) *
           mean(
               [&](double z) {
                 const double spot = later(spot_today, 0.5, z);
                 const double exercised = 110 - spot, kept = put(spot, 0.5, 110);
                 if (is_held) return kept > exercised ? kept : 0.0;
                 return std::max(kept, exercised);
               },
               4000);
  };
  for (std::size_t k = 0; k <= 3; ++k) check_exposure(bermudan, k, at_half(false));
  for (std::size_t k = 4; k <= 5; ++k) check_exposure(bermudan, k, at_half(true));
  CHECK(column_of(bermudan, "exposures/discounted_positive")[6] == 0);
}

}  // namespace exposures_of_early_notes
