// Early exercise of options that pay some time after exercise.

#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "tests/unit/pricing/exercise/bounds.hpp"
#include "tests/unit/pricing/exercise/recursions.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

TEST_CASE("with a constant rate a lag discounts every payment by the same factor") {
  const auto put = [](const std::string& id, const std::string& keys) {
    return "[[trades]]\nid = \"" + id +
           "\"\nasset = \"A\"\ntype = \"put\"\nstrike = 105\nmaturity = 1\n"
           "exercise = \"american\"\n" +
           keys;
  };
  const std::string european = "product = \"european\"\n";
  const std::string barrier =
      "product = \"barrier\"\nkind = \"down_and_out\"\nbarrier = 80\nmonitoring = \"discrete\"\n"
      "fixing_count = 4\n";
  const ModuleResult result = run_module_alone(
      {.config = "[pricing.exercise]\ndates_per_year = 4\npaths = 8192\n[market]\nrate = 0.05\n"
                 "[market.assets.A]\nspot = 100\nvolatility = 0.25\n" +
                 put("put", european) + put("late put", european + "payment_lag = 0.5\n") +
                 put("barrier", barrier) + put("late barrier", barrier + "payment_lag = 0.5\n"),
       .stop = samples(16384)});
  for (const std::size_t trade : {0, 2}) {
    const Bounds now = bounds_of(result, trade), late = bounds_of(result, trade + 1);
    CHECK(late.low == doctest::Approx(std::exp(-0.025) * now.low).epsilon(1e-12));
    CHECK(late.high == doctest::Approx(std::exp(-0.025) * now.high).epsilon(1e-12));
  }
}

TEST_CASE("a lag into years with a higher rate, by an integral over the spot at exercise") {
  // Forward rates of 2 % until one year and of 14 % then; exercise after a half year or a year,
  // paid 0.75 years later.
  constexpr double strike = 100, volatility = 0.3, spot = 95, lag = 0.75;
  const auto discount = [](double t) {
    return std::exp(-0.02 * std::fmin(t, 1.0) - 0.14 * std::fmax(t - 1, 0.0));
  };
  const auto normal = [](double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); };
  const NormalRule rule(4000);
  double reference = 0;
  for (std::size_t i = 0; i < rule.z.size(); ++i) {
    const double sd = volatility * std::sqrt(0.5);
    const double s = spot / discount(0.5) * std::exp(sd * rule.z[i] - 0.5 * sd * sd);
    const double forward = s * discount(0.5) / discount(1.0);
    const double d = (std::log(forward / strike) + 0.5 * sd * sd) / sd;
    const double held = discount(1.0 + lag) * (strike * normal(sd - d) - forward * normal(-d));
    reference += rule.weight[i] * std::fmax(held, discount(0.5 + lag) * std::fmax(strike - s, 0.0));
  }
  const ModuleResult result = run_module_alone(
      {.config = "[market]\nrate = { times = [1.0, 2.0], values = [0.02, 0.08] }\n"
                 "[market.assets.A]\nspot = 95\nvolatility = 0.3\n[[trades]]\nid = \"put\"\n"
                 "product = \"european\"\nasset = \"A\"\ntype = \"put\"\nstrike = 100\n"
                 "maturity = 1\npayment_lag = 0.75\nexercise = \"bermudan\"\nexercise_count = 2\n",
       .stop = samples(1 << 16)});
  check_bounds(bounds_of(result), reference, 0.01);
}
