#pragma once
// The modules that come with gsim. The engine does not depend on
// them, just as it does not depend on plugins.

#include "gsim/engine/registry.hpp"

namespace gsim {

/// Adds every built-in module. An InputError when one of the names is taken already.
void register_builtin_modules(Registry& registry);

}  // namespace gsim
