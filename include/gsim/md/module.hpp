#pragma once
// Molecular dynamics: the built-in module "md".

#include "gsim/engine/registry.hpp"

namespace gsim {

/// Registers the module and its potentials, thermostats, observers and other parts. Plugins
/// register further parts in the same registry.
void register_md_module(Registry& registry);

}  // namespace gsim
