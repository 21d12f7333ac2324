#pragma once
// Molecular dynamics: the built-in module "md".

#include <memory>

#include "gsim/engine/module.hpp"

namespace gsim {

/// A module that moves atoms by the forces between them; README, "Molecular dynamics", says which.
std::unique_ptr<Module> make_md_module();

}  // namespace gsim
