#include "src/modules/pricing/exposures/recorded_payoffs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/returns_of_periods.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {
namespace {

/// A call or a put with strike 0 on the trade's first asset: what pays the spot, or nothing.
TradeSetup with_strike_0(const TradeSetup& setup, Index record, double sign) {
  TradeSetup p;
  p.name = setup.name;
  p.assets = {setup.assets.front()};
  p.weights = {1};
  p.records = {record};
  p.sign = sign;
  return p;
}

/// Whether the state has a value at the date: there is a fixing, or a period, until then.
bool has_state(const TradeConfig& trade, const TradeConfig& state, double date,
               const TradeSetup& setup) {
  const PayoffFunctions& payoff = functions_of(*trade.payoff);
  if (payoff.dates != nullptr)
    for (const double start : payoff.dates(trade))
      if (start > date - same_date) return false;
  if (trade.fixings.empty()) return true;
  const std::size_t all = state.fixings.size() + state.past_fixings.size();
  return !state.fixings.empty() && state.fixings.back() > same_date &&
         (!is_of_periods(setup) || all > 1);
}

/// The return since the last fixing of a cliquet until `date`; nothing at a fixing or before the
/// first one.
std::optional<TradeConfig> return_of_period(const TradeConfig& trade, double date) {
  if (!is_within_period(trade, date)) return std::nullopt;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  TradeConfig state = matured_at(trade, date);
  if (!state.fixings.empty()) {
    state.fixings = {state.fixings.back(), date};
    state.past_fixings.clear();
  } else {
    state.fixings = {date};
    state.past_fixings = {state.past_fixings.back()};
  }
  state.past_return = 0;
  state.local_floor = state.global_floor = -infinity;
  state.local_cap = state.global_cap = infinity;
  return state;
}

}  // namespace

bool is_barrier(const TradeConfig& trade, const TradeSetup& setup) {
  return setup.payoff == PayoffFormula::barrier ||
         (setup.payoff == PayoffFormula::launched && trade.continuous);
}

bool is_launched(const TradeConfig& trade, const TradeSetup& setup) {
  return setup.payoff == PayoffFormula::launched && !trade.continuous;
}

bool is_within_period(const TradeConfig& trade, double date) {
  const auto is_fixing = [&](double fixing) { return std::fabs(fixing - date) <= same_date; };
  return (!trade.past_fixings.empty() || trade.fixings.front() < date) &&
         std::none_of(trade.fixings.begin(), trade.fixings.end(), is_fixing);
}

TradeConfig state_of(const TradeConfig& trade, double date, const TradeSetup& setup,
                     const MarketView& view) {
  constexpr double large = 1e4;  // in spots; a put with this strike is linear
  TradeConfig state = matured_at(trade, date);
  state.knock_in = false;
  state.rebate = 0;
  const bool is_minimum = setup.monitored == Extreme::minimum && !is_barrier(trade, setup);
  state.call = !is_minimum && setup.payoff != PayoffFormula::forward_start;
  state.strike = is_minimum ? large * view.spot(trade.assets.front())
                 : setup.payoff == PayoffFormula::forward_start ? large
                                                                : 0;
  state.average_strike = state.floating = false;
  if (is_of_periods(setup)) {
    state.call = trade.call;
    state.strike = trade.strike;
    state.global_floor = -std::numeric_limits<double>::infinity();
    state.global_cap = std::numeric_limits<double>::infinity();
    // The return of the current period may be a variable of its own.
    const bool is_apart =
        setup.payoff == PayoffFormula::cliquet && has_free_scale(view, trade.assets.front());
    if (is_within_period(trade, date) && !is_apart) state.fixings.push_back(date);
  }
  return state;
}

TradeSetup state_of_window(const TradeSetup& setup, Index record) {
  // The numbers of kernels/pricing/payoffs/window_barrier.hpp.
  enum : std::size_t { sign, strike, knock_in = 4, rebate, monitored = 7 };
  TradeSetup state = setup;
  state.control = TradeSetup::Control::none;
  state.numbers[sign] = 1;
  state.numbers[strike] = state.numbers[knock_in] = state.numbers[rebate] = 0;
  state.records.resize(static_cast<std::size_t>(setup.numbers[monitored]));
  std::erase_if(state.records, [&](Index monitored_record) { return monitored_record > record; });
  state.numbers[monitored] = static_cast<double>(state.records.size());
  if (state.records.empty() || state.records.back() != record) state.records.push_back(record);
  state.growth.assign(state.records.size(), 1.0);
  return state;
}

bool is_valued_by_options(const TradeConfig& trade) {
  return functions_of(*trade.payoff).rate_value != nullptr && !trade.exercise.is_early();
}

TradeSetup weighted_spots(const TradeSetup& setup, Index record) {
  TradeSetup p;
  p.name = setup.name;
  p.payoff = PayoffFormula::forward;
  p.combination = setup.combination;
  p.assets = setup.assets;
  p.weights = setup.weights;
  p.records = {record};
  return p;
}

TradeSetup value_at(const TradeConfig& trade, double date, bool is_exercise_date,
                    const MarketView& view, const std::vector<Index>& assets,
                    const TradeSetup& setup) {
  const Index record = record_at(*view.records, date);
  if (is_launched(trade, setup)) return weighted_spots(setup, record);
  if (setup.payoff == PayoffFormula::launched) return state_of_window(setup, record);
  if (is_valued_by_options(trade)) {
    TradeSetup decided = setup;
    std::vector<RateClaim> claims =
        functions_of(*trade.payoff).rate_value(trade, view.paid_in(trade.currency), date).decided;
    if (claims.empty() || claims.back().date < date) claims.push_back({date, false, {}});
    set_claims(claims, view, decided);
    decided.discount *= decided.conversion;
    return decided;
  }
  if (is_exercise_date || functions_of(*trade.payoff).matures_at_value)
    return make_trade_setup(matured_at(trade, date), view, assets);
  const TradeConfig state = state_of(trade, date, setup, view);
  if (!has_state(trade, state, date, setup))
    return with_strike_0(setup, record, is_barrier(trade, setup) ? 1 : -1);
  return make_trade_setup(state, view, assets);
}

std::shared_ptr<const ExerciseSetup> make_returns(const TradeConfig& trade,
                                                  const ExerciseSetup& exercise,
                                                  const MarketView& view,
                                                  const std::vector<Index>& order,
                                                  const TradeSetup& whole) {
  auto returns = std::make_shared<ExerciseSetup>();
  returns->records = exercise.records;
  returns->decision_discount = exercise.decision_discount;
  for (std::size_t d = 0; d < exercise.records.size(); ++d) {
    const auto state = return_of_period(trade, trade.exercise.dates[d]);
    returns->values.push_back(state ? make_trade_setup(*state, view, order)
                                    : with_strike_0(whole, exercise.records[d], -1));
  }
  return returns;
}

std::shared_ptr<const ExerciseSetup> make_bond_values(const TradeConfig& bond,
                                                      const ExerciseSetup& exercise,
                                                      const std::vector<double>& dates,
                                                      const MarketView& view,
                                                      const std::vector<Index>& order) {
  auto values = std::make_shared<ExerciseSetup>();
  for (std::size_t d = 0; d + 1 < dates.size(); ++d) {
    values->records.push_back(exercise.records[d]);
    values->decision_discount.push_back(1);
    values->values.push_back(make_trade_setup(matured_at(bond, dates[d]), view, order));
  }
  return values;
}

}  // namespace gsim::pricing
