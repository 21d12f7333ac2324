#pragma once
// Spots of assets that were observed before today, from a CSV file.

#include <optional>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// Describes and validates the key fixings_file of [market], whose assets have been read, and sets
/// AssetConfig::past_spots. Rows of assets that the market does not have are ignored.
void describe_fixings(Section& market, MarketConfig& config);

/// The spot of `asset` that was observed at `time` < 0, if the file has it.
std::optional<double> past_spot(const AssetConfig& asset, double time);

}  // namespace gsim::pricing
