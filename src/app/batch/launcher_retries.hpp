#pragma once
// Tasks whose launcher failed before gsim started.

#include <chrono>
#include <cstddef>
#include <map>
#include <vector>

namespace gsim::app {

/// When a task is started again whose launcher failed before gsim started, such as srun, whose
/// request for a step Slurm refuses for good where it should let it wait: a step that needs all
/// nodes of a job, with several processors for each rank, right after another step of the job has
/// ended on one of them (Slurm 22.05: "Invalid generic resource (gres) specification").
class LauncherRetries {
 public:
  using Clock = std::chrono::steady_clock;

  /// Whether `task` may be started again: six times, after pauses of 0.5 s, 1 s, 2 s … 16 s.
  bool add(std::size_t task, Clock::time_point now);
  /// The tasks whose pauses have ended. They leave the list.
  std::vector<std::size_t> take_due(Clock::time_point now);
  /// Whether no task waits.
  bool is_empty() const { return due_.empty(); }
  /// Takes all tasks out.
  void clear() { due_.clear(); }

 private:
  std::map<std::size_t, int> failures_;
  std::multimap<Clock::time_point, std::size_t> due_;
};

}  // namespace gsim::app
