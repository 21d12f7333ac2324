#pragma once
// The surface of implied volatilities of one asset, with its quotes and the check for arbitrage.

#include <memory>
#include <string>
#include <vector>

#include "src/modules/pricing/calibration/calibration_report.hpp"
#include "src/modules/pricing/volatility/arbitrage.hpp"
#include "src/modules/pricing/volatility/surface_config.hpp"
#include "src/modules/pricing/volatility/volatility_surface.hpp"

namespace gsim::pricing {

/// A quote at its strike, and the surface's volatility there.
struct SurfacePoint {
  std::size_t expiry = 0;  ///< index
  double strike = 0;
  double quote = 0;  ///< NaN: the surface has parameters instead of quotes
  double volatility = 0;
};

struct AssetSurface {
  std::shared_ptr<const VolatilitySurface> surface;
  std::vector<SurfacePoint> points;
  std::vector<ExpiryCheck> checks;
  std::vector<CalibratedParameter> parameters;  ///< of SVI and SABR, given or fitted
};

/// The surface with the forwards of asset `asset`. ConfigError at a key of the surface for quotes
/// that give no surface and, unless arbitrage = "warn", for arbitrage; otherwise `warnings`.
AssetSurface make_surface(const SurfaceInput& input, const ForwardCurve& forwards,
                          const std::string& asset, std::vector<std::string>& warnings);

/// ln(K / F) of a quote.
double log_moneyness(const SurfaceInput& input, const ForwardCurve& forwards, double expiry,
                     const SmileQuote& quote);

}  // namespace gsim::pricing
