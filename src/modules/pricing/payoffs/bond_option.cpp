// Options on fixed-rate and zero-coupon bonds (Jamshidian 1989), also at several dates.

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace bond_option_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  static const KeyInfo strike{.doc =
                                  "price per unit of the bond's notional, accrued interest "
                                  "included",
                              .minimum = 0,
                              .exclusive_minimum = true};
  describe_type(s, t);
  s.required("strike", t.strike, strike);
  describe_expiry(s, t);
  describe_coupon(s, t, "coupon", "coupon rate; 0: a zero-coupon bond");
  describe_bond_terms(s, t);
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_maturity(s, t);
  validate_bond_terms(s, market, t);
  if (t.maturity > t.swap.end - same_date)
    s.fail("maturity", fmt::format("the bond ends at {:g}, not after the maturity {:g}", t.swap.end,
                                   t.maturity));
}

/// The payments of the bond after `date` less the price, or the opposite.
std::vector<RateTerm> exercised(const TradeConfig& t, const ShortRateModel& model, double date) {
  std::vector<RateTerm> terms = remaining_bond(t, model, date);
  terms.push_back(model.value_at(date, date, -t.strike));
  if (!t.call)
    for (RateTerm& term : terms) term.amount = -term.amount;
  return terms;
}

void set_up(const TradeConfig& t, const MarketView& view, const Observations&, TradeSetup& p) {
  set_option_claim(t, view, exercised, p);
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup&) {
  return option_value(t, view, exercised);
}

RateValue rate_value(const TradeConfig& t, const MarketView& view, double) {
  return {{}, {{t.maturity, true, exercised(t, model_of(t, view), t.maturity)}}};
}

std::string name(const TradeConfig& t) {
  return std::string("European ") + (t.call ? "call" : "put") + " on a bond";
}

}  // namespace
}  // namespace bond_option_payoff

void register_bond_option(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = bond_option_payoff::describe,
      .validate = bond_option_payoff::validate,
      .name = bond_option_payoff::name,
      .set_up = bond_option_payoff::set_up,
      .value = bond_option_payoff::value,
      .rate_value = bond_option_payoff::rate_value,
      .has_control = false,  // ln S has a large variance, and the mean of S few samples
      .is_tiltable = false,
      .is_exercisable = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{
      .name = "bond_option", .doc = "option to buy or sell a bond", .functions = &functions});
}

}  // namespace gsim::pricing
