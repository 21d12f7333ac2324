#pragma once
// Collective calls of HDF5 that may never come back: where a write fails on one rank, HDF5 may pass
// over it there and go on to another collective call than the other ranks are in.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace gsim::io {

/// Ends the process with exit code 1 and a message about `path` when one call of run() takes longer
/// than GSIM_IO_PATIENCE seconds (environment; 600 where it is not set): the launcher then ends the
/// other ranks. Where no thread can be started it does nothing.
class Watchdog {
 public:
  Watchdog(std::string path, int rank);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Calls body().
  void run(const std::function<void()>& body);

 private:
  void watch();

  std::string path_;
  int rank_;
  double patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  long call_ = 0;  ///< number of the call under way, from 1; 0: none
  long calls_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace gsim::io
