#pragma once
// The keys that several path models share, each described, read and checked in one place.

#include <span>
#include <string>
#include <vector>

#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {

/// Largest volatility wherever it is given: a larger one is a percentage.
inline constexpr double largest_volatility = 10;

/// Values by time, as given.
struct Curve {
  std::vector<double> times, values;
  int kind = 0;  ///< position among the words of `kind`
};

/// times, values and kind of a curve.
void describe_curve(Section& s, Curve& curve, std::span<const std::string_view> kinds,
                    const std::string& kinds_doc, const KeyInfo& values);
/// `volatility`, flat or by time, as the instantaneous variance.
void describe_volatility(Section& s, StepFunction& variance);
/// v0, kappa, theta, sigma and rho.
void describe_own_variance(Section& s, AssetConfig& asset);
/// jump_intensity, jump_mean and jump_sd.
void describe_jumps(Section& s, AssetConfig& asset);

}  // namespace gsim::pricing
