// Options on a basket: the weighted sum of several spots, or the product of their powers.

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace basket_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  static constexpr std::string_view averages[] = {"arithmetic", "geometric"};
  describe_multi_asset_option(s, t, WeightRule::free);
  int average = 0;
  s.optional_word("average", average, averages,
                  {.doc = "kind of basket: weighted sum of the spots, or product of their powers"});
  t.geometric = average == 1;
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_multi_asset_option(s, market, t, WeightRule::free);
}

void set_up(const TradeConfig& t, const MarketView&, const Observations&, TradeSetup& p) {
  p.payoff = PayoffFormula::vanilla;
  p.combination = t.geometric ? Combination::geometric : Combination::weighted_sum;
}

bool is_positive_basket(const TradeConfig& t) {
  if (t.geometric) return false;
  for (const double w : t.weights)
    if (!(w > 0)) return false;
  return true;
}

// The geometric basket with the same forward value and the same first-order sensitivities: weights
// w_i F_i / sum w F, scaled so that it equals the basket when every spot is at its forward.
bool choose_control(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  if (!is_positive_basket(t) || !all_black_scholes(t, view)) return false;
  const double date = last_date(view, p);
  const std::size_t n = t.assets.size();
  std::vector<double> forwards, covariance(n * n);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    forwards.push_back(view.forward(t.assets[i], date));
    total += t.weights[i] * forwards[i];
    for (std::size_t j = 0; j < n; ++j)
      covariance[i * n + j] = log_covariance(*view.market, t.assets[i], t.assets[j], date);
  }
  p.control_log_scale = logarithm(total);
  for (std::size_t i = 0; i < n; ++i) {
    p.control_weights.push_back(t.weights[i] * forwards[i] / total);
    p.control_log_scale -= p.control_weights[i] * logarithm(forwards[i]);
  }
  const Lognormal law =
      geometric_basket(forwards, covariance, p.control_weights, p.control_log_scale);
  p.control = TradeSetup::Control::basket_geometric;
  p.control_expectation = black(p.sign, law.expectation(), p.strike, law.variance, p.discount);
  return true;
}

std::string name(const TradeConfig& t) {
  return fmt::format("{} on {}basket of {}", t.call ? "call" : "put",
                     t.geometric ? "geometric " : "", t.assets.size());
}

}  // namespace
}  // namespace basket_payoff

void register_basket(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = basket_payoff::describe,
      .validate = basket_payoff::validate,
      .name = basket_payoff::name,
      .set_up = basket_payoff::set_up,
      .choose_control = basket_payoff::choose_control,
      .is_exercisable = true,
      .is_lipschitz = true,
  };
  registry.extend(
      PayoffKind{.name = "basket",
                 .doc = "option on a weighted sum of spots, or on a product of their powers",
                 .functions = &functions});
}

}  // namespace gsim::pricing
