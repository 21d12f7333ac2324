#pragma once
// Tables of the curves of the market in the results.

#include "gsim/io/dataset.hpp"
#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// Writes the tables market/curves and market/credit, one row per pillar; none where the market has
/// no such curves.
void write_market(DatasetWriter& writer, const MarketConfig& market);

}  // namespace gsim::pricing
