#pragma once
// Plugins on all ranks: rank 0 says which files, and the others load the same.

#include <string>

#include "app.hpp"

namespace gsim::app {

/// Loads what --plugin and GSIM_PLUGIN_PATH of rank 0 name. Collective; errors are agreed.
void load_named_plugins(const Session& session);

/// What rank 0 has loaded is loaded by the others, from files of the same digests. Collective;
/// errors are agreed.
void share_plugins(const Session& session);

/// gsim's version, and that of the plugin that `module` comes from: "0.1.0 with heat 1.0".
std::string version_of(const Session& session, const std::string& module);

/// One line a plugin for /provenance: name, version, digest, path.
std::string list_plugins(const Session& session);

}  // namespace gsim::app
