#pragma once
// Where the variances of assets change.

#include <algorithm>
#include <vector>

#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// The knots of the variances of the assets, increasing, each once.
inline std::vector<double> variance_knots(const MarketConfig& market,
                                          const std::vector<Index>& assets) {
  std::vector<double> knots;
  for (const Index i : assets)
    for (const double knot : market.assets[static_cast<std::size_t>(i)].variance.knots())
      knots.push_back(knot);
  std::sort(knots.begin(), knots.end());
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  return knots;
}

}  // namespace gsim::pricing
