#include "src/modules/pricing/exposures/exposed_trade.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exposures/path_measure.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"
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

bool is_barrier(const TradeSetup& setup) { return setup.payoff == PayoffFormula::barrier; }

bool is_of_periods(const TradeSetup& setup) {
  return setup.payoff == PayoffFormula::cliquet || setup.payoff == PayoffFormula::variance_swap;
}

/// Whether the date is within a period between fixings. There, the payment for the period depends
/// on its return so far, and that for the others on the sum of theirs; of a cliquet these are two
/// variables, since returns are clipped.
bool is_within_period(const TradeConfig& trade, double date) {
  const auto is_fixing = [&](double fixing) { return std::fabs(fixing - date) <= same_date; };
  return (!trade.past_fixings.empty() || trade.fixings.front() < date) &&
         std::none_of(trade.fixings.begin(), trade.fixings.end(), is_fixing);
}

/// Whether the returns of an asset after a date do not depend on its spot at the date.
bool has_free_scale(const MarketView& view, Index asset) {
  return view.asset(asset).drops.empty() &&
         (view.is_lognormal(asset) || functions_of(view.asset(asset)).has_own_variance);
}

/// A trade with the maturity `date` whose payoff is the state of the path on which the value of
/// `trade` depends, also where `trade` is out of the money: the average or extreme so far, a
/// basket's level, the strike of a forward start, the sum of returns with that of the current
/// period, and of knock-out options an amount that is positive until they are knocked out.
TradeConfig state_of(const TradeConfig& trade, double date, const TradeSetup& setup,
                     const MarketView& view) {
  constexpr double large = 1e4;  // in spots; a put with this strike is linear
  TradeConfig state = matured_at(trade, date);
  state.knock_in = false;
  state.rebate = 0;
  const bool is_minimum = setup.monitored == Extreme::minimum && !is_barrier(setup);
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

/// Whether the value is that of options on a short rate, and of what is decided before the date.
bool is_valued_by_options(const TradeConfig& trade) {
  return functions_of(*trade.payoff).rate_value != nullptr && !trade.exercise.is_early();
}

/// What is recorded at a date of a trade whose payoff launchers evaluate: its weighted spots, in
/// whose place RecordedStates::replace_values() puts the state of the past.
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

/// The payoff that is recorded at a date before the maturity: what the trade would pay if that were
/// its maturity, where it may be exercised then or is worth that; otherwise the state of its path.
/// Where there is no state yet, it is 0, or of a knock-out option positive.
TradeSetup value_at(const TradeConfig& trade, double date, bool is_exercise_date,
                    const MarketView& view, const std::vector<Index>& assets,
                    const TradeSetup& setup) {
  const Index record = record_at(*view.records, date);
  if (setup.payoff == PayoffFormula::launched) return weighted_spots(setup, record);
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
    return with_strike_0(setup, record, is_barrier(setup) ? 1 : -1);
  return make_trade_setup(state, view, assets);
}

/// The same trade as a European option.
TradeConfig as_vanilla(TradeConfig trade) {
  trade.payoff = &builtin_payoff("european");
  trade.continuous = trade.knock_in = false;
  trade.barrier = trade.rebate = 0;
  trade.fixings.clear();
  trade.past_fixings.clear();
  return trade;
}

/// The regressions of a trade by default: of a higher degree than those of early exercise, since
/// netted values may be much smaller than those of the trades.
ExerciseOptions with_degree(ExerciseOptions options, Index variables) {
  constexpr Index degrees[] = {8, 8, 6, 4};
  if (options.degree == 0) options.degree = variables < 4 ? degrees[variables] : 3;
  if (function_count(variables, options.degree) > max_functions) options.degree = 2;
  return options;
}

/// The values of return_of_period() at the dates of `exercise`.
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

/// The set-up by which the policy of a trade with early exercise decides.
std::shared_ptr<const ExerciseSetup> make_decisions(const TradeConfig& trade,
                                                    const ExerciseOptions& options,
                                                    const MarketView& view,
                                                    const std::vector<Index>& order,
                                                    const TradeSetup& whole) {
  TradeConfig later = trade;
  later.exercise.today = false;
  return make_exercise_setup(later, options, view, order, whole, false);
}

/// What is recorded of `trade`, whose assets are changed, under the measure of the base currency.
std::shared_ptr<const ExerciseSetup> under_base(const ExerciseSetup& exercise,
                                                const BaseMeasure& measure,
                                                const std::vector<Index>& order,
                                                TradeSetup& trade) {
  const std::vector<Index> own = trade.assets;
  trade.assets.clear();
  for (const Index i : measure.assets) trade.assets.push_back(simulated_index(order, i));
  auto changed = std::make_shared<ExerciseSetup>(exercise);
  for (TradeSetup& value : changed->values)
    value.assets.assign(trade.assets.begin(),
                        trade.assets.begin() + static_cast<Index>(value.assets.size()));
  for (Index& variance : changed->variables.variances)
    variance = trade.assets[static_cast<std::size_t>(std::find(own.begin(), own.end(), variance) -
                                                     own.begin())];
  return changed;
}

/// Index of a date among increasing ones.
Index position(const std::vector<double>& dates, double date) {
  return std::lower_bound(dates.begin(), dates.end(), date - same_date) - dates.begin();
}

}  // namespace

