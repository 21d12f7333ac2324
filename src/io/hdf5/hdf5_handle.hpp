#pragma once
// A thin RAII layer on the HDF5 C API: handles that are closed by their destructors, checked calls,
// and a global lock, because the library is not built thread-safe and ranks may be threads
// (run_in_process).

#include <mutex>
#include <string>
#include <utility>

#include <hdf5.h>

namespace gsim::io {

/// Must be held during every use of HDF5. Recursive. It must not be held across Communicator calls,
/// which would deadlock ranks that are threads. The first lock disables HDF5's error printing.
class Hdf5Lock {
 public:
  Hdf5Lock();
  /// For a child process forked by a thread that holds the lock: makes the lock available in the
  /// child.
  static void renew_in_child();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// The reason why the last call failed, from HDF5's error stack, which is cleared. The next call of
/// HDF5 clears it, too.
std::string pop_error_message();

/// Throws IoError "cannot <action> <path>: <reason>", with the reason from HDF5's error stack.
[[noreturn]] void throw_hdf5_error(const std::string& action, const std::string& path);

/// Returns a successful result; a negative one throws IoError.
template <class T>
T checked(T result, const std::string& action, const std::string& path) {
  if (result < 0) throw_hdf5_error(action, path);
  return result;
}

/// Owns one HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(std::exchange(other.close_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle();

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  /// Releases ownership without closing.
  void release() { id_ = -1; }
  /// Closes and checks for errors: closing may write data.
  void close(const std::string& action, const std::string& path);

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Wraps a new identifier, or throws.
inline Handle own(hid_t id, Handle::Close close, const std::string& action,
                  const std::string& path) {
  return {checked(id, action, path), close};
}

}  // namespace gsim::io
