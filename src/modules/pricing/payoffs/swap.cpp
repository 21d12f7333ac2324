// Interest rate swaps: fixed against floating payments.

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace swap_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  static constexpr std::string_view types[] = {"payer", "receiver"};
  int type = 0;
  s.optional_word("type", type, types, {.doc = "whether the fixed rate is paid or received"});
  t.call = type == 0;
  describe_swap_terms(s, t, "today");
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_swap_terms(s, market, t);
  t.maturity = t.swap.end;
}

/// The whole swap has a certain value. A swap whose maturity was brought forward pays what it is
/// worth at that date.
void set_up(const TradeConfig& t, const MarketView& view, const Observations&, TradeSetup& p) {
  const HullWhite model = model_of(t, view);
  const double date = t.maturity;
  if (date >= swap_terms(t).end - same_date) {
    double value = 0;
    for (const RateTerm& term : remaining_swap(t, model, 0)) value += term.amount;
    return set_claims({{date, false, {{value, 0}}}}, view, p);
  }
  std::vector<RateClaim> claims;
  RateClaim running = running_float_coupon(t, model, date);
  RateClaim later{date, false, remaining_swap(t, model, date)};
  for (const RateTerm& term : running_fixed_coupons(t, model, date)) later.terms.push_back(term);
  if (running.date > same_date) {
    claims.push_back(std::move(running));
  } else {  // fixed today, so that its value is known
    for (const RateTerm& term : running.terms) later.terms.push_back({term.amount, 0});
  }
  claims.push_back(std::move(later));
  set_claims(claims, view, p);
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup&) {
  double sum = 0;
  for (const RateTerm& term : remaining_swap(t, model_of(t, view), 0)) sum += term.amount;
  return sum;
}

std::vector<double> dates(const TradeConfig& t) { return float_fixings(t); }

std::string name(const TradeConfig& t) {
  return std::string(t.call ? "payer" : "receiver") + " swap";
}

}  // namespace
}  // namespace swap_payoff

void register_swap(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = swap_payoff::describe,
      .validate = swap_payoff::validate,
      .name = swap_payoff::name,
      .set_up = swap_payoff::set_up,
      .value = swap_payoff::value,
      .dates = swap_payoff::dates,
      .has_control = false,
      .is_tiltable = false,
      .has_either_sign = true,
      .matures_at_value = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{.name = "swap",
                             .doc = "interest rate swap of a fixed for a floating rate",
                             .functions = &functions});
}

}  // namespace gsim::pricing
