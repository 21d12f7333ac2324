#pragma once
// A place among the operations of an executor up to which the host can wait.

#include <memory>

#include "gsim/exec/executor.hpp"

namespace gsim {

class ExecutorEvent;  // src/exec/backend.hpp

class LaunchMark {
 public:
  explicit LaunchMark(const Executor& executor);
  ~LaunchMark();
  LaunchMark(const LaunchMark&) = delete;
  LaunchMark& operator=(const LaunchMark&) = delete;

  /// Moves the mark behind the launches and copies so far.
  void set();
  /// Waits for the operations before the mark, but not for later ones. DeviceError if one of them
  /// failed.
  void wait();

 private:
  Executor executor_;                     // outlives the event
  std::unique_ptr<ExecutorEvent> event_;  // null if operations are synchronous
};

}  // namespace gsim
