#pragma once
// Reading of a TOML file into a configured module on all ranks.

#include <memory>
#include <string>
#include <vector>

#include "gsim/config/input_file.hpp"
#include "gsim/config/output_keys.hpp"
#include "src/app/app.hpp"

namespace gsim::app {

struct Configuration {
  RunRequest request;  ///< options, text of the configuration, identity of the run
  std::unique_ptr<Module> module;
  std::string directory;  ///< folder of the file
  /// Further files of the run that keys of the module name; others have default names beside the
  /// result file.
  std::vector<OutputName> outputs;
};

/// A configuration that was read: its path, to which paths in it are relative, its text, and a
/// function that reads the files that it names. Only those of rank 0 are used.
struct ConfigSource {
  std::string path, text;
  FileReader reader;
  std::vector<std::string> set = {};  ///< overrides after those of the command line
};

/// The configuration of the command line, its text on every rank. Collective; errors are agreed.
ConfigSource load_source(const Session& session);

/// Rank 0 reads the file of the command line and the files that it names, and sends them to the
/// other ranks; every rank applies the overrides, makes the module and reads all keys. Collective;
/// errors are agreed.
Configuration load_configuration(const Session& session);
/// The same with the text and the files of `source`.
Configuration load_configuration(const Session& session, ConfigSource source);

/// The context of a run on `executor`.
Context make_context(const Session& session, const Configuration& configuration, Executor executor);

/// The executor for the key `device`. Collective; errors are agreed.
Executor make_executor(const Session& session, const RunOptions& options);

/// The binding of ranks to devices and the transport of messages, for the banner and the
/// provenance.
struct Platform {
  BindingReport binding;
  BufferPathReport buffers;
};
/// Collective.
Platform probe_platform(const Communicator& communicator, const Executor& executor,
                        const RunOptions& options);

/// "4 ranks on 1 node × 2 threads · cpu (AVX2) · no GPU driver found · strict arithmetic".
std::string describe_platform(const Platform& platform, const Context& context,
                              const RunOptions& options);

}  // namespace gsim::app
