// Rebates paid when a barrier is touched, on an asset whose path model comes from a plugin
// (tests/plugin/copies).

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/math/elementary.hpp"
#include "tests/unit/pricing/module_run.hpp"

GSIM_DECLARE_PATH_MODEL(black_scholes_copy)

namespace gsim::pricing::test {
namespace {

const PathModelKind bridged_copy{
    .name = "bridged_copy",
    .doc = "geometric Brownian motion",
    .bridged = true,
    .describe =
        [](Section& s, KeyValues& values) {
          double volatility = 0;
          s.required("volatility", volatility, {.doc = "volatility"});
          values.numbers = {volatility * volatility};
        },
    .step_numbers =
        [](std::span<const double> numbers, const PathStep& step) {
          const double variance = numbers[0] * (step.to - step.from);
          return std::vector<double>{step.carry - 0.5 * variance, gsim::sqrt(variance)};
        },
    .launchers = GSIM_PATH_MODEL(black_scholes_copy)};

double price(const std::string& model) {
  const ModuleResult r = run_module_alone(
      {.config = "[pricing]\nsteps_per_year = 50.0\ncontrol_variates = \"none\"\n"
                 "[market]\nrate = 0.03\n[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n"
                 "model = \"" +
                 model +
                 "\"\n"
                 "[[trades]]\nid = \"T\"\nasset = \"A\"\nproduct = \"barrier\"\n"
                 "kind = \"down_and_out\"\ntype = \"call\"\nstrike = 100.0\nmaturity = 1.0\n"
                 "barrier = 90.0\nrebate = 3.0\nrebate_paid = \"at_hit\"\n"
                 "monitoring = \"continuous\"\n",
       .stop = samples(1 << 14),
       .models = {&bridged_copy}});
  return r.estimates[0].mean;
}

}  // namespace

TEST_CASE(
    "a rebate paid at the touch is discounted from a time within the step of the touch, for any "
    "path model with a Brownian bridge") {
  // Both models have the same paths, so touches are in the same intervals, and the discount factors
  // differ by at most the change of the discount factor within one interval.
  const double max_difference = 3 * (1 - std::exp(-0.03 / 50));
  const double difference = price("bridged_copy") - price("black_scholes");
  CHECK(std::fabs(difference) <= max_difference);
}

}  // namespace gsim::pricing::test
