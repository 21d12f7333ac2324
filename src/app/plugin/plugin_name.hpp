#pragma once
// Validity of names of new plugins: gsim plugin new.

#include <string>

#include "gsim/engine/registry.hpp"

namespace gsim::app {

/// The reason why a plugin of `kind` (plugin_kinds()) with this name could not be built or loaded:
/// "is a keyword of C++"; empty if it could. `registry`: the existing modules and parts.
std::string name_problem(const std::string& kind, const std::string& name,
                         const Registry& registry);

}  // namespace gsim::app
