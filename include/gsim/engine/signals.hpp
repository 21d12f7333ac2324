#pragma once
// Signals that stop a run: the handler sets a flag, which the driver reads between slices.

namespace gsim::engine {

/// During its lifetime SIGTERM, SIGINT, SIGUSR1 and SIGUSR2 set a flag to the number of the first
/// signal; a SIGINT more than 0.5 s after that ends the process at once, as it does by default.
/// Guards may be nested: the outermost one holds the flag, so that a signal before the inner one is
/// not lost.
class SignalGuard {
 public:
  explicit SignalGuard(bool enabled);
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  /// Installs the handlers again, where a library has replaced them.
  void reinstall() const;
  /// Number of the received signal, 0 when there was none.
  static int received();

 private:
  bool enabled_;
};

/// "SIGTERM" for a signal's number.
const char* signal_name(int number);

}  // namespace gsim::engine
