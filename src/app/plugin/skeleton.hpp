#pragma once
// gsim plugin new: a small plugin that builds, runs and passes its tests, as a starting point.

#include <string>
#include <vector>

#include "gsim/engine/registry.hpp"

namespace gsim::app {

/// The kinds of skeletons: "module", "grid" (a module on a grid), "particles" (a module of
/// particles with domain decomposition), "payoff", "potential", "source".
const std::vector<std::string>& plugin_kinds();

/// Writes the skeleton of `kind` as the plugin `name` into the folder `name`, which must not exist.
/// Returns the files' paths. InputError for an invalid name (plugin_name.hpp); IoError when a file
/// cannot be written, and all files are removed then.
std::vector<std::string> write_skeleton(const std::string& kind, const std::string& name,
                                        const Registry& registry);

}  // namespace gsim::app
