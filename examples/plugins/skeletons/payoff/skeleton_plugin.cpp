#include <vector>

#include <gsim/config/section.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/pricing/payoff_kind.hpp>

GSIM_DECLARE_PAYOFF(skeleton)

namespace {

// Each key is described once, for reading, for messages and for `gsim schema`. Underlying and dates
// have been read before.
std::vector<double> describe(gsim::Section& s, const gsim::pricing::PayoffTrade&) {
  double lower = 0, upper = 0, coupon = 0;
  s.required("lower", lower, {.doc = "end of the range", .minimum = 0});
  s.required("upper", upper, {.doc = "end of the range", .minimum = 0});
  s.required("coupon", coupon,
             {.doc = "paid for every date with the spot in the range", .unit = "currency"});
  if (!s.describing() && lower >= upper) s.fail("lower", "the range has no inside");
  return {lower, upper, coupon};
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
                  .launchers = GSIM_PAYOFF(skeleton),
                  .example = example});
            })
