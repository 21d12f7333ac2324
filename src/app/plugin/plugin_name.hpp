#pragma once
// Names that a new plugin cannot have: gsim plugin new.

#include <string>

#include "gsim/engine/registry.hpp"

namespace gsim::app {

/// Why a plugin of `kind` (plugin_kinds()) with this name could not be built, or not be loaded:
/// "is a word of C++"; empty: it can. `registry`: what there is already.
std::string name_problem(const std::string& kind, const std::string& name,
                         const Registry& registry);

}  // namespace gsim::app
