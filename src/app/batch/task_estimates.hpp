#pragma once
// Reads the estimates of many result files with several processes.

#include <functional>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/io/result_values.hpp"

namespace gsim::app {

/// The estimates of a result file, or the reason why it cannot be read.
struct TaskEstimates {
  std::vector<StoredEstimate> estimates;
  std::string damage;
};

/// The estimates of each of `files` whose names `is_wanted` accepts. Up to `processes` copies of
/// this process read parts of a long list: HDF5 serves one thread only. This process must have
/// neither threads nor MPI nor a CUDA context. What a copy could not read, this process reads.
std::vector<TaskEstimates> read_task_estimates(
    const std::vector<std::string>& files, Index processes,
    const std::function<bool(const std::string& name)>& is_wanted);

}  // namespace gsim::app
