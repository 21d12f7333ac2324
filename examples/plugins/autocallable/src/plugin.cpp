// The configuration keys of an autocallable note, and the registration of the plugin.

#include <string>
#include <vector>

#include <gsim/config/section.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/pricing/payoff_kind.hpp>

#include "terms.hpp"

GSIM_DECLARE_PAYOFF(autocallable)

namespace {

/// One value for all, or one value each.
std::vector<double> one_each(gsim::Section& s, const char* key, const std::vector<double>& given,
                             std::size_t count, const char* what) {
  if (given.size() == count) return given;
  if (given.size() == 1) return std::vector<double>(count, given.front());
  s.fail(key, std::to_string(given.size()) + " numbers for " + std::to_string(count) + what);
}

std::vector<double> describe(gsim::Section& s, const gsim::pricing::PayoffTrade& trade) {
  double notional = 1, coupon = 0, coupon_barrier = 0, knock_in = 0, strike = 1;
  bool memory = false;
  gsim::Index missed = 0;
  std::vector<double> call, initial;
  s.optional("notional", notional, {.doc = "of one note", .unit = "currency"});
  s.required("call", call,
             {.doc = "levels of the worst underlying, as parts of its initial one, from which on a "
                     "note is called: it pays the notional and ends. One for all dates, or one a "
                     "date; inf: not on that date",
              .minimum = 0,
              .exclusive_minimum = true,
              .allow_infinity = true,
              .min_size = 1});
  s.required("coupon", coupon, {.doc = "paid on a date, as a part of the notional"});
  s.optional("coupon_barrier", coupon_barrier,
             {.doc = "level of the worst underlying, as a part of its initial one, from which on "
                     "the coupon is paid; 0: on every date",
              .minimum = 0});
  s.optional("memory", memory, {.doc = "whether coupons that were missed are paid with the next"});
  s.optional("missed", missed,
             {.doc = "coupons missed before today, which memory still holds", .minimum = 0});
  s.required("knock_in", knock_in,
             {.doc = "level of the worst underlying at maturity, as a part of its initial one, "
                     "below which less than the notional is paid",
              .minimum = 0});
  s.optional("strike", strike,
             {.doc = "then the notional times level / strike is paid, and never more than it",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("initial", initial,
             {.doc = "initial level of each underlying; today's spots when absent",
              .minimum = 0,
              .exclusive_minimum = true});
  if (s.describing()) return {};
  if (missed > 0 && !memory)
    s.fail("missed", "coupons were missed, but there is no memory of them", "say memory = true");
  if (initial.empty()) initial.assign(trade.spots.begin(), trade.spots.end());
  if (initial.size() != trade.spots.size())
    s.fail("initial", std::to_string(initial.size()) + " levels for " +
                          std::to_string(trade.spots.size()) + " underlyings");
  std::vector<double> numbers(autocallable::shared_numbers);
  numbers[autocallable::notional] = notional;
  numbers[autocallable::coupon] = coupon;
  numbers[autocallable::coupon_barrier] = coupon_barrier;
  numbers[autocallable::memory] = memory ? 1 : 0;
  numbers[autocallable::missed] = static_cast<double>(missed);
  numbers[autocallable::knock_in] = knock_in;
  numbers[autocallable::inverse_strike] = 1 / strike;
  for (const double level : initial) numbers.push_back(1 / level);
  for (const double level : one_each(s, "call", call, trade.fixings.size(), " dates"))
    numbers.push_back(level);
  return numbers;
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
                         "underlying, and loses at maturity at a low one",
                  .least_assets = 1,
                  .most_assets = 50,
                  .dates = gsim::pricing::PayoffDates::schedule_to_maturity,
                  .describe = describe,
                  .launchers = GSIM_PAYOFF(autocallable),
                  .example = example});
            })
