#pragma once
// Correlations of short rates with other assets.
//
// [market.correlation] has those of the short rates. The factors x and y of a rate with two depend
// on other assets through the short rate alone: the Brownian motion of an asset is rho_r W_r +
// sqrt(1
// - rho_r^2) W', where W_r = (sigma W_1 + eta W_2) / sqrt(sigma^2 + 2 rho sigma eta + eta^2) is
// that of the short rate, and W' is independent of both factors. Their correlations with the asset
// are then rho_r times those with the short rate, and every matrix of short rates and assets that
// is positive semidefinite has factors.

#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// Correlation of the Brownian motion of an asset with that of its name in [market.correlation]:
/// below 1 for the factors of a short rate with two.
double correlation_with_short_rate(const AssetConfig& asset);

/// The entry of [market.correlation] for two assets, of rates that of the short rate; sets `known`
/// to false if there is none.
double configured_correlation(const MarketConfig& market, Index first, Index second, bool* known);

/// The asset whose Brownian motion an asset has: of a quanto its source. -1 for a composite, whose
/// one is not kept: no trade depends on a composite and another asset.
Index driver_of(const MarketConfig& market, Index asset);

}  // namespace gsim::pricing
