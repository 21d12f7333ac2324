#pragma once
// The built-in payoffs and path models. Each is one source file in payoffs/ or path_models/, which
// the build finds.

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// Registers every path model of path_models/. The build generates it (GsimBuiltinParts.cmake).
void register_builtin_path_models(Registry& registry);
/// Registers every payoff of payoffs/. The build generates it (GsimBuiltinParts.cmake).
void register_builtin_payoffs(Registry& registry);

/// The built-in payoffs, without those of plugins.
PayoffKinds builtin_payoffs();
/// The built-in payoff of that name, which must exist.
const PayoffKind& builtin_payoff(std::string_view name);
/// The built-in path models, without those of plugins.
PathModelKinds builtin_path_models();

}  // namespace gsim::pricing
