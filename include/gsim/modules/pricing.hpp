#pragma once
// Monte Carlo pricing of option portfolios: the built-in module "pricing".

#include <memory>

#include "gsim/engine/registry.hpp"

namespace gsim {

/// A module that prices the trades of its configuration; README, "Pricing", says what they can be.
std::unique_ptr<Module> make_pricing_module();

/// Registers it; it takes in payoffs of plugins (pricing/payoff_kind.hpp).
void register_pricing_module(Registry& registry);

}  // namespace gsim
