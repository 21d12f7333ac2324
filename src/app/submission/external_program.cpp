#include "external_program.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsim/core/error.hpp"

namespace gsim::app {
namespace {

/// In the new process: replaces it by the program.
[[noreturn]] void become(const std::vector<std::string>& words, int out, int err) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  std::fprintf(stderr, "cannot start %s: %s\n", arguments.front(), std::strerror(errno));
  ::_exit(127);
}

/// Appends what two pipes deliver to two texts, until both are closed.
void read_both(int out, int err, ProgramOutput& output) {
  pollfd pipes[] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  std::string* texts[] = {&output.out, &output.err};
  for (int open = 2; open > 0;) {
    if (::poll(pipes, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    for (int i = 0; i < 2; ++i) {
      if (pipes[i].fd < 0 || pipes[i].revents == 0) continue;
      char block[4096];
      const ssize_t n = ::read(pipes[i].fd, block, sizeof block);
      if (n > 0) texts[i]->append(block, static_cast<std::size_t>(n));
      if (n > 0 || (n < 0 && errno == EINTR)) continue;
      pipes[i].fd = -1;
      --open;
    }
  }
}

}  // namespace

bool has_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access(((folder.empty() ? "." : folder) + "/" + name).c_str(), X_OK) == 0) return true;
  return false;
}

ProgramOutput run_program(const std::vector<std::string>& words) {
  int out[2], err[2];
  if (::pipe2(out, O_CLOEXEC) != 0)
    throw IoError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  if (::pipe2(err, O_CLOEXEC) != 0) {
    for (const int end : out) ::close(end);
    throw IoError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) become(words, out[1], err[1]);
  ::close(out[1]);
  ::close(err[1]);
  ProgramOutput output;
  if (pid > 0) read_both(out[0], err[0], output);
  ::close(out[0]);
  ::close(err[0]);
  if (pid < 0)
    throw IoError(fmt::format("cannot start {}: {}", words.front(), std::strerror(errno)));
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

std::string shell_quoted(const std::string& text) {
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::strchr("_./:=,@%+-", c) != nullptr;
  });
  if (is_plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace gsim::app
