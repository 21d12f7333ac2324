#pragma once
// A watchdog for collective HDF5 calls, which may never return: if a write fails on one rank, HDF5
// may ignore the failure there and continue to a different collective call than the other ranks.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace gsim::io {

/// Ends the process with exit code 1 and a message about `path` if one call of run() takes longer
/// than GSIM_IO_TIMEOUT seconds (environment variable; default 600): the launcher then ends the
/// other ranks. Does nothing if no thread can be started.
class Watchdog {
 public:
  Watchdog(std::string path, int rank);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Calls body() and monitors its duration.
  void run(const std::function<void()>& body);

 private:
  /// The thread: waits for the end of each call, or for its timeout.
  void watch();

  std::string path_;
  int rank_;
  double timeout_;
  std::mutex mutex_;
  std::condition_variable changed_;
  long call_ = 0;         ///< number of the active call, from 1; 0: none
  long calls_ = 0;        ///< number of calls so far
  bool is_over_ = false;  ///< the thread is to end
  std::thread thread_;
};

}  // namespace gsim::io
