#include "src/modules/pricing/exposures/exposed_trade.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/builtin_parts.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/policy_constants.hpp"
#include "src/modules/pricing/exposures/path_measure.hpp"
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
/// on its return so far, and that for the others on the sum of theirs; of a cliquet this makes a
/// difference, since returns are clipped.
bool is_within_period(const TradeConfig& trade, double date) {
  const auto is_fixing = [&](double fixing) { return std::fabs(fixing - date) <= same_date; };
  return (!trade.past_fixings.empty() || trade.fixings.front() < date) &&
         std::none_of(trade.fixings.begin(), trade.fixings.end(), is_fixing);
}

/// A trade with the maturity `date` whose payoff is the state of the path on which the value of
/// `trade` depends, also where `trade` is out of the money: the average or extreme so far, a
/// basket's level, the strike of a forward start, the sum of returns with that of the current
/// period, and of knock-out options an amount that is positive until they are knocked out.
TradeConfig state_of(const TradeConfig& trade, double date, const TradeSetup& setup, double spot) {
  constexpr double large = 1e4;  // in spots; a put with this strike is linear
  TradeConfig state = matured_at(trade, date);
  state.knock_in = false;
  state.rebate = 0;
  const bool is_minimum = setup.monitored == Extreme::minimum && !is_barrier(setup);
  state.call = !is_minimum && setup.payoff != PayoffFormula::forward_start;
  state.strike = is_minimum                                     ? large * spot
                 : setup.payoff == PayoffFormula::forward_start ? large
                                                                : 0;
  state.average_strike = state.floating = false;
  if (is_of_periods(setup)) {
    state.call = trade.call;
    state.strike = trade.strike;
    state.global_floor = -std::numeric_limits<double>::infinity();
    state.global_cap = std::numeric_limits<double>::infinity();
    if (state.fixings.empty() || date - state.fixings.back() > same_date)
      state.fixings.push_back(date);
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
  const TradeConfig state = state_of(trade, date, setup, view.spot(trade.assets.front()));
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

/// Assets that the trade does not depend on.
std::vector<std::uint8_t> unused_by(const TradeSetup& trade, std::size_t assets) {
  std::vector<std::uint8_t> unused(assets, 1);
  for (const Index i : trade.assets) unused[static_cast<std::size_t>(i)] = 0;
  return unused;
}

/// The regressions of a trade by default: of a higher degree than those of early exercise, since
/// netted values may be much smaller than those of the trades.
ExerciseOptions with_degree(ExerciseOptions options, Index variables) {
  constexpr Index degrees[] = {8, 8, 6, 4};
  if (options.degree == 0) options.degree = variables < 4 ? degrees[variables] : 3;
  if (function_count(variables, options.degree) > max_functions) options.degree = 2;
  return options;
}

/// Index of a date among increasing ones.
Index position(const std::vector<double>& dates, double date) {
  return std::lower_bound(dates.begin(), dates.end(), date - same_date) - dates.begin();
}

Array<double> on_executor(const Context& alone, const std::vector<double>& values) {
  return {alone.executor, std::span<const double>(values)};
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
                           const PricingSetup& setup, const BaseMeasure& measure)
    : simulation_(setup.simulation) {
  TradeConfig exposed = trade;
  exposed.exercise.dates = exposure_dates(trade, dates);
  const std::vector<double>& recorded = exposed.exercise.dates;
  for (const double date : dates)
    if (date < trade.maturity - same_date) valued_.push_back(position(recorded, date));
  TradeSetup whole = make_trade_setup(trade, view, setup.assets);
  std::vector<TradeSetup> values;
  const auto is_exercised_at = [&](double date) {
    return trade.exercise.is_early() &&
           std::any_of(trade.exercise.dates.begin(), trade.exercise.dates.end(),
                       [&](double d) { return std::fabs(d - date) <= same_date; });
  };
  const ExerciseOptions regression_options =
      trade.exercise.is_early()
          ? options  // of the policy
          : with_degree(options, choose_variables(exposed, view, whole).count());
  for (std::size_t d = 0; d + 1 < recorded.size(); ++d)
    values.push_back(
        value_at(exposed, recorded[d], is_exercised_at(recorded[d]), view, setup.assets, whole));
  const bool is_launched = whole.payoff == PayoffFormula::launched;
  values.push_back(is_launched ? weighted_spots(whole, whole.records.back()) : whole);
  const auto exercise =
      make_exercise_setup(exposed, regression_options, view, whole, std::move(values), false);
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
                exercise->adds_control() && functions_of(*trade.payoff).dates == nullptr);
  // Coupons are not part of the values at the dates at which they are paid.
  ends_without_payment_ = records_values_ || functions_of(*trade.payoff).pays_before_maturity;
  ends_at_zero_ = is_barrier(whole);
  if (whole.knock_in && !is_launched)
    touched_ =
        std::make_shared<ExposedTrade>(as_vanilla(trade), dates, options, view, setup, measure);
  if (!is_launched && !whole.knock_in && trade.rebate != 0) {
    if (trade.rebate_at_hit)
      alive_ = std::make_shared<const TradeSetup>(
          make_trade_setup(state_of(trade, trade.maturity, whole, view.spot(trade.assets.front())),
                           view, setup.assets));
    else
      knocked_out_value_ = whole.discount * trade.rebate;
  }
  if (is_launched) launched_ = std::make_shared<LaunchedPayments>(trade, view, whole, recorded);
  const bool is_cliquet = whole.payoff == PayoffFormula::cliquet;
  is_incomplete_ =
      (is_launched && whole.records.size() > 1) ||
      std::any_of(valued_.begin(), valued_.end(), [&](Index d) {
        return is_cliquet && is_within_period(trade, recorded[static_cast<std::size_t>(d)]);
      });
  has_either_sign_ = whole.has_either_sign || is_of_periods(whole);
  exercise_ = exercise;
  simulation_.unused = unused_by(whole, simulation_.assets.size());
  if (is_launched) whole = exercise->values.back();
  whole.exercise = exercise;
  simulation_.trades = {std::move(whole)};
  if (!measure.is_own()) set_base_measure(measure, view, setup);
}

void ExposedTrade::set_base_measure(const BaseMeasure& measure, const MarketView& view,
                                    const PricingSetup& setup) {
  Simulation under_base = simulation_;
  if (!measure.assets.empty()) {
    std::vector<Index> assets;
    for (const Index i : measure.assets) assets.push_back(simulated_index(setup.assets, i));
    TradeSetup& whole = under_base.trades.front();
    whole.assets = assets;
    auto exercise = std::make_shared<ExerciseSetup>(*exercise_);
    for (TradeSetup& value : exercise->values)
      value.assets.assign(assets.begin(), assets.begin() + static_cast<Index>(value.assets.size()));
    whole.exercise = std::move(exercise);
    under_base.unused = unused_by(whole, under_base.assets.size());
  }
  under_base_ = std::make_shared<const Simulation>(
      under_measure(std::move(under_base), measure, view, setup.assets));
}

double ExposedTrade::bytes(const UnitSamples& samples) const {
  const auto paths = static_cast<double>(samples.paths),
             regression_paths = static_cast<double>(is_closed_ ? 0 : samples.regression_paths),
             dates = static_cast<double>(exercise_->values.size());
  const bool has_control = exercise_->control.kind != ExerciseControl::none;
  const auto recorded =
      dates * static_cast<double>(exercise_->variables.count() + 1 + (has_control ? 1 : 0));
  double numbers = recorded * (paths + regression_paths) +
                   (2 * static_cast<double>(valued_.size()) + 2) * paths +  // TradeValues
                   4 * regression_paths;                                    // Payments
  // PaymentsOnPaths, and a copy of the controls.
  if (launched_)
    numbers +=
        3 * dates * (paths + regression_paths) + (has_control ? dates * regression_paths : 0);
  return sizeof(double) * numbers + (launched_ ? launched_->bytes() : 0) +
         (touched_ ? touched_->bytes(samples) : 0);
}

ExposedTrade::Payments ExposedTrade::payments(const RecordedStates& states,
                                              const Context& alone) const {
  const auto n = static_cast<std::size_t>(states.paths());
  Payments p;
  p.date.assign(n, states.dates() - 1);
  const Array<BasisFunction> functions(alone.executor,
                                       std::span<const BasisFunction>(exercise_->functions));
  for (std::size_t d = decided_.size(); d-- > 0;) {  // the first exercise is the last one set
    if (policy_.dates[d].coefficient.empty()) continue;
    const PolicyConstants constants(alone.executor, *exercise_, policy_.dates[d]);
    Array<double> exercised(alone.executor, states.paths());
    DecisionJob job = constants.decisions(states, decided_[d], functions.view().data);
    job.exercised = exercised.view().data;
    regression_decisions(alone.executor, job);
    const std::vector<double> flags = exercised.to_host();
    for (std::size_t i = 0; i < n; ++i)
      if (flags[i] != 0) p.date[i] = decided_[d];
  }
  // Only the dates at which paths are paid are copied from the executor.
  std::vector<Index> dates = decided_;
  if (dates.empty() || dates.back() != states.dates() - 1) dates.push_back(states.dates() - 1);
  p.payment.resize(n);
  if (exercise_->control.kind != ExerciseControl::none) p.control.resize(n);
  for (const Index date : dates) {
    const std::vector<double> values = states.values_to_host(date);
    const std::vector<double> controls = states.controls_to_host(date);
    for (std::size_t i = 0; i < n; ++i) {
      if (p.date[i] != date) continue;
      p.payment[i] = values[i];
      if (!controls.empty()) p.control[i] = controls[i];
    }
  }
  return p;
}

RecordedStates ExposedTrade::record(const Simulation& simulation, Index first, Index count,
                                    const Context& alone) const {
  return {simulation,
          first,
          count / regression_block,
          regression_block,
          exercise_->control.kind != ExerciseControl::none,
          alone};
}

double ExposedTrade::mean_payment(const Payments& paid) const {
  const auto n = static_cast<double>(paid.payment.size());
  double mean = 0, mean_control = 0, covariance = 0, variance = 0;
  for (const double payment : paid.payment) mean += payment / n;
  if (paid.control.empty()) return mean;
  for (const double control : paid.control) mean_control += control / n;
  for (std::size_t p = 0; p < paid.payment.size(); ++p) {
    const double deviation = paid.control[p] - mean_control;
    covariance += deviation * (paid.payment[p] - mean);
    variance += deviation * deviation;
  }
  if (!(variance > 0)) return mean;
  return mean - covariance / variance * (mean_control - exercise_->control.expectation);
}

TradeValues ExposedTrade::evaluate(const UnitSamples& samples, const Context& alone) const {
  const auto n = static_cast<std::size_t>(samples.paths);
  TradeValues result;
  result.values.assign(valued_.size() * n, 0.0);
  result.after = result.values;
  result.payment.assign(n, 0.0);
  if (policy_.exercised_today) {
    result.today = policy_.value_today;
    return result;
  }
  if (launched_) return evaluate_launched(samples, alone);
  const RecordedStates states =
      record(under_base_ ? *under_base_ : simulation_, samples.first, samples.paths, alone);
  const Payments paid = payments(states, alone);
  const Index last = states.dates() - 1;
  for (std::size_t p = 0; p < n && !ends_without_payment_; ++p)
    if (paid.date[p] == last) result.payment[p] = paid.payment[p];
  if (alive_) remove_paid_rebates(samples, alone, result.payment);
  if (is_closed_) set_closed(states, result);
  const bool is_fitted = !is_closed_ && !valued_.empty();
  if (price_) result.today = *price_;
  if (price_ && !is_fitted) return result;
  const RecordedStates others =
      record(simulation_, samples.first_regression, samples.regression_paths, alone);
  const Payments others_paid = payments(others, alone);
  if (!price_) result.today = mean_payment(others_paid);
  if (is_fitted)
    set_fitted(states, paid, others, others_paid,
               touched_ ? touched_->evaluate(samples, alone).values : std::vector<double>(), alone,
               result);
  return result;
}

void ExposedTrade::remove_paid_rebates(const UnitSamples& samples, const Context& alone,
                                       std::vector<double>& payment) const {
  Simulation until_maturity = under_base_ ? *under_base_ : simulation_;
  TradeSetup alive = *alive_;
  alive.assets = until_maturity.trades.front().assets;
  auto exercise = std::make_shared<ExerciseSetup>(*until_maturity.trades.front().exercise);
  exercise->values.back() = std::move(alive);
  until_maturity.trades.front().exercise = std::move(exercise);
  const RecordedStates states = record(until_maturity, samples.first, samples.paths, alone);
  const std::vector<double> last = states.values_to_host(states.dates() - 1);
  for (std::size_t p = 0; p < payment.size(); ++p)
    if (last[p] <= 0) payment[p] = 0;
}

void ExposedTrade::set_closed(const RecordedStates& states, TradeValues& result) const {
  if (valued_.empty()) return;
  const bool has_values = records_values_ || !options_.empty();
  const Index n = states.paths();
  for (std::size_t d = 0; d < valued_.size(); ++d) {
    const std::vector<double> values =
        has_values ? states.values_to_host(valued_[d]) : states.controls_to_host(valued_[d]);
    std::copy_n(values.begin(), n, result.values.begin() + static_cast<Index>(d) * n);
  }
  if (!options_.empty()) add_options(states, result.values);
  result.after = result.values;
}

void ExposedTrade::set_fitted(const RecordedStates& states, const Payments& paid,
                              const RecordedStates& others, const Payments& others_paid,
                              const std::vector<double>& touched, const Context& alone,
                              TradeValues& result) const {
  const auto n = static_cast<std::size_t>(states.paths());
  const bool has_control = exercise_->control.kind != ExerciseControl::none;
  const Array<double> payment = on_executor(alone, others_paid.payment);
  const Array<double> control = on_executor(alone, others_paid.control);
  StateRegression regression(*exercise_, others, alone);
  for (std::size_t k = 0; k < valued_.size(); ++k) {
    const Index d = valued_[k];
    const std::vector<double> recorded =
        ends_at_zero_ ? states.values_to_host(d) : std::vector<double>();
    std::vector<double> alive;
    if (is_early())
      for (const Index date : others_paid.date) alive.push_back(date > d ? 1 : 0);
    const Array<double> mask = on_executor(alone, alive);
    const RegressionPaths paths = is_early()      ? RegressionPaths::masked
                                  : ends_at_zero_ ? RegressionPaths::in_the_money
                                                  : RegressionPaths::all;
    const DatePolicy fit =
        regression.fit(d, {payment.view().data, has_control ? control.view().data : nullptr, paths,
                           mask.view().data});
    std::vector<double> fitted(n, 0.0);
    if (!fit.coefficient.empty())
      fitted = fitted_values(states, d, fit, regression.functions(), alone);
    for (std::size_t p = 0; p < n; ++p) {
      double& value = result.values[k * n + p];
      if (paid.date[p] < d) continue;  // exercised before
      value = has_either_sign_ ? fitted[p] : std::fmax(fitted[p], 0.0);
      if (paid.date[p] == d) {
        value = paid.payment[p];
        result.after[k * n + p] = 0;
        continue;
      }
      if (ends_at_zero_ && recorded[p] <= 0)
        value = touched_ ? touched[k * n + p] : knocked_out_value_;
      result.after[k * n + p] = value;
    }
  }
}

void ExposedTrade::add_options(const RecordedStates& states, std::vector<double>& values) const {
  const auto n = static_cast<std::size_t>(states.paths());
  const double conversion = exercise_->values.front().conversion;
  for (std::size_t k = 0; k < valued_.size(); ++k) {
    // The only variables are the factors of the rate.
    const std::vector<double> spots = states.variables_to_host(valued_[k]);
    options_[k].add(spots, conversion, std::span(values).subspan(k * n, n));
  }
}

std::vector<double> ExposedTrade::fitted_values(const RecordedStates& states, Index d,
                                                const DatePolicy& fit,
                                                const BasisFunction* functions,
                                                const Context& alone) const {
  const PolicyConstants constants(alone.executor, *exercise_, fit);
  const DecisionJob decisions = constants.decisions(states, d, functions);
  Array<double> fitted(alone.executor, states.paths());
  FittedValuesJob job{};
  job.variable = decisions.variable;
  job.paths = decisions.paths;
  job.variables = decisions.variables;
  job.functions = decisions.functions;
  job.degree = decisions.degree;
  job.centre = decisions.centre;
  job.inverse_scale = decisions.inverse_scale;
  job.coefficient = decisions.coefficient;
  job.function = decisions.function;
  job.control = exercise_->adds_control() ? decisions.control : nullptr;
  job.fitted = fitted.view().data;
  regression_fitted_values(alone.executor, job);
  return fitted.to_host();
}

}  // namespace gsim::pricing
