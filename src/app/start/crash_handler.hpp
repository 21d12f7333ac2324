#pragma once
// Messages for errors that cannot be caught as exceptions: when an exception leaves a destructor,
// when the process crashes, or when some code calls exit(). They name the loaded plugins, which may
// be the cause.

#include "gsim/comm/communicator.hpp"
#include "gsim/engine/plugin_loader.hpp"

namespace gsim::app {

/// During its lifetime, an uncaught exception and a call of exit() end all ranks with one message
/// and exit code 1, and a crash prints a message before the previous handler runs (of an MPI
/// library or a sanitizer). At most one at a time; its arguments must outlive it.
class CrashHandler {
 public:
  CrashHandler(const Communicator& communicator, const PluginLoader& plugins);
  ~CrashHandler();
  CrashHandler(const CrashHandler&) = delete;
  CrashHandler& operator=(const CrashHandler&) = delete;

  /// Disables further messages, because the reason for the end of the process was printed already.
  static void disable();
};

}  // namespace gsim::app
