#pragma once
// Plugins on all ranks: rank 0 says which files, and the others load the same.

#include <functional>
#include <string>
#include <vector>

#include "src/app/app.hpp"

namespace gsim::app {

/// Loads what --plugin and GSIM_PLUGIN_PATH of rank 0 name, unless --no-plugins is there.
/// Collective; errors are agreed.
void load_named_plugins(const Session& session);

/// What rank 0 has loaded is loaded by the others, from files of the same digests. Collective;
/// errors are agreed.
void share_plugins(const Session& session);

/// The plugins that a configuration needs, by name: the one that its module comes from, and those
/// that bring extensions without which it cannot be read. read(registry) reads it with what a
/// registry has, and throws InputError where that is not enough.
std::vector<Plugin> needed_plugins(const Session& session, const std::string& module,
                                   const std::function<void(const Registry&)>& read);

/// Names and versions: "heat 1.0, walkers 0.1".
std::string names_of(const std::vector<Plugin>& plugins);
/// gsim's version, and those of plugins: "0.1.0 with heat 1.0".
std::string version_with(const std::vector<Plugin>& plugins);
/// A line a plugin: name, version, digest.
std::vector<std::string> digests_of(const std::vector<Plugin>& plugins);

/// One line a plugin for /provenance: name, version, digest, path.
std::string list_plugins(const Session& session);

}  // namespace gsim::app
