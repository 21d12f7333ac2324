#pragma once
// Calibration of an asset's model to a surface of [market.volatility_surfaces].

#include "src/modules/pricing/market/asset_input.hpp"

namespace gsim::pricing {

/// Sets v0, kappa, theta, sigma and rho of Heston's model so that its implied volatilities are
/// nearest to the surface `calibrate_to`: its quotes, or of parameters five strikes per expiry.
/// Parameters that are numbers are where the fit starts. A poor fit gives a warning.
void calibrate_heston_asset(const Section& section, AssetInput& asset);

}  // namespace gsim::pricing
