// Forward-start options (Rubinstein 1990).

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace forward_start_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  describe_asset(s, t);
  describe_type(s, t);
  s.optional("moneyness", t.strike = 1,
             {.doc = "strike as a multiple of the spot at the start", .minimum = 0});
  s.required("start", t.start,
             {.doc = "date at which the strike is set",
              .unit = "years",
              .minimum = 0,
              .maximum = longest_maturity,
              .is_date = true});
  describe_maturity(s, t);
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_asset(s, market, t);
  validate_maturity(s, t);
  if (!(t.start < t.maturity - same_date))
    s.fail("start", fmt::format("the start {} is not before the maturity {}", t.start, t.maturity));
}

std::vector<double> dates(const TradeConfig& t) { return {t.start}; }

// If the start is today, the strike is known and the trade is a vanilla.
void set_up(const TradeConfig& t, const MarketView& view, const Observations&, TradeSetup& p) {
  p.payoff = PayoffFormula::forward_start;
  if (t.start > same_date) return;
  p.payoff = PayoffFormula::vanilla;
  p.strike = t.strike * view.spot(t.assets.front());
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup& p) {
  const Index i = t.assets.front();
  if (p.payoff == PayoffFormula::vanilla) {  // it starts today
    if (!has_vanilla_value(t, view)) return {};
    return vanilla_value(view, i, t.maturity, p.sign, p.strike, p.discount);
  }
  if (!all_black_scholes(t, view)) return {};
  const double variance = view.variance(i, t.maturity) - view.variance(i, t.start);
  return forward_start(p.sign, view.forward(i, t.start), view.forward(i, t.maturity), p.strike,
                       variance, p.discount);
}

std::string name(const TradeConfig& t) {
  return std::string("forward-start ") + (t.call ? "call" : "put");
}

}  // namespace
}  // namespace forward_start_payoff

void register_forward_start(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = forward_start_payoff::describe,
      .validate = forward_start_payoff::validate,
      .name = forward_start_payoff::name,
      .set_up = forward_start_payoff::set_up,
      .value = forward_start_payoff::value,
      .dates = forward_start_payoff::dates,
      .is_exercisable = true,
      .exercise_depends_on_path = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{.name = "forward_start",
                             .doc = "option whose strike is set at a later date",
                             .functions = &functions});
}

}  // namespace gsim::pricing
