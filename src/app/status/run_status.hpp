#pragma once
// The states of runs, from their status files and from the journal of a batch.

#include <limits>
#include <string>
#include <vector>

#include "gsim/core/json.hpp"

namespace gsim::app {

/// One run. NaN and empty texts: not known.
struct RunStatus {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::string name;  ///< of its files, without folder and extension
  std::string file;  ///< status file; empty for a task of a batch that has none
  /// "running", "finished", "interrupted" (resumed by --resume) and "failed", as the run says;
  /// "stale": the file says running, but the process is gone or silent; of tasks of a batch also
  /// "starting", "stopped" and "left out".
  std::string state;
  std::string remark;  ///< why it ended, failed or is stale
  std::string module, config, version, host, platform, result;
  int pid = 0;
  double started = unknown, updated = unknown;  ///< seconds since 1970
  double interval = unknown, duration = unknown, earlier_duration = unknown;  ///< seconds
  double progress = unknown;                                                  ///< 0 … 1
  double work_done = unknown, work_planned = unknown;
  std::string unit;
  double rate = unknown;  ///< items per second
  std::string item;
  double remaining = unknown;  ///< seconds
  double judged = unknown, converged = unknown;
  double relative_error = unknown, absolute_error = unknown;
  std::string worst_estimate;
  double ranks = unknown, threads = unknown, hosts = unknown, gpus = unknown, imbalance = unknown;
  double memory = unknown, largest_rank_memory = unknown;  ///< bytes, the most so far
  double gpu_utilization = unknown, gpu_memory = unknown;  ///< 0 … 1, bytes
  double core_seconds = unknown, gpu_seconds = unknown;
  double cpu_joules = unknown, gpu_joules = unknown;
  double cost = unknown;
  std::string currency;

  /// An object with all that is known.
  Json json() const;
};

/// The status of the text of a status file, at `now` (seconds since 1970) on this machine. An empty
/// state if the text holds no metrics of a run. InputError if it is no text of metrics.
RunStatus parse_status(const std::string& file, const std::string& text, double now);

/// The runs of status files and folders, in the order of the arguments and by name. Of a folder:
/// those of its files *.prom that hold a run, and the tasks in its journal, if it is one of a
/// batch. InputError for what is no status file, and if there are no runs at all.
std::vector<RunStatus> read_runs(const std::vector<std::string>& files_and_folders);

/// A table, and below it a line for each run that failed, was interrupted or is stale.
std::string status_table(const std::vector<RunStatus>& runs);

/// 1 if a run failed or is stale, else 75 if one was interrupted, else 0.
int status_exit_code(const std::vector<RunStatus>& runs);

}  // namespace gsim::app
