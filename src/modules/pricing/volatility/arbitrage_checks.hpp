#pragma once
// Where surfaces are checked for arbitrage besides the strikes near the forward.

#include <vector>

#include "src/modules/pricing/volatility/arbitrage.hpp"

namespace gsim::pricing {

/// ln(K / F) of the lowest and the highest quote of an expiry.
struct QuotedRange {
  double lowest = 0, highest = 0;
};

/// check_arbitrage() that also covers the strikes between the quotes of each expiry, and those
/// within four standard deviations of the forward by their own volatilities.
std::vector<ExpiryCheck> check_arbitrage(const VolatilitySurface& surface,
                                         const std::vector<QuotedRange>& quoted);

/// Checks the density from the last expiry to the time `longest`.
ExpiryCheck check_after_last(const VolatilitySurface& surface, double longest);

}  // namespace gsim::pricing
