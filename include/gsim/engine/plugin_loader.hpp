#pragma once
// Loads plugins (engine/plugin.hpp): finds the file, compares its fingerprint with this gsim's
// before any of its code runs, and calls its function that registers modules and parts.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/engine/registry.hpp"

namespace gsim {

/// One line of a fingerprint.
struct FingerprintField {
  std::string name, value;
  friend bool operator==(const FingerprintField&, const FingerprintField&) = default;
};

/// A plugin that was loaded.
struct Plugin {
  std::string name, version, licence, doc;
  std::string path;          ///< of the file, absolute, without symbolic links
  std::uint64_t digest = 0;  ///< of its bytes (core/digest.hpp)
  std::vector<FingerprintField> fingerprint;
  std::vector<std::string> adds;  ///< "module heat"
};

/// The fingerprint of this gsim.
std::vector<FingerprintField> own_fingerprint();

/// The fingerprint in the bytes of a file; empty where there is none.
std::vector<FingerprintField> fingerprint_in(std::string_view bytes);

/// The fields in which the fingerprint of a plugin (`theirs`) differs from that of gsim (`ours`),
/// one line for each: "compiler: Clang 14, this gsim has GNU 12". A plugin without CUDA is
/// compatible with any CUDA version.
std::vector<std::string> differences(const std::vector<FingerprintField>& theirs,
                                     const std::vector<FingerprintField>& ours);

/// The file of a plugin. `named` is a path (relative to `directory` unless it is absolute) if it
/// has a slash or ends with ".so"; else a name, whose file NAME.so or libNAME.so must be in one of
/// the folders of GSIM_PLUGIN_PATH. InputError when there is no such file.
std::string find_plugin(const std::string& named, const std::string& directory);

/// The files among the entries of GSIM_PLUGIN_PATH, which are loaded for every command. Entries are
/// absolute paths with colons between them; folders are searched by find_plugin() only, for the
/// names that it is given. InputError for an entry that does not exist.
std::vector<std::string> plugins_of_environment();

/// The plugins of one process; they stay loaded until it ends. Must not outlive the registry.
class PluginLoader {
 public:
  explicit PluginLoader(Registry& registry) : registry_(registry) {}

  /// Loads the plugin in a file, unless it is loaded already, and adds its modules and parts to the
  /// registry. Exceptions of its code other than gsim's errors, now or later, become an Error that
  /// names the plugin (and, where several plugins extend one module, all of them). The file is
  /// opened once, and checked and loaded through the same descriptor, so that it cannot be replaced
  /// by another file in between; its fingerprint is compared before any of its code runs.
  /// InputError, and nothing is registered, for a file that is missing, that users other than this
  /// one and root own, may write to or may replace, that is no plugin, whose fingerprint differs,
  /// or that cannot be loaded; and for a plugin whose name another plugin has, that registers
  /// nothing, or registers a name that exists already or a part that does not fit into its module.
  /// A `digest` other than 0 is the digest that the file must have (on another machine it may be
  /// another file).
  Plugin load(const std::string& path, std::uint64_t digest = 0);

  const std::vector<Plugin>& plugins() const { return plugins_; }

 private:
  /// InputError for a name with other characters than letters, digits, - and _, or one that another
  /// plugin has.
  void check_name(const Plugin& plugin) const;
  /// InputError for an invalid name of a module or part, and for a part of a module that is not
  /// loaded.
  void check_names_and_modules(const Plugin& plugin, const Registry& added) const;
  /// InputError for a name of a module or part that is registered already.
  void check_not_taken(const Plugin& plugin, const Registry& added) const;
  /// InputError where a module cannot describe its keys with the new parts, for example because two
  /// parts have one name.
  static void check_compatible(const Plugin& plugin, const Registry& added,
                               const Registry& combined);
  void add(Plugin& plugin, const Registry& added);
  Registry& registry_;
  std::vector<Plugin> plugins_;
};

}  // namespace gsim
