#pragma once
// Particle transport: the built-in module "transport".

#include <memory>

#include "gsim/engine/module.hpp"

namespace gsim {

/// A module that follows neutral particles through matter; README, "Particle transport", says how.
std::unique_ptr<Module> make_transport_module();

}  // namespace gsim
