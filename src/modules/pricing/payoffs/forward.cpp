// Forward contracts and, with strike 0, positions in an asset.

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace forward_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  describe_asset(s, t);
  describe_strike(s, t);
  describe_maturity(s, t);
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_asset(s, market, t);
  validate_maturity(s, t);
}

void set_up(const TradeConfig&, const MarketView&, const Observations&, TradeSetup& p) {
  p.payoff = PayoffFormula::forward;
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup& p) {
  if (!all_martingales(t, view)) return {};
  return p.discount * (view.forward(t.assets.front(), last_date(view, p)) - p.strike);
}

std::string name(const TradeConfig&) { return "forward"; }

}  // namespace
}  // namespace forward_payoff

void register_forward(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = forward_payoff::describe,
      .validate = forward_payoff::validate,
      .name = forward_payoff::name,
      .set_up = forward_payoff::set_up,
      .value = forward_payoff::value,
      .has_either_sign = true,
      .is_exercisable = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{.name = "forward",
                             .doc =
                                 "forward contract that pays S - K at maturity; with strike 0 it "
                                 "is worth the asset less its dividends until then",
                             .functions = &functions});
}

}  // namespace gsim::pricing
