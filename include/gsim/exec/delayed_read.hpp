#pragma once
// Copies of small results to the host that are read later, so that the host need not wait for the
// launches that follow the copy.

#include <cstddef>
#include <span>

#include "gsim/exec/recorded_event.hpp"
#include "gsim/exec/transfer_buffers.hpp"

namespace gsim {

/// Page-locked host memory for one copy at a time. On a host executor copies are synchronous.
class DelayedRead {
 public:
  /// `bytes`: the size of every copy.
  DelayedRead(const Executor& executor, std::size_t bytes);
  ~DelayedRead();
  DelayedRead(const DelayedRead&) = delete;
  DelayedRead& operator=(const DelayedRead&) = delete;

  /// Starts to copy from executor memory, in order with launches.
  void start(const void* from);
  /// Whether start() has been called since the last wait().
  bool is_under_way() const { return is_under_way_; }
  /// Waits for the last copy, but not for launches after it, and returns what it has copied.
  /// DeviceError if a launch before it, or the copy, failed.
  std::span<const std::byte> wait();

 private:
  Executor executor_;
  PinnedBuffer buffer_;
  RecordedEvent copied_;
  bool is_under_way_ = false;
};

}  // namespace gsim
