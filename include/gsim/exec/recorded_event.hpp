#pragma once
// An event among the operations of an executor, for which the host can wait as for a CUDA event.

#include <memory>

#include "gsim/exec/executor.hpp"

namespace gsim {

class ExecutorEvent;  // src/exec/backend.hpp

class RecordedEvent {
 public:
  explicit RecordedEvent(const Executor& executor);
  ~RecordedEvent();
  RecordedEvent(const RecordedEvent&) = delete;
  RecordedEvent& operator=(const RecordedEvent&) = delete;

  /// Records the event behind the launches and copies so far, instead of where it was before.
  void record();
  /// Waits for the operations before the event, but not for later ones. DeviceError if one of them
  /// failed.
  void wait();

 private:
  Executor executor_;                     // outlives the event
  std::unique_ptr<ExecutorEvent> event_;  // null if operations are synchronous
};

}  // namespace gsim
