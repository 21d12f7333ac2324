// European options (Black and Scholes 1973).

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace european_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  describe_asset(s, t);
  describe_type(s, t);
  describe_strike(s, t);
  describe_maturity(s, t);
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_asset(s, market, t);
  validate_maturity(s, t);
}

void set_up(const TradeConfig&, const MarketView&, const Observations&, TradeSetup& p) {
  p.payoff = PayoffFormula::vanilla;
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup& p) {
  if (!has_vanilla_value(t, view)) return {};
  return vanilla_value(view, t.assets.front(), last_date(view, p), p.sign, p.strike, p.discount);
}

std::string name(const TradeConfig& t) {
  return std::string("European ") + (t.call ? "call" : "put");
}

}  // namespace
}  // namespace european_payoff

void register_european(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = european_payoff::describe,
      .validate = european_payoff::validate,
      .name = european_payoff::name,
      .set_up = european_payoff::set_up,
      .value = european_payoff::value,
      .has_conditional_form = true,
      .is_exercisable = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{.name = "european",
                             .doc = "option that pays max(S - K, 0) or max(K - S, 0) at maturity",
                             .functions = &functions});
}

}  // namespace gsim::pricing
