#include "gsim/comm/message_buffer.hpp"

#include <algorithm>
#include <utility>

#include "gsim/core/error.hpp"
#include "src/comm/devices/ipc_messages.hpp"

namespace gsim {

MessageBuffer::MessageBuffer(Executor executor, BufferPath path)
    : executor_(std::move(executor)),
      is_peer_accessible_(path == BufferPath::ipc ||
                          (executor_.is_cuda() && path == BufferPath::direct_mpi)) {}

void MessageBuffer::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  // A quarter more, so that a buffer that grows slowly is seldom reallocated.
  const std::size_t required = std::max(bytes + bytes / 4, std::size_t{4096});
  // Release the old memory first: there may not be enough for both. Memory that other ranks have
  // mapped stays allocated until they close it.
  memory_.emplace<std::monostate>();
  data_ = nullptr;
  capacity_ = 0;
  if (is_peer_accessible_) {
    auto& memory = memory_.emplace<ShareableBuffer>(executor_, required);
    data_ = static_cast<std::byte*>(memory.data());
  } else {
    data_ = memory_.emplace<PinnedBuffer>(executor_, required).bytes().data();
  }
  capacity_ = required;
}

std::unique_ptr<Messages> make_messages(const Communicator& communicator, const Executor& executor,
                                        BufferPath path) {
  auto messages = communicator.backend().make_messages();
  if (path != BufferPath::ipc) return messages;
  const detail::ControlMessages* const control =
      detail::control_messages_of(communicator.backend());
  if (control == nullptr || control->ipc_connections == nullptr)
    throw Error(
        "internal error: ranks have not opened each other's device memory; please report "
        "it");
  return std::make_unique<detail::IpcMessages>(control->ipc_connections, executor,
                                               communicator.size(), std::move(messages));
}

}  // namespace gsim
