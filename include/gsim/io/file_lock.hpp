#pragma once
// One writer of a file at a time, on all machines that share its file system.

#include <string>

namespace gsim {

/// Holds FILE.lock beside a file that is going to be written, until the end of its life or of the
/// process, whichever comes first. Advisory (flock): it binds those who ask for it. On a file
/// system without such locks it holds nothing and is silent.
class FileLock {
 public:
  FileLock() = default;
  /// Makes the folder and the lock of `path`. InputError, which names process and machine of the
  /// holder, when another has it; IoError when the lock file cannot be made.
  explicit FileLock(const std::string& path);
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
