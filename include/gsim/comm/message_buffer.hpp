#pragma once
// Buffers for messages that kernels of an executor read and write.

#include <cstddef>
#include <memory>
#include <variant>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/device_binding.hpp"
#include "gsim/comm/messages.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/exec/transfer_buffers.hpp"

namespace gsim {

/// A buffer that both the executor's kernels and Messages (comm/messages.hpp) can access. It is
/// device memory that MPI (direct_mpi) or other ranks (ipc) access directly; or page-locked host
/// memory, which kernels access over the bus, so that no separate copy is needed; or ordinary
/// memory on the host. The capacity grows and never shrinks.
class MessageBuffer {
 public:
  /// Allocates nothing. For a CUDA executor `path` host means staged.
  MessageBuffer(Executor executor, BufferPath path);

  /// Ensures a capacity of at least `bytes` bytes; contents are undefined after growth.
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

/// Creates messages between MessageBuffers of this executor and path. Error for path ipc unless
/// probe_buffer_path() has selected it. Not collective.
std::unique_ptr<Messages> make_messages(const Communicator& communicator, const Executor& executor,
                                        BufferPath path);

}  // namespace gsim
