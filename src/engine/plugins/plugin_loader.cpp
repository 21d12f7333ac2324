#include "gsim/engine/plugin_loader.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <span>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "gsim/config/schema_gaps.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/regular_file.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/plugin.hpp"
#include "gsim/exec/float_environment.hpp"
#include "guarded_module.hpp"
#include "plugin_file.hpp"
#include "secure_file.hpp"

namespace gsim {
namespace {

namespace fs = std::filesystem;

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

/// The message of std::terminate() while a plugin is loaded; a process loads one at a time.
std::string terminate_message;

/// Exceptions of global objects cannot pass the dynamic linker, so the message is printed here. The
/// launcher ends the other ranks.
[[noreturn]] void end_while_loading() {
  std::string why = "its global objects must not throw";
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::exception& e) {
    why = escape_controls_by_line(e.what()) + "; " + why;
  } catch (...) {  // it has no message
  }
  const std::string message = fmt::format("error: {}: {}\n", terminate_message, why);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
  std::_Exit(static_cast<int>(ExitCode::bad_input));
}

/// noexcept, so that an exception of a global object calls std::terminate(), although the compiler
/// assumes that dlopen() throws nothing.
void* load_now(const char* name) noexcept {
  void* (*const volatile load)(const char*, int) = ::dlopen;
  return load(name, RTLD_NOW | RTLD_LOCAL);
}

/// Never unloaded: objects of its types may exist until the process ends.
const GsimPlugin& open(const std::string& path, engine::SecureFile& file) {
  terminate_message = fmt::format("plugin {} failed while it was loaded", path);
  const std::terminate_handler previous = std::set_terminate(end_while_loading);
  // Loads the file that was read, even if its name now belongs to another file. The dynamic linker
  // keeps this name, so that the descriptor must stay open.
  file.keep_open();
  void* const handle = load_now(file.name().c_str());
  std::set_terminate(previous);
  if (handle == nullptr) {
    const char* why = ::dlerror();
    throw InputError(fmt::format("plugin {} cannot be loaded: {}; build it again with this gsim",
                                 path, why == nullptr ? "no reason given" : why));
  }
  GSIM_VALIDATE(file.is_unchanged(), fmt::format("plugin {} changed while it was loaded", path),
                "run again after its build has ended");
  if (const std::string changed = floating_point_deviations(); !changed.empty()) {
    throw InputError(
        fmt::format("plugin {} changes the processor's arithmetic to {}; build and "
                    "link it, and the libraries that it uses, without -ffast-math",
                    path, changed));
  }
  using Query = const GsimPlugin* (*)();
  const auto query = reinterpret_cast<Query>(::dlsym(handle, "gsim_plugin_query"));
  GSIM_VALIDATE(query != nullptr, fmt::format("plugin {} exports no gsim_plugin_query", path),
                "add GSIM_PLUGIN(…) to one of its sources (gsim/engine/plugin.hpp)");
  const GsimPlugin* plugin = query();
  const bool is_complete = plugin != nullptr && plugin->layout == gsim_plugin_layout &&
                           plugin->name != nullptr && plugin->version != nullptr &&
                           plugin->licence != nullptr && plugin->doc != nullptr &&
                           plugin->add != nullptr;
  GSIM_VALIDATE(is_complete, fmt::format("the description of plugin {} is incomplete", path),
                "add GSIM_PLUGIN(…) to one of its sources (gsim/engine/plugin.hpp)");
  return *plugin;
}

/// The modules and parts that the plugin registers, in a separate registry.
Registry additions(const GsimPlugin& plugin) {
  Registry added;
  try {
    plugin.add(added);
  } catch (const Error& e) {
    throw InputError(fmt::format("plugin `{}`: {}", plugin.name, e.what()));
  } catch (const std::exception& e) {
    throw InputError(fmt::format("plugin `{}` failed while it registered its modules and parts: {}",
                                 plugin.name, escape_controls_by_line(e.what())));
  } catch (...) {
    throw InputError(
        fmt::format("plugin `{}` failed while it registered its modules and parts", plugin.name));
  }
  GSIM_VALIDATE(!added.entries().empty() || !added.extensions().empty(),
                fmt::format("plugin `{}` registers nothing", plugin.name),
                "register a module or a part in the function that is passed to GSIM_PLUGIN");
  for (const Registry::Extension& e : added.extensions())
    GSIM_VALIDATE(e.missing == nullptr,
                  fmt::format("plugin `{}`: {} `{}` is not complete", plugin.name, e.kind, e.name),
                  fmt::format("register it with {}", e.missing));
  return added;
}

// A path that cannot be resolved, such as a loop of links, is neither a file nor a folder.
bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}
bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// The entries of GSIM_PLUGIN_PATH: plugin files, and folders that contain plugins.
std::vector<std::string> entries_of_environment() {
  std::vector<std::string> entries;
  const char* text = std::getenv("GSIM_PLUGIN_PATH");
  std::string_view rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const std::string entry{rest.substr(0, rest.find(':'))};
    rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
    if (entry.empty()) continue;
    GSIM_VALIDATE(
        entry.front() == '/',
        fmt::format("GSIM_PLUGIN_PATH holds `{}`, which is not an absolute path", excerpt(entry)),
        "write absolute paths there");
    std::error_code ignored;
    GSIM_VALIDATE(fs::exists(entry, ignored),
                  fmt::format("GSIM_PLUGIN_PATH holds {}, which does not exist", excerpt(entry)),
                  "remove it, or correct its path");
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace

std::vector<std::string> plugins_of_environment() {
  std::vector<std::string> files = entries_of_environment();
  std::erase_if(files, is_folder);
  return files;
}

std::string find_plugin(const std::string& named, const std::string& directory) {
  if (named.find('/') != std::string::npos || named.ends_with(".so")) {
    const fs::path path = fs::absolute(fs::path(directory) / named).lexically_normal();
    const std::string kind = irregular_file_kind(path.string());
    GSIM_VALIDATE(kind.empty(), fmt::format("plugin {} is {}", excerpt(path.string()), kind),
                  "correct its path");
    GSIM_VALIDATE(is_file(path), fmt::format("there is no plugin {}", excerpt(path.string())),
                  "build it, or correct its path");
    return path.string();
  }
  std::vector<std::string> folders = entries_of_environment();
  std::erase_if(folders, std::not_fn(is_folder));
  for (const std::string& folder : folders) {
    for (const std::string& file : {named + ".so", "lib" + named + ".so"}) {
      if (is_file(fs::path(folder) / file)) return (fs::path(folder) / file).string();
    }
  }
  throw InputError(
      fmt::format("there is no plugin `{}` {}; write the path of its file, or put its folder into "
                  "GSIM_PLUGIN_PATH",
                  excerpt(named),
                  folders.empty() ? std::string("(GSIM_PLUGIN_PATH names no folder)")
                                  : fmt::format("in {}", fmt::join(folders, ", "))));
}

Plugin PluginLoader::load(const std::string& path, std::uint64_t digest) {
  std::error_code error;
  const fs::path file = fs::canonical(path, error);
  GSIM_VALIDATE(!error && is_file(file), fmt::format("there is no plugin {}", excerpt(path)),
                "check the path");
  const auto loaded = std::find_if(plugins_.begin(), plugins_.end(),
                                   [&](const Plugin& p) { return p.path == file.string(); });
  if (loaded != plugins_.end()) return *loaded;
  engine::SecureFile secure_file("plugin", fs::absolute(path).string());
  const std::string bytes = secure_file.read();
  Plugin plugin;
  plugin.path = file.string();
  plugin.fingerprint = engine::checked_fingerprint(bytes, plugin.path);
  plugin.digest = Digest().add_bytes(std::as_bytes(std::span(bytes))).value();
  GSIM_VALIDATE(digest == 0 || plugin.digest == digest,
                fmt::format("plugin {} is not the same file on all ranks: {} here, {} on rank 0",
                            plugin.path, hex(plugin.digest, 12), hex(digest, 12)),
                "copy the same build of it to every node");
  const GsimPlugin& description = open(plugin.path, secure_file);
  // If two sources contain GSIM_PLUGIN(…) with different fingerprints, the linker keeps one of
  // them.
  GSIM_VALIDATE(description.fingerprint != nullptr &&
                    fingerprint_in(description.fingerprint) == plugin.fingerprint,
                fmt::format("plugin {} holds two fingerprints that differ", plugin.path),
                "build it again, with GSIM_PLUGIN(…) in only one of its sources");
  plugin.name = description.name;
  plugin.version = description.version;
  plugin.licence = description.licence;
  plugin.doc = description.doc;
  check_name(plugin);
  add(plugin, additions(description));
  return plugins_.emplace_back(std::move(plugin));
}

void PluginLoader::check_name(const Plugin& plugin) const {
  GSIM_VALIDATE(
      is_word(plugin.name),
      fmt::format("plugin {} has the invalid name `{}`", plugin.path, excerpt(plugin.name)),
      "use a name of letters, digits, - and _");
  for (const Plugin& other : plugins_) {
    GSIM_VALIDATE(
        other.name != plugin.name,
        fmt::format("plugins {} and {} have the name `{}`", other.path, plugin.path, plugin.name),
        "load only one of them, or rename one");
  }
}

void PluginLoader::check_names_and_modules(const Plugin& plugin, const Registry& added) const {
  const auto check_name = [&](const std::string& kind, const std::string& name) {
    GSIM_VALIDATE(is_word(name),
                  fmt::format("plugin `{}` registers a {} `{}`", plugin.name, kind, excerpt(name)),
                  "use a name of letters, digits, - and _");
  };
  const auto has = [](const Registry& registry, const std::string& module) {
    return std::any_of(registry.entries().begin(), registry.entries().end(),
                       [&](const Registry::Entry& entry) { return entry.name == module; });
  };
  for (const Registry::Entry& entry : added.entries()) check_name("module", entry.name);
  for (const Registry::Extension& e : added.extensions()) {
    check_name(e.kind, e.name);
    GSIM_VALIDATE(
        has(registry_, e.module) || has(added, e.module),
        fmt::format("plugin `{}` registers a {} `{}` for a module `{}`, which is not loaded",
                    plugin.name, e.kind, e.name, excerpt(e.module)),
        "load the plugin with the module first");
  }
}

void PluginLoader::check_not_taken(const Plugin& plugin, const Registry& added) const {
  const auto refuse = [&](const std::string& what, const std::string& owner) {
    throw InputError(
        fmt::format("plugin `{}` registers a {}, which {} has already; rename one of them",
                    plugin.name, what, owner.empty() ? "gsim" : fmt::format("plugin `{}`", owner)));
  };
  for (const Registry::Entry& entry : added.entries()) {
    for (const Registry::Entry& known : registry_.entries())
      if (known.name == entry.name) refuse(fmt::format("module `{}`", entry.name), known.plugin);
  }
  for (const Registry::Extension& extension : added.extensions()) {
    for (const Registry::Extension& known : registry_.extensions()) {
      if (known.kind == extension.kind && known.name == extension.name)
        refuse(fmt::format("{} `{}`", known.kind, known.name), known.plugin);
    }
  }
}

void PluginLoader::check_compatible(const Plugin& plugin, const Registry& added,
                                    const Registry& combined) {
  std::set<std::string> modules;
  for (const Registry::Extension& e : added.extensions()) modules.insert(e.module);
  for (const std::string& name : modules) {
    const std::unique_ptr<Module> module = combined.find(name).factory(combined);
    try {
      // Describes all keys, including those that choose among parts.
      undocumented_keys([&](Section& top) { module->describe(top); });
    } catch (const InputError& e) {
      throw InputError(fmt::format("plugin `{}` does not fit into module `{}`: {}", plugin.name,
                                   name, e.what()));
    }
  }
}

void PluginLoader::add(Plugin& plugin, const Registry& added) {
  check_names_and_modules(plugin, added);
  check_not_taken(plugin, added);
  Registry combined = registry_;
  for (Registry::Entry entry : added.entries()) {
    plugin.adds.push_back("module " + entry.name);
    entry.plugin = plugin.name;
    entry.factory = engine::guard_factory(std::move(entry.factory), plugin.name);
    combined.add(std::move(entry));
  }
  for (Registry::Extension extension : added.extensions()) {
    plugin.adds.push_back(extension.kind + " " + extension.name);
    extension.plugin = plugin.name;
    const auto& known = combined.extensions();
    if (std::none_of(known.begin(), known.end(), [&](const Registry::Extension& e) {
          return e.module == extension.module && !e.plugin.empty();
        }))
      combined.wrap(extension.module, [&](Registry::Factory make) {
        return engine::guard_extended(std::move(make), extension.module);
      });
    combined.extend(std::move(extension));
  }
  check_compatible(plugin, added, combined);
  registry_ = std::move(combined);
}

}  // namespace gsim
