// Options to exchange one asset for another (Margrabe 1978).

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace exchange_payoff {
namespace {

void describe(Section& s, TradeInput& t) { describe_spread_option(s, t, /*has_strike=*/false); }

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_spread_option(s, market, t);
}

void set_up(const TradeConfig&, const MarketView&, const Observations&, TradeSetup& p) {
  p.payoff = PayoffFormula::vanilla;
  p.combination = Combination::weighted_sum;
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup& p) {
  if (!all_black_scholes(t, view)) return {};
  const Index i = t.assets[0], j = t.assets[1];
  const double date = last_date(view, p);
  const double variance = log_covariance(*view.market, i, i, date) +
                          log_covariance(*view.market, j, j, date) -
                          2 * log_covariance(*view.market, i, j, date);
  return exchange(p.sign, view.forward(i, date), view.forward(j, date), variance, p.discount);
}

std::string name(const TradeConfig&) { return "exchange"; }

}  // namespace
}  // namespace exchange_payoff

void register_exchange(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = exchange_payoff::describe,
      .validate = exchange_payoff::validate,
      .name = exchange_payoff::name,
      .set_up = exchange_payoff::set_up,
      .value = exchange_payoff::value,
      .is_exercisable = true,
      .is_lipschitz = true,
  };
  registry.extend(
      PayoffKind{.name = "exchange",
                 .doc = "option to exchange the second asset for the first: pays max(S1 - S2, 0)",
                 .functions = &functions});
}

}  // namespace gsim::pricing
