#include "process_copy.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsim/core/error.hpp"
#include "gsim/core/timer.hpp"
#include "gsim/engine/signals.hpp"

namespace gsim::app {
namespace {

/// In the copy: sends what `body` returns, and ends.
[[noreturn]] void send_output(const std::function<std::string()>& body, int output) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  std::string bytes;
  try {
    bytes = body();
  } catch (...) {
    ::_exit(1);  // the caller gets no bytes
  }
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::write(output, bytes.data() + sent, bytes.size() - sent);
    if (n <= 0) ::_exit(1);
    sent += static_cast<std::size_t>(n);
  }
  ::_exit(0);
}

/// Reads what the copy sends until it ends; false where that takes longer than `patience` seconds,
/// or a signal arrives.
bool read_all(int input, double patience, CopyOutput& output) {
  const Stopwatch watch;
  pollfd arrival{input, POLLIN, 0};
  char block[4096];
  while (engine::SignalGuard::received() == 0) {
    const double left = patience - watch.seconds();
    const int ready =
        ::poll(&arrival, 1, std::isinf(left) ? -1 : static_cast<int>(1e3 * std::max(left, 0.0)));
    if (ready < 0 && errno == EINTR) continue;
    output.is_late = ready == 0;
    if (ready <= 0) return false;
    const ssize_t n = ::read(input, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    output.bytes.append(block, static_cast<std::size_t>(n));
  }
  return false;
}

}  // namespace

CopyOutput run_in_copy(const std::function<std::string()>& body, double patience) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw IoError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t process = ::fork();
  if (process == 0) send_output(body, ends[1]);
  const int error = errno;
  ::close(ends[1]);
  CopyOutput output;
  if (process > 0 && !read_all(ends[0], patience, output)) {
    ::kill(process, SIGKILL);
    output.bytes.clear();
  }
  ::close(ends[0]);
  if (process < 0) throw IoError(fmt::format("cannot start a process: {}", std::strerror(error)));
  while (::waitpid(process, &output.status, 0) < 0 && errno == EINTR) {
  }
  return output;
}

}  // namespace gsim::app
