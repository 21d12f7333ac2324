// Exposures of trades whose payoffs launchers evaluate, of scripts and plugins. Where they are
// exercised early, a path is paid at its exercise what the trade pays in all if it is exercised
// then; what it was paid until a date before that is what the trade without exercise pays in all,
// less what it pays after the date.

#include <algorithm>
#include <span>
#include <utility>

#include "src/modules/pricing/exposures/exposed_trade.hpp"

namespace gsim::pricing {

std::vector<double> ExposedTrade::later_payments(const RecordedStates& recorded,
                                                 const Payments& paid, Index d) const {
  std::vector<double> later = recorded.values_to_host(launched_->later(d));
  if (!is_early()) return later;
  const std::vector<double> total = recorded.values_to_host(LaunchedPayments::total);
  const Index last = static_cast<Index>(exercise_->values.size()) - 1;
  for (std::size_t p = 0; p < later.size(); ++p) {
    if (paid.date[p] == last) continue;
    later[p] = paid.date[p] > d ? paid.payment[p] - (total[p] - later[p]) : 0;
  }
  return later;
}

std::vector<double> ExposedTrade::payments_at(const RecordedStates& recorded, const Payments& paid,
                                              Index d) const {
  const bool has_fixing = launched_->from(d) >= 0;
  const Index last = static_cast<Index>(exercise_->values.size()) - 1;
  if (!has_fixing && !is_early())
    return std::vector<double>(static_cast<std::size_t>(recorded.paths()), 0.0);
  // Without a fixing, what is paid from the date on is what is paid after it; plugins may be
  // exercised then.
  std::vector<double> payments =
      recorded.values_to_host(has_fixing ? launched_->from(d) : launched_->later(d));
  std::vector<double> total, later(payments.size(), 0.0);
  if (is_early()) total = recorded.values_to_host(LaunchedPayments::total);
  if (d < last) later = recorded.values_to_host(launched_->later(d));
  for (std::size_t p = 0; p < payments.size(); ++p) {
    if (!is_early() || paid.date[p] > d || d == last)
      payments[p] -= later[p];
    else if (paid.date[p] == d)
      payments[p] = paid.payment[p] - (total[p] - payments[p]);
    if (is_early() && paid.date[p] < d) payments[p] = 0;
  }
  return payments;
}

void ExposedTrade::add_known(const RecordedStates& recorded, TradeValues& result) const {
  const auto n = static_cast<std::size_t>(recorded.paths());
  const std::vector<double> constant = recorded.values_to_host(launched_->constant());
  const double last = dates_.back() + lag_;
  const Index last_before = static_cast<Index>(dates_.size()) - 1;
  for (std::size_t k = 0; k < valued_.size() + later_dates_.size(); ++k) {
    const bool is_before = k < valued_.size();
    const LaunchedPayments::Known& known = launched_->known(
        is_before ? valued_[k] : last_before + static_cast<Index>(k - valued_.size()));
    const std::vector<double> later = recorded.values_to_host(known.later);
    const std::vector<double> at = recorded.values_to_host(known.at);
    for (std::size_t p = 0; p < n; ++p) {
      double after = later[p] - constant[p], value = after + (at[p] - constant[p]);
      if (!is_before) {
        const double date = later_dates_[k - valued_.size()];
        if (date <= last + same_date) value += constant[p];
        if (date < last - same_date) after += constant[p];
      }
      result.after[k * n + p] = after;
      result.values[k * n + p] = value;
    }
  }
}

void ExposedTrade::evaluate_launched(States& states, const Context& alone,
                                     TradeValues& result) const {
  const auto at = [&](Index place) -> RecordedStates& {
    return states[static_cast<std::size_t>(place)];
  };
  RecordedStates &mine = at(places_.mine), &my_payments = at(places_.my_payments);
  const Index last = mine.dates() - 1;
  Payments my_exercise, their_exercise;
  if (is_early())
    my_exercise = payments(at(places_.my_decisions), policy_of_unit(states, alone), alone);
  if (launched_->has_lag())
    add_known(my_payments, result);
  else
    result.payment = payments_at(my_payments, my_exercise, last);
  if (price_) result.today = *price_;
  if (places_.others < 0) return;
  RecordedStates &others = at(places_.others), &their_payments = at(places_.their_payments);
  const bool has_control = exercise_->control.kind != ExerciseControl::none;
  if (is_early()) {
    their_exercise = payments(at(places_.their_decisions), policy_.dates, alone);
  } else {
    their_exercise.payment = their_payments.values_to_host(LaunchedPayments::total);
    their_exercise.control = others.controls_to_host(last);
  }
  if (!price_) result.today = mean_payment(their_exercise);
  const Array<double> later_control(alone.executor,
                                    std::span<const double>(their_exercise.control));
  for (const Index d : valued_) {
    mine.replace_values(d, my_payments.value(launched_->state(d)));
    others.replace_values(d, their_payments.value(launched_->state(d)));
  }
  const auto n = static_cast<std::size_t>(mine.paths());
  StateRegression regression(*exercise_, others, alone);
  for (std::size_t k = 0; k < valued_.size(); ++k) {
    const Index d = valued_[k];
    const std::vector<double> later = later_payments(their_payments, their_exercise, d);
    const Array<double> payment(alone.executor, std::span<const double>(later));
    std::vector<double> alive;
    if (is_early())
      for (const Index date : their_exercise.date) alive.push_back(date > d ? 1 : 0);
    const Array<double> mask(alone.executor, std::span<const double>(alive));
    const DatePolicy fit = regression.fit(
        d, {payment.view().data, has_control ? later_control.view().data : nullptr,
            is_early() ? RegressionPaths::masked : RegressionPaths::all, mask.view().data});
    std::vector<double> fitted(n, 0.0);
    if (!fit.coefficient.empty())
      fitted = fitted_values(mine, d, fit, regression.functions(), alone);
    // Values have no other signs, and no larger amounts, than the payments of all paths.
    const auto [least, most] = std::minmax_element(later.begin(), later.end());
    const std::vector<double> paid = launched_->has_lag()
                                         ? std::vector<double>(n, 0.0)
                                         : payments_at(my_payments, my_exercise, d);
    for (std::size_t p = 0; p < n; ++p) {
      const bool is_exercised = is_early() && my_exercise.date[p] <= d;
      const double value = is_exercised ? 0 : std::clamp(fitted[p], *least, *most);
      result.after[k * n + p] += value;
      result.values[k * n + p] += value + paid[p];
    }
  }
}

}  // namespace gsim::pricing
