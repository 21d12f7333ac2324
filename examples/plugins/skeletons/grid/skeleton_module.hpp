#pragma once
// Diffusion on a grid: du/dt = D (d2u/dx2 + d2u/dy2 + d2u/dz2), by the explicit Euler method, whose
// cells are divided among ranks.

#include <memory>

#include <gsim/engine/module.hpp>

namespace skeleton_module {

/// The module "skeleton". Its unit of work is a time step of all cells.
std::unique_ptr<gsim::Module> make_skeleton_module();

}  // namespace skeleton_module
