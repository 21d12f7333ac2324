#include <vector>

#include <gsim/config/section.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/pricing/payoff_kind.hpp>

GSIM_DECLARE_PAYOFF(skeleton)

namespace {

// The numbers that the functor reads (skeleton.cu).
enum Number { lower, upper, coupon, number_count };

// Each key is described once, for reading, for messages and for `gsim schema`. The keys of the
// underlying and of the dates are gsim's own.
void describe(gsim::Section& s, gsim::pricing::KeyValues& values) {
  auto& numbers = values.numbers;
  numbers.assign(number_count, 0);
  s.required("lower", numbers[lower], {.doc = "lower end of the range", .minimum = 0});
  s.required("upper", numbers[upper], {.doc = "upper end of the range", .minimum = 0});
  s.required(
      "coupon", numbers[coupon],
      {.doc = "coupon for every date on which the spot is in the range", .unit = "currency"});
}

// Runs after all keys were read, for what needs more than one of them.
void validate(const gsim::Section& s, const gsim::pricing::PayoffTrade&,
              gsim::pricing::KeyValues& values) {
  const auto& numbers = values.numbers;
  if (numbers[lower] >= numbers[upper])
    s.fail("lower", "the range is empty: lower must be below upper");
}

// The example that `gsim plugin check` runs.
constexpr const char* example = R"(
module = "pricing"
[stop]
samples = 40_000
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
volatility = 0.2
[[trades]]
id = "accrual"
product = "skeleton"
asset = "A"
maturity = 1.0
fixing_count = 12
lower = 90.0
upper = 110.0
coupon = 1.0
)";

}  // namespace

GSIM_PLUGIN("skeleton", "0.1", "MIT", "range accruals for the pricing module",
            [](gsim::Registry& registry) {
              registry.extend(gsim::pricing::PayoffKind{
                  .name = "skeleton",
                  .doc = "a coupon for every date on which the spot lies in a range",
                  .dates = gsim::pricing::PayoffDates::schedule,
                  .describe = describe,
                  .validate = validate,
                  .launchers = GSIM_PAYOFF(skeleton),
                  .example = example});
            })
