#include "src/io/processes/helper_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/io/files/file_system.hpp"
#include "src/io/hdf5/hdf5_handle.hpp"

namespace gsim::io {
namespace {

enum class Status : Index { good, input_error, io_error };

constexpr int reply_timeout = 600;  // maximum number of seconds without receiving a byte of a reply
/// Memory in bytes that the child may use in addition to its current memory.
constexpr Index max_extra_memory = Index{8} << 30;
constexpr std::size_t chunk = std::size_t{1} << 20;

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// Sends the number of bytes, and then the bytes.
bool send_packet(int socket, const ByteStream& packet) {
  const auto size = static_cast<Index>(packet.bytes().size());
  return send_all(socket, {reinterpret_cast<const char*>(&size), sizeof size}) &&
         send_all(socket, packet.bytes());
}

/// Reads exactly `size` bytes; returns false if the other end is closed, or silent for `seconds`
/// (-1: no limit).
bool receive_all(int socket, char* data, std::size_t size, int seconds) {
  while (size > 0) {
    pollfd waiting{socket, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, seconds < 0 ? -1 : 1000 * seconds);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = ::recv(socket, data, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    data += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

/// Receives a message. Memory is allocated as bytes arrive, because the announced size may be
/// wrong.
std::optional<ByteStream> receive_packet(int socket, int seconds) {
  Index size = 0;
  if (!receive_all(socket, reinterpret_cast<char*>(&size), sizeof size, seconds) || size < 0)
    return std::nullopt;
  std::string bytes;
  for (auto remaining = static_cast<std::size_t>(size); remaining > 0;) {
    const std::size_t part = std::min(remaining, chunk), at = bytes.size();
    bytes.resize(at + part);
    if (!receive_all(socket, bytes.data() + at, part, seconds)) return std::nullopt;
    remaining -= part;
  }
  return ByteStream(std::move(bytes));
}

/// Size of the private data of this process in bytes.
Index data_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word)
    if (Index kibibytes = 0; word == "VmData:" && status >> kibibytes) return kibibytes * 1024;
  return 0;
}

void set_limit(int resource, Index max_value) {
  rlimit current{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &current) != 0) return;
  current.rlim_cur = std::min(current.rlim_max, static_cast<rlim_t>(max_value));
  ::setrlimit(static_cast<__rlimit_resource>(resource), &current);
}

/// Closes all descriptors but the socket, which becomes descriptor 3; output of a crashing library
/// is discarded.
void close_all_but_socket(int socket) {
  const int null_device = ::open("/dev/null", O_RDWR);
  ::dup2(socket, 3);
  for (const int stream : {0, 1, 2}) ::dup2(null_device, stream);
#ifdef SYS_close_range
  ::syscall(SYS_close_range, 4U, ~0U, 0U);
#endif
}

/// Restores default signal handling, but ignores signals that are sent to all processes of a job:
/// the child ends with its parent.
void reset_signals() {
  for (int number = 1; number < 32; ++number) std::signal(number, SIG_DFL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGUSR1, SIGUSR2})
    std::signal(number, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Makes the kernel end this process by SIGPROF after so many seconds of CPU time from now; 0: no
/// limit.
void allow_seconds(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(std::ceil(seconds));
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

ByteStream reply_to(const RequestHandler& handle, ByteStream request) {
  const auto reply_with = [](Status status) {
    return ByteStream().write(static_cast<Index>(status));
  };
  try {
    const ByteStream result = handle(std::move(request));
    return reply_with(Status::good).write_bytes(result.bytes().data(), result.bytes().size());
  } catch (const InputError& error) {
    return reply_with(Status::input_error).write(error.what());
  } catch (const std::bad_alloc&) {
    return reply_with(Status::io_error)
        .write("the file is damaged: reading it would take more memory than is allowed");
  } catch (const std::exception& error) {
    return reply_with(Status::io_error).write(error.what());
  }
}

/// The child process: handles requests until the parent closes the socket.
[[noreturn]] void serve(int socket, pid_t parent, double seconds,
                        const std::function<RequestHandler()>& start) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  close_all_but_socket(socket);
  reset_signals();
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_DATA, data_bytes() + max_extra_memory);
  Hdf5Lock::renew_in_child();
  try {
    const RequestHandler handle = start();
    while (auto request = receive_packet(3, -1)) {
      allow_seconds(seconds);
      if (!send_packet(3, reply_to(handle, std::move(*request)))) break;
      allow_seconds(0);
    }
  } catch (...) {  // the parent notices that this process has ended
  }
  ::_exit(0);
}

}  // namespace

HelperProcess::HelperProcess(std::string subject, double seconds,
                             const std::function<RequestHandler()>& start)
    : subject_(std::move(subject)), seconds_(seconds) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw IoError(fmt::format("cannot read {}: {}", subject_, describe_errno(errno)));
  const pid_t parent = ::getpid();
  {
    const Hdf5Lock lock;  // no other thread is inside HDF5
    process_ = ::fork();
    if (process_ == 0) serve(ends[1], parent, seconds, start);
  }
  ::close(ends[1]);
  socket_ = ends[0];
  if (process_ >= 0) return;
  ::close(socket_);
  throw IoError(fmt::format("cannot read {}: no process can be started: {}", subject_,
                            describe_errno(errno)));
}

HelperProcess::~HelperProcess() {
  if (socket_ >= 0) ::close(socket_);
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

ByteStream HelperProcess::request(const ByteStream& request) {
  if (!end_.empty() || !send_packet(socket_, request)) throw_ended();
  std::optional<ByteStream> reply = receive_packet(socket_, reply_timeout);
  if (!reply) throw_ended();
  const auto status = static_cast<Status>(reply->read_index());
  if (status == Status::good) return std::move(*reply);
  const std::string message = reply->read_text();
  if (status == Status::input_error) throw InputError(message);
  throw IoError(message);
}

void HelperProcess::throw_ended() {
  if (end_.empty()) {
    ::kill(process_, SIGKILL);  // it may still be running without a reply
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end_ = signal == SIGPROF ? fmt::format("does not finish within {:.0f} s", seconds_)
           : signal == SIGKILL || signal == 0
               ? std::string("sent no reply, or was killed")
               : fmt::format("crashes on it ({})", ::strsignal(signal));
  }
  throw IoError(fmt::format("cannot read {}: it is damaged, or not valid HDF5: the HDF5 library {}",
                            subject_, end_));
}

}  // namespace gsim::io
