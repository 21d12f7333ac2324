// Barrier options with a single barrier and a rebate (Reiner and Rubinstein 1991, "Breaking down
// the barriers").

#include <cmath>

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rebate_discounts.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace barrier_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  static constexpr std::string_view kinds[] = {"up_and_out", "up_and_in", "down_and_out",
                                               "down_and_in"};
  static constexpr std::string_view payment_times[] = {"at_expiry", "at_hit"};
  describe_asset(s, t);
  describe_type(s, t);
  describe_strike(s, t);
  int kind = 0, payment_time = 0;
  s.required_word("kind", kind, kinds,
                  {.doc = "side of the barrier, and whether a touch knocks the option in or out"});
  t.up = kind < 2;
  t.knock_in = kind % 2 == 1;
  static const KeyInfo barrier{.doc = "barrier level", .minimum = 0, .exclusive_minimum = true};
  s.required("barrier", t.barrier, barrier);
  static const KeyInfo rebate{
      .doc = "rebate, paid if a knock-out is knocked out, or if a knock-in is not knocked in"};
  s.optional("rebate", t.rebate, rebate);
  static const KeyInfo rebate_paid{.doc = "time at which the rebate of a knock-out is paid"};
  s.optional_word("rebate_paid", payment_time, payment_times, rebate_paid);
  t.rebate_at_hit = payment_time == 1;
  static const KeyInfo touched{.doc = "whether the barrier was touched before today"};
  s.optional("touched", t.touched, touched);
  describe_monitoring(s, t);
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_asset(s, market, t);
  validate_monitoring(s, market, t);
  for (const double spot : t.past_fixings)
    t.touched = t.touched || (t.up ? spot >= t.barrier : spot <= t.barrier);
  t.past_fixings.clear();
  if (t.knock_in && t.rebate_at_hit)
    s.fail("rebate_paid", "whether a knock-in pays its rebate is known at expiry only",
           "leave rebate_paid out");
}

void set_rebate_discounts(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  if (p.continuous) {
    p.discount_at_hit = discounts_at_touch(t, view, p.records);
    return;
  }
  for (const Index r : p.records)
    p.discount_at_hit.push_back(view.discount((*view.records)[static_cast<std::size_t>(r)]));
}

void set_up(const TradeConfig& t, const MarketView& view, const Observations& o, TradeSetup& p) {
  const double spot = view.spot(t.assets.front());
  p.payoff = PayoffFormula::barrier;
  p.barrier = t.barrier;
  p.rebate = t.rebate;
  p.monitored = t.up ? Extreme::maximum : Extreme::minimum;
  p.knock_in = t.knock_in;
  p.rebate_at_hit = t.rebate_at_hit;
  const bool is_monitored_today = t.continuous || !o.past.empty();
  const bool touched_today = is_monitored_today && (t.up ? spot >= t.barrier : spot <= t.barrier);
  p.hit_already = t.touched || touched_today;
  if (p.hit_already && !t.knock_in && t.rebate_at_hit) {
    p.rebate_at_hit = false;
    if (t.touched) p.rebate = 0;  // paid in the past
    p.discount = 1;               // paid today
  }
  if (p.rebate_at_hit) set_rebate_discounts(t, view, p);
}

// The control variate is the vanilla with the option's own strike.
bool choose_control(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  if (p.hit_already || !has_vanilla_value(t, view)) return false;
  use_vanilla(t, view, last_date(view, p), p.sign, p.strike, p);
  return true;
}

RequiredExtremes extremes(const TradeConfig& t) {
  const bool needs_extreme = t.continuous && !t.touched;
  return {needs_extreme && t.up, needs_extreme && !t.up};
}

// The discount factor of a rebate at the touch depends on the interval that contains the touch.
bool needs_short_intervals(const TradeConfig& t) { return t.continuous && t.rebate_at_hit; }

// Continuous barriers on an asset of constant rate, dividend yield and volatility.
std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup& p) {
  const Index i = t.assets.front();
  const AssetConfig& a = view.asset(i);
  if (p.hit_already) {
    if (!p.knock_in) return p.discount * p.rebate;
    if (!has_vanilla_value(t, view)) return {};
    return vanilla_value(view, i, t.maturity, p.sign, p.strike, p.discount);
  }
  const bool is_flat = view.is_flat(i) && t.payment_lag == 0;
  if (!p.continuous || !is_flat || !all_black_scholes(t, view) || !(p.strike > 0)) return {};
  const bool is_own = a.growth_currency == view.currency && !a.converted;
  const double yield = is_own ? a.dividend.value(0) : view.mean_yield(i, 1);
  const FlatMarket market{a.spot, view.rate().value(0), yield, std::sqrt(a.variance.value(0)),
                          t.maturity};
  if (!(market.volatility > 0)) return {};
  const double value = continuous_barrier(
      market, {p.sign, p.strike, p.barrier, p.rebate, t.up, p.knock_in, p.rebate_at_hit});
  if (!std::isfinite(value)) return {};  // powers of the spot over the barrier overflow
  return value;
}

std::string name(const TradeConfig& t) {
  return fmt::format("{}-and-{} {}{}", t.up ? "up" : "down", t.knock_in ? "in" : "out",
                     t.call ? "call" : "put", t.continuous ? "" : ", discrete");
}

}  // namespace
}  // namespace barrier_payoff

void register_barrier(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = barrier_payoff::describe,
      .validate = barrier_payoff::validate,
      .name = barrier_payoff::name,
      .set_up = barrier_payoff::set_up,
      .choose_control = barrier_payoff::choose_control,
      .value = barrier_payoff::value,
      .extremes = barrier_payoff::extremes,
      .needs_short_intervals = barrier_payoff::needs_short_intervals,
      .is_exercisable = true,
      .smoothed_form = SmoothedForm::barrier,
  };
  registry.extend(PayoffKind{.name = "barrier",
                             .doc = "option that is knocked in or out at a barrier",
                             .functions = &functions});
}

}  // namespace gsim::pricing
