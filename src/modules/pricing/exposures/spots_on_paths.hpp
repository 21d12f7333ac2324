#pragma once
// Spots and numeraires on the paths of exposures, and the conversion of values between the measures
// of trades and netting sets.
//
// What a trade in currency C is worth at a date is a function of the state of its assets, found
// under the measure of C. On paths under the measure of the netting set, the assets have other
// drifts (path_measure.hpp; of assets in other currencies those of quantos,
// market/converted_assets.hpp), and the value in the base currency is that function times the
// exchange rate X of the date (Brigo, Morini and Pallavicini 2013, "Counterparty Credit Risk,
// Collateral and Funding", chapter 4).

#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/exposures/exposure_options.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// A forward contract without a strike on an asset, which pays its spot in the base currency.
TradeConfig spot_position(Index asset, double maturity);

/// The paths of a unit at the dates of values, years, increasing.
struct UnitPaths {
  const PricingSetup& setup;  ///< whose records contain the dates
  MarketView view;
  const ExerciseOptions& options;
  const std::vector<double>& dates;
  Index first, paths;
  const Context& alone;  ///< with the communicator of one rank
};

/// The spots of an asset, discounted with the base currency's rate, with the random numbers of the
/// set-up: [date][path].
std::vector<double> discounted_spots(const UnitPaths& unit, Index asset,
                                     const BaseMeasure& measure = {});

/// 1 / N(t), where N is the numeraire of the short rate `rate`, on paths under `measure`:
/// [date][path].
std::vector<double> inverse_numeraires(const UnitPaths& unit, Index rate,
                                       const BaseMeasure& measure);

/// What the values of trades on paths under `measure` are multiplied by, [date][path]. They are in
/// the base currency at today's exchange rate and in units of N, the trade's numeraire, and become
/// amounts in units of the numeraire N_0 of the set:
///   (N(t) / N_0(t)) X(t) / X(0),
/// where numeraires of certain rates are 1 / D(t), and `of_set` has 1 / N_0(t) otherwise.
std::vector<double> conversion_on_paths(const UnitPaths& unit, const BaseMeasure& measure,
                                        Index currency, const std::vector<double>& of_set);

}  // namespace gsim::pricing
