#pragma once
// Loads plugins (engine/plugin.hpp): finds the file, compares its fingerprint with this gsim's
// before any of its code runs, and lets it register what it brings.

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

/// This gsim's own.
std::vector<FingerprintField> own_fingerprint();

/// The fingerprint that stands in the bytes of a file; empty where there is none.
std::vector<FingerprintField> fingerprint_in(std::string_view bytes);

/// The fields that keep a plugin with `theirs` out of a gsim with `ours`, a line each: "compiler:
/// Clang 14, this gsim has GNU 12". A plugin without CUDA goes with any.
std::vector<std::string> differences(const std::vector<FingerprintField>& theirs,
                                     const std::vector<FingerprintField>& ours);

/// The file that `named` means: a path, taken from `directory` unless it is absolute, if it has a
/// slash or ends with ".so"; else a name, whose file NAME.so or libNAME.so must stand in one of the
/// folders of GSIM_PLUGIN_PATH. InputError when there is none.
std::string find_plugin(const std::string& named, const std::string& directory);

/// The files among the entries of GSIM_PLUGIN_PATH, which are loaded for every command. Entries are
/// absolute paths with colons between them; folders are where find_plugin() looks, and are never
/// searched for plugins that nobody named. InputError for one that is not there.
std::vector<std::string> plugins_of_environment();

/// The plugins of one process; they stay loaded until it ends. Must not outlive the registry.
class PluginLoader {
 public:
  explicit PluginLoader(Registry& registry) : registry_(registry) {}

  /// Loads the plugin in a file, unless it is loaded. What it brings is added to the registry;
  /// whatever it throws besides gsim's errors, then or later, becomes an Error that names it (and
  /// where several extend one module, those, too).
  /// The file is opened once, and checked and loaded through the same descriptor, so that another
  /// file cannot take its place in between; its fingerprint is compared before any of its code
  /// runs.
  /// InputError, and nothing registered, for a file that is missing, that belongs to others than
  /// the user and root or that these may write to or replace, that is no plugin, whose fingerprint
  /// differs, or that cannot be loaded; for a plugin whose name another has, that brings nothing,
  /// or something that is there already or that its module cannot take in. `digest` other than 0:
  /// what the file must have (on another rank's machine it may be another file).
  Plugin load(const std::string& path, std::uint64_t digest = 0);

  const std::vector<Plugin>& plugins() const { return plugins_; }

 private:
  void refuse_name(const Plugin& plugin) const;
  void refuse_misplaced(const Plugin& plugin, const Registry& added) const;
  void refuse_taken(const Plugin& plugin, const Registry& added) const;
  /// Where a module `with` what is added cannot say what it reads: two parts of one name, say.
  static void refuse_unfit(const Plugin& plugin, const Registry& added, const Registry& with);
  void add(Plugin& plugin, const Registry& added);
  Registry& registry_;
  std::vector<Plugin> plugins_;
};

}  // namespace gsim
