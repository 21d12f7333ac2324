#pragma once
// Particle transport: the built-in module "transport".

#include <memory>

#include "gsim/engine/registry.hpp"

namespace gsim {

/// A module that follows neutral particles through matter; README, "Particle transport", says how.
std::unique_ptr<Module> make_transport_module();

/// Registers it; it takes in sources of plugins (transport/source_kind.hpp).
void register_transport_module(Registry& registry);

}  // namespace gsim
