#pragma once
// The [market.correlation] table: which assets move together, and whether they can.

#include <vector>

#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// Describes and reads [market.correlation], after the assets. An impossible matrix is refused, the
/// message naming the pair that strains it most and the nearest possible one, or replaced by that
/// (invalid = "nearest") with a warning.
void describe_correlation(Section& section, MarketConfig& market);

/// Correlation of the normals that drive the chosen assets' spots besides their own variances. With
/// dW_i = rho_i dW_vi + sqrt(1 - rho_i^2) dZ_i (heston, bates; rho_i = 0 otherwise) and variances
/// driven independently, spots correlated by R need Z correlated by
/// R_ij / sqrt((1 - rho_i^2) (1 - rho_j^2)). Entries may leave [-1, 1].
std::vector<double> independent_part(const MarketConfig& market, const std::vector<Index>& assets);

}  // namespace gsim::pricing
