#pragma once
// Tables of the curves and surfaces of the market in the results.

#include <string>
#include <vector>

#include "gsim/io/dataset.hpp"
#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// The curves of the market and how each is given, for the plan of a run: "curves: SOFR (11
/// quotes), YIELD (3 pillars)"; empty without curves.
std::string curves_note(const MarketConfig& market);
/// The same for surfaces of implied volatilities, with the result of the check for arbitrage;
/// empty without an asset that uses one.
std::string surfaces_note(const MarketConfig& market);
/// The calibrated models of assets and rates, for the report, one line each: "H calibrated to SPX:
/// v0 = 0.04, …; largest error 0.0012 at 1 years, strike 80".
std::vector<std::string> calibration_notes(const MarketConfig& market);

/// Writes the tables market/curves and market/credit, one row per pillar;
/// market/volatility_surfaces, one row per asset and quote; market/arbitrage, one row per asset and
/// expiry; market/parameters of smiles and calibrated models; and market/calibration, one row per
/// instrument to which a model was calibrated. None where the market has no such rows.
void write_market(DatasetWriter& writer, const MarketConfig& market);

}  // namespace gsim::pricing
