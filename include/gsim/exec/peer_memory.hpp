#pragma once
// Memory of one process that others of its node write into: CUDA IPC for a device's memory, POSIX
// shared memory on the host, so that what is built on it runs, and is tested, without a GPU.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "gsim/exec/executor.hpp"

namespace gsim {

/// Names an ShareableMemory to other processes of the node: plain bytes, to be sent in a message.
struct MemoryHandle {
  std::uint64_t process = 0;  ///< that it belongs to (this_process())
  std::uint64_t number = 0;   ///< of the allocation; a process uses none twice
  std::uint64_t address = 0;  ///< in its process
  std::uint64_t bytes = 0;
  std::array<std::byte, 64> key{};  ///< what the system needs to open it
};

/// A random number that no two processes share, other machines' and containers' included.
std::uint64_t this_process();

/// The allocation behind an ShareableBuffer (exec/transfer_buffers.hpp). It lives as long as
/// anybody holds it: its buffer, or those who know that others have opened it.
struct ShareableMemory {
  /// DeviceError with sizes when memory is short.
  static std::shared_ptr<ShareableMemory> make(const Executor& executor, std::size_t bytes);
  /// The live one that holds `address`; null when none does.
  static std::shared_ptr<ShareableMemory> find(const void* address);

  ShareableMemory(Executor where, std::size_t size);
  ~ShareableMemory();
  ShareableMemory(const ShareableMemory&) = delete;
  ShareableMemory& operator=(const ShareableMemory&) = delete;

  Executor executor;
  void* data = nullptr;
  std::size_t bytes = 0;
  std::uint64_t number = 0;
};

/// Opens other processes' ShareableMemory and copies into it. For one thread.
class PeerMemory {
 public:
  /// A copy under way.
  struct Copy {
    int slot = -1;  ///< none: it is done
  };

  /// For memory of `executor`.
  static std::shared_ptr<PeerMemory> of(const Executor& executor);
  virtual ~PeerMemory() = default;
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  /// DeviceError where the system cannot share it.
  virtual MemoryHandle handle(const ShareableMemory& memory) = 0;
  /// Where this process sees the beginning of another process's memory. DeviceError when it cannot
  /// be opened: another node, no peer access between the devices, its process has ended. Each is
  /// opened once, and to be closed before its process frees it.
  virtual void* open(const MemoryHandle& handle) = 0;
  virtual void close(void* opened) noexcept = 0;

  /// Starts a copy from memory that no launch under way writes, and returns. `to` may be opened or
  /// this process's own.
  virtual Copy start_copy(void* to, const void* from, std::size_t bytes) = 0;
  /// Whether the bytes have arrived, so that whoever is told after this call finds them there.
  /// Asked until it is true. DeviceError when the copy failed.
  virtual bool is_done(Copy copy) = 0;

 protected:
  PeerMemory() = default;
};

}  // namespace gsim
