#pragma once
// What a result file holds of the run that wrote it: enough to repeat it.

#include <functional>
#include <string>
#include <vector>

#include "gsim/config/input_file.hpp"
#include "src/app/input/configuration.hpp"

namespace gsim::app {

struct StoredRun {
  std::string config_name;      ///< path of the configuration at that time
  std::string config_resolved;  ///< all keys, with the overrides of the command line
  /// Its input files. Those in HDF5 have no text: results do not hold them.
  std::vector<InputFile> input_files;
  /// "yes", or "no: " and the reason: it ended by wall time, or at a fault.
  std::string repeatable;
  std::string version, commit;  ///< of the gsim that wrote it
  std::string digest;           ///< of the results
  std::string stop_reason;
  std::string folder;  ///< in which the run was started; empty: unknown
  /// digest_with_earlier() of the stage before; empty for a first stage and without stages.
  std::string previous_stage;
  /// Plugins that were loaded: name, version, digest and path, in a line each.
  std::string plugins;
};

/// Reads the provenance of a result file. IoError if it is missing or damaged, InputError if it is
/// not a result of gsim.
StoredRun read_stored_run(const std::string& path);

/// Digest of the results, of their configuration and of all stages before them.
std::string digest_with_earlier(const StoredRun& stored);

/// The name of a further output file in a configuration: `file` of a table [[trajectory]],
/// [particle_file], or [pictures] of plugins. Without it, the file has a default name beside the
/// result file.
struct OutputName {
  std::string table;  ///< "trajectory"
  Index number = 1;   ///< of the table among those of that name
  std::string name;   ///< of the file, as the configuration has it
};

/// The names of further output files in a resolved configuration.
std::vector<OutputName> output_names(const std::string& config);

/// The resolved configuration `config` with other names of further output files, those that
/// `rename` returns.
std::string rename_outputs(const std::string& config,
                           const std::function<std::string(const OutputName&)>& rename);

/// A function for rename_outputs(), which gives each file the name FOLDER/STEM.NAME, for the path
/// `base` = FOLDER/STEM, with a number where two files would have the same one.
std::function<std::string(const OutputName&)> names_beside(const std::string& base);

/// The configuration of the run with the names of further output files that `rename` returns, and
/// its input files: those that the results do not hold are read from where they were.
ConfigSource source_of(StoredRun stored,
                       const std::function<std::string(const OutputName&)>& rename);

}  // namespace gsim::app
