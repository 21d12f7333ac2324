// Options to enter a swap (Jamshidian 1989), also at several dates.

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace swaption_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  static constexpr std::string_view types[] = {"payer", "receiver"};
  int type = 0;
  s.required_word("type", type, types, {.doc = "whether the fixed rate is paid or received"});
  t.call = type == 0;
  describe_expiry(s, t);
  t.swap.start = std::numeric_limits<double>::quiet_NaN();
  describe_swap_terms(s, t, SwapLegs::both,
                      "the maturity; exercise is into the periods that begin at its date or later");
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_maturity(s, t);
  if (std::isnan(t.swap.start)) t.swap.start = t.maturity;
  validate_swap_terms(s, market, SwapLegs::both, t);
  for (const bool is_fixed : {true, false})
    if (t.maturity > last_start(t, is_fixed) + same_date)
      s.fail("maturity", fmt::format("no {} period begins at the maturity {:g} or later",
                                     is_fixed ? "fixed" : "floating", t.maturity));
}

void set_up(const TradeConfig& t, const MarketView& view, const Observations&, TradeSetup& p) {
  set_option_claim(t, view, remaining_swap, p);
}

std::optional<double> value(const TradeConfig& t, const MarketView& view, const TradeSetup&) {
  return option_value(t, view, remaining_swap);
}

RateValue rate_value(const TradeConfig& t, const MarketView& view, double) {
  return {{}, {{t.maturity, true, remaining_swap(t, model_of(t, view), t.maturity)}}};
}

std::string name(const TradeConfig& t) {
  return std::string("European ") + (t.call ? "payer" : "receiver") + " swaption";
}

}  // namespace
}  // namespace swaption_payoff

void register_swaption(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = swaption_payoff::describe,
      .validate = swaption_payoff::validate,
      .name = swaption_payoff::name,
      .set_up = swaption_payoff::set_up,
      .value = swaption_payoff::value,
      .rate_value = swaption_payoff::rate_value,
      .has_control = false,  // ln S has a large variance, and the mean of S few samples
      .is_tiltable = false,
      .is_exercisable = true,
      .is_lipschitz = true,
  };
  registry.extend(
      PayoffKind{.name = "swaption", .doc = "option to enter a swap", .functions = &functions});
}

}  // namespace gsim::pricing
