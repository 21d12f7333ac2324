#pragma once
// A manifest: the tasks of a batch, read from a TOML file.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/core/types.hpp"
#include "host_pool.hpp"
#include "src/app/submission/submit_options.hpp"

namespace gsim::app {

/// One run of a batch.
struct BatchTask {
  std::string name;    ///< of its files; of a study with the number of the point: "vol.003"
  std::string group;   ///< the name in the manifest: "vol"
  std::string config;  ///< path of the configuration
  std::vector<std::string> set;  ///< overrides KEY=VALUE, with references to other tasks
  /// The varied keys and variables, and their values, which are in `set`, too.
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<std::size_t> after;  ///< tasks that must have ended well before, ascending
  /// The tasks that references in `set` mean, by the names in the manifest.
  std::map<std::string, std::size_t> refers_to;
  Index ranks = 1;
  Index threads = 0;  ///< of each rank; 0: as many as are free when it starts
};

struct Batch {
  std::string manifest;  ///< path
  std::string folder;    ///< of results, logs and the journal
  Index cores = 0;       ///< processors that tasks may use at once; 0: all of this machine
  Index gpus = -1;       ///< GPUs that tasks may use; -1: those of this machine
  Index tasks_per_gpu = 1;
  std::string launcher;  ///< command before `gsim run`; empty: mpiexec, for several ranks only
  bool stops_at_failure = false;
  std::vector<Host> hosts;  ///< other machines on which Hydra starts tasks; empty: none
  /// Beginnings of the names of the estimates that the tables of the batch hold; none: all.
  std::vector<std::string> estimates;
  std::vector<BatchTask> tasks;
  SubmitOptions submit;
  Index part = 1, parts = 1;  ///< keep_part(): which part of how many
};

/// Reads the manifest at `path`, with overrides KEY=VALUE of its keys. ConfigError with file and
/// line for unknown keys, values out of range, names of tasks or files that are used twice, keys
/// that vary twice, variables that nothing uses, dependencies on unknown tasks or in a circle,
/// references from a study to one with other points, and studies without points. Configurations are
/// not read.
Batch read_batch(const std::string& path, const std::vector<std::string>& set = {});

/// Removes all tasks but those of part `text` = "K/N": every Nth one, from the Kth on. InputError
/// for another text, and where tasks come after one another.
void keep_part(Batch& batch, const std::string& text);

/// The keys of a manifest: as text, or as JSON Schema.
std::string batch_schema(bool json);

}  // namespace gsim::app
