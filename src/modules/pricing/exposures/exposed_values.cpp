// The values of a trade on recorded paths.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/exercise/policy_constants.hpp"
#include "src/modules/pricing/exercise/policy_fit.hpp"
#include "src/modules/pricing/exposures/exposed_trade.hpp"
#include "src/modules/pricing/exposures/value_regression.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {
namespace {

const RecordedStates& at(const std::vector<RecordedStates>& states, Index place) {
  return states[static_cast<std::size_t>(place)];
}

}  // namespace

TradeValues ExposedTrade::evaluate(States states, const UnitSamples& samples,
                                   const Context& alone) const {
  const auto n = static_cast<std::size_t>(samples.paths);
  TradeValues result;
  result.values.assign((valued_.size() + later_dates_.size()) * n, 0.0);
  result.after = result.values;
  result.payment.assign(n, 0.0);
  if (policy_.exercised_today) {
    result.today = policy_.value_today;
    if (is_exercised_with_lag()) set_exercised_today(result);
    return result;
  }
  if (launched_) {
    evaluate_launched(states, alone, result);
    return result;
  }
  const bool has_decisions = places_.my_decisions >= 0;
  const std::vector<DatePolicy> policy = policy_of_unit(states, alone);
  Payments paid =
      payments(at(states, has_decisions ? places_.my_decisions : places_.mine), policy, alone);
  const Index last = at(states, places_.mine).dates() - 1;
  for (std::size_t p = 0; p < n && !ends_without_payment_; ++p)
    if (paid.date[p] == last) result.payment[p] = paid.payment[p];
  if (is_exercised_with_lag()) set_lagged_payments(paid, result);
  if (places_.alive >= 0) {  // rebates that were paid at the touch are not paid at the maturity
    const std::vector<double> alive = at(states, places_.alive).values_to_host(0);
    for (std::size_t p = 0; p < n; ++p)
      if (alive[p] <= 0) result.payment[p] = 0;
  }
  if (is_closed_) set_closed(at(states, places_.mine), result);
  if (price_) result.today = *price_;
  if (places_.others < 0) return result;
  const Payments others_paid = payments(
      at(states, has_decisions ? places_.their_decisions : places_.others), policy_.dates, alone);
  if (!price_) result.today = mean_payment(others_paid);
  if (is_closed_ || valued_.empty()) return result;
  if (returns_) {
    const auto replace_spots = [&](Index to, Index from) {
      states[static_cast<std::size_t>(to)].replace_first_variable(at(states, from));
    };
    replace_spots(places_.mine, places_.my_returns);
    replace_spots(places_.others, places_.their_returns);
  }
  std::vector<double> touched;
  if (touched_) {
    const auto from = states.begin() + places_.touched;
    States of_touched(std::make_move_iterator(from), std::make_move_iterator(states.end()));
    touched = touched_->evaluate(std::move(of_touched), samples, alone).values;
  }
  set_fitted(states,
             earlier_ ? payments_until_dates(states, policy, alone) : std::vector{std::move(paid)},
             others_paid, touched, alone, result);
  return result;
}

std::vector<Index> ExposedTrade::decision_dates() const {
  std::vector<Index> dates = decided_;
  if (decisions_) std::iota(dates.begin(), dates.end(), Index{0});
  return dates;
}

std::vector<DatePolicy> ExposedTrade::policy_of_unit(const States& states,
                                                     const Context& alone) const {
  const Index place = decisions_ ? places_.their_decisions : places_.others;
  if (policy_.dates.empty() || place < 0) return policy_.dates;
  return fit_policy(decisions(), at(states, place), decision_dates(), policy_paths_, alone);
}

