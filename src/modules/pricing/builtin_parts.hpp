#pragma once
// The payoffs and path models that come with gsim. Each is a source of its own in payoffs/ or
// path_models/, found by the build.

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// Registers every path model of path_models/. The build writes it (GsimBuiltinParts.cmake).
void register_builtin_path_models(Registry& registry);
/// Registers every payoff of payoffs/. The build writes it (GsimBuiltinParts.cmake).
void register_builtin_payoffs(Registry& registry);

/// The payoffs that come with gsim, without those of plugins.
PayoffKinds builtin_payoffs();
/// The path models that come with gsim, without those of plugins.
PathModelKinds builtin_path_models();

}  // namespace gsim::pricing
