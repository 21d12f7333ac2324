#pragma once
// The state of a batch: its journals, joined with what the batch system and the processes of this
// machine say.

#include <string>
#include <vector>

#include "src/app/batch/journal.hpp"
#include "src/app/batch/manifest.hpp"
#include "submission.hpp"

namespace gsim::app {

enum class LiveState { waiting, running, done, failed, stopped, left_out, cancelled };

/// "waiting", "running", "done", "failed", "stopped", "left out", "cancelled".
const char* to_string(LiveState state);

struct TaskStatus {
  LiveState state = LiveState::waiting;
  TaskRecord record;
  std::string place;   ///< of a running task: "process 123 on host", "job 12 on host"
  std::string reason;  ///< of a failure
};

struct BatchStatus {
  Batch batch;
  std::vector<TaskStatus> tasks;  ///< in the order of the manifest
  std::vector<Submission> submissions;
  std::vector<JobState> jobs;           ///< submitted ones that the batch system knows
  std::vector<BatchProcess> processes;  ///< `gsim batch run` that run now
  bool is_active = false;               ///< a process runs, or a job waits or runs

  Index count(LiveState state) const;
};

/// The batch of a manifest, or that of a folder in which one has run or from which one was
/// submitted; `folder`, unless it is empty, replaces the manifest's. InputError where there is
/// none.
Batch find_batch(const std::string& manifest_or_folder, const std::string& folder);

/// A task that a journal calls running runs if its process does: this machine's are looked up here,
/// others' in the queue, and those of other machines without a queue are believed. What was
/// interrupted is waiting where a job or a process goes on with it, and else stopped; after `gsim
/// batch cancel` what is neither done nor failed is cancelled.
BatchStatus read_status(Batch batch);

}  // namespace gsim::app
