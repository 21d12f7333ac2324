#include "plugins.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/digest.hpp"

namespace gsim::app {

void load_named_plugins(const Session& session) {
  session.communicator.agree([&] {
    if (!session.communicator.is_root()) return;
    for (const std::string& file : plugins_of_environment()) session.plugins.load(file);
    for (const std::string& named : session.arguments.plugins)
      session.plugins.load(find_plugin(named, ""));
  });
  share_plugins(session);
}

void share_plugins(const Session& session) {
  const Communicator& comm = session.communicator;
  std::vector<Plugin> plugins = session.plugins.plugins();
  plugins.resize(static_cast<std::size_t>(comm.broadcast(static_cast<Index>(plugins.size()))));
  for (Plugin& plugin : plugins) {
    plugin.path = comm.broadcast(plugin.path);
    plugin.digest = comm.broadcast(plugin.digest);
  }
  comm.agree([&] {
    for (const Plugin& plugin : plugins) session.plugins.load(plugin.path, plugin.digest);
  });
}

std::string version_of(const Session& session, const std::string& module) {
  const std::string& plugin = session.registry.find(module).plugin;
  const auto& plugins = session.plugins.plugins();
  const auto found = std::find_if(plugins.begin(), plugins.end(),
                                  [&](const Plugin& p) { return p.name == plugin; });
  if (found == plugins.end()) return build_info().version;
  return fmt::format("{} with {} {}", build_info().version, found->name, found->version);
}

std::string list_plugins(const Session& session) {
  std::string text;
  for (const Plugin& p : session.plugins.plugins()) {
    text += fmt::format("{}{} {} {} {}", text.empty() ? "" : "\n", p.name, p.version, hex(p.digest),
                        p.path);
  }
  return text;
}

}  // namespace gsim::app
