#pragma once
// Tables of the curves of the market in the results.

#include <string>

#include "gsim/io/dataset.hpp"
#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// The curves of the market and how each is given, for the plan of a run: "curves: SOFR (11
/// quotes), YIELD (3 pillars)"; empty without curves.
std::string curves_note(const MarketConfig& market);

/// Writes the tables market/curves and market/credit, one row per pillar; none where the market has
/// no such curves.
void write_market(DatasetWriter& writer, const MarketConfig& market);

}  // namespace gsim::pricing
