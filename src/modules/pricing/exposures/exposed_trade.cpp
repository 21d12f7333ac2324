#include "src/modules/pricing/exposures/exposed_trade.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "gsim/core/error.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/policy_fit.hpp"
#include "src/modules/pricing/exercise/returns_of_periods.hpp"
#include "src/modules/pricing/exposures/recorded_payoffs.hpp"
#include "src/modules/pricing/exposures/value_regression.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

/// The same trade as a European option.
TradeConfig as_vanilla(TradeConfig trade) {
  trade.payoff = &builtin_payoff("european");
  trade.continuous = trade.knock_in = false;
  trade.barrier = trade.rebate = 0;
  trade.fixings.clear();
  trade.past_fixings.clear();
  return trade;
}

/// The degree of the regressions of a trade, by default a higher one than that of early exercise,
/// since netted values may be much smaller than those of the trades.
Index regression_degree(const ExerciseOptions& options, Index variables) {
  constexpr Index degrees[] = {8, 8, 6, 4};
  const Index by_default = variables < 4 ? degrees[variables] : 3;
  const Index degree = options.degree == 0 ? by_default : options.degree;
  return function_count(variables, degree) > max_functions ? 2 : degree;
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

/// The values of `exercise`, each with the states of earlier dates for its own.
std::shared_ptr<const ExerciseSetup> at_dates(const std::shared_ptr<const ExerciseSetup>& exercise,
                                              const EarlierRates& rates) {
  if (!rates.are_changed()) return exercise;
  auto changed = std::make_shared<ExerciseSetup>(*exercise);
  for (std::size_t d = 0; d < changed->values.size(); ++d)
    changed->values[d] = rates.for_values_at(changed->records[d], std::move(changed->values[d]));
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
    : dates_(exposure_dates(trade, dates)), lag_(trade.payment_lag), needs_today_(needs_today) {
  for (const double date : dates)
    if (date < trade.maturity - same_date) valued_.push_back(position(dates_, date));
  const TradeSetup whole = make_trade_setup(trade, view, setup.assets);
  const bool launched = is_launched(trade, whole);
  ends_at_barrier_ = is_barrier(trade, whole);
  const bool has_decisions =
      trade.exercise.is_early() &&
      (launched || ends_at_barrier_ || functions_of(*trade.payoff).exercise_depends_on_path);
  make_states(trade, has_decisions, options, view, setup, whole);
  if (has_decisions) decisions_ = make_decisions(trade, options, view, setup.assets, whole);
  if (trade.exercise.policy != nullptr) {
    policy_ = *trade.exercise.policy;
    policy_paths_ = paths_of_policy(options, decisions(), whole.payoff == PayoffFormula::launched);
    for (std::size_t d = 0; d < policy_.dates.size(); ++d)
      decided_.push_back(position(dates_, trade.exercise.dates[d]));
  }
  choose_formulas(trade, view, setup, whole);
  // Coupons are not part of the values at the dates at which they are paid.
  ends_without_payment_ = records_values_ || functions_of(*trade.payoff).pays_before_maturity;
  const bool is_knock_in = ends_at_barrier_ && whole.knock_in;
  begins_at_barrier_ = is_knock_in && trade.exercise.is_early();
  if (is_knock_in && !begins_at_barrier_)
    touched_ = std::make_shared<ExposedTrade>(as_vanilla(trade), dates, options, view, setup,
                                              measure, false);
  if (ends_at_barrier_ && !whole.knock_in && trade.rebate != 0) {
    if (trade.rebate_at_hit)
      alive_ = std::make_shared<const TradeSetup>(
          make_trade_setup(state_of(trade, trade.maturity, whole, view), view, setup.assets));
    else
      knocked_out_value_ = whole.discount * trade.rebate;
  }
  if (launched) {
    for (const double date : dates)
      if ((longest_lag(trade) > 0 || decisions_) && date >= trade.maturity - same_date &&
          date <= last_payment_date(trade) + same_date)
        later_dates_.push_back(date);
    launched_ = std::make_shared<const LaunchedPayments>(
        trade, view, whole, LaunchedDates{dates_, valued_, later_dates_}, decisions_.get());
    is_incomplete_ = whole.records.size() > 1;
  }
  const EarlierRates rates(setup.simulation, measure, view, setup.assets);
  make_earlier_decisions(trade, rates);
  choose_recordings(whole, measure, rates, setup);
}

void ExposedTrade::make_earlier_decisions(const TradeConfig& trade, const EarlierRates& rates) {
  if (!trade.exercise.is_early() || !rates.are_changed()) return;
  GSIM_EXPECT(!decisions_ && lag_ == 0);  // rates: decisions depend on the state of their date
  auto earlier = std::make_shared<ExerciseSetup>();
  for (std::size_t k = 0; k < valued_.size(); ++k) {
    const Index later = exercise_->records[static_cast<std::size_t>(valued_[k])];
    for (std::size_t i = 0; i + 1 < trade.exercise.dates.size(); ++i) {
      const Index d = position(dates_, trade.exercise.dates[i]);
      if (d > valued_[k]) break;
      const TradeSetup& value = exercise_->values[static_cast<std::size_t>(d)];
      const Index record = exercise_->records[static_cast<std::size_t>(d)];
      EarlierDecision decision{static_cast<Index>(k), static_cast<Index>(i), {}};
      for (std::size_t j = 0; j < value.assets.size(); ++j)
        decision.factors.push_back(exponential(rates.change(j, record, later)));
      earlier_decisions_.push_back(std::move(decision));
      earlier->values.push_back(rates.for_values_at(later, value));
      earlier->records.push_back(record);
      earlier->decision_discount.push_back(1);
    }
  }
  if (!earlier_decisions_.empty()) earlier_ = std::move(earlier);
}

void ExposedTrade::make_states(const TradeConfig& trade, bool has_decisions,
                               const ExerciseOptions& options, const MarketView& view,
                               const PricingSetup& setup, const TradeSetup& whole) {
  TradeConfig exposed = trade;
  exposed.exercise.dates = dates_;
  const bool is_of_policy = trade.exercise.is_early() && !has_decisions;
  const auto is_exercised_at = [&](double date) {
    return is_of_policy && std::any_of(trade.exercise.dates.begin(), trade.exercise.dates.end(),
                                       [&](double d) { return std::fabs(d - date) <= same_date; });
  };
  TradeConfig held = trade;
  held.exercise.prices.clear();  // of bonds, which are repaid at exercise dates only
  std::vector<TradeSetup> values;
  for (std::size_t d = 0; d + 1 < dates_.size(); ++d) {
    const bool is_exercised = is_exercised_at(dates_[d]);
    values.push_back(
        value_at(is_exercised ? trade : held, dates_[d], is_exercised, view, setup.assets, whole));
  }
  values.push_back(is_launched(trade, whole) ? weighted_spots(whole, whole.records.back()) : whole);
  ExerciseOptions fitted = options;
  if (!is_of_policy) fitted.degree = 1;  // until the variables are known
  auto exercise = make_exercise_setup(exposed, fitted, view, whole, std::move(values), false);
  const bool is_within_periods =
      is_of_periods(whole) && std::any_of(valued_.begin(), valued_.end(), [&](Index d) {
        return is_within_period(trade, dates_[static_cast<std::size_t>(d)]);
      });
  RegressionVariables& variables = exercise->variables;
  if (is_within_periods) variables.spots = 1;  // or the return of the current period
  // Of paths on which a window has not been touched, the recorded value is the spot.
  if (ends_at_barrier_) variables.has_exercise_value = false;
  if (!is_of_policy) {
    exercise->degree = regression_degree(options, variables.count());
    exercise->functions = basis_functions(variables.count(), exercise->degree);
  }
  exercise_ = std::move(exercise);
  if (!is_within_periods || whole.payoff != PayoffFormula::cliquet) return;
  is_incomplete_ = !has_free_scale(view, trade.assets.front());
  if (!is_incomplete_) returns_ = make_returns(exposed, *exercise_, view, setup.assets, whole);
}

void ExposedTrade::choose_formulas(const TradeConfig& trade, const MarketView& view,
                                   const PricingSetup& setup, const TradeSetup& whole) {
  const PayoffFunctions& payoff = functions_of(*trade.payoff);
  price_ = closed_form_value(trade, view, setup.assets);
  if (is_valued_by_options(trade))
    for (const Index d : valued_)
      options_.emplace_back(trade, view.paid_in(trade.currency),
                            dates_[static_cast<std::size_t>(d)]);
  records_values_ = payoff.matures_at_value;
  // Also before the policy is known, for what is to be recorded.
  const bool may_be_early = trade.exercise.is_early() && trade.exercise.dates.size() > 1;
  if (may_be_early && !trade.exercise.prices.empty()) {
    TradeConfig bond = trade;
    bond.exercise = {};
    bond_ = make_bond_values(bond, *exercise_, dates_, view, setup.assets);
    bond_sign_ = trade.exercise.by_issuer ? -1 : 1;
    bond_price_ = closed_form_value(bond, view, setup.assets).value();
  }
  // The value of a forward is its control, the discounted forward of the spot, less a constant.
  if (!may_be_early && whole.payoff == PayoffFormula::forward && trade.payment_lag == 0 &&
      exercise_->control.kind == ExerciseControl::spots && price_)
    above_control_ = *price_ - exercise_->control.expectation;
  is_closed_ = (records_values_ && !bond_) || is_valued_by_options(trade) || above_control_ ||
               (!may_be_early && whole.payoff == PayoffFormula::vanilla &&
                whole.combination == Combination::single && trade.payment_lag == 0 &&
                exercise_->adds_control() && payoff.dates == nullptr);
}

void ExposedTrade::choose_recordings(const TradeSetup& whole, const BaseMeasure& measure,
                                     const EarlierRates& rates, const PricingSetup& setup) {
  if (policy_.exercised_today) return;
  const bool is_fitted = !is_closed_ && !valued_.empty();
  const bool needs_others = is_fitted || (!price_ && needs_today_);
  // What is recorded of a launched payoff itself are its states: weighted spots.
  const TradeSetup& recorded = launched_ ? exercise_->values.back() : whole;
  const auto add = [&](const TradeSetup& trade, const std::shared_ptr<const ExerciseSetup>& states,
                       Index& mine, Index& others) {
    mine = add_recording(trade, at_dates(states, rates), false, measure, setup);
    if (needs_others) others = add_recording(trade, states, true, measure, setup);
  };
  add(recorded, exercise_, places_.mine, places_.others);
  if (decisions_) add(whole, decisions_, places_.my_decisions, places_.their_decisions);
  if (returns_) add(whole, returns_, places_.my_returns, places_.their_returns);
  if (launched_) add(whole, launched_->recorded(), places_.my_payments, places_.their_payments);
  if (bond_) places_.bond = add_recording(whole, at_dates(bond_, rates), false, measure, setup);
  if (earlier_) places_.earlier = add_recording(whole, earlier_, false, measure, setup);
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
         (2 * static_cast<double>(valued_.size() + later_dates_.size()) + 2);
}

double ExposedTrade::bytes_of_work(const UnitSamples& samples) const {
  // Payments of the unit and of the regressions, with controls, dates and masks; the values, while
  // what was recorded is still held, and those of touched_.
  constexpr double columns = 8;
  const auto paths = static_cast<double>(samples.paths + samples.regression_paths);
  const bool is_fitted = !is_closed_ && !valued_.empty();
  return sizeof(double) * columns * paths + bytes_of_values(samples) +
         (is_fitted ? ValueRegression::bytes(exercise_->variables.count(), samples) : 0) +
         (touched_ ? touched_->bytes_of_values(samples) : 0);
}

}  // namespace gsim::pricing
