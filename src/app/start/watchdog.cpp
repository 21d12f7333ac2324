#include "watchdog.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <pthread.h>
#include <unistd.h>

namespace gsim::app {

Deadline::Deadline(double seconds, int exit_code, std::string message)
    : message_(std::move(message)) {
  // Signals are delivered to the main thread.
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  try {
    thread_ = std::thread([this, seconds, exit_code] { watch(seconds, exit_code); });
  } catch (const std::system_error&) {
    // The limits of this process allow no further thread: the call has no time limit.
  }
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Deadline::watch(double seconds, int exit_code) {
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return is_over_; }))
    return;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message_.data(), message_.size());
  std::_Exit(exit_code);
}

}  // namespace gsim::app
