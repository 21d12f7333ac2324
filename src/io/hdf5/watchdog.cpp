#include "src/io/hdf5/watchdog.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

namespace gsim::io {
namespace {

/// The value of GSIM_IO_TIMEOUT in seconds; the default where it is not a positive number.
double timeout_of_environment() {
  constexpr double default_seconds = 600;
  const char* const text = std::getenv("GSIM_IO_TIMEOUT");
  const double seconds = text == nullptr ? 0 : std::strtod(text, nullptr);
  return seconds > 0 ? seconds : default_seconds;
}

}  // namespace

Watchdog::Watchdog(std::string path, int rank)
    : path_(std::move(path)), rank_(rank), timeout_(timeout_of_environment()) {
  sigset_t all, previous;  // signals are handled by the main thread
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // If limits of the process forbid another thread, calls are not monitored.
  }
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::run(const std::function<void()>& body) {
  const auto set_call = [this](long call) {
    const std::lock_guard lock(mutex_);
    call_ = call;
  };
  set_call(++calls_);
  try {
    body();
  } catch (...) {
    set_call(0);
    throw;
  }
  set_call(0);
}

// Polls, so that a call costs no more than two uncontended locks.
void Watchdog::watch() {
  const std::chrono::duration<double> interval(timeout_ / 4);
  long last_call = 0;
  int repeats = 0;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, interval, [this] { return is_over_; })) {
    repeats = call_ != 0 && call_ == last_call ? repeats + 1 : 0;
    last_call = call_;
    if (repeats < 4) continue;
    const std::string message = fmt::format(
        "error: cannot write {}: parallel HDF5 has not returned for {} s (rank {}); a write of "
        "another rank may have failed, or the file system hangs. Increase GSIM_IO_TIMEOUT "
        "(seconds) to wait longer\n",
        path_, timeout_, rank_);
    // mpiexec ends the other ranks when one has ended. They wait, so that rank 0 alone prints.
    if (rank_ > 0) std::this_thread::sleep_for(std::chrono::seconds(1));
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
    std::_Exit(1);
  }
}

}  // namespace gsim::io
