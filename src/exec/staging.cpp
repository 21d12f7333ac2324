#include "gsim/exec/staging.hpp"

#include <algorithm>
#include <cstring>

#include "backend.hpp"
#include "gsim/core/error.hpp"

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

ExchangeBuffer::ExchangeBuffer(const Executor& executor, std::size_t bytes) {
  if (bytes > 0) memory_ = ExchangeMemory::make(executor, bytes);
}

struct StagingPipe::Impl {
  Impl(const Executor& executor, std::size_t piece_bytes)
      : piece(piece_bytes),
        buffers{PinnedBuffer(executor, piece_bytes), PinnedBuffer(executor, piece_bytes)},
        queue(executor.backend().make_copy_queue()) {}
  std::size_t pieces(std::size_t bytes) const { return (bytes + piece - 1) / piece; }
  /// Piece k of `bytes` bytes, as its part of a buffer.
  std::span<std::byte> buffer(std::size_t k, std::size_t bytes) {
    return buffers[k % 2].bytes().first(std::min(piece, bytes - k * piece));
  }
  /// No copy may still use the buffers when an exception or the end of a call leaves them.
  struct Settle {
    CopyQueue& queue;
    ~Settle() {
      for (int slot : {0, 1}) {
        try {
          queue.wait(slot);
        } catch (const Error&) {  // NOLINT: the first error is already under way
        }
      }
    }
  };

  std::size_t piece;
  PinnedBuffer buffers[2];
  std::unique_ptr<CopyQueue> queue;
};

StagingPipe::StagingPipe(Executor executor, std::size_t piece) {
  GSIM_VALIDATE(piece > 0, "a staging pipe with pieces of 0 bytes", "make them larger");
  impl_ = std::make_unique<Impl>(executor, piece);
}
StagingPipe::~StagingPipe() = default;

void StagingPipe::to_host(
    const void* from, std::size_t bytes,
    const std::function<void(std::span<const std::byte>, std::size_t)>& consume) {
  Impl& pipe = *impl_;
  const std::size_t count = pipe.pieces(bytes);
  const auto start = [&](std::size_t k) {
    const auto buffer = pipe.buffer(k, bytes);
    pipe.queue->start_to_host(static_cast<int>(k % 2), buffer.data(),
                              static_cast<const std::byte*>(from) + k * pipe.piece, buffer.size());
  };
  const Impl::Settle settle{*pipe.queue};
  pipe.queue->follow_launches();
  if (count > 0) start(0);
  for (std::size_t k = 0; k < count; ++k) {
    if (k + 1 < count) start(k + 1);
    pipe.queue->wait(static_cast<int>(k % 2));
    consume(pipe.buffer(k, bytes), k * pipe.piece);
  }
}

void StagingPipe::from_host(void* to, std::size_t bytes,
                            const std::function<void(std::span<std::byte>, std::size_t)>& produce) {
  Impl& pipe = *impl_;
  const Impl::Settle settle{*pipe.queue};
  pipe.queue->follow_launches();  // earlier launches may still read what is overwritten
  for (std::size_t k = 0; k < pipe.pieces(bytes); ++k) {
    const auto buffer = pipe.buffer(k, bytes);
    const int slot = static_cast<int>(k % 2);
    pipe.queue->wait(slot);
    produce(buffer, k * pipe.piece);
    pipe.queue->start_from_host(slot, static_cast<std::byte*>(to) + k * pipe.piece, buffer.data(),
                                buffer.size());
  }
  pipe.queue->lead_launches();
  for (const int slot : {0, 1}) pipe.queue->wait(slot);  // a copy that fails is told here
}

}  // namespace gsim
