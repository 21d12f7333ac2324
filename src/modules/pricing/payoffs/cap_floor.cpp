// Caps and floors: options on the forward rate of each period.

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace cap_floor_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  static constexpr std::string_view types[] = {"cap", "floor"};
  int type = 0;
  s.required_word("type", type, types,
                  {.doc = "payments of each period: max(L - K, 0) or max(K - L, 0)"});
  t.call = type == 0;
  describe_swap_terms(s, t, SwapLegs::floating, "today, when the first period has no option");
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_swap_terms(s, market, SwapLegs::floating, t);
  const std::vector<double> fixings = float_fixings(t);
  t.maturity = fixings.empty() ? 0 : fixings.back();
  if (t.maturity <= same_date)
    s.fail(t.swap.float_dates.empty() ? "end" : "float_dates", "no period begins after today",
           "let the last period begin later");
}

void set_up(const TradeConfig& t, const MarketView& view, const Observations&, TradeSetup& p) {
  set_claims(caplets(t, model_of(t, view)), view, p);
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup&) {
  const ShortRateModel model = model_of(t, view);
  double sum = 0;
  for (const RateClaim& claim : caplets(t, model))
    sum += model.expectation(claim.terms, claim.date, claim.is_option);
  return sum;
}

RateValue rate_value(const TradeConfig& t, const MarketView& view, double date) {
  return cap_value(t, model_of(t, view), date);
}

std::vector<double> dates(const TradeConfig& t) { return float_fixings(t); }

void check_exercise(const Section& s, TradeInput& t) {
  if (t.exercise.is_early())
    s.fail("exercise",
           "caps and floors have no early exercise: each period is an option of its own, exercised "
           "when its rate is fixed, and no payment is defined for giving up the later ones",
           "leave `exercise` out; a right on a whole swap is a Bermudan swaption");
}

std::string name(const TradeConfig& t) { return t.call ? "cap" : "floor"; }

}  // namespace
}  // namespace cap_floor_payoff

void register_cap_floor(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = cap_floor_payoff::describe,
      .validate = cap_floor_payoff::validate,
      .name = cap_floor_payoff::name,
      .set_up = cap_floor_payoff::set_up,
      .value = cap_floor_payoff::value,
      .rate_value = cap_floor_payoff::rate_value,
      .dates = cap_floor_payoff::dates,
      .has_control = false,  // ln S has a large variance, and the mean of S few samples
      .is_tiltable = false,
      .pays_before_maturity = true,
      .check_exercise = cap_floor_payoff::check_exercise,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{.name = "cap_floor",
                             .doc = "cap or floor on the forward rates of periods",
                             .functions = &functions});
}

}  // namespace gsim::pricing
