// Bonds: zero-coupon, fixed and floating.

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace bond_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  s.alternatives(
      "kind",
      {{"fixed", "fixed coupons at the rate `coupon`; 0: a zero-coupon bond",
        [&](Section& q) { describe_coupon(q, t, "coupon", "coupon rate"); }},
       {"floating", "the forward rate of each period, fixed at its beginning, plus `spread`",
        [&](Section& q) {
          describe_coupon(q, t, "spread", "spread over the forward rate");
          t.floating = true;
        }}},
      0, {.doc = "kind of coupons"});
  describe_bond_terms(s, t);
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_bond_terms(s, market, t);
  t.maturity = t.swap.end;
}

/// The whole bond has a certain value. A bond whose maturity was brought forward pays what it is
/// worth at that date.
void set_up(const TradeConfig& t, const MarketView& view, const Observations&, TradeSetup& p) {
  const ShortRateModel model = model_of(t, view);
  const double date = t.maturity;
  if (date >= last_payment(t) - same_date) {
    double value = 0;
    for (const RateTerm& term : remaining_bond(t, model, 0)) value += term.amount;
    return set_claims({{date, false, {{value, 0}}}}, view, p);
  }
  RateClaim later{date, false, remaining_bond(t, model, date)};
  set_claims(claims_of_running(running_float_coupons(t, model, date), std::move(later)), view, p);
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup&) {
  double sum = 0;
  for (const RateTerm& term : remaining_bond(t, model_of(t, view), 0)) sum += term.amount;
  return sum;
}

std::vector<double> dates(const TradeConfig& t) {
  return t.floating ? float_fixings(t) : std::vector<double>();
}

std::string name(const TradeConfig& t) {
  if (t.floating) return "floating-rate bond";
  return coupon_of(t) == 0 ? "zero-coupon bond" : "fixed-rate bond";
}

}  // namespace
}  // namespace bond_payoff

void register_bond(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = bond_payoff::describe,
      .validate = bond_payoff::validate,
      .name = bond_payoff::name,
      .set_up = bond_payoff::set_up,
      .value = bond_payoff::value,
      .dates = bond_payoff::dates,
      .has_control = false,
      .is_tiltable = false,
      .has_either_sign = true,
      .matures_at_value = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{
      .name = "bond", .doc = "bond with fixed, floating or no coupons", .functions = &functions});
}

}  // namespace gsim::pricing
