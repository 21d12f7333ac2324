#pragma once
// Buffers for transfers between a device and other ranks or files. On a host executor the same
// classes use ordinary memory, so that code that uses them can run and be tested without a GPU.

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "gsim/exec/executor.hpp"
#include "gsim/exec/peer_memory.hpp"

namespace gsim {

/// Host memory, 256-byte aligned and initially zero; page-locked if `executor` is a CUDA device, so
/// that the device accesses it at full speed.
class PinnedBuffer {
 public:
  /// DeviceError with sizes when memory is short.
  PinnedBuffer(Executor executor, std::size_t bytes);
  ~PinnedBuffer();
  PinnedBuffer(PinnedBuffer&& other) noexcept;
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  std::span<std::byte> bytes() { return {data_, size_}; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  Executor executor_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Memory of `executor` that other processes of the node can map: MPI, or gsim itself
/// (exec/peer_memory.hpp). CUDA IPC cannot share memory of the stream-ordered pool, which
/// Executor::allocate uses. Contents are undefined initially.
class ShareableBuffer {
 public:
  /// DeviceError with sizes when memory is short.
  ShareableBuffer(const Executor& executor, std::size_t bytes);

  void* data() { return memory_ ? memory_->data : nullptr; }
  const void* data() const { return memory_ ? memory_->data : nullptr; }
  std::size_t size() const { return memory_ ? memory_->bytes : 0; }

 private:
  std::shared_ptr<ShareableMemory> memory_;
};

}  // namespace gsim
