#pragma once
// Signals of a batch: the end of its tasks, and the second Ctrl-C.

#include <csignal>

namespace gsim::app {

/// SIGCHLD is blocked while the object exists, so that it can be waited for.
class ChildSignals {
 public:
  ChildSignals();
  ~ChildSignals();
  ChildSignals(const ChildSignals&) = delete;
  ChildSignals& operator=(const ChildSignals&) = delete;
  /// Returns when a child has ended, another signal has arrived, or `seconds` have passed.
  void wait(double seconds) const;

 private:
  sigset_t set_{}, previous_{};
};

/// From watch() until destruction, a SIGINT more than 0.5 s after watch() sets a flag in place of
/// what it did before. Other signals do not: batch systems send several for one stop.
class SecondInterrupt {
 public:
  SecondInterrupt() = default;
  ~SecondInterrupt();
  SecondInterrupt(const SecondInterrupt&) = delete;
  SecondInterrupt& operator=(const SecondInterrupt&) = delete;
  void watch();
  bool has_arrived() const;

 private:
  bool is_watching_ = false;
  struct sigaction previous_ {};
};

}  // namespace gsim::app
