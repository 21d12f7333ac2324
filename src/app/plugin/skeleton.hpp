#pragma once
// gsim plugin new: a plugin that builds, runs and passes its tests, to be changed into another.

#include <string>
#include <vector>

#include "gsim/engine/registry.hpp"

namespace gsim::app {

/// What a skeleton can bring: "module", "grid" (a module on a grid), "particles" (a module of
/// particles that are divided among ranks by place), "payoff", "potential", "source".
const std::vector<std::string>& plugin_kinds();

/// Writes the skeleton of `kind` as the plugin `name` into the folder `name`, which must not exist.
/// Returns the files' paths. InputError for a name that it cannot have beside what there is
/// (plugin_name.hpp); IoError when it cannot be written, and nothing is left then.
std::vector<std::string> write_skeleton(const std::string& kind, const std::string& name,
                                        const Registry& registry);

}  // namespace gsim::app
