// Digital options, which pay a fixed amount or the asset (Reiner and Rubinstein 1991).

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace digital_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  static constexpr std::string_view pays[] = {"cash", "asset"};
  describe_asset(s, t);
  describe_type(s, t);
  describe_strike(s, t);
  describe_maturity(s, t);
  int payment = 0;
  s.optional_word("pays", payment, pays, {.doc = "payment if the option expires in the money"});
  t.pays_asset = payment == 1;
  static const KeyInfo cash{.doc = "amount that is paid if pays = \"cash\""};
  s.optional("cash", t.cash, cash);
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_asset(s, market, t);
  validate_maturity(s, t);
}

void set_up(const TradeConfig& t, const MarketView&, const Observations&, TradeSetup& p) {
  p.payoff = t.pays_asset ? PayoffFormula::asset_digital : PayoffFormula::cash_digital;
}

// The control variate is a vanilla of the type, call or put, that is out of the money at the
// digital's strike, whichever type the digital has. The vanilla's strike is the digital's, shifted
// by 0.7 standard deviations towards the money, the best distance for lognormal spots according to
// a numerical scan: the variance falls by a factor of 3 to 4 (2 with the digital's own strike).
bool choose_control(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  if (!has_vanilla_value(t, view)) return false;
  const double date = last_date(view, p);
  const bool call = p.strike >= view.forward(t.assets.front(), date);
  use_vanilla(t, view, date, call ? 1 : -1,
              shifted_strike(t, view, date, p.strike, call ? -0.7 : 0.7), p);
  return true;
}

// With jumps no closed form is used.
std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup& p) {
  if (!all_black_scholes(t, view)) return {};
  const Index i = t.assets.front();
  const double date = last_date(view, p);
  const double forward = view.forward(i, date), variance = view.variance(i, date);
  return t.pays_asset ? asset_digital(p.sign, forward, p.strike, variance, p.discount)
                      : p.cash * cash_digital(p.sign, forward, p.strike, variance, p.discount);
}

std::string name(const TradeConfig& t) {
  return fmt::format("digital {}, {}", t.call ? "call" : "put", t.pays_asset ? "asset" : "cash");
}

}  // namespace
}  // namespace digital_payoff

void register_digital(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = digital_payoff::describe,
      .validate = digital_payoff::validate,
      .name = digital_payoff::name,
      .set_up = digital_payoff::set_up,
      .choose_control = digital_payoff::choose_control,
      .value = digital_payoff::value,
      .has_conditional_form = true,
      .is_exercisable = true,
      .smoothed_form = SmoothedForm::digital,
  };
  registry.extend(PayoffKind{.name = "digital",
                             .doc = "option that pays cash or the asset if it expires in the money",
                             .functions = &functions});
}

}  // namespace gsim::pricing
