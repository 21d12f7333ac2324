#pragma once
// The [market.correlation] table: correlations between assets, and checks that they are consistent.

#include <string>
#include <vector>

#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// The values of [market.correlation].
struct CorrelationInput {
  std::vector<std::string> assets;
  std::vector<std::vector<double>> matrix;  ///< rows
  bool use_nearest = false;                 ///< invalid = "nearest"
};

void describe_correlation(Section& section, CorrelationInput& correlation);
/// Sets the correlations of `market`, whose assets have been read. A matrix that is not positive
/// semidefinite gives an error that names the pair with the largest contribution to the negative
/// eigenvalue and prints the nearest correlation matrix; with `use_nearest` it is replaced by that
/// matrix, with a warning.
void validate_correlation(const Section& section, const CorrelationInput& correlation,
                          MarketConfig& market);

/// Correlation matrix, row by row, of those normals of the spots of `assets` that are independent
/// of the variances: the dZ_i below. With dW_i = rho_i dW_vi + sqrt(1 - rho_i^2) dZ_i (heston,
/// bates; rho_i = 0 otherwise) and independent variances, a spot correlation R requires the Z to
/// have the correlation R_ij / sqrt((1 - rho_i^2) (1 - rho_j^2)). Entries may lie outside [-1, 1].
std::vector<double> independent_normal_correlation(const MarketConfig& market,
                                                   const std::vector<Index>& assets);

}  // namespace gsim::pricing
