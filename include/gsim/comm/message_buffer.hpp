#pragma once
// Memory that kernels of an executor write and messages are sent from, or the other way round.

#include <cstddef>
#include <memory>
#include <variant>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/device_binding.hpp"
#include "gsim/comm/messages.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/exec/transfer_buffers.hpp"

namespace gsim {

/// A buffer that both the executor's kernels and Messages (comm/messages.hpp) reach, whatever the
/// path: device memory that MPI (direct_mpi) or other ranks (ipc) reach, else page-locked host
/// memory, which kernels write and read over the bus themselves, so that no separate copy is
/// needed; ordinary memory on the host. Grows, never shrinks.
class MessageBuffer {
 public:
  /// Nothing yet. `path` host means staged for a CUDA executor.
  MessageBuffer(Executor executor, BufferPath path);

  /// At least `bytes` bytes; contents are undefined after growing.
  void reserve(std::size_t bytes);
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }

 private:
  Executor executor_;
  bool is_peer_accessible_;
  std::variant<std::monostate, PinnedBuffer, ShareableBuffer> memory_;
  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Messages between MessageBuffers of that executor and path. Error for ipc where
/// probe_buffer_path() has not found it. Not collective.
std::unique_ptr<Messages> make_messages(const Communicator& communicator, const Executor& executor,
                                        BufferPath path);

}  // namespace gsim
