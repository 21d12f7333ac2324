#pragma once
// SIGINT and SIGTERM end a validation with the report of what is done.

namespace gsim::app {

/// While it lives, SIGINT and SIGTERM set a flag; a second one ends the process at once. One at a
/// time per process.
class InterruptionGuard {
 public:
  InterruptionGuard();
  ~InterruptionGuard();
  InterruptionGuard(const InterruptionGuard&) = delete;
  InterruptionGuard& operator=(const InterruptionGuard&) = delete;

  /// Whether this rank got a signal.
  static bool requested();
};

}  // namespace gsim::app
