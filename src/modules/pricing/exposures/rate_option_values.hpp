#pragma once
// Values of the options of a trade on a short rate at one date, on many paths.

#include <span>
#include <vector>

#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/market/short_rate_model.hpp"
#include "src/modules/pricing/market/two_factor_option.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// The sum of the values of a trade's options that are exercised after a date, as a function of the
/// state of the short rate at the date, in units of the numeraire.
class RateOptionValues {
 public:
  /// The options of a trade, whose payoff has PayoffFunctions::rate_value, at `date`, years; `view`
  /// is in the currency of its payments.
  RateOptionValues(const TradeConfig& trade, const MarketView& view, double date);
  /// Adds `scale` times the sum to `values`, [path]. `spots` are what is simulated in place of the
  /// state, [factor][path]: S of a rate with one factor, and otherwise e^x and e^y.
  void add(std::span<const double> spots, double scale, std::span<double> values) const;

 private:
  std::vector<RateOption> one_factor_;
  std::vector<TwoFactorOption> two_factors_;
};

}  // namespace gsim::pricing
