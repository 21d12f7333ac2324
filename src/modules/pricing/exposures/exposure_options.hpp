#pragma once
// The [exposure] table: the dates at which exposures are computed, netting sets with their
// collateral, and the terms of valuation adjustments.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/pricing_config.hpp"

namespace gsim::pricing {

/// Variation margin that both parties post. Amounts are in currency.
struct CollateralTerms {
  bool exists = false;
  double threshold = 0;      ///< of the counterparty: it posts what the value exceeds it by
  double own_threshold = 0;  ///< the same for what this party posts
  /// Smaller changes of the collateral are not made, but for its return at the end of all trades.
  double minimum_transfer = 0;
  double margin_period = 0;   ///< years from the last transfer to the close-out
  double initial_margin = 0;  ///< received, and not returned
};

/// Wrong-way risk: the counterparty's hazard rate is h(t) exp(volatility W(t) - volatility^2 t /
/// 2), where the Brownian motion W has a correlation with that of an asset's spot.
struct WrongWayTerms {
  Index asset = -1;  ///< of the market; -1: none
  double correlation = 0;
  double volatility = 0;  ///< 1/sqrt(year)
};

/// Trades with one counterparty whose values are netted.
struct NettingSet {
  std::string name;
  /// The short rate of the base currency on which the set has trades: amounts are simulated in
  /// units of its numeraire. -1: there is none, and interest rates of the base currency are
  /// certain.
  Index numeraire = -1;
  const MarketCredit* credit = nullptr;  ///< of the counterparty; null: no CVA
  CollateralTerms collateral;
  WrongWayTerms wrong_way;
  double default_correlation = 0;  ///< of both parties, with first_to_default
};

/// How a trade, which is valued under the measure of its currency and, of rates, its short rate, is
/// simulated under the measure of its netting set (path_measure.hpp).
struct BaseMeasure {
  /// Of a trade that is paid in another currency: its assets under the measure of the base
  /// currency, and the exchange rate of its currency; both empty for the base currency.
  std::vector<Index> assets;  ///< of the market, one per asset of the trade
  std::vector<CurrencyLeg> legs;
  Index own_numeraire = -1;  ///< the short rate that the trade is on; -1: none
  Index numeraire = -1;      ///< NettingSet::numeraire
  /// Whether both measures are the same.
  bool is_own() const { return assets.empty() && own_numeraire == numeraire; }
};

struct ExposureOptions {
  std::vector<double> dates;       ///< years, increasing, all > 0
  Index paths = 4096;              ///< of a unit of work, a multiple of regression_block
  Index regression_paths = 16384;  ///< the same, of the regressions of a unit
  double quantile = 0.975;         ///< of the potential future exposure
  std::vector<NettingSet> sets;
  std::vector<Index> set_of_trade;           ///< [trade] its netting set
  std::vector<BaseMeasure> base_measures;    ///< [trade]
  const MarketCredit* own_credit = nullptr;  ///< null: no DVA
  bool first_to_default = false;             ///< only the first default of both parties counts
  double borrowing_spread = 0, lending_spread = 0;  ///< of funding, 1/year
};

/// Describes and validates [exposure] of a run whose market and trades are `config`, which has been
/// described before and must outlive `options`. With on_error = "skip", trades that exposures do
/// not support are moved to the skipped ones.
void describe_exposure(Section& top, PricingConfig& config, ExposureOptions& options);

}  // namespace gsim::pricing
