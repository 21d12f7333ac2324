#pragma once
// Runs the tasks of a batch side by side on the processors and GPUs of an allocation.

#include <functional>
#include <string>
#include <vector>

#include "gsim/engine/registry.hpp"
#include "journal.hpp"
#include "manifest.hpp"

namespace gsim::app {

struct BatchOptions {
  bool resume = false;  ///< whether the journal holds an earlier part of the batch
  /// Called with the name of a host that gets no further tasks.
  std::function<void(const std::string& host)> lost;
  /// Called for each task whose launcher failed before gsim started, and which is started again.
  std::function<void(const BatchTask& task, const std::string& reason)> retried;
  /// Called after each task that ended, and about once a second: records of all tasks.
  std::function<void(const std::vector<TaskRecord>& records)> progress;
  /// Called for each task that failed, with the reason.
  std::function<void(const BatchTask& task, const std::string& reason)> failed;
};

/// Processors that tasks may use: Batch::cores, or those that this process may use.
Index cores_of(const Batch& batch);

/// InputError if Batch::gpus are more than this process sees, and no launcher starts tasks
/// elsewhere.
void require_gpus(const Batch& batch);

/// Runs all tasks that are not done yet, each when the tasks before it are done and processors are
/// free, in the order of the manifest; a smaller task may start before a larger one that waits for
/// processors, but not without end. A task of N ranks with T threads takes N T processors, and one
/// GPU for each rank where there are GPUs. After SIGTERM, SIGINT, SIGUSR1 or SIGUSR2 running tasks
/// are stopped with checkpoints, and no more are started; a SIGINT more than 0.5 s later kills
/// them. A task that was stopped is resumed from its checkpoint if its configuration, overrides and
/// values of references are the same, and else starts anew. Returns the records of all tasks.
std::vector<TaskRecord> run_batch(const Batch& batch, const Registry& registry, Journal& journal,
                                  const BatchOptions& options);

}  // namespace gsim::app
