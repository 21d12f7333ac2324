#pragma once
// Monte Carlo pricing of option portfolios: the built-in module "pricing".

#include <memory>

#include "gsim/engine/module.hpp"

namespace gsim {

/// A module that prices the trades of its configuration; README, "Pricing", says what they can be.
std::unique_ptr<Module> make_pricing_module();

}  // namespace gsim
