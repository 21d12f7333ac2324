#include "src/io/files/file_system.hpp"

#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gsim/core/error.hpp"
#include "gsim/io/new_file.hpp"

namespace gsim {

void make_new_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    throw IoError(fmt::format("cannot remove {}: {}", path, io::describe_errno(errno)));
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) throw IoError(fmt::format("cannot create {}: {}", path, io::describe_errno(errno)));
  ::close(file);
}

}  // namespace gsim

namespace gsim::io {
namespace fs = std::filesystem;
namespace {

/// A POSIX file descriptor, closed by the destructor.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

[[noreturn]] void fail(const char* action, const std::string& path, int error_number) {
  throw IoError(fmt::format("cannot {} {}: {}", action, path, describe_errno(error_number)));
}

fs::path folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

void refuse_folder(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw IoError(fmt::format(
        "cannot write {}: a folder of that name exists; choose another file name", path));
  }
}

}  // namespace

std::string describe_errno(int error_number) {
  switch (error_number) {
    case ENOSPC:
      return "no space left on device; free some, or write to another disk";
    case EDQUOT:
      return "disk quota exceeded; free some space, or write to another disk";
    case EFBIG:
      return "file too large for the limit set on file sizes (ulimit -f)";
    case EACCES:
    case EPERM:
      return "permission denied; choose a folder that you may write to";
    case EROFS:
      return "read-only file system; choose another folder";
    case EAGAIN:
      return "locked by another process; is the same run active twice?";
    case ELOOP:
      return "it is a symbolic link; remove it, or choose another file name";
    case ENAMETOOLONG:
      return "file name too long";
    default:
      return std::strerror(error_number);
  }
}

void prepare_file(const std::string& path, const std::string& final_path) {
  refuse_folder(final_path);
  refuse_folder(path);
  std::error_code error;
  const fs::path folder = folder_of(path);
  fs::create_directories(folder, error);
  if (error && !fs::is_directory(folder)) fail("make folder", folder.string(), error.value());
  make_new_file(path);
}

Reservation reserve_space(const std::string& path, Index bytes) {
  const Descriptor file(path, O_WRONLY | O_NOFOLLOW);
  if (!file) fail("open", path, errno);
  int result = 0;
  do {
    result = ::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, 0, bytes);
  } while (result != 0 && errno == EINTR);
  if (result == 0) return Reservation::reserved;
  if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) return Reservation::not_supported;
  fail("write", path, errno);
}

void check_file_size_limit(const std::string& path, Index bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      static_cast<rlim_t>(bytes) > limit.rlim_cur) {
    fail("write", path, EFBIG);
  }
}

void release_reservation(const std::string& path) {
  const Index size = file_size(path);
  if (size < 0) fail("truncate", path, ENOENT);
  truncate_file(path, size);
}

void sync_file(const std::string& path) {
  const Descriptor file(path, O_WRONLY | O_NOFOLLOW);
  if (!file) fail("open", path, errno);
  if (::fsync(file.get()) != 0) fail("flush to disk", path, errno);
}

void rename_into_place(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail("rename to", to, errno);
  const std::string folder = folder_of(to).string();
  const Descriptor directory(folder, O_RDONLY | O_DIRECTORY);
  if (!directory) fail("open folder", folder, errno);
  // Some network file systems cannot flush folders and return EINVAL; the server then decides
  // whether renames are durable.
  if (::fsync(directory.get()) != 0 && errno != EINVAL && errno != ENOTSUP) {
    fail("flush to disk", folder, errno);
  }
}

void discard_file(const std::string& path) noexcept {
  // Do not follow links: their targets may belong to others.
  const int file = ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file >= 0) {
    [[maybe_unused]] const int ignored = ::ftruncate(file, 0);
    ::close(file);
  }
  ::unlink(path.c_str());
}

void truncate_file(const std::string& path, Index bytes) {
  const Descriptor file(path, O_WRONLY | O_NOFOLLOW);
  if (!file || ::ftruncate(file.get(), bytes) != 0) fail("truncate", path, errno);
}

Index file_size(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return -1;
  const auto size = fs::file_size(path, error);
  return error ? -1 : static_cast<Index>(size);
}

}  // namespace gsim::io
