#include "gsim/comm/message_buffer.hpp"

#include <algorithm>

namespace gsim {

MessageBuffer::MessageBuffer(Executor executor, BufferPath path)
    : executor_(std::move(executor)),
      on_device_(executor_.is_cuda() && path == BufferPath::direct_mpi) {}

void MessageBuffer::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  const std::size_t wanted = std::max(bytes + bytes / 4, std::size_t{4096});
  memory_.emplace<std::monostate>();  // first let go: both at once may not fit
  data_ = nullptr;
  capacity_ = 0;
  if (on_device_) {
    auto& memory = memory_.emplace<ExchangeBuffer>(executor_, wanted);
    data_ = static_cast<std::byte*>(memory.data());
  } else {
    data_ = memory_.emplace<PinnedBuffer>(executor_, wanted).bytes().data();
  }
  capacity_ = wanted;
}

}  // namespace gsim
