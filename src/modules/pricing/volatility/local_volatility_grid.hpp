#pragma once
// Local volatilities that reproduce a surface of implied volatilities.

#include "src/modules/pricing/market/market_config.hpp"
#include "src/modules/pricing/volatility/volatility_surface.hpp"

namespace gsim::pricing {

/// The local volatility (Dupire 1994, "Pricing with a smile") in terms of total variances:
/// sigma^2(t, S) = (dw/dt) / g(k) at k = ln(S / F(t)), where g is durrleman() (Gatheral 2006, eq.
/// 1.10). Rows are dates from today to `horizon`, at least to the last expiry, with two rows at
/// each expiry, where the local volatility jumps in time; columns are equally spaced in ln S, over
/// six standard deviations (of the last expiry, and of later dates) on both sides of the forwards,
/// with values such that linear interpolation between them is right on average. Where the surface
/// has arbitrage, dw/dt is at least 0 and g at least 0.01.
LocalVolatilityGrid local_volatility_grid(const VolatilitySurface& surface, double horizon = 0);

/// Largest of size, size / 2, size / 4, … by which the implied volatilities of an expiry (-1: of
/// all) can be shifted in either direction so that every local variance within four standard
/// deviations keeps a quarter of its value.
double allowed_shift(const VolatilitySurface& surface, int bucket, double size);

/// The smallest implied volatility at the expiries within six standard deviations of the forwards.
double smallest_volatility(const VolatilitySurface& surface);

}  // namespace gsim::pricing
