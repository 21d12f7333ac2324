#pragma once
// Static arbitrage in a surface of implied volatilities.

#include <string>
#include <vector>

#include "src/modules/pricing/volatility/volatility_surface.hpp"

namespace gsim::pricing {

/// The smallest values of what must not be negative, over the strikes of an expiry within four
/// standard deviations of its forward, by the volatility at the forward or at the strike, and over
/// all quoted strikes.
struct ExpiryCheck {
  double expiry = 0;
  double density = 0;  ///< durrleman(), up to this expiry from the one before (butterflies)
  double density_time = 0, density_strike = 0;  ///< where it is smallest
  /// Total variance minus that of the expiry before at equal log-moneyness (calendar spreads); the
  /// total variance itself for the first expiry.
  double increase = 0;
  double increase_strike = 0;  ///< at this expiry
  double wing_slope =
      0;  ///< the larger slope of the variance in |k| far from the forward; <= 2: Lee

  bool has_arbitrage() const;
};

/// Checks each expiry, and the times between it and the one before.
std::vector<ExpiryCheck> check_arbitrage(const VolatilitySurface& surface);

/// What is wrong at an expiry with arbitrage, in words.
std::string describe_arbitrage(const VolatilitySurface& surface, const ExpiryCheck& check);

}  // namespace gsim::pricing
