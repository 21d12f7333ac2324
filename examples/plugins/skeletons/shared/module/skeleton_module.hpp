#pragma once
// The simulation of skeleton_module.cpp, as the plugin's registration and tests make it.

#include <memory>

#include <gsim/engine/module.hpp>

namespace skeleton_module {

/// The module "skeleton".
std::unique_ptr<gsim::Module> make_skeleton_module();

}  // namespace skeleton_module
