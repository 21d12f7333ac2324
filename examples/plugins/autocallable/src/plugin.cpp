// The configuration keys of an autocallable note, and the registration of the plugin.

#include <string>
#include <vector>

#include <gsim/config/section.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/pricing/payoff_kind.hpp>

#include "terms.hpp"

GSIM_DECLARE_PAYOFF(autocallable)

namespace {

// Positions in KeyValues::lists.
enum List { call_levels, initial_levels, list_count };

void describe(gsim::Section& s, gsim::pricing::KeyValues& values) {
  std::vector<double>& n = values.numbers;
  n.assign(autocallable::shared_numbers, 0);
  n[autocallable::notional] = n[autocallable::inverse_strike] = 1;
  values.lists.assign(list_count, {});
  bool memory = false;
  gsim::Index missed = 0;
  s.optional("notional", n[autocallable::notional],
             {.doc = "notional amount of one note", .unit = "currency"});
  s.required("call", values.lists[call_levels],
             {.doc = "autocall levels of the worst underlying, as fractions of its initial level: "
                     "at or above its level a note pays the notional and ends. One level for all "
                     "dates, or one per date; inf: no call on that date",
              .minimum = 0,
              .exclusive_minimum = true,
              .allow_infinity = true,
              .min_size = 1});
  s.required("coupon", n[autocallable::coupon],
             {.doc = "coupon per date, as a fraction of the notional"});
  s.optional("coupon_barrier", n[autocallable::coupon_barrier],
             {.doc = "level of the worst underlying, as a fraction of its initial level, at or "
                     "above which the coupon is paid; 0: on every date",
              .minimum = 0});
  s.optional("memory", memory, {.doc = "whether a missed coupon is paid with the next one"});
  s.optional("missed", missed,
             {.doc = "number of coupons missed before today that memory pays with the next one",
              .minimum = 0});
  s.required("knock_in", n[autocallable::knock_in],
             {.doc = "level of the worst underlying at maturity, as a fraction of its initial "
                     "level, below which less than the notional is repaid",
              .minimum = 0});
  // The strike itself, until validate() has inverted it.
  s.optional("strike", n[autocallable::inverse_strike],
             {.doc = "below knock_in, the notional times level / strike is repaid, at most the "
                     "notional",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("initial", values.lists[initial_levels],
             {.doc = "initial level of each underlying; today's spots when absent",
              .minimum = 0,
              .exclusive_minimum = true});
  n[autocallable::memory] = memory ? 1 : 0;
  n[autocallable::missed] = static_cast<double>(missed);
}

void validate(const gsim::Section& s, const gsim::pricing::PayoffTrade& trade,
              gsim::pricing::KeyValues& values) {
  std::vector<double>& n = values.numbers;
  std::vector<double> call = values.lists[call_levels], initial = values.lists[initial_levels];
  if (n[autocallable::missed] > 0 && n[autocallable::memory] == 0)
    s.fail("missed", "missed coupons are paid with the next one only if memory = true",
           "set memory = true");
  if (initial.empty()) initial.assign(trade.spots.begin(), trade.spots.end());
  if (initial.size() != trade.spots.size())
    s.fail("initial", std::to_string(initial.size()) + " levels for " +
                          std::to_string(trade.spots.size()) + " underlyings");
  const std::size_t dates = trade.fixings.size();
  if (call.size() == 1) call.assign(dates, call.front());
  if (call.size() != dates)
    s.fail("call", std::to_string(call.size()) + " levels for " + std::to_string(dates) + " dates");
  n[autocallable::inverse_strike] = 1 / n[autocallable::inverse_strike];
  for (const double level : initial) n.push_back(1 / level);
  n.insert(n.end(), call.begin(), call.end());
}

// The example that `gsim plugin check` prices.
constexpr const char* example = R"(
module = "pricing"
[stop]
samples = 40_000
[market]
rate = 0.02
[market.assets.A]
spot = 100.0
volatility = 0.25
[market.assets.B]
spot = 40.0
dividend = 0.01
volatility = 0.3
[market.correlation]
assets = ["A", "B"]
matrix = [[1.0, 0.5], [0.5, 1.0]]
[[trades]]
id = "worst of two"
product = "autocallable"
assets = ["A", "B"]
maturity = 2.0
fixing_count = 4
call = [inf, 1.0, 0.95, 0.9]
coupon = 0.03
coupon_barrier = 0.7
memory = true
knock_in = 0.6
[[trades]]
id = "one"
product = "autocallable"
assets = ["B"]
maturity = 1.0
fixing_count = 2
payment_lag = 0.01
call = [1.0]
coupon = 0.04
knock_in = 0.7
[[trades]]
id = "call"
product = "european"
type = "call"
asset = "A"
strike = 100.0
maturity = 1.0
)";

}  // namespace

GSIM_PLUGIN("autocallable", "1.0", "MIT", "autocallable notes for the pricing module",
            [](gsim::Registry& registry) {
              registry.extend(gsim::pricing::PayoffKind{
                  .name = "autocallable",
                  .doc = "a note that pays coupons, ends early at a high level of its worst "
                         "underlying, and repays less than the notional at a low one at maturity",
                  .min_assets = 1,
                  .max_assets = 50,
                  .dates = gsim::pricing::PayoffDates::schedule_to_maturity,
                  .describe = describe,
                  .validate = validate,
                  .launchers = GSIM_PAYOFF(autocallable),
                  .example = example});
            })
