#pragma once
// What is said where no error can be thrown any more: when an exception leaves a destructor, when
// the process crashes, or when something calls exit(). All name the plugins that are loaded, since
// the code may be theirs.

#include "gsim/comm/communicator.hpp"
#include "gsim/engine/plugin_loader.hpp"

namespace gsim::app {

/// As long as it lives, an exception that nobody can catch and a call of exit() end all ranks with
/// one message and exit code 1, and a crash is told before it takes its course, which may be an MPI
/// library's or a sanitizer's. One at a time; what it is given must outlive it.
class CrashHandler {
 public:
  CrashHandler(const Communicator& communicator, const PluginLoader& plugins);
  ~CrashHandler();
  CrashHandler(const CrashHandler&) = delete;
  CrashHandler& operator=(const CrashHandler&) = delete;

  /// Nothing more is said: the process ends for a reason that has been told.
  static void are_said();
};

}  // namespace gsim::app
