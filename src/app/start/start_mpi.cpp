#include "start_mpi.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "standard_streams.hpp"
#include "watchdog.hpp"

namespace gsim::app {
namespace {

// Requirements of MPICH 4.0.2 with UCX 1.13, measured: if each of two ranks may open 28 files,
// MPI_Init fails, with 32 it succeeds (with 24 for a single rank). If a file may have 4 MB, the
// files for shared memory cannot be created; 10 MB are enough.
constexpr rlim_t files_needed = 40;
constexpr rlim_t bytes_needed = rlim_t{16} << 20;
/// One thread for UCX's events, without which UCX aborts the process, and one more as a reserve.
constexpr int threads_needed = 2;
constexpr double start_timeout = 600;  // seconds; some ranks of a large job start late

int rank_while_starting = 0;
bool is_starting = false;

/// Blocks a signal during its lifetime, so that the signal stays pending. MPICH 4.0.2 installs a
/// handler of SIGUSR1 in MPI_Init, which treats the signal as a message of the launcher that a
/// process has failed, sends the launcher a query, and waits forever if there is no launcher.
class BlockedSignal {
 public:
  explicit BlockedSignal(int number) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, number);
    pthread_sigmask(SIG_BLOCK, &signals, &previous_);
  }
  ~BlockedSignal() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }
  BlockedSignal(const BlockedSignal&) = delete;
  BlockedSignal& operator=(const BlockedSignal&) = delete;

 private:
  sigset_t previous_{};
};

/// "20", or "no limit".
std::string description_of(rlim_t limit) {
  return limit == RLIM_INFINITY ? "no limit" : fmt::format("{}", limit);
}

rlimit limit_of(__rlimit_resource_t resource) {
  rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
  ::getrlimit(resource, &limit);
  return limit;
}

void raise_open_file_limit() {
  rlimit limit = limit_of(RLIMIT_NOFILE);
  if (limit.rlim_cur >= limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);  // if this fails, the old limit may be sufficient
}

void check_limits() {
  const rlim_t files = limit_of(RLIMIT_NOFILE).rlim_cur;
  if (files < files_needed)
    throw CommError(
        fmt::format("this process may open {} files (ulimit -n), and MPI and HDF5 need {}; raise "
                    "the limit",
                    files, files_needed));
  const rlim_t bytes = limit_of(RLIMIT_FSIZE).rlim_cur;
  if (bytes < bytes_needed)
    throw CommError(
        fmt::format("files of this process may have {} bytes (ulimit -f), and MPI shares memory "
                    "through files of up to {}; raise the limit",
                    bytes, bytes_needed));
}

std::string limits_text() {
  return fmt::format(
      "the limits are {} open files (ulimit -n), {} bytes a file (ulimit -f), {} bytes of memory "
      "(ulimit -v), {} processes (ulimit -u)",
      description_of(limit_of(RLIMIT_NOFILE).rlim_cur),
      description_of(limit_of(RLIMIT_FSIZE).rlim_cur), description_of(limit_of(RLIMIT_AS).rlim_cur),
      description_of(limit_of(RLIMIT_NPROC).rlim_cur));
}

/// Starts as many threads as MPI needs, and ends them again.
void check_threads() {
  std::promise<void> end;
  const std::shared_future<void> ended = end.get_future().share();
  std::vector<std::thread> started;
  try {
    for (int i = 0; i < threads_needed; ++i) started.emplace_back([ended] { ended.wait(); });
  } catch (const std::system_error&) {  // fewer than needed
  }
  end.set_value();
  for (std::thread& thread : started) thread.join();
  if (static_cast<int>(started.size()) == threads_needed) return;
  throw CommError(
      fmt::format("this process can start {} of the {} threads that MPI takes: this user has as "
                  "many processes and threads as the limit lets it have, {} (ulimit -u), or a "
                  "container's limit on them is reached; raise the limit",
                  started.size(), threads_needed, description_of(limit_of(RLIMIT_NPROC).rlim_cur)));
}

/// Handles abort() of a library below MPI: ends the process with a message and exit code 1 instead
/// of a signal.
class AbortHandler {
 public:
  AbortHandler() {
    message() =
        fmt::format("error: MPI could not start, for the reason given above; {}\n", limits_text());
    struct sigaction action {};
    action.sa_handler = [](int) {
      const std::string& text = message();
      [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
      ::_exit(1);
    };
    ::sigaction(SIGABRT, &action, &previous_);
  }
  ~AbortHandler() { ::sigaction(SIGABRT, &previous_, nullptr); }
  AbortHandler(const AbortHandler&) = delete;
  AbortHandler& operator=(const AbortHandler&) = delete;

 private:
  /// Formatted in advance, since a handler must not allocate.
  static std::string& message() {
    static std::string text;
    return text;
  }
  struct sigaction previous_ {};
};

/// Registered by atexit(): MPICH calls exit() with an exit code of its own where MPI_Init fails.
void report_failed_start() {
  if (!is_starting) return;
  is_starting = false;
  // The launcher ends the other ranks when the first one ends, so that they do not repeat the
  // message.
  if (rank_while_starting != 0) std::this_thread::sleep_for(std::chrono::seconds(1));
  print_to_stderr(
      fmt::format("error: MPI could not start, for the reason given above; {}\n", limits_text()));
  std::_Exit(1);
}

}  // namespace

std::unique_ptr<MpiSession> start_mpi(int* argc, char*** argv, const LaunchEnvironment& launch,
                                      const engine::SignalGuard& signals) {
  raise_open_file_limit();
  check_limits();
  check_threads();
  static const int registered = std::atexit(report_failed_start);
  static_cast<void>(registered);
  rank_while_starting = launch.rank;
  is_starting = true;
  const Deadline deadline(
      start_timeout, 1,
      fmt::format("error: MPI_Init has not returned for ten minutes (rank {} of {}): other ranks "
                  "did not start, or could not be reached\n",
                  launch.rank, std::max(1, launch.expected_ranks)));
  const BlockedSignal usr1(SIGUSR1);
  const AbortHandler abort_handler;
  try {
    auto session = std::make_unique<MpiSession>(argc, argv);
    is_starting = false;
    signals.reinstall();
    return session;
  } catch (...) {
    is_starting = false;
    throw;
  }
}

}  // namespace gsim::app