ExposedTrade::Payments ExposedTrade::payments(const RecordedStates& states,
                                              const std::vector<DatePolicy>& policy,
                                              const Context& alone) const {
  const auto n = static_cast<std::size_t>(states.paths());
  const ExerciseSetup& exercise = decisions();
  const std::vector<Index> decided = decision_dates();
  Payments p;
  p.date.assign(n, states.dates() - 1);
  const Array<BasisFunction> functions(alone.executor,
                                       std::span<const BasisFunction>(exercise.functions));
  for (std::size_t d = decided_.size(); d-- > 0;) {  // the first exercise is the last one set
    if (policy[d].coefficient.empty()) continue;
    const PolicyConstants constants(alone.executor, exercise, policy[d]);
    Array<double> exercised(alone.executor, states.paths());
    DecisionJob job = constants.decisions(states, decided[d], functions.view().data);
    job.exercised = exercised.view().data;
    regression_decisions(alone.executor, job);
    const std::vector<double> flags = exercised.to_host();
    for (std::size_t i = 0; i < n; ++i)
      if (flags[i] != 0) p.date[i] = decided[d];
  }
  // Only the dates at which paths are paid are copied from the executor.
  std::vector<Index> dates = decided;
  if (dates.empty() || dates.back() != states.dates() - 1) dates.push_back(states.dates() - 1);
  p.payment.resize(n);
  if (exercise.control.kind != ExerciseControl::none) p.control.resize(n);
  for (const Index date : dates) {
    const std::vector<double> values = states.values_to_host(date);
    const std::vector<double> controls = states.controls_to_host(date);
    for (std::size_t i = 0; i < n; ++i) {
      if (p.date[i] != date) continue;
      p.payment[i] = values[i];
      if (!controls.empty()) p.control[i] = controls[i];
    }
  }
  std::vector<Index> recorded(static_cast<std::size_t>(states.dates()));  // [date of the states]
  recorded.back() = static_cast<Index>(exercise_->values.size()) - 1;
  for (std::size_t d = 0; d < decided.size(); ++d)
    recorded[static_cast<std::size_t>(decided[d])] = decided_[d];
  for (Index& date : p.date) date = recorded[static_cast<std::size_t>(date)];
  return p;
}

