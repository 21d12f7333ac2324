#include "plugins.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"

namespace gsim::app {

void load_named_plugins(const Session& session) {
  session.communicator.agree([&] {
    if (!session.communicator.is_root() || session.arguments.no_plugins) return;
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

std::vector<Plugin> needed_plugins(const Session& session, const std::string& module,
                                   const std::function<bool(std::string_view)>& has_word,
                                   const std::function<void(const Registry&)>& read) {
  const Registry& all = session.registry;
  const auto is_needed = [&](const Plugin& plugin) {
    if (all.find(module).plugin == plugin.name) return true;
    // A part can only be chosen by its name: without the name the configuration is not read again.
    const auto& extensions = all.extensions();
    if (std::none_of(extensions.begin(), extensions.end(), [&](const Registry::Extension& e) {
          return e.plugin == plugin.name && e.module == module && has_word(e.name);
        }))
      return false;
    try {
      read(all.without([&](const Registry::Extension& e) { return e.plugin == plugin.name; }));
    } catch (const InputError&) {  // parts of the plugin are missing
      return true;
    }
    return false;
  };
  std::vector<Plugin> needed;
  for (const Plugin& plugin : session.plugins.plugins())
    if (is_needed(plugin)) needed.push_back(plugin);
  std::sort(needed.begin(), needed.end(),
            [](const Plugin& a, const Plugin& b) { return a.name < b.name; });
  return needed;
}

std::string names_of(const std::vector<Plugin>& plugins) {
  std::string text;
  for (const Plugin& p : plugins)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", p.name, p.version);
  return text;
}

std::string version_with(const std::vector<Plugin>& plugins) {
  return build_info().version + (plugins.empty() ? "" : " with " + names_of(plugins));
}

std::vector<std::string> digests_of(const std::vector<Plugin>& plugins) {
  std::vector<std::string> lines;
  lines.reserve(plugins.size());
  for (const Plugin& p : plugins)
    lines.push_back(fmt::format("{} {} {}", p.name, p.version, hex(p.digest)));
  return lines;
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
