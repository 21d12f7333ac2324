#pragma once
// Time limits for calls of libraries that may never return: MPI_Init waits for every rank, and
// MPI_Finalize for threads of the communication library, which cannot be woken where every write()
// fails.

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace gsim::app {

/// Unless it is destroyed within `seconds`, it writes the line `message` to stderr and ends the
/// process with `exit_code`. The caller must have flushed stdout. Does nothing where no thread can
/// be started.
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
