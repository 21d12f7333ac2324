#pragma once
// What a result file holds of the run that wrote it: enough to repeat it.

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
  std::vector<OutputName> outputs;  ///< Configuration::outputs
  bool knows_outputs = false;       ///< whether the results say which files keys name
  /// Plugins that were loaded: name, version, digest and path, in a line each.
  std::string plugins;
};

/// Reads the provenance of a result file. IoError if it is missing or damaged, InputError if it is
/// not a result of gsim.
StoredRun read_stored_run(const std::string& path);

/// Digest of the results, of their configuration and of all stages before them.
std::string digest_with_earlier(const StoredRun& stored);

/// The configuration of the run, whose further output files have names beside `base`, and its input
/// files: those that the results do not hold are read from where they were.
ConfigSource source_of(StoredRun stored, const std::string& base);

}  // namespace gsim::app
