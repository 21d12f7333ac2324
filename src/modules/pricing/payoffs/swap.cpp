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
  describe_swap_terms(s, t, SwapLegs::both, "today");
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_swap_terms(s, market, SwapLegs::both, t);
  t.maturity = last_payment(t);
}

/// The value today.
double certain_value(const TradeConfig& t, const ShortRateModel& model) {
  double sum = 0;
  for (const RateTerm& term : remaining_swap(t, model, 0)) sum += term.amount;
  for (const RateTerm& term : running_known_coupons(t, model, 0)) sum += term.amount;
  return sum;
}

/// The whole swap has a certain value. A swap whose maturity was brought forward pays what it is
/// worth at that date.
void set_up(const TradeConfig& t, const MarketView& view, const Observations&, TradeSetup& p) {
  const ShortRateModel model = model_of(t, view);
  const double date = t.maturity;
  if (date >= last_payment(t) - same_date)
    return set_claims({{date, false, {{certain_value(t, model), 0}}}}, view, p);
  RateClaim later{date, false, remaining_swap(t, model, date)};
  for (const RateTerm& term : running_known_coupons(t, model, date)) later.terms.push_back(term);
  set_claims(claims_of_running(running_float_coupons(t, model, date), std::move(later)), view, p);
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup&) {
  return certain_value(t, model_of(t, view));
}

std::vector<double> dates(const TradeConfig& t) { return float_fixings(t); }

void check_exercise(const Section& s, TradeInput& t) {
  if (t.exercise.is_early())
    s.fail("exercise",
           "a swap gives no right to exercise: a right to cancel it is a second trade, a Bermudan "
           "swaption in the opposite swap",
           "leave `exercise` out, and add the trade with product = \"swaption\"");
}

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
      .check_exercise = swap_payoff::check_exercise,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{.name = "swap",
                             .doc = "interest rate swap of a fixed for a floating rate",
                             .functions = &functions});
}

}  // namespace gsim::pricing
