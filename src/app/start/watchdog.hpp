#pragma once
// Time limits for calls of libraries that may never return. MPI_Init waits for every rank.
// MPI_Finalize waits for threads of the communication library; it wakes them by a write(), and
// waits for ever if every write() fails.

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace gsim::app {

/// A time limit for the lifetime of this object. If it is not destroyed within `seconds`, the line
/// `message` is written to stderr and the process ends with `exit_code`. The caller must have
/// flushed stdout. There is no limit if no thread can be started.
class Deadline {
 public:
  Deadline(double seconds, int exit_code, std::string message);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  void watch(double seconds, int exit_code);

  std::string message_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace gsim::app
