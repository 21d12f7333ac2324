#include "src/modules/pricing/greeks/note_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "gsim/core/error.hpp"
#include "kernels/pricing/payoffs/script_operations.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/greeks/adjoint_sweeps.hpp"
#include "src/modules/pricing/greeks/phoenix_numbers.hpp"
#include "src/modules/pricing/greeks/smoothed_sweeps.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"

namespace gsim::pricing {
namespace {

constexpr std::size_t most_assets = 8;  // the numbers of a gradient grow with their square

constexpr std::size_t napoleon_periods = 3;  // position among ScriptedTrade::swept_terms

pricing_kernels::ScriptView<double> program_of(const TradeSetup& t) {
  return {t.numbers.data(), static_cast<std::int32_t>(t.records.size())};
}

/// A state after the events until today, by its position from the end.
double state_of(const TradeSetup& t, int from_end) {
  const auto program = program_of(t);
  return program.initial[program.states - from_end];
}
constexpr int start_of_period = 3;  // position from the end among the states of a Napoleon
/// Of a Napoleon: the spot at the start of the first period, 0 if it begins at the first fixing.
double first_spot(const TradeSetup& t) { return state_of(t, start_of_period); }

/// growth_of_payments() of a note, all of which pay their coupons by their script.
std::vector<double> growth_of(const TradeConfig& config, const TradeSetup& t) {
  std::vector<double> growth = growth_of_payments(config, t);
  GSIM_EXPECT(!growth.empty());
  return growth;
}

std::vector<double> napoleon_numbers(const Simulation& base, const TradeSetup& t,
                                     const TradeConfig& config) {
  const double before = first_spot(t), worst = state_of(t, 2), done = state_of(t, 1);
  std::vector<double> numbers = config.script->swept_terms;
  const double log_spot = base.assets[static_cast<std::size_t>(t.assets.front())].log_spot;
  numbers.insert(numbers.end(), {done, logarithm(1 + worst), before > 0 ? 1.0 : 0.0,
                                 before > 0 ? logarithm(before) - log_spot : 0.0});
  const std::vector<double> growth = growth_of(config, t);
  numbers.insert(numbers.end(), growth.begin(), growth.end());
  return numbers;
}

/// The number of periods of a coupon of a Napoleon that are over at a fixing; 0: one is paid there.
Index periods_over(const TradeSetup& t, const ScriptedTrade& script, Index fixing) {
  const auto periods = static_cast<Index>(script.swept_terms[napoleon_periods]);
  const auto done = static_cast<Index>(state_of(t, 1));
  return (done + fixing + (first_spot(t) > 0 ? 1 : 0)) % periods;
}

}  // namespace

bool has_phoenix_jumps(const PricingConfig& config, const TradeConfig& t) {
  if (std::string_view(t.payoff->name) != "phoenix" || t.exercise.is_early() ||
      config.options.conditional || t.assets.size() > most_assets)
    return false;
  const MarketView view{&config.market, nullptr};
  return std::all_of(t.assets.begin(), t.assets.end(),
                     [&](Index a) { return has_lognormal_density(view, a); });
}

SweptPayoff swept_note(const TradeSetup& t) {
  if (t.payoff != PayoffFormula::launched || t.kind == nullptr || t.hit_already)
    return SweptPayoff::own;
  const std::string_view name = t.kind->name;
  if (name == "napoleon") return SweptPayoff::napoleon;
  return name == "phoenix" ? SweptPayoff::phoenix : SweptPayoff::own;
}

bool has_same_states(const TradeSetup& base, const TradeSetup& bumped, SweptPayoff swept) {
  const auto from = program_of(base), to = program_of(bumped);
  const std::int32_t derived = swept == SweptPayoff::napoleon ? from.states - start_of_period : -1;
  for (std::int32_t s = 0; s < from.states; ++s)
    if (s != derived && from.initial[s] != to.initial[s]) return false;
  return true;
}

std::vector<double> note_gradient_numbers(const Simulation& base, const TradeSetup& trade,
                                          const TradeConfig& config, SweptPayoff swept) {
  if (swept == SweptPayoff::napoleon) return napoleon_numbers(base, trade, config);
  return phoenix_numbers(base, trade, config.script->swept_terms, growth_of(config, trade),
                         state_of(trade, 1));
}

void add_changes_of_payments(const TradeSetup& base, const TradeSetup& bumped,
                             const TradeConfig& config, SweptPayoff swept, PlannedSweep& sweep,
                             int& sums, std::vector<AdjointTerm>& terms) {
  const ScriptedTrade& script = *config.script;
  const bool is_napoleon = swept == SweptPayoff::napoleon;
  const std::vector<double> before = growth_of(config, base), after = growth_of(config, bumped);
  for (PlannedDate& date : sweep.dates) {
    if (date.fixing < 0) continue;
    if (is_napoleon && periods_over(base, script, date.fixing) != 0) continue;
    // Each payment of a Napoleon has a sum, because one without would be added to an earlier one.
    if (is_napoleon && date.further < 0) date.further = sums++;
    const auto i = static_cast<std::size_t>(date.fixing);
    const double change = relative_change(before[i], after[i]);
    if (change == 0) continue;
    if (!is_napoleon && sweep.paid < 0) {
      sweep.paid = sums;
      sums += static_cast<int>(before.size());
    }
    add_term(terms, is_napoleon ? date.further : sweep.paid + static_cast<int>(date.fixing),
             change);
  }
  if (!is_napoleon || !(first_spot(base) > 0)) return;
  const double change = without_rounding(first_spot(bumped) / first_spot(base) - 1);
  if (change == 0) return;
  if (sweep.start < 0) sweep.start = sums++;
  add_term(terms, sweep.start, change);
}

}  // namespace gsim::pricing
