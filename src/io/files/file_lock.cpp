#include "gsim/io/file_lock.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gsim/core/error.hpp"
#include "gsim/core/host_name.hpp"
#include "src/io/files/file_system.hpp"

namespace gsim {
namespace {

namespace fs = std::filesystem;

enum class Attempt { acquired, held_by_other, file_removed, unsupported };

/// Whether `path` still refers to the open file: a holder removes the file before releasing the
/// lock, and a lock on a removed file excludes no other process.
bool still_refers_to(int descriptor, const std::string& path) {
  struct stat opened {};
  struct stat current {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &current) == 0 &&
         opened.st_dev == current.st_dev && opened.st_ino == current.st_ino;
}

Attempt try_flock(int descriptor, const std::string& path) {
  int result = 0;
  do {
    result = ::flock(descriptor, LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result == 0)
    return still_refers_to(descriptor, path) ? Attempt::acquired : Attempt::file_removed;
  return errno == EWOULDBLOCK ? Attempt::held_by_other : Attempt::unsupported;
}

// The holder writes a line into the lock file, for the error message of other processes.
void write_holder(int descriptor) {
  const std::string line = fmt::format("process {} on {}\n", ::getpid(), host_name());
  // The lock is valid without this information.
  [[maybe_unused]] const auto written = ::pwrite(descriptor, line.data(), line.size(), 0);
}

std::string read_holder(int descriptor) {
  std::array<char, HOST_NAME_MAX + 64> text{};
  const auto size = ::pread(descriptor, text.data(), text.size(), 0);
  const std::string contents(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return contents.substr(0, contents.find('\n'));
}

[[noreturn]] void refuse(const std::string& path, const std::string& holder,
                         const std::string& advice) {
  throw InputError(fmt::format("another run{} is writing {}; {}",
                               holder.empty() ? "" : " (" + holder + ")", path, advice));
}

}  // namespace

FileLock::FileLock(const std::string& path, const std::string& advice)
    : lock_path_(path + ".lock") {
  std::error_code error;
  const fs::path folder = fs::absolute(path).parent_path();
  fs::create_directories(folder, error);
  while (true) {
    descriptor_ = ::open(lock_path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      throw IoError(fmt::format("cannot create {}: {}", lock_path_, io::describe_errno(errno)));
    }
    const Attempt attempt = try_flock(descriptor_, lock_path_);
    if (attempt == Attempt::acquired) {
      write_holder(descriptor_);
      return;
    }
    const std::string holder = attempt == Attempt::held_by_other ? read_holder(descriptor_) : "";
    if (attempt == Attempt::unsupported) {
      release();
      return;
    }
    ::close(std::exchange(descriptor_, -1));
    if (attempt == Attempt::held_by_other) refuse(path, holder, advice);
  }
}

void FileLock::swap(FileLock& other) noexcept {
  std::swap(lock_path_, other.lock_path_);
  std::swap(descriptor_, other.descriptor_);
}

void FileLock::release() noexcept {
  if (descriptor_ < 0) return;
  ::unlink(lock_path_.c_str());  // unlink before unlocking: a process that has opened the file has
                                 // to check its name again
  ::close(std::exchange(descriptor_, -1));
}

}  // namespace gsim
