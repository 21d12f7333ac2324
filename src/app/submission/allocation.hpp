#pragma once
// The processors, GPUs, memory and time that a submitted batch requests.

#include <string>
#include <vector>

#include "src/app/batch/manifest.hpp"
#include "task_forecast.hpp"

namespace gsim::app {

/// The request of one job, or of each element of a job array.
struct Allocation {
  Index nodes = 1;
  Index cores = 1;                 ///< of each node
  Index gpus = 0;                  ///< of each node
  double memory = 0;               ///< bytes of each node; 0: the cluster's default
  double time = 0;                 ///< seconds; 0: the cluster's default
  Index elements = 0;              ///< of the array; 0: one job
  std::vector<std::string> notes;  ///< where each number is from, one line each
};

/// What a cluster says about its jobs.
struct ClusterLimits {
  Index node_cores = 0;          ///< processors of the smallest node; 0: unknown
  double time = 0;               ///< longest time limit of a job, in seconds; 0: unknown or none
  bool has_default_time = true;  ///< whether a job that requests no time gets a time limit
};

/// Processors that a task uses at least.
Index cores_of(const BatchTask& task);

/// What [submit] says, and what it leaves open from the manifest and the forecasts. Processors: as
/// many as all tasks use at once, at most those of a node of the cluster (where they are
/// unknown, those of the largest task), and never fewer than the largest task needs. Memory:
/// that of the tasks that can run at the same time. Time: the longest chain of tasks that wait for
/// one another, plus the work of all tasks on the processors that are taken at least while a task
/// waits for processors, all but c - 1 of a node where tasks take up to c, and the same for GPUs;
/// at most the time of all tasks in turn. This is an upper bound (R. L. Graham, Bell System Tech.
/// J. 45 (1966) 1563, for tasks of one processor); plus the time for checkpoints, and at
/// most the limit of the cluster. InputError where a task needs more processors than [submit]
/// gives, and for an array of tasks that come after one another.
Allocation allocation_for(const Batch& batch, const std::vector<TaskForecast>& forecasts,
                          const ClusterLimits& limits);

}  // namespace gsim::app