std::vector<ExposedTrade::Payments> ExposedTrade::payments_until_dates(
    const States& states, const std::vector<DatePolicy>& policy, const Context& alone) const {
  const RecordedStates &mine = at(states, places_.mine), &earlier = at(states, places_.earlier);
  const auto n = static_cast<std::size_t>(mine.paths());
  Payments held;
  held.date.assign(n, mine.dates() - 1);
  held.payment.assign(n, 0.0);
  std::vector<Payments> until(valued_.size(), held);
  const Array<BasisFunction> functions(alone.executor,
                                       std::span<const BasisFunction>(exercise_->functions));
  Array<double> exercised(alone.executor, mine.paths());
  for (std::size_t i = earlier_decisions_.size();
       i-- > 0;) {  // the first exercise is the last one set
    const EarlierDecision& e = earlier_decisions_[i];
    DatePolicy fit = policy[static_cast<std::size_t>(e.decision)];
    if (fit.coefficient.empty()) continue;
    // The variables are those of the state, and the fit is that of their multiples.
    for (std::size_t j = 0; j < e.factors.size(); ++j) {
      fit.centre[j] /= e.factors[j];
      fit.scale[j] /= e.factors[j];
    }
    const PolicyConstants constants(alone.executor, *exercise_, fit);
    const Index decided = decided_[static_cast<std::size_t>(e.decision)];
    DecisionJob job = constants.decisions(mine, decided, functions.view().data);
    job.value = earlier.value(static_cast<Index>(i));
    job.exercised = exercised.view().data;
    regression_decisions(alone.executor, job);
    const std::vector<double> flags = exercised.to_host();
    const std::vector<double> values = earlier.values_to_host(static_cast<Index>(i));
    Payments& paid = until[static_cast<std::size_t>(e.valued)];
    for (std::size_t p = 0; p < n; ++p) {
      if (flags[p] == 0) continue;
      paid.date[p] = decided;
      paid.payment[p] = values[p];
    }
  }
  return until;
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

void ExposedTrade::set_closed(const RecordedStates& states, TradeValues& result) const {
  if (valued_.empty()) return;
  const bool has_values = records_values_ || !options_.empty();
  const Index n = states.paths();
  for (std::size_t d = 0; d < valued_.size(); ++d) {
    const std::vector<double> values =
        has_values ? states.values_to_host(valued_[d]) : states.controls_to_host(valued_[d]);
    const double more = above_control_.value_or(0);
    std::transform(values.begin(), values.end(), result.values.begin() + static_cast<Index>(d) * n,
                   [more](double x) { return x + more; });
  }
  if (!options_.empty()) add_options(states, result.values);
  result.after = result.values;
}

void ExposedTrade::set_fitted(const States& recorded_states,
                              const std::vector<Payments>& paid_until, const Payments& others_paid,
                              const std::vector<double>& touched, const Context& alone,
                              TradeValues& result) const {
  const RecordedStates& states = at(recorded_states, places_.mine);
  const RecordedStates& others = at(recorded_states, places_.others);
  const auto n = static_cast<std::size_t>(states.paths());
  ValueRegression regression(*exercise_, others, states, alone);
  // Values have no other signs, and no larger amounts, than the payments of all paths. Beyond their
  // states a polynomial may have any value.
  const auto [least, most] =
      std::minmax_element(others_paid.payment.begin(), others_paid.payment.end());
  const ValueRegression::Payments regressed{others_paid.payment, others_paid.control, *least,
                                            *most};
  for (std::size_t k = 0; k < valued_.size(); ++k) {
    const Index d = valued_[k];
    const Payments& paid = paid_until[paid_until.size() > 1 ? k : 0];
    const std::vector<double> recorded =
        ends_at_barrier_ ? states.values_to_host(d) : std::vector<double>();
    const RegressionPaths paths = is_early()         ? RegressionPaths::masked
                                  : ends_at_barrier_ ? RegressionPaths::in_the_money
                                                     : RegressionPaths::all;
    const std::vector<double> fitted =
        regression.values(d, regressed, paths, held_paths(others, others_paid, d, false));
    const std::vector<double> knocked_in =
        begins_at_barrier_
            ? regression.values(d, regressed, paths, held_paths(others, others_paid, d, true))
            : std::vector<double>();
    for (std::size_t p = 0; p < n; ++p) {
      double &value = result.values[k * n + p], &after = result.after[k * n + p];
      if (paid.date[p] <= d) {  // exercised
        const double paid_at = dates_[static_cast<std::size_t>(paid.date[p])] + lag_;
        std::tie(value, after) = known_values(d, paid.payment[p], paid_at);
        continue;
      }
      value = fitted[p];
      if (ends_at_barrier_ && recorded[p] <= 0)
        value = touched_             ? touched[k * n + p]
                : begins_at_barrier_ ? knocked_in[p]
                                     : knocked_out_value_;
      after = value;
    }
    if (bond_) add_bond(k, recorded_states, paid, result);
  }
}

std::vector<double> ExposedTrade::held_paths(const RecordedStates& others,
                                             const Payments& others_paid, Index d,
                                             bool is_touched) const {
  if (!is_early()) return {};
  std::vector<double> held;
  held.reserve(others_paid.date.size());
  for (const Index date : others_paid.date) held.push_back(date > d ? 1 : 0);
  if (!ends_at_barrier_) return held;
  const std::vector<double> untouched = others.values_to_host(d);
  for (std::size_t p = 0; p < held.size(); ++p)
    if ((untouched[p] <= 0) != is_touched) held[p] = 0;
  return held;
}

std::pair<double, double> ExposedTrade::known_values_at(double date, double payment,
                                                        double paid_at) {
  return {date <= paid_at + same_date ? payment : 0.0, date < paid_at - same_date ? payment : 0.0};
}

void ExposedTrade::set_lagged_payments(const Payments& paid, TradeValues& result) const {
  result.payment = paid.payment;
  result.paid_at.clear();
  for (const Index date : paid.date)
    result.paid_at.push_back(dates_[static_cast<std::size_t>(date)] + lag_);
}

void ExposedTrade::set_exercised_today(TradeValues& result) const {
  const std::size_t n = result.payment.size();
  result.payment.assign(n, policy_.value_today);
  result.paid_at.assign(n, lag_);
  for (std::size_t k = 0; k < valued_.size(); ++k) {
    const auto [value, after] = known_values(valued_[k], policy_.value_today, lag_);
    std::fill_n(result.values.begin() + static_cast<Index>(k * n), n, value);
    std::fill_n(result.after.begin() + static_cast<Index>(k * n), n, after);
  }
}

void ExposedTrade::add_bond(std::size_t k, const States& states, const Payments& paid,
                            TradeValues& result) const {
  const Index d = valued_[k];
  const std::vector<double> bond = at(states, places_.bond).values_to_host(d);
  for (std::size_t p = 0; p < bond.size(); ++p) {
    if (paid.date[p] < d) continue;
    const double change = bond_sign_ * (bond[p] - bond_price_);
    result.values[k * bond.size() + p] += change;
    if (paid.date[p] > d) result.after[k * bond.size() + p] += change;
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

}  // namespace gsim::pricing
