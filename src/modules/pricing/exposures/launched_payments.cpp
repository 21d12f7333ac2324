#include "src/modules/pricing/exposures/launched_payments.hpp"

#include <algorithm>
#include <utility>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

constexpr PaymentWindow no_payments{.paid_until = -longest_maturity};

/// The payoff with the payments of a window alone, and those that belong to no date.
TradeSetup payments_of(const TradeConfig& trade, const MarketView& view, const TradeSetup& whole,
                       const PaymentWindow& window) {
  TradeSetup setup = whole;
  if (trade.script != nullptr) {
    setup.numbers =
        script_numbers(trade, view.paid_in(trade.currency), whole.records.size(), window);
    return setup;
  }
  for (std::size_t k = 0; k < setup.growth.size(); ++k) {
    const double fixed = (*view.records)[static_cast<std::size_t>(whole.records[k])];
    if (!window.contains(fixed, fixed + trade.payment_lag)) setup.growth[k] = 0;
  }
  return setup;
}

}  // namespace

bool may_choose_when_paid(const TradeConfig& t) {
  if (t.script == nullptr) return false;
  const ScriptProgram& program = t.script->program;
  const auto is_other = [&](const ScriptTable& table) {
    return table.is_growth() && table.lag != t.payment_lag;
  };
  return program.is_exercisable[program.segment_of_event.back()] != 0 &&
         std::any_of(program.tables.begin(), program.tables.end(), is_other);
}

LaunchedPayments::LaunchedPayments(const TradeConfig& trade, const MarketView& view,
                                   const TradeSetup& whole, const LaunchedDates& dates,
                                   const ExerciseSetup* decisions)
    : recorded_(std::make_shared<ExerciseSetup>()), columns_(dates.recorded.size()) {
  add(whole);
  for (const Index d : dates.valued) {
    const double date = dates.recorded[static_cast<std::size_t>(d)];
    add_later(d, record_at(*view.records, date),
              payments_of(trade, view, whole, {.fixed_after = date + same_date}));
  }
  if (longest_lag(trade) > 0 || decisions != nullptr)
    add_known_payments(trade, view, whole, dates, decisions);
  else
    add_payments_at_dates(trade, view, whole, dates);
}

void LaunchedPayments::add_payments_at_dates(const TradeConfig& trade, const MarketView& view,
                                             const TradeSetup& whole, const LaunchedDates& dates) {
  const auto add_from = [&](Index d) {
    const double date = dates.recorded[static_cast<std::size_t>(d)];
    const Index record = record_at(*view.records, date);
    if (std::find(whole.records.begin(), whole.records.end(), record) == whole.records.end())
      return;
    columns_[static_cast<std::size_t>(d)].from =
        add(payments_of(trade, view, whole, {.fixed_after = date - same_date}));
  };
  for (const Index d : dates.valued) add_from(d);
  add_from(static_cast<Index>(dates.recorded.size()) - 1);
}

void LaunchedPayments::add_known_payments(const TradeConfig& trade, const MarketView& view,
                                          const TradeSetup& whole, const LaunchedDates& dates,
                                          const ExerciseSetup* decisions) {
  std::vector<double> known;
  for (const Index d : dates.valued) known.push_back(dates.recorded[static_cast<std::size_t>(d)]);
  known.insert(known.end(), dates.later.begin(), dates.later.end());
  constant_ = add(payments_of(trade, view, whole, no_payments));
  for (const double date : known) {
    const double before = date - same_date, after = date + same_date;
    known_.push_back(
        {add(payments_of(trade, view, whole, {.fixed_until = after, .paid_after = after})),
         add(payments_of(trade, view, whole, {.paid_after = before, .paid_until = after}))});
  }
  if (decisions != nullptr) add_exercised(trade, view, known, *decisions);
}

void LaunchedPayments::add_exercised(const TradeConfig& trade, const MarketView& view,
                                     const std::vector<double>& dates,
                                     const ExerciseSetup& decisions) {
  const double longest = longest_lag(trade);
  for (std::size_t i = 0; i + 1 < trade.exercise.dates.size(); ++i) {
    const double from = trade.exercise.dates[i];
    const TradeConfig exercised = matured_at(trade, from);
    const auto paid = [&](const PaymentWindow& window) {
      return add(payments_of(exercised, view, decisions.values[i], window));
    };
    Exercised& columns = exercised_.emplace_back();
    columns.constant = paid(no_payments);
    columns.constant_paid_at = exercised.maturity + trade.payment_lag;
    for (const double date : dates) {
      Exercised::Owed& owed = columns.owed.emplace_back();
      if (date < from - same_date || date > from + longest + same_date) continue;
      owed.value = paid({.paid_after = date - same_date});
      owed.after = paid({.paid_after = date + same_date});
    }
  }
}

void LaunchedPayments::add_later(Index d, Index record, TradeSetup later) {
  Columns& columns = columns_[static_cast<std::size_t>(d)];
  columns.later = add(later);
  for (Index& fixing : later.records) fixing = std::min(fixing, record);
  columns.state = add(std::move(later));
}

Index LaunchedPayments::add(TradeSetup setup) {
  recorded_->records.push_back(setup.records.back());
  recorded_->decision_discount.push_back(1);
  recorded_->values.push_back(std::move(setup));
  return static_cast<Index>(recorded_->values.size()) - 1;
}

}  // namespace gsim::pricing
