#pragma once
// Molecular dynamics: the built-in module "md".

#include <memory>

#include "gsim/engine/registry.hpp"

namespace gsim {

/// A module that moves atoms by the forces between them; README, "Molecular dynamics", says which.
std::unique_ptr<Module> make_md_module();

/// Registers it, and its pair potentials, to which others may be added (md/potential_kind.hpp).
void register_md_module(Registry& registry);

}  // namespace gsim
