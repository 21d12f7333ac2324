#include "gsim/exec/transfer_buffers.hpp"

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/exec/backend.hpp"

using namespace gsim;

namespace {

std::vector<Executor> executors() {
  std::vector<Executor> result{Executor::host(1)};
  for (const CudaDevice& device : cuda_devices())
    result.push_back(Executor::cuda(device.ordinal, 1));
  if (result.size() == 1) MESSAGE("SKIP: no CUDA device: " << no_cuda_reason());
  return result;
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

TEST_CASE("UUIDs are printed as by nvidia-smi, and sizes with units") {
  const unsigned char bytes[16] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                   0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};
  const auto* const text = reinterpret_cast<const char*>(bytes);
  CHECK(detail::format_uuid(text, "NVIDIA H200") == "GPU-01234567-89ab-cdef-fedc-ba9876543210");
  CHECK(detail::format_uuid(text, "NVIDIA A100-SXM4-40GB MIG 1g.5gb") ==
        "MIG-01234567-89ab-cdef-fedc-ba9876543210");
  CHECK(detail::memory_text(0) == "0 B");
  CHECK(detail::memory_text(1023) == "1023 B");
  CHECK(detail::memory_text(1536) == "1.5 KiB");
  CHECK(detail::memory_text(139.7 * 1024 * 1024 * 1024) == "139.7 GiB");
}
