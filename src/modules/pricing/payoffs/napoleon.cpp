// Napoleon cliquets: coupons to which the worst return of a number of periods is added (Gatheral
// 2006, "The Volatility Surface", chapter 10).

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"

namespace gsim::pricing {
namespace napoleon_payoff {
namespace {

constexpr const char* text = R"(
parameter notional
parameter coupon                # as a fraction of the notional
parameter floor
parameter periods               # of a coupon
state previous = 0              # spot at the start of the period
state worst_return = 1e9
state done = 0

if not first {
  worst_return = min(worst_return, spot / previous - 1)
  done = done + 1
}
previous = spot
if done == periods {
  pay notional * max(coupon + worst_return, floor)
  worst_return = 1e9
  done = 0
}
schedule exercise_dates {
  exercise 0                    # keeps the coupons that were paid
}
)";

void describe(Section& s, TradeInput& t) {
  static const auto script = parse_script(ScriptText(text, "napoleon"), "napoleon");
  use_script(t, script);
  describe_asset(s, t);
  describe_maturity(s, t);
  static const ScheduleKeys resets("resets, the first period's start included",
                                   ScheduleStart::first_date);
  describe_schedule(s, t, resets);
  double notional = 1, coupon = 0, floor = 0;
  s.optional("notional", notional, {.doc = "notional amount", .unit = "currency"});
  s.required("coupon", coupon,
             {.doc = "coupon, as a fraction of the notional, to which the worst return of its "
                     "periods is added"});
  s.optional("floor", floor, {.doc = "smallest coupon that is paid, as a fraction"});
  Index periods = 0;
  s.optional("periods_per_coupon", periods,
             {.doc = "number of periods after which a coupon is paid, and the worst return begins "
                     "anew; 0: one coupon for all periods",
              .minimum = 0,
              .maximum = 100000});
  parameter_of(t, "notional") = {notional};
  parameter_of(t, "coupon") = {coupon};
  parameter_of(t, "floor") = {floor};
  parameter_of(t, "periods") = {static_cast<double>(periods)};
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_asset(s, market, t);
  const bool is_listed = !t.fixings.empty();
  const auto count = is_listed ? static_cast<Index>(t.fixings.size()) - 1 : t.fixing_count;
  if (count < 1) s.fail(is_listed ? "fixings" : "fixing_count", "a Napoleon needs a period");
  double& periods = parameter_of(t, "periods").front();
  if (periods == 0) periods = static_cast<double>(count);
  if (count % static_cast<Index>(periods) != 0)
    s.fail("periods_per_coupon",
           fmt::format("{} periods are no whole number of coupons of {} periods", count, periods));
  std::vector<double> terms;
  for (const char* name : {"notional", "coupon", "floor", "periods"})
    terms.push_back(parameter_of(t, name).front());
  validate_script(s, market, t, ScheduleStart::first_date);
  set_swept_terms(t, std::move(terms));
}

std::string name(const TradeConfig&) { return "Napoleon"; }

}  // namespace
}  // namespace napoleon_payoff

void register_napoleon(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = napoleon_payoff::describe,
      .validate = napoleon_payoff::validate,
      .name = napoleon_payoff::name,
      .set_up = set_up_script,
      .has_either_sign = true,
      .is_exercisable = true,
      .exercise_needs_period = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{.name = "napoleon",
                             .doc = "coupons to which the worst return of their periods is added",
                             .launchers = script_launchers(),
                             .functions = &functions});
}

}  // namespace gsim::pricing
