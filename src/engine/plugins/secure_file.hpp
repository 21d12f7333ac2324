#pragma once
// Files whose code is executed with the rights of the user: no other user may have written them, or
// be able to.

#include <string>

namespace gsim::engine {

/// A file that was opened once and checked; the descriptor stays open as long as the object exists.
class SecureFile {
 public:
  /// Follows `path` from the root, through links, and opens what is there. InputError unless every
  /// folder and link of the path and the file belong to the user or to root, the file is a regular
  /// one, not larger than a program may be, and no other user may write to the file or to a folder
  /// of the path. A sticky folder such as /tmp may be writable for others, since only owners can
  /// replace its entries. A group whose only member is the user counts as the user. `what` is what
  /// messages call the file: "plugin".
  SecureFile(std::string what, const std::string& path);
  ~SecureFile();
  SecureFile(const SecureFile&) = delete;
  SecureFile& operator=(const SecureFile&) = delete;

  /// All bytes. InputError when they cannot be read.
  std::string read() const;
  /// A name of the open file that does not depend on its folders: /proc/PID/fd/N. It must not be
  /// used after the end of this object, unless keep_open() was called.
  std::string name() const;
  void keep_open() { is_kept_ = true; }
  /// Whether size and time of the last change are the same as when this object was made.
  bool is_unchanged() const;

 private:
  std::string what_, path_;
  int descriptor_ = -1;
  bool is_kept_ = false;
  long long size_ = 0, changed_seconds_ = 0, changed_nanoseconds_ = 0;
};

}  // namespace gsim::engine
