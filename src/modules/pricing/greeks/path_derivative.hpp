#pragma once
// Derivatives of the paths of an asset that are simulated with it.

#include <optional>

#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {

/// The difference of the log-spots of asset number `asset` between the bumped market and the market
/// itself, to first order, as it follows along a path: for assets with local volatility, with
/// jumps, or lognormal ones beside others. Nothing if the asset has another model, or paths that
/// are not differentiable: if the drift of a step changes by much, because a discrete dividend
/// belongs to another step.
std::optional<AssetTangent> path_derivative(const Simulation& base, const Simulation& bumped,
                                            Index asset);

}  // namespace gsim::pricing
