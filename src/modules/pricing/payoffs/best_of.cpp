// Options on the largest of several weighted spots (Stulz 1982; Johnson 1987).

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace best_of_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  describe_multi_asset_option(s, t, WeightRule::positive);
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_multi_asset_option(s, market, t, WeightRule::positive);
}

void set_up(const TradeConfig&, const MarketView&, const Observations&, TradeSetup& p) {
  p.payoff = PayoffFormula::vanilla;
  p.combination = Combination::best_of;
}

// Two assets have a closed form.
std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup& p) {
  if (t.assets.size() != 2 || !all_black_scholes(t, view)) return {};
  return two_asset_value(true, t, view, p);
}

std::string name(const TradeConfig& t) {
  return fmt::format("{} on best of {}", t.call ? "call" : "put", t.assets.size());
}

}  // namespace
}  // namespace best_of_payoff

void register_best_of(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = best_of_payoff::describe,
      .validate = best_of_payoff::validate,
      .name = best_of_payoff::name,
      .set_up = best_of_payoff::set_up,
      .value = best_of_payoff::value,
      .is_exercisable = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{
      .name = "best_of", .doc = "option on the largest of several spots", .functions = &functions});
}

}  // namespace gsim::pricing
