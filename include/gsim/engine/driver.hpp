#pragma once
// Runs a module until its stop rule is met: the loop over slices, the clock and signals,
// checkpoints, progress, the result file. The same function for every module.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gsim/engine/module.hpp"
#include "gsim/io/checkpoint_file.hpp"

namespace gsim {

inline constexpr Index max_threads = 4096;  ///< of a rank

/// The status file that a run keeps up to date, for `gsim status` and Prometheus, and the prices by
/// which it states the cost. Neither results nor checkpoints depend on it.
struct StatusOptions {
  bool is_enabled = true;
  std::string file;     ///< default: the result file's name with .prom; empty: none
  double interval = 2;  ///< shortest time between two states of the file, in seconds
  double price_per_core_hour = 0, price_per_gpu_hour = 0, price_per_kwh = 0;
  std::string currency;  ///< of the prices: "EUR"

  bool has_price() const {
    return price_per_core_hour > 0 || price_per_gpu_hour > 0 || price_per_kwh > 0;
  }
};

/// The engine's own keys of a configuration: module, plugins, seed, device, threads, arithmetic,
/// [stop], [checkpoint], [output], [status], [comm]. Modules receive what they need of them in
/// Context.
struct RunOptions {
  std::string module;
  std::vector<std::string> plugins;  ///< as find_plugin() takes them (engine/plugin_loader.hpp)
  std::uint64_t seed = 0;
  Arithmetic arithmetic = Arithmetic::strict;
  int device = 0;     ///< DeviceChoice
  Index threads = 0;  ///< per rank; 0: all that this process may use
  int gpu_aware = 0;  ///< GpuAware
  int ipc = 0;        ///< CudaIpc
  StopRule stop;
  std::string output;                ///< result file; default results/<config stem>.h5
  int existing = 0;                  ///< ExistingFile (io/backup_file.hpp), of all output files
  std::string checkpoint_base;       ///< default: output without ".h5"
  double checkpoint_interval = 600;  ///< seconds between checkpoints; 0: only when stopped
  /// Whether a finished run leaves a checkpoint, from which a longer run can be resumed.
  bool checkpoint_at_end = true;
  double time_limit = 0;  ///< seconds that this job may take; 0: no limit
  StatusOptions status;
  /// Describes these keys to a section, which fills them while it reads.
  void describe(Section& top);
  /// Reads a whole configuration: these keys, and the module's, which `module` describes.
  static RunOptions read(ConfigFile& file, const Section::Describe& module);
  /// The same with the keys of `module`, which are then validated.
  static RunOptions read(ConfigFile& file, Module& module);
  /// The folder, in the current one, of results for which the configuration names no file.
  static constexpr const char* default_folder = "results";
  /// Sets output, checkpoint_base and status.file, where they are empty, from the name of the
  /// configuration file.
  void default_paths(const std::string& config_name);
};

/// InputError where stop.require_converged is set and no error target is. run_module() calls it
/// first, and `gsim check` last.
void check_targets(const StopRule& stop, const WorkPlan& plan);

/// A warning where the forecast memory of a rank exceeds that of this machine; InputError where it
/// is more than twice as large, unless Context::forecast_ranks is set. Nothing is checked if the
/// executor is a device. Called by run_module() and `gsim check`.
void check_memory(const Context& context, const WorkPlan& plan);

/// The text that must be the same in a run and in a checkpoint that it resumes: the resolved
/// configuration without the keys that set the length of a run (ConfigFile::without_run_lengths())
/// and without the engine's keys that cannot change a state (stop.require_converged, output,
/// checkpoint, status, device, threads, comm, plugins).
std::string identity_text(const std::string& without_run_lengths);

/// Digest of identity_text().
std::string config_identity(const std::string& without_run_lengths);

/// The style of progress output: automatic is a bar on a terminal and lines elsewhere.
enum class LogStyle { automatic, quiet, plain, json };

/// Whether to resume from the newest checkpoint: never; always, where a missing one is an error; if
/// there is one.
enum class Resume { no, required, if_present };

struct RunRequest {
  RunOptions options;
  /// The engine adds the digests of input_files and Module::input_digest().
  CheckpointIdentity identity;
  std::string config_name, config_text, config_resolved;
  std::vector<InputFile> input_files;  ///< ConfigFile::input_files(): stored with the results
  /// Name, version and digest of each plugin that the module needs. A resumed run with other
  /// digests gets a warning; other versions change the identity, and it is refused.
  std::vector<std::string> plugins;
  std::string platform;  ///< for the banner: "1 rank × 2 threads · cpu (AVX2) · strict arithmetic"
  /// Further entries of /provenance: name and text.
  std::vector<std::pair<std::string, std::string>> provenance;
  Resume resume = Resume::no;
  LogStyle log = LogStyle::automatic;
  bool handle_signals = false;  ///< SIGTERM, SIGINT, SIGUSR1, SIGUSR2 stop with a checkpoint

  // For programs that embed gsim, and for tests. Only those of rank 0 are used.
  Index max_slice = 0;                        ///< units between control points; 0: from their speed
  std::function<bool(Index done)> interrupt;  ///< true stops with a checkpoint, like a signal
  std::function<double()> clock;              ///< seconds; default: the steady clock
};

/// Exit code of a run with stop.require_converged and results that miss their error targets.
inline constexpr ExitCode exit_unconverged{3};

struct RunOutcome {
  StopReason reason = StopReason::finished;
  Index units_done = 0;
  std::string result_path;      ///< empty when stopped with a checkpoint
  std::string backup_path;      ///< backup of earlier results of that name, or empty
  std::string checkpoint_path;  ///< of the last checkpoint written, empty if none
  std::uint64_t digest = 0;     ///< of the results; 0 when stopped with a checkpoint
  /// stop.require_converged was set, and an estimate misses its error target or input was skipped.
  bool misses_targets = false;
  ExitCode exit_code() const;
};

/// Plans, prepares or restores the state, runs, writes checkpoints and results. The module has been
/// configured. Collective; the same outcome on every rank. Errors that every rank throws are marked
/// as agreed.
RunOutcome run_module(Module& module, const Context& context, const RunRequest& request);

}  // namespace gsim
