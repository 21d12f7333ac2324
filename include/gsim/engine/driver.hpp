#pragma once
// Runs a module to its stop rule: the loop, observers of time and signals, checkpoints, progress,
// the result file. One function for every module.

#include <string>
#include <vector>

#include "gsim/engine/module.hpp"
#include "gsim/io/checkpoint_file.hpp"

namespace gsim {

/// The engine's own tables of a configuration: module, seed, device, precision-independent policy,
/// [stop], [checkpoint], [output]. `describe` fills it; plugins see the result through Context.
struct RunOptions {
  std::string module;
  std::uint64_t seed = 0;
  Arithmetic arithmetic = Arithmetic::strict;
  int device = 0;     ///< DeviceChoice
  Index threads = 0;  ///< per rank; 0: all that this process may use
  int gpu_aware = 0;  ///< GpuAware
  StopRule stop;
  std::string output;                ///< result file; default results/<config stem>.h5
  std::string checkpoint_base;       ///< default: output without ".h5"
  double checkpoint_interval = 600;  ///< seconds between checkpoints; 0: only when stopped
  void describe(Section& top);
};

enum class LogStyle { automatic, quiet, plain, json };

struct RunRequest {
  RunOptions options;
  CheckpointIdentity identity;
  std::string config_name, config_text, config_resolved;
  std::vector<std::string> provenance;  ///< "key=value" lines that the application adds
  bool resume = false;
  LogStyle log = LogStyle::automatic;
};

struct RunOutcome {
  StopReason reason = StopReason::finished;
  Index units_done = 0;
  std::string result_path;      ///< empty when stopped with a checkpoint
  std::string checkpoint_path;  ///< of the last checkpoint written, empty if none
  std::uint64_t digest = 0;
  ExitCode exit_code() const;
};

/// Plans, prepares or restores, runs, checkpoints, writes. Collective; the same outcome everywhere.
RunOutcome run_module(Module& module, const Context& context, const RunRequest& request);

}  // namespace gsim
