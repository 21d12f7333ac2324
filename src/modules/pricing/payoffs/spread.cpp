// Options on the difference of two spots.

#include <cmath>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace spread_payoff {
namespace {

void describe(Section& s, TradeInput& t) { describe_spread_option(s, t, /*has_strike=*/true); }

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_spread_option(s, market, t);
}

void set_up(const TradeConfig&, const MarketView&, const Observations&, TradeSetup& p) {
  p.payoff = PayoffFormula::vanilla;
  p.combination = Combination::weighted_sum;
}

// The control variate is the exchange of the first asset for 1 + strike / F2 units of the second
// (Margrabe 1978): when the second asset ends at its forward F2, it is in the money exactly if the
// spread option is (the idea of Kirk 1995). False if the spots explain more of the variance as
// control variates, or if the exchange is identical to the spread option.
bool choose_control(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  if (!all_black_scholes(t, view)) return false;
  const double date = last_date(view, p);
  const Index i = t.assets[0], j = t.assets[1];
  const double first = view.forward(i, date), second = view.forward(j, date);
  const double v1 = log_covariance(*view.market, i, i, date);
  const double v2 = log_covariance(*view.market, j, j, date);
  const double covariance = log_covariance(*view.market, i, j, date);
  const double sd = std::sqrt(
      std::fmax(square(first) * v1 + square(second) * v2 - 2 * first * second * covariance, 0.0));
  const double ratio = 1 + p.strike / second;
  // In the money by more than a standard deviation, so that the payoff is nearly linear in the
  // spots.
  const bool nearly_linear = p.sign * (first - second - p.strike) > sd;
  if (p.strike == 0 || ratio <= 0 || nearly_linear) return false;
  p.control = TradeSetup::Control::vanilla;
  p.control_sign = p.sign;
  p.control_strike = 0;
  p.control_weights = {1, -ratio};
  p.control_expectation =
      exchange(p.sign, first, ratio * second, v1 + v2 - 2 * covariance, p.discount);
  return true;
}

std::string name(const TradeConfig& t) {
  return std::string("spread ") + (t.call ? "call" : "put");
}

}  // namespace
}  // namespace spread_payoff

void register_spread(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = spread_payoff::describe,
      .validate = spread_payoff::validate,
      .name = spread_payoff::name,
      .set_up = spread_payoff::set_up,
      .choose_control = spread_payoff::choose_control,
      .is_exercisable = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{
      .name = "spread", .doc = "option on the difference of two spots", .functions = &functions});
}

}  // namespace gsim::pricing
