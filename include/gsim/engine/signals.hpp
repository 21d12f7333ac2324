#pragma once
// Signals that ask a run to stop: the handler sets a flag, the driver looks at it between slices.

namespace gsim::engine {

/// While it lives, SIGTERM, SIGINT, SIGUSR1 and SIGUSR2 set a flag, the first one's number; SIGINT
/// after that ends the process at once, as it would have without gsim. They nest: the outermost one
/// counts, so that a signal before the inner one is not lost.
class SignalGuard {
 public:
  explicit SignalGuard(bool enabled);
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  /// Installs the handlers again, where a library has put its own in their place.
  void take() const;
  /// Number of the signal that arrived, 0 when none did.
  static int received();

 private:
  bool enabled_;
};

/// "SIGTERM" for a signal's number.
const char* signal_name(int number);

}  // namespace gsim::engine
