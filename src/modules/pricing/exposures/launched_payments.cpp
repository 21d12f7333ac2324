#include "src/modules/pricing/exposures/launched_payments.hpp"

#include <algorithm>
#include <utility>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {

LaunchedPayments::LaunchedPayments(const TradeConfig& trade, const MarketView& view,
                                   const TradeSetup& whole, const std::vector<double>& dates)
    : recorded_(std::make_shared<ExerciseSetup>()), columns_(dates.size()) {
  const std::vector<double>& records = *view.records;
  // The payoff with payments after `date` alone.
  const auto paid_after = [&](double date) {
    TradeSetup setup = whole;
    if (trade.script != nullptr)
      setup.numbers =
          script_numbers(trade, view.paid_in(trade.currency), whole.records.size(), date);
    else
      for (std::size_t k = 0; k < setup.growth.size(); ++k)
        if (records[static_cast<std::size_t>(whole.records[k])] <= date) setup.growth[k] = 0;
    return setup;
  };
  add(whole);
  for (std::size_t d = 0; d < dates.size(); ++d) {
    const Index record = record_at(records, dates[d]);
    const bool is_fixing =
        std::find(whole.records.begin(), whole.records.end(), record) != whole.records.end();
    if (is_fixing) columns_[d].from = add(paid_after(dates[d] - same_date));
    if (d + 1 == dates.size()) break;
    TradeSetup later = paid_after(dates[d] + same_date);
    columns_[d].later = add(later);
    for (Index& fixing : later.records) fixing = std::min(fixing, record);
    columns_[d].state = add(std::move(later));
  }
}

Index LaunchedPayments::add(TradeSetup setup) {
  recorded_->records.push_back(setup.records.back());
  recorded_->decision_discount.push_back(1);
  recorded_->values.push_back(std::move(setup));
  return static_cast<Index>(recorded_->values.size()) - 1;
}

}  // namespace gsim::pricing
