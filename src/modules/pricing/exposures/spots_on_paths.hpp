#pragma once
// Spots of single assets on the paths of exposures, and the values of trades that are paid in
// another currency than the base currency.
//
// What such a trade is worth at a date in its currency C is a function of the state of its assets,
// found under the measure of C. On paths under the measure of the base currency, the assets have
// the drifts of quantos (market/converted_assets.hpp), and the value in the base currency is that
// function times the exchange rate X of the date (Brigo, Morini and Pallavicini 2013, "Counterparty
// Credit Risk, Collateral and Funding", chapter 4).

#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/exposures/exposure_options.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// A forward contract without a strike on an asset, which pays its spot in the base currency.
TradeConfig spot_position(Index asset, double maturity);

/// The simulation of one asset's path alone, with the random numbers of `setup`, whose records must
/// contain the increasing dates.
Simulation spot_simulation(Index asset, const std::vector<double>& dates,
                           const ExerciseOptions& options, const MarketView& view,
                           const PricingSetup& setup);
/// Its spots at the dates, discounted with the base currency's rate: [date][path]. `alone` has the
/// communicator of one rank.
std::vector<double> discounted_spots(const Simulation& simulation, Index first, Index paths,
                                     const Context& alone);

/// The exchange rate of a trade's currency on paths under the measure of the base currency.
class CurrencyOnPaths {
 public:
  CurrencyOnPaths(const BaseMeasure& measure, Index currency, const std::vector<double>& dates,
                  const ExerciseOptions& options, const MarketView& view,
                  const PricingSetup& setup);
  /// [date][path] what amounts in the base currency, discounted with the rate of the trade's
  /// currency and converted at today's exchange rate, are multiplied by:
  /// D(t) X(t) / (D_C(t) X(0)).
  std::vector<double> factors(Index first, Index paths, const Context& alone) const;

 private:
  struct Leg {
    Simulation simulation;
    double sign = 1;
    std::vector<double> scale;  ///< [date] discounted spots times this are S(t) / S(0)
  };
  std::vector<Leg> legs_;
  std::vector<double> growth_;  ///< [date] D(t) / D_C(t)
};

}  // namespace gsim::pricing
