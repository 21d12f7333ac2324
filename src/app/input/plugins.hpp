#pragma once
// Plugins on all ranks: all ranks load the files that rank 0 has loaded.

#include <functional>
#include <string>
#include <vector>

#include "src/app/app.hpp"

namespace gsim::app {

/// Loads the plugins that --plugin and GSIM_PLUGIN_PATH of rank 0 name, unless --no-plugins is
/// given. Collective; errors are agreed.
void load_named_plugins(const Session& session);

/// Loads the plugins of rank 0 on all other ranks, from files with the same digests. Collective;
/// errors are agreed.
void share_plugins(const Session& session);

/// The plugins that a configuration needs, sorted by name: the one that defines its module, and
/// those with parts without which it cannot be read. `has_word(name)`: whether the name of a part
/// occurs in the configuration or a file that it names. `read(registry)` reads the configuration
/// with the parts of a registry, and throws an InputError where one is missing.
std::vector<Plugin> needed_plugins(const Session& session, const std::string& module,
                                   const std::function<bool(std::string_view)>& has_word,
                                   const std::function<void(const Registry&)>& read);

/// Names and versions: "heat 1.0, walkers 0.1".
std::string names_of(const std::vector<Plugin>& plugins);
/// gsim's version, and those of plugins: "0.1.0 with heat 1.0".
std::string version_with(const std::vector<Plugin>& plugins);
/// One line for each plugin: name, version, digest.
std::vector<std::string> digests_of(const std::vector<Plugin>& plugins);

/// One line per plugin for /provenance: name, version, digest, path.
std::string list_plugins(const Session& session);

}  // namespace gsim::app
