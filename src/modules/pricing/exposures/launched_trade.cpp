// Exposures of trades whose payoffs launchers evaluate, of scripts and plugins. Where they are
// exercised early, a path is paid at its exercise what the trade pays in all if it is exercised
// then; what it was paid until a date before that is what the trade without exercise pays in all,
// less what it pays after the date.

#include <algorithm>
#include <utility>

#include "src/modules/pricing/exposures/exposed_trade.hpp"
#include "src/modules/pricing/exposures/value_regression.hpp"

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

std::vector<double> ExposedTrade::payments_at(const RecordedStates& recorded, Index d) const {
  if (launched_->from(d) < 0)
    return std::vector<double>(static_cast<std::size_t>(recorded.paths()), 0.0);
  std::vector<double> payments = recorded.values_to_host(launched_->from(d));
  if (d + 1 == static_cast<Index>(dates_.size())) return payments;
  const std::vector<double> later = recorded.values_to_host(launched_->later(d));
  for (std::size_t p = 0; p < payments.size(); ++p) payments[p] -= later[p];
  return payments;
}

double ExposedTrade::date_of(std::size_t k) const {
  return k < valued_.size() ? dates_[static_cast<std::size_t>(valued_[k])]
                            : later_dates_[k - valued_.size()];
}

void ExposedTrade::set_owed(const RecordedStates& recorded, const Payments& paid, std::size_t k,
                            TradeValues& result) const {
  const std::size_t n = paid.date.size();
  const Index last_decided = k < valued_.size() ? valued_[k] : static_cast<Index>(dates_.size());
  for (std::size_t i = 0; i < decided_.size(); ++i) {
    const Index decided = decided_[i];
    const bool is_of_any =
        std::find(paid.date.begin(), paid.date.end(), decided) != paid.date.end();
    if (decided > last_decided || !is_of_any) continue;
    const LaunchedPayments::Exercised& exercised = launched_->exercised(static_cast<Index>(i));
    const auto& owed = exercised.owed[k];
    const std::vector<double> constant = recorded.values_to_host(exercised.constant);
    std::vector<double> value(n, 0.0), after(n, 0.0);
    if (owed.value >= 0) {
      value = recorded.values_to_host(owed.value);
      after = recorded.values_to_host(owed.after);
    }
    const auto [last_value, last_after] =
        known_values_at(date_of(k), 1, exercised.constant_paid_at);
    const double share = owed.value >= 0 ? 1 : 0;
    for (std::size_t p = 0; p < n; ++p) {
      if (paid.date[p] != decided) continue;
      result.values[k * n + p] = value[p] + (last_value - share) * constant[p];
      result.after[k * n + p] = after[p] + (last_after - share) * constant[p];
    }
  }
}

void ExposedTrade::add_known(const RecordedStates& recorded, const Payments& paid,
                             TradeValues& result) const {
  const auto n = static_cast<std::size_t>(recorded.paths());
  const std::vector<double> constant = recorded.values_to_host(launched_->constant());
  const double last = dates_.back() + lag_;
  for (std::size_t k = 0; k < valued_.size() + later_dates_.size(); ++k) {
    const LaunchedPayments::Known& known = launched_->known(k);
    const std::vector<double> later = recorded.values_to_host(known.later);
    const std::vector<double> at = recorded.values_to_host(known.at);
    for (std::size_t p = 0; p < n; ++p) {
      double after = later[p] - constant[p], value = after + (at[p] - constant[p]);
      if (k >= valued_.size()) {
        const auto [with, without] = known_values_at(date_of(k), constant[p], last);
        value += with;
        after += without;
      }
      result.after[k * n + p] = after;
      result.values[k * n + p] = value;
    }
    if (is_early()) set_owed(recorded, paid, k, result);
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
  if (launched_->has_known())
    add_known(my_payments, my_exercise, result);
  else
    result.payment = payments_at(my_payments, last);
  if (price_) result.today = *price_;
  if (places_.others < 0) return;
  RecordedStates &others = at(places_.others), &their_payments = at(places_.their_payments);
  if (is_early()) {
    their_exercise = payments(at(places_.their_decisions), policy_.dates, alone);
  } else {
    their_exercise.payment = their_payments.values_to_host(LaunchedPayments::total);
    their_exercise.control = others.controls_to_host(last);
  }
  if (!price_) result.today = mean_payment(their_exercise);
  for (const Index d : valued_) {
    mine.replace_values(d, my_payments.value(launched_->state(d)));
    others.replace_values(d, their_payments.value(launched_->state(d)));
  }
  const auto n = static_cast<std::size_t>(mine.paths());
  ValueRegression regression(*exercise_, others, mine, alone);
  for (std::size_t k = 0; k < valued_.size(); ++k) {
    const Index d = valued_[k];
    const std::vector<double> later = later_payments(their_payments, their_exercise, d);
    std::vector<double> alive;
    if (is_early())
      for (const Index date : their_exercise.date) alive.push_back(date > d ? 1 : 0);
    // Values have no other signs, and no larger amounts, than the payments of all paths.
    const auto [least, most] = std::minmax_element(later.begin(), later.end());
    const std::vector<double> fitted =
        regression.values(d, {later, their_exercise.control, *least, *most},
                          is_early() ? RegressionPaths::masked : RegressionPaths::all, alive);
    const std::vector<double> paid =
        launched_->has_known() ? std::vector<double>(n, 0.0) : payments_at(my_payments, d);
    for (std::size_t p = 0; p < n; ++p) {
      const bool is_exercised = is_early() && my_exercise.date[p] <= d;
      const double value = is_exercised ? 0 : fitted[p];
      result.after[k * n + p] += value;
      result.values[k * n + p] += value + paid[p];
    }
  }
}

}  // namespace gsim::pricing
