#pragma once
// What a result file holds of the run that wrote it: enough to repeat it.

#include <string>
#include <vector>

#include "gsim/config/input_file.hpp"

namespace gsim::app {

struct StoredRun {
  std::string config_name;      ///< path of the configuration at that time
  std::string config_resolved;  ///< all keys, with the overrides of the command line
  /// Its input files. Those in HDF5 have no text: results do not hold them.
  std::vector<InputFile> input_files;
  std::string version, commit;  ///< of the gsim that wrote it
  /// Plugins that were loaded: name, version, digest and path, in a line each.
  std::string plugins;
};

/// Reads the provenance of a result file. InputError if it is missing, damaged or not a result of
/// gsim, and if its run is not repeatable (it ended by wall time, or at a fault), with the reason.
StoredRun read_stored_run(const std::string& path);

/// `config` without the names of further output files ([[trajectory]], [particle_file], and
/// [pictures] of plugins): they get their default names, beside the result file.
std::string without_names_of_outputs(const std::string& config);

}  // namespace gsim::app
