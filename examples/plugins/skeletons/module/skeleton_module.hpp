#pragma once
// Random walkers on a line, divided among ranks: every step takes a walker one place to the left or
// to the right, with equal chances.

#include <memory>

#include <gsim/engine/module.hpp>

namespace skeleton_module {

/// The module "skeleton". Its unit of work is a step of all walkers.
std::unique_ptr<gsim::Module> make_skeleton_module();

}  // namespace skeleton_module
