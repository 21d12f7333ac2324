#pragma once
// Sequences of launches that the host hands to a device at once, as a CUDA graph: the device
// executes them with less time between kernels, and the host needs less time for each.

#include <cstddef>
#include <functional>
#include <memory>

#include "gsim/exec/executor.hpp"

namespace gsim {

/// Executes sequences of launches on one executor.
class LaunchGraph {
 public:
  explicit LaunchGraph(const Executor& executor);
  ~LaunchGraph();
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;

  /// Executes the launches, fills and copies between places on the device that `enqueue` makes, in
  /// their order, asynchronously on a device. `enqueue` must not wait for the device, allocate
  /// device memory, or copy from or to host memory. `length` names sequences of the same kernels:
  /// the graph of the last one with this length is updated instead of being made again. On a host,
  /// and with GSIM_SYNC_LAUNCHES=1, only calls enqueue().
  void run(int length, const std::function<void()>& enqueue);
  /// Executes the sequence of the last run() with this `length` again, with the same arguments, at
  /// less expense. Returns false, and does nothing, where there is no graph of it.
  bool repeat(int length);

  class Implementation;  ///< of an executor (src/exec)

 private:
  Executor executor_;  // outlives the implementation, which uses its stream
  std::unique_ptr<Implementation> implementation_;  // null on a host
};

/// Copies `bytes` bytes between two places in the executor's memory, in order with its launches.
void copy_on_executor(const Executor& executor, void* to, const void* from, std::size_t bytes);

}  // namespace gsim
