#include "src/modules/pricing/exposures/launched_payments.hpp"

#include <algorithm>
#include <utility>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {
namespace {

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

LaunchedPayments::LaunchedPayments(const TradeConfig& trade, const MarketView& view,
                                   const TradeSetup& whole, const std::vector<double>& dates,
                                   const std::vector<double>& later_dates)
    : recorded_(std::make_shared<ExerciseSetup>()), columns_(dates.size()) {
  add(whole);
  if (longest_lag(trade) == 0)
    add_without_lag(trade, view, whole, dates);
  else
    add_with_lag(trade, view, whole, dates, later_dates);
}

void LaunchedPayments::add_without_lag(const TradeConfig& trade, const MarketView& view,
                                       const TradeSetup& whole, const std::vector<double>& dates) {
  const auto fixed_after = [&](double date) {
    return payments_of(trade, view, whole, {.fixed_after = date});
  };
  for (std::size_t d = 0; d < dates.size(); ++d) {
    const Index record = record_at(*view.records, dates[d]);
    const bool is_fixing =
        std::find(whole.records.begin(), whole.records.end(), record) != whole.records.end();
    if (is_fixing) columns_[d].from = add(fixed_after(dates[d] - same_date));
    if (d + 1 < dates.size()) add_later(d, record, fixed_after(dates[d] + same_date));
  }
}

void LaunchedPayments::add_with_lag(const TradeConfig& trade, const MarketView& view,
                                    const TradeSetup& whole, std::vector<double> dates,
                                    const std::vector<double>& later_dates) {
  constant_ = add(payments_of(trade, view, whole, {.paid_until = -longest_maturity}));
  dates.pop_back();  // the maturity
  for (std::size_t d = 0; d < dates.size(); ++d)
    add_later(d, record_at(*view.records, dates[d]),
              payments_of(trade, view, whole, {.fixed_after = dates[d] + same_date}));
  dates.insert(dates.end(), later_dates.begin(), later_dates.end());
  for (const double date : dates) {
    const double before = date - same_date, after = date + same_date;
    known_.push_back(
        {add(payments_of(trade, view, whole, {.fixed_until = after, .paid_after = after})),
         add(payments_of(trade, view, whole, {.paid_after = before, .paid_until = after}))});
  }
}

void LaunchedPayments::add_later(std::size_t d, Index record, TradeSetup later) {
  columns_[d].later = add(later);
  for (Index& fixing : later.records) fixing = std::min(fixing, record);
  columns_[d].state = add(std::move(later));
}

Index LaunchedPayments::add(TradeSetup setup) {
  recorded_->records.push_back(setup.records.back());
  recorded_->decision_discount.push_back(1);
  recorded_->values.push_back(std::move(setup));
  return static_cast<Index>(recorded_->values.size()) - 1;
}

}  // namespace gsim::pricing
