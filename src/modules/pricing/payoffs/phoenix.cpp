// Phoenix notes: autocallable notes with conditional coupons, on one underlying or on the worst of
// several (Bouzoubaa and Osseiran 2010, "Exotic Options and Hybrids", chapter 12).

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"

namespace gsim::pricing {
namespace phoenix_payoff {
namespace {

constexpr Index max_underlyings = 50;

constexpr const char* text = R"(
parameter notional
parameter coupon              # per date, as a fraction of the notional
parameter coupon_barrier
parameter memory              # 1: missed coupons are paid with the next one
parameter missed              # coupons missed before the first date
parameter call_level[fixings]
parameter knock_in
parameter gearing             # 1 / strike
parameter scale[assets]       # 1 / initial level
state due = missed + 1        # number of coupons that the next payment contains

let level = worst(spot * scale)
if level >= coupon_barrier {
  pay notional * coupon * due
  due = 1 - memory
}
due = due + memory
if level >= call_level {
  pay notional
  call
}
schedule exercise_dates {
  let level_then = worst(spot * scale)
  exercise notional * where(level_then >= knock_in, 1, min(level_then * gearing, 1))
}
schedule maturity {
  let final = worst(spot * scale)
  pay notional * where(final >= knock_in, 1, min(final * gearing, 1))
}
)";

void describe(Section& s, TradeInput& t) {
  static const auto script = parse_script(ScriptText(text, "phoenix"), "phoenix");
  use_script(t, script);
  describe_assets(s, t, WeightRule::none, 1, max_underlyings);
  describe_maturity(s, t);
  static const ScheduleKeys dates("coupons and calls", ScheduleStart::not_a_date);
  describe_schedule(s, t, dates);
  const auto number = [&](const char* name, double value, const KeyInfo& info) {
    s.optional(name, value, info);
    parameter_of(t, name) = {value};
  };
  const auto required = [&](const char* name, const KeyInfo& info) {
    double value = 0;
    s.required(name, value, info);
    parameter_of(t, name) = {value};
  };
  number("notional", 1, {.doc = "notional amount of one note", .unit = "currency"});
  required("coupon", {.doc = "coupon per date, as a fraction of the notional"});
  number("coupon_barrier", 0,
         {.doc = "level of the worst underlying, as a fraction of its initial level, at or above "
                 "which the coupon is paid; 0: on every date",
          .minimum = 0});
  bool memory = false;
  s.optional("memory", memory, {.doc = "whether missed coupons are paid with the next one"});
  parameter_of(t, "memory") = {memory ? 1.0 : 0.0};
  Index missed = 0;
  s.optional(
      "missed", missed,
      {.doc = "with memory: number of coupons missed before the first of `fixings`", .minimum = 0});
  parameter_of(t, "missed") = {static_cast<double>(missed)};
  std::vector<double> call;
  s.required("call", call,
             {.doc = "levels of the worst underlying, as fractions of its initial level, at or "
                     "above which a note pays the notional and ends: one for all dates, or one for "
                     "each; inf: no call on that date",
              .minimum = 0,
              .allow_infinity = true,
              .min_size = 1});
  parameter_of(t, "call_level") = std::move(call);
  required("knock_in",
           {.doc = "level of the worst underlying at maturity, as a fraction of its initial level, "
                   "below which less than the notional is repaid",
            .minimum = 0});
  double strike = 1;
  s.optional("strike", strike,
             {.doc = "below knock_in, the notional times level / strike is repaid, at most the "
                     "notional",
              .minimum = 0,
              .exclusive_minimum = true});
  parameter_of(t, "gearing") = {1 / strike};
  std::vector<double> initial;
  s.optional("initial", initial,
             {.doc = "initial level of each underlying; today's spots when absent",
              .minimum = 0,
              .exclusive_minimum = true});
  parameter_of(t, "scale") = std::move(initial);
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  if (parameter_of(t, "missed").front() != 0 && parameter_of(t, "memory").front() == 0)
    s.fail("missed", "missed coupons are paid by notes with memory only",
           "set memory = true, or leave `missed` out");
  validate_assets(s, market, t, WeightRule::none, 1, max_underlyings);
  std::vector<double>& scale = parameter_of(t, "scale");
  if (scale.empty())
    for (const Index i : t.assets) scale.push_back(market.assets[static_cast<std::size_t>(i)].spot);
  if (scale.size() != t.assets.size())
    s.fail("initial",
           fmt::format("{} initial levels for {} underlyings", scale.size(), t.assets.size()));
  for (double& level : scale) level = 1 / level;
  const auto count = static_cast<std::size_t>(t.fixing_count) + t.fixings.size();
  std::vector<double>& call = parameter_of(t, "call_level");
  if (call.size() == 1) call.assign(std::max<std::size_t>(count, 1), call.front());
  if (call.size() != std::max<std::size_t>(count, 1))
    s.fail("call", fmt::format("{} levels for {} dates", call.size(), count),
           "give one level for all dates, or one for each");
  // Of SweptPayoff::phoenix: terms, initial levels, and the levels of coupons and calls at events.
  std::vector<double> terms;
  for (const char* key : {"notional", "coupon", "memory", "knock_in", "gearing"})
    terms.push_back(parameter_of(t, key).front());
  terms.insert(terms.end(), scale.begin(), scale.end());
  const double barrier = parameter_of(t, "coupon_barrier").front();
  const std::vector<double> levels = call;
  validate_script(s, market, t);
  const std::vector<double>& dates = t.script_input.terms->schedules[Script::fixings];
  std::size_t next = 0;
  for (const double event : t.script->events) {
    const bool is_date = next < dates.size() && std::fabs(dates[next] - event) <= same_date;
    constexpr double none = std::numeric_limits<double>::infinity();
    terms.push_back(is_date ? barrier : none);
    terms.push_back(is_date ? levels[next++] : none);
  }
  set_swept_terms(t, std::move(terms));
}

std::string name(const TradeConfig& t) {
  return t.assets.size() > 1 ? fmt::format("phoenix on worst of {}", t.assets.size()) : "phoenix";
}

}  // namespace
}  // namespace phoenix_payoff

void register_phoenix(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = phoenix_payoff::describe,
      .validate = phoenix_payoff::validate,
      .name = phoenix_payoff::name,
      .set_up = set_up_script,
      .has_either_sign = true,
      .is_exercisable = true,
  };
  registry.extend(PayoffKind{.name = "phoenix",
                             .doc = "autocallable note with conditional coupons, on the worst of "
                                    "its underlyings",
                             .max_assets = phoenix_payoff::max_underlyings,
                             .launchers = script_launchers(),
                             .functions = &functions});
}

}  // namespace gsim::pricing
