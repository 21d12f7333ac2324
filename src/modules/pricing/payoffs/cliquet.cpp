// Cliquets: options on a sum of clipped returns (Wilmott 2002).

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/trades/control_variates.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/trade_fields.hpp"

namespace gsim::pricing {
namespace cliquet_payoff {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void describe(Section& s, TradeInput& t) {
  describe_asset(s, t);
  describe_type(s, t);
  s.optional("moneyness", t.strike = 1,
             {.doc = "strike of each period as a multiple of the spot at its start", .minimum = 0});
  describe_maturity(s, t);
  static const ScheduleKeys resets("resets, the first period's start included",
                                   ScheduleStart::first_date);
  describe_schedule(s, t, resets);
  t.local_floor = 0;
  t.local_cap = t.global_cap = infinity;
  t.global_floor = -infinity;
  s.optional("local_floor", t.local_floor,
             {.doc = "floor on the return of a period", .allow_infinity = true});
  s.optional("local_cap", t.local_cap,
             {.doc = "cap on the return of a period", .allow_infinity = true});
  s.optional("global_floor", t.global_floor,
             {.doc = "floor on the sum of returns", .allow_infinity = true});
  s.optional("global_cap", t.global_cap,
             {.doc = "cap on the sum of returns", .allow_infinity = true});
  s.optional("past_return", t.past_return, {.doc = "sum of the clipped returns of past periods"});
  s.optional("last_reset", t.last_reset,
             {.doc = "spot at the last reset before today, where the current period began; 0: none",
              .minimum = 0});
}

void validate(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_asset(s, market, t);
  validate_maturity(s, t);
  validate_schedule(s, market, t, ScheduleStart::first_date);
  if (t.last_reset > 0 && !t.past_fixings.empty())
    s.fail("last_reset", "`fixings` has the dates of past resets, so that their spots are known",
           "leave `last_reset` and `past_return` out");
  if (t.last_reset > 0) t.past_fixings = {t.last_reset};
  if (t.local_floor > t.local_cap)
    s.fail("local_floor",
           fmt::format("local_floor {} is above local_cap {}", t.local_floor, t.local_cap));
  if (t.global_floor > t.global_cap)
    s.fail("global_floor",
           fmt::format("global_floor {} is above global_cap {}", t.global_floor, t.global_cap));
  if (t.fixings.size() + t.past_fixings.size() < 2)
    s.fail("fixings", "a cliquet needs at least one period");
}

void set_up(const TradeConfig& t, const MarketView&, const Observations& o, TradeSetup& p) {
  p.payoff = PayoffFormula::cliquet;
  p.local_floor = t.local_floor;
  p.local_cap = t.local_cap;
  p.global_floor = t.global_floor;
  p.global_cap = t.global_cap;
  p.past_sum = t.past_return;
  // The return of a period that ends today is already known.
  for (std::size_t k = 1; k < o.past.size(); ++k)
    p.past_sum += std::fmin(
        std::fmax(p.sign * (o.past[k] / o.past[k - 1] - p.strike), p.local_floor), p.local_cap);
  if (!o.past.empty()) p.past_last = o.past.back();
}

// Whether the global limits can change the payoff. If they cannot, the cliquet equals the sum of
// its clipped returns and would be its own control variate.
bool global_limits_can_bind(const TradeSetup& p) {
  const auto periods = static_cast<double>(p.records.size()) - (p.past_last > 0 ? 0 : 1);
  return p.global_cap < p.past_sum + periods * p.local_cap ||
         p.global_floor > p.past_sum + periods * p.local_floor;
}

// The sum of the clipped returns, without the global limits.
bool choose_control(const TradeConfig& t, const MarketView& view, TradeSetup& p) {
  const Index i = t.assets.front();
  const AssetConfig& a = view.asset(i);
  if (!view.is_lognormal(i) || !global_limits_can_bind(p)) return false;
  double from = 0, start = p.past_last, variance = 0, sum = p.past_sum;
  for (const Index r : p.records) {
    const double to = (*view.records)[static_cast<std::size_t>(r)];
    const double forward = view.forward(i, to), total = view.variance(i, to);
    if (start > 0)
      sum +=
          clipped_return(p.sign, forward / start, p.strike, p.local_floor, p.local_cap,
                         total - variance, a.jump_intensity * (to - from), a.jump_mean, a.jump_sd);
    from = to;
    start = forward;
    variance = total;
  }
  p.control = TradeSetup::Control::clipped_returns;
  p.control_expectation = p.discount * sum;
  return true;
}

std::string name(const TradeConfig& t) {
  return std::string("cliquet ") + (t.call ? "call" : "put");
}

}  // namespace
}  // namespace cliquet_payoff

void register_cliquet(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = cliquet_payoff::describe,
      .validate = cliquet_payoff::validate,
      .name = cliquet_payoff::name,
      .set_up = cliquet_payoff::set_up,
      .choose_control = cliquet_payoff::choose_control,
      .is_exercisable = true,
      .exercise_needs_period = true,
      .exercise_depends_on_path = true,
      .is_lipschitz = true,
  };
  registry.extend(PayoffKind{.name = "cliquet",
                             .doc = "option on the sum of the clipped returns of periods",
                             .functions = &functions});
}

}  // namespace gsim::pricing
