#pragma once
// Configuration keys that several path models share; each is described in one place.

#include <span>
#include <string>
#include <vector>

#include "src/modules/pricing/market/asset_input.hpp"

namespace gsim::pricing {

/// Largest volatility of any key; a larger value is probably a percentage.
inline constexpr double largest_volatility = 10;

/// The times, values and kind of a curve.
void describe_curve(Section& s, Curve& curve, std::span<const std::string_view> kinds,
                    const std::string& kinds_doc, const KeyInfo& values);
/// Throws an error unless times rise and there is one value for each.
void validate_curve(const Section& s, const Curve& curve);
/// `volatility`, constant or by time; with `may_be_surface` also the name of a surface.
void describe_volatility(Section& s, AssetInput& asset, bool may_be_surface);
/// The forwards of the asset, once its dividends and its currency are known.
ForwardCurve forwards_of(const AssetInput& asset);
/// Sets the surface that `volatility` names, with the forwards of the asset. Arbitrage in it is a
/// warning if it may have arbitrage, otherwise as the surface's key `arbitrage` says.
void set_surface(const Section& s, AssetInput& asset, bool may_have_arbitrage = false);
/// Sets the instantaneous variance from `volatility`; of a surface the volatilities at the forwards
/// are used, with a warning if those of other strikes differ.
void set_variance_from_volatility(const Section& s, AssetInput& asset);
/// Whether a section that is described holds values; false where the schema is printed.
bool has_values(Section& s);
/// v0, kappa, theta, sigma and rho of a stochastic variance; NaN without a value where they are not
/// required.
void describe_stochastic_variance(Section& s, AssetInput& asset, bool are_required);
/// jump_intensity, jump_mean and jump_sd.
void describe_jumps(Section& s, AssetInput& asset);

}  // namespace gsim::pricing