std::vector<double> exposure_dates(const TradeConfig& trade, const std::vector<double>& dates) {
  std::vector<double> all = trade.exercise.dates;
  for (const double date : dates)
    if (date < trade.maturity - same_date) all.push_back(date);
  std::sort(all.begin(), all.end());
  std::vector<double> joined;
  for (const double date : all)
    if (date < trade.maturity - same_date && (joined.empty() || date - joined.back() > same_date))
      joined.push_back(date);
  joined.push_back(trade.maturity);
  return joined;
}

ExposedTrade::ExposedTrade(const TradeConfig& trade, const std::vector<double>& dates,
                           const ExerciseOptions& options, const MarketView& view,
                           const PricingSetup& setup, const BaseMeasure& measure, bool needs_today)
    : needs_today_(needs_today) {
  TradeConfig exposed = trade;
  exposed.exercise.dates = exposure_dates(trade, dates);
  const std::vector<double>& recorded = exposed.exercise.dates;
  for (const double date : dates)
    if (date < trade.maturity - same_date) valued_.push_back(position(recorded, date));
  const TradeSetup whole = make_trade_setup(trade, view, setup.assets);
  const bool is_launched = whole.payoff == PayoffFormula::launched;
  const bool has_decisions = trade.exercise.is_early() &&
                             (is_launched || functions_of(*trade.payoff).exercise_depends_on_path);
  std::vector<TradeSetup> values;
  const auto is_exercised_at = [&](double date) {
    return trade.exercise.is_early() && !has_decisions &&
           std::any_of(trade.exercise.dates.begin(), trade.exercise.dates.end(),
                       [&](double d) { return std::fabs(d - date) <= same_date; });
  };
  const ExerciseOptions regression_options =
      trade.exercise.is_early() && !has_decisions
          ? options  // of the policy
          : with_degree(options, choose_variables(exposed, view, whole).count());
  for (std::size_t d = 0; d + 1 < recorded.size(); ++d)
    values.push_back(
        value_at(exposed, recorded[d], is_exercised_at(recorded[d]), view, setup.assets, whole));
  values.push_back(is_launched ? weighted_spots(whole, whole.records.back()) : whole);
  exercise_ =
      make_exercise_setup(exposed, regression_options, view, whole, std::move(values), false);
  const bool is_within_periods =
      whole.payoff == PayoffFormula::cliquet &&
      std::any_of(valued_.begin(), valued_.end(), [&](Index d) {
        return is_within_period(trade, recorded[static_cast<std::size_t>(d)]);
      });
  if (is_within_periods && has_free_scale(view, trade.assets.front()))
    returns_ = make_returns(exposed, *exercise_, view, setup.assets, whole);
  if (has_decisions) decisions_ = make_decisions(trade, options, view, setup.assets, whole);
  if (trade.exercise.policy != nullptr) {
    policy_ = *trade.exercise.policy;
    for (std::size_t d = 0; d < policy_.dates.size(); ++d)
      decided_.push_back(position(recorded, trade.exercise.dates[d]));
  }
  price_ = closed_form_value(trade, view, setup.assets);
  if (is_valued_by_options(trade))
    for (const Index d : valued_)
      options_.emplace_back(trade, view.paid_in(trade.currency),
                            recorded[static_cast<std::size_t>(d)]);
  records_values_ = functions_of(*trade.payoff).matures_at_value;
  is_closed_ = records_values_ || is_valued_by_options(trade) ||
               (!is_early() && whole.payoff == PayoffFormula::vanilla &&
                whole.combination == Combination::single && trade.payment_lag == 0 &&
                exercise_->adds_control() && functions_of(*trade.payoff).dates == nullptr);
  // Coupons are not part of the values at the dates at which they are paid.
  ends_without_payment_ = records_values_ || functions_of(*trade.payoff).pays_before_maturity;
  ends_at_zero_ = is_barrier(whole);
  if (whole.knock_in && !is_launched)
    touched_ = std::make_shared<ExposedTrade>(as_vanilla(trade), dates, options, view, setup,
                                              measure, false);
  if (!is_launched && !whole.knock_in && trade.rebate != 0) {
    if (trade.rebate_at_hit)
      alive_ = std::make_shared<const TradeSetup>(
          make_trade_setup(state_of(trade, trade.maturity, whole, view), view, setup.assets));
    else
      knocked_out_value_ = whole.discount * trade.rebate;
  }
  if (is_launched)
    launched_ = std::make_shared<const LaunchedPayments>(trade, view, whole, recorded);
  is_incomplete_ = (is_launched && whole.records.size() > 1) || (is_within_periods && !returns_);
  has_either_sign_ = whole.has_either_sign || is_of_periods(whole);
  choose_recordings(whole, measure, setup);
}

