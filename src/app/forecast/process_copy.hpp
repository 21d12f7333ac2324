#pragma once
// Work in a copy of this process, which leaves nothing behind in it.

#include <functional>
#include <limits>
#include <string>

namespace gsim::app {

/// What a copy of this process has sent.
struct CopyOutput {
  std::string bytes;
  bool is_late = false;  ///< whether it was ended because it took too long
  int status = 0;        ///< as waitpid() gives it
};

/// Runs `body` in a copy of this process, which must have no threads, no MPI and no CUDA context in
/// use, and returns the bytes that `body` returned; none where it threw an exception or the copy
/// crashed. The copy has no standard streams. It is ended after `patience` seconds, at a signal
/// that stops runs (engine::SignalGuard), and with this process. IoError if no process can be
/// started.
CopyOutput run_in_copy(const std::function<std::string()>& body,
                       double patience = std::numeric_limits<double>::infinity());

}  // namespace gsim::app
