#include "gsim/exec/staging.hpp"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/exec/backend.hpp"

using namespace gsim;

namespace {

std::vector<Executor> executors() {
  std::vector<Executor> all{Executor::host(1)};
  for (const CudaDevice& device : cuda_devices()) all.push_back(Executor::cuda(device.ordinal, 1));
  if (all.size() == 1) MESSAGE("SKIP: no CUDA device: " << no_cuda_reason());
  return all;
}

std::vector<std::byte> pattern(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 131 + (i >> 8));
  return bytes;
}

}  // namespace

TEST_CASE("pinned buffers are zero, aligned, movable and may be empty") {
  for (const Executor& executor : executors()) {
    PinnedBuffer a(executor, 1000);
    CHECK(reinterpret_cast<std::uintptr_t>(a.bytes().data()) % 256 == 0);
    for (const std::byte b : a.bytes()) CHECK(b == std::byte{0});
    a.bytes()[7] = std::byte{9};
    PinnedBuffer b(std::move(a));
    CHECK(a.bytes().empty());  // NOLINT: moved-from on purpose
    CHECK(b.bytes()[7] == std::byte{9});
    PinnedBuffer empty(executor, 0);
    CHECK(empty.bytes().empty());
    empty = std::move(b);
    CHECK(empty.bytes().size() == 1000);
    CHECK_THROWS_AS(PinnedBuffer(executor, std::size_t{1} << 60), DeviceError);
  }
}

TEST_CASE("a staging pipe brings every byte in order, there and back, for any piece size") {
  for (const Executor& executor : executors())
    for (std::size_t piece : {1ul, 7ul, 64ul, 1000ul, 5000ul})
      for (std::size_t size : {0ul, 1ul, 63ul, 64ul, 65ul, 999ul, 3000ul}) {
        const auto sent = pattern(size);
        ExchangeBuffer memory(executor, size);
        StagingPipe pipe(executor, piece);
        std::size_t next = 0;
        pipe.from_host(memory.data(), size, [&](std::span<std::byte> part, std::size_t offset) {
          CHECK(offset == next);
          CHECK(part.size() <= piece);
          std::memcpy(part.data(), sent.data() + offset, part.size());
          next += part.size();
        });
        CHECK(next == size);
        std::vector<std::byte> back;
        pipe.to_host(memory.data(), size, [&](std::span<const std::byte> part, std::size_t offset) {
          CHECK(offset == back.size());
          back.insert(back.end(), part.begin(), part.end());
        });
        CHECK(back == sent);
      }
}

TEST_CASE("a consumer's exception passes through and leaves the pipe usable") {
  for (const Executor& executor : executors()) {
    const auto sent = pattern(500);
    ExchangeBuffer memory(executor, sent.size());
    executor.copy_from_host(memory.data(), sent.data(), sent.size());
    StagingPipe pipe(executor, 100);
    CHECK_THROWS_AS(pipe.to_host(memory.data(), sent.size(),
                                 [](std::span<const std::byte>, std::size_t offset) {
                                   if (offset == 200) throw std::runtime_error("disk full");
                                 }),
                    std::runtime_error);
    std::vector<std::byte> back;
    pipe.to_host(memory.data(), sent.size(), [&](std::span<const std::byte> part, std::size_t) {
      back.insert(back.end(), part.begin(), part.end());
    });
    CHECK(back == sent);
  }
  CHECK_THROWS_AS(StagingPipe(Executor::host(1), 0), InputError);
}

TEST_CASE("UUIDs and sizes are printed as nvidia-smi and people do") {
  const unsigned char bytes[16] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                   0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};
  CHECK(detail::format_uuid(reinterpret_cast<const char*>(bytes)) ==
        "GPU-01234567-89ab-cdef-fedc-ba9876543210");
  CHECK(detail::memory_text(0) == "0 B");
  CHECK(detail::memory_text(1023) == "1023 B");
  CHECK(detail::memory_text(1536) == "1.5 KiB");
  CHECK(detail::memory_text(139.7 * 1024 * 1024 * 1024) == "139.7 GiB");
}