void ExposedTrade::choose_recordings(const TradeSetup& whole, const BaseMeasure& measure,
                                     const PricingSetup& setup) {
  if (policy_.exercised_today) return;
  const bool is_fitted = !is_closed_ && !valued_.empty();
  const bool needs_others = is_fitted || (!price_ && needs_today_);
  // What is recorded of a launched payoff itself are its states: weighted spots.
  const TradeSetup& recorded = launched_ ? exercise_->values.back() : whole;
  const auto add = [&](const TradeSetup& trade, const std::shared_ptr<const ExerciseSetup>& states,
                       Index& mine, Index& others) {
    mine = add_recording(trade, states, false, measure, setup);
    if (needs_others) others = add_recording(trade, states, true, measure, setup);
  };
  add(recorded, exercise_, places_.mine, places_.others);
  if (decisions_) add(whole, decisions_, places_.my_decisions, places_.their_decisions);
  if (returns_) add(whole, returns_, places_.my_returns, places_.their_returns);
  if (launched_) add(whole, launched_->recorded(), places_.my_payments, places_.their_payments);
  if (alive_) {
    auto at_maturity = std::make_shared<ExerciseSetup>();
    at_maturity->values = {*alive_};
    at_maturity->records = {exercise_->records.back()};
    at_maturity->decision_discount = {1};
    places_.alive = add_recording(whole, at_maturity, false, measure, setup);
  }
  if (!touched_) return;
  places_.touched = static_cast<Index>(recordings_.size());
  recordings_.insert(recordings_.end(), touched_->recordings_.begin(), touched_->recordings_.end());
}

Index ExposedTrade::add_recording(const TradeSetup& whole,
                                  std::shared_ptr<const ExerciseSetup> exercise, bool of_regression,
                                  const BaseMeasure& measure, const PricingSetup& setup) {
  PathRecording recording{whole, of_regression, &measure,
                          exercise->control.kind != ExerciseControl::none};
  if (!of_regression && !measure.assets.empty())
    exercise = under_base(*exercise, measure, setup.assets, recording.trade);
  recording.trade.exercise = std::move(exercise);
  recordings_.push_back(std::move(recording));
  return static_cast<Index>(recordings_.size()) - 1;
}

double ExposedTrade::bytes(const UnitSamples& samples) const {
  // Of a value: its set-up, and the tables of the host and of the executor; of a fixing the same.
  constexpr double value_bytes = 1300, fixing_bytes = 24;
  double sum = 0;
  for (const PathRecording& recording : recordings_) {
    sum += recording.bytes(samples);
    for (const TradeSetup& value : recording.trade.exercise->values)
      sum += value_bytes + fixing_bytes * static_cast<double>(value.records.size());
  }
  return sum;
}

double ExposedTrade::bytes_of_values(const UnitSamples& samples) const {
  return sizeof(double) * static_cast<double>(samples.paths) *
         (2 * static_cast<double>(valued_.size()) + 1);
}

double ExposedTrade::bytes_of_work(const UnitSamples& samples) const {
  // Payments of the unit and of the regressions, with controls, dates and masks, and copies of them
  // in the executor's memory; the values of touched_.
  constexpr double columns = 8;
  const auto paths = static_cast<double>(samples.paths + samples.regression_paths);
  return sizeof(double) * columns * paths + (touched_ ? touched_->bytes_of_values(samples) : 0);
}

}  // namespace gsim::pricing
