#include "standard_streams.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace gsim::app {

void prepare_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free descriptor is this one, since those below are in use.
    // Opened for the opposite direction, so that reading stdin and writing stdout or stderr fail.
    ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

void print_text(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

std::string output_problem() {
  errno = 0;
  const bool is_flushed = std::fflush(stdout) == 0;
  if (is_flushed && std::ferror(stdout) == 0) return {};
  // The reason of an earlier failure is not known any more.
  return fmt::format("cannot write all output to stdout{}{}", is_flushed ? "" : ": ",
                     is_flushed ? "" : std::strerror(errno));
}

void print_to_stderr(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace gsim::app
