#pragma once
// The module of skeleton_module.cpp, for the registration of the plugin and for tests.

#include <memory>

#include <gsim/engine/module.hpp>

namespace skeleton_module {

/// The module "skeleton".
std::unique_ptr<gsim::Module> make_skeleton_module();

}  // namespace skeleton_module
