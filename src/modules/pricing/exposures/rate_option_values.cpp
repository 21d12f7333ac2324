#include "src/modules/pricing/exposures/rate_option_values.hpp"

#include <utility>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exposures/option_table.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"
#include "src/modules/pricing/trades/rate_products.hpp"

namespace gsim::pricing {

RateOptionValues::RateOptionValues(const TradeConfig& trade, const MarketView& view, double date) {
  const ShortRate& rate = *view.asset(trade.assets.front()).short_rate;
  const ShortRateModel model = model_of(trade, view);
  std::vector<RateClaim> options =
      functions_of(*trade.payoff).rate_value(trade, view, date).options;
  for (RateClaim& option : options)
    if (model.has_two_factors())
      two_factors_.emplace_back(rate, option.terms, date, option.date);
    else
      one_factor_.emplace_back(model, std::move(option.terms), date, option.date);
}

void RateOptionValues::add(std::span<const double> spots, double scale,
                           std::span<double> values) const {
  const std::size_t n = values.size();
  std::vector<double> logs;
  logs.reserve(spots.size());
  for (const double spot : spots) logs.push_back(logarithm(spot));
  if (!one_factor_.empty()) {
    const OptionTable table(one_factor_, logs);
    for (std::size_t p = 0; p < n; ++p) values[p] += scale * table.value(logs[p]);
  }
  if (two_factors_.empty()) return;
  for (std::size_t p = 0; p < n; ++p) {
    double sum = 0;
    for (const TwoFactorOption& option : two_factors_) sum += option.value(logs[p], logs[n + p]);
    values[p] += scale * sum;
  }
}

}  // namespace gsim::pricing
