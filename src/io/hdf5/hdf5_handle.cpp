#include "src/io/hdf5/hdf5_handle.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/io/files/file_system.hpp"

namespace gsim::io {
namespace {

/// Never destroyed, because files may be closed by static destructors.
std::recursive_mutex*& hdf5_mutex() {
  static std::recursive_mutex* mutex = std::make_unique<std::recursive_mutex>().release();
  return mutex;
}

/// The messages of HDF5's error stack, innermost first; the stack is cleared.
std::vector<std::string> take_error_stack() {
  std::vector<std::string> messages;
  const auto collect = [](unsigned, const H5E_error2_t* entry, void* out) -> herr_t {
    if (entry->desc) static_cast<std::vector<std::string>*>(out)->emplace_back(entry->desc);
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &messages);
  H5Eclear2(H5E_DEFAULT);
  return messages;
}

/// The text between `before` and `after`, or empty.
std::string between(std::string_view text, std::string_view before, std::string_view after) {
  const auto start = text.find(before);
  if (start == std::string_view::npos) return {};
  const auto rest = text.substr(start + before.size());
  return std::string(rest.substr(0, rest.find(after)));
}

/// The message of the operating system if HDF5 quotes it, else HDF5's innermost message.
std::string reason_of(const std::vector<std::string>& messages) {
  for (const auto& message : messages) {
    const std::string number = between(message, "errno = ", ",");
    if (!number.empty() && std::all_of(number.begin(), number.end(),
                                       [](unsigned char c) { return std::isdigit(c); })) {
      return describe_errno(std::stoi(number));
    }
  }
  for (const auto& message : messages) {
    if (message.find("No space left") != std::string::npos) return describe_errno(ENOSPC);
    if (message.find("truncated file") == std::string::npos) continue;
    return fmt::format("it is truncated: it has {} of {} bytes; copy it again, or run again",
                       between(message, "eof = ", ","), between(message, "stored_eof = ", ","));
  }
  if (messages.empty()) return "HDF5 gave no reason";
  std::string reason = messages[0];
  if (messages.size() > 1 && messages[1] != messages[0]) reason += "; " + messages[1];
  return reason;
}

}  // namespace

Hdf5Lock::Hdf5Lock() : lock_(*hdf5_mutex()) {
  static const herr_t silent = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  (void)silent;
}

void Hdf5Lock::renew_in_child() {
  hdf5_mutex() = std::make_unique<std::recursive_mutex>().release();
}

std::string pop_error_message() { return reason_of(take_error_stack()); }

void throw_hdf5_error(const std::string& action, const std::string& path) {
  throw IoError(fmt::format("cannot {} {}: {}", action, path, pop_error_message()));
}

Handle::~Handle() {
  if (id_ < 0) return;
  const Hdf5Lock lock;
  close_(id_);
}

void Handle::close(const std::string& action, const std::string& path) {
  if (id_ < 0) return;
  checked(close_(std::exchange(id_, -1)), action, path);
}

}  // namespace gsim::io
