#pragma once
// A thin RAII layer over the HDF5 C API: handles that close themselves, calls that are checked, and
// one lock, because the library is not built thread-safe and ranks may be threads (run_in_process).

#include <mutex>
#include <string>
#include <utility>

#include <hdf5.h>

namespace gsim::io {

/// Held around every use of HDF5. Recursive; never held across a Communicator call, or ranks that
/// are threads would wait for each other. The first one switches HDF5's own printing off.
class Hdf5Lock {
 public:
  Hdf5Lock();
  /// For a process that was just forked by a thread that holds the lock, which is to end without
  /// giving it back: the lock is free there.
  static void renew_in_child();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Why the last call failed, read off HDF5's error stack, which is cleared. The next call of HDF5
/// clears it too.
std::string take_reason();

/// Throws IoError "cannot <action> <path>: <reason>", the reason read off HDF5's error stack.
[[noreturn]] void throw_hdf5_error(const std::string& action, const std::string& path);

/// Passes a good result on; a negative one is an IoError.
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
  /// Gives up ownership without closing.
  void release() { id_ = -1; }
  /// Closing can be what writes: errors must be seen where data are at stake.
  void close(const std::string& action, const std::string& path);

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Wraps a fresh identifier, or throws.
inline Handle own(hid_t id, Handle::Close close, const std::string& action,
                  const std::string& path) {
  return {checked(id, action, path), close};
}

}  // namespace gsim::io
