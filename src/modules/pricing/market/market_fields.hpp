#pragma once
// Configuration keys that several path models share; each is described, read and checked once.

#include <span>
#include <string>
#include <vector>

#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// Largest volatility of any key; a larger value is probably a percentage.
inline constexpr double largest_volatility = 10;

/// Values by time, as in the input.
struct Curve {
  std::vector<double> times, values;
  int kind = 0;  ///< index into the allowed words of `kind`
};

/// Reads the times, values and kind of a curve.
void describe_curve(Section& s, Curve& curve, std::span<const std::string_view> kinds,
                    const std::string& kinds_doc, const KeyInfo& values);
/// Reads `volatility`, constant or by time, as the instantaneous variance.
void describe_volatility(Section& s, StepFunction& variance);
/// Reads v0, kappa, theta, sigma and rho.
void describe_own_variance(Section& s, AssetConfig& asset);
/// Reads jump_intensity, jump_mean and jump_sd.
void describe_jumps(Section& s, AssetConfig& asset);

}  // namespace gsim::pricing
