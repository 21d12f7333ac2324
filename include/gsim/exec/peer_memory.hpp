#pragma once
// Memory that other processes of the node can write into: CUDA IPC for device memory, POSIX shared
// memory for host memory, so that code that uses it can run and be tested without a GPU.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "gsim/exec/executor.hpp"

namespace gsim {

/// Identifies a ShareableMemory for other processes of the node: plain bytes that can be sent in a
/// message.
struct MemoryHandle {
  std::uint64_t process = 0;  ///< owning process (this_process())
  std::uint64_t number = 0;   ///< number of the allocation, unique within the process
  std::uint64_t address = 0;  ///< address in the owning process
  std::uint64_t bytes = 0;
  std::array<std::byte, 64> key{};  ///< data that the system requires to open it
};

/// A random number that identifies this process uniquely across machines and containers.
std::uint64_t this_process();

/// The allocation of a ShareableBuffer (exec/transfer_buffers.hpp). It exists as long as it has an
/// owner: its buffer, or an object that tracks mappings by other processes.
struct ShareableMemory {
  /// DeviceError with requested and free size if memory is short.
  static std::shared_ptr<ShareableMemory> make(const Executor& executor, std::size_t bytes);
  /// The existing allocation that contains `address`; null if there is none.
  static std::shared_ptr<ShareableMemory> find(const void* address);

  ShareableMemory(Executor where, std::size_t size);
  ~ShareableMemory();
  ShareableMemory(const ShareableMemory&) = delete;
  ShareableMemory& operator=(const ShareableMemory&) = delete;

  Executor executor;
  void* data = nullptr;
  std::size_t bytes = 0;
  std::uint64_t number = 0;  ///< MemoryHandle::number
};

/// Maps the ShareableMemory of other processes and copies into it. Not thread-safe.
class PeerMemory {
 public:
  /// An asynchronous copy.
  struct Copy {
    int slot = -1;  ///< number of the copy among the active ones; negative: it is complete
  };

  /// Creates the object for memory of `executor`.
  static std::shared_ptr<PeerMemory> of(const Executor& executor);
  virtual ~PeerMemory() = default;
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  /// The handle of an allocation. DeviceError if the system cannot share it.
  virtual MemoryHandle handle(const ShareableMemory& memory) = 0;
  /// Maps the memory of another process and returns its address in this process. DeviceError if it
  /// cannot be mapped: another node, no peer access between the devices, its process has ended.
  /// Each allocation may be mapped once and must be unmapped before its owner frees it.
  virtual void* open(const MemoryHandle& handle) = 0;
  /// Unmaps the memory at an address that open() returned.
  virtual void close(void* opened) noexcept = 0;

  /// Starts a copy and returns immediately. No active launch may write the source. `to` may be
  /// mapped memory or memory of this process.
  virtual Copy start_copy(void* to, const void* from, std::size_t bytes) = 0;
  /// Whether the copy is complete and visible to a process that is notified after this call. To be
  /// called until it returns true. DeviceError if the copy failed.
  virtual bool is_done(Copy copy) = 0;

 protected:
  PeerMemory() = default;
};

}  // namespace gsim
