#pragma once
// The payoffs that come with gsim. Each is a source of its own in payoffs/, found by the build.

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// Registers every payoff of payoffs/. The build writes it (GsimBuiltinParts.cmake).
void register_builtin_payoffs(Registry& registry);

/// The payoffs that come with gsim, without those of plugins.
PayoffKinds builtin_payoffs();

}  // namespace gsim::pricing
