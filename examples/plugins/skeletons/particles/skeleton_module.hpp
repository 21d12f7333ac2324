#pragma once
// Brownian particles that do not feel each other in a periodic box, divided among ranks by where
// they are.

#include <memory>

#include <gsim/engine/module.hpp>

namespace skeleton_module {

/// The module "skeleton". Its unit of work is a time step of all particles.
std::unique_ptr<gsim::Module> make_skeleton_module();

}  // namespace skeleton_module
