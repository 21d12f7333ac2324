#include "gsim/exec/transfer_buffers.hpp"

#include <cstring>

#include "gsim/core/error.hpp"
#include "src/exec/backend.hpp"

namespace gsim {

PinnedBuffer::PinnedBuffer(Executor executor, std::size_t bytes)
    : executor_(std::move(executor)), size_(bytes) {
  if (size_ == 0) return;
  data_ = static_cast<std::byte*>(executor_.backend().allocate_pinned(size_));
  std::memset(data_, 0, size_);
}
PinnedBuffer::~PinnedBuffer() {
  if (data_ != nullptr) executor_.backend().deallocate_pinned(data_);
}
PinnedBuffer::PinnedBuffer(PinnedBuffer&& other) noexcept
    : executor_(std::move(other.executor_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}
PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
  std::swap(executor_, other.executor_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

ShareableBuffer::ShareableBuffer(const Executor& executor, std::size_t bytes) {
  if (bytes > 0) memory_ = ShareableMemory::make(executor, bytes);
}

}  // namespace gsim
