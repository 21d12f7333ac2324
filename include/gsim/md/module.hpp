#pragma once
// Molecular dynamics: the built-in module "md".

#include "gsim/engine/registry.hpp"

namespace gsim {

/// Registers the module, and the potentials, thermostats and observers that come with it. Plugins
/// register more of them in the same registry.
void register_md_module(Registry& registry);

}  // namespace gsim
