#pragma once
// Locks that allow one writer of a file at a time, on all machines that share its file system.

#include <string>

namespace gsim {

/// Holds the lock FILE.lock of a file that is going to be written, until destruction or until the
/// process ends. The lock is advisory (flock). On a file system without such locks it does nothing.
class FileLock {
 public:
  FileLock() = default;
  /// Creates the folder and the lock file of `path`. InputError, which names process and machine of
  /// the holder and ends with `advice`, if another process holds the lock; IoError if the lock file
  /// cannot be created.
  explicit FileLock(const std::string& path, const std::string& advice =
                                                 "wait for its end, or choose another place with "
                                                 "--output or checkpoint.base");
  ~FileLock() { release(); }
  FileLock(FileLock&& other) noexcept { swap(other); }
  FileLock& operator=(FileLock&& other) noexcept {
    swap(other);
    return *this;
  }

  bool is_held() const { return descriptor_ >= 0; }

 private:
  void swap(FileLock& other) noexcept;
  void release() noexcept;

  std::string lock_path_;
  int descriptor_ = -1;
};

}  // namespace gsim
