// Memory that other processes map and write into. Host memory is shared between two processes; no
// GPU is needed.

#include "gsim/exec/peer_memory.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsim/core/error.hpp"
#include "gsim/exec/transfer_buffers.hpp"

using namespace gsim;

TEST_CASE("peer memory: shareable memory is found by any address in it while it has an owner") {
  const Executor host = Executor::host(1);
  std::shared_ptr<ShareableMemory> memory;
  {
    ShareableBuffer a(host, 5000), b(host, 100);
    auto* const first = static_cast<std::byte*>(a.data());
    memory = ShareableMemory::find(first + 4999);
    REQUIRE(memory != nullptr);
    CHECK(memory->data == a.data());
    CHECK(memory->bytes == 5000);
    CHECK(ShareableMemory::find(first + 5000) != memory);
    CHECK(ShareableMemory::find(b.data())->number != memory->number);
    CHECK(ShareableMemory::find(&memory) == nullptr);
    ShareableBuffer other_buffer(std::move(a));
    CHECK(other_buffer.data() == first);
    CHECK(a.data() == nullptr);  // NOLINT: moved-from on purpose
    CHECK(a.size() == 0);        // NOLINT
  }
  std::memset(memory->data, 1, memory->bytes);  // the buffer has been destroyed
  const void* const address = memory->data;
  memory.reset();
  CHECK(ShareableMemory::find(address) == nullptr);
}

TEST_CASE("peer memory: another process maps shareable memory and writes into it") {
  const Executor host = Executor::host(1);
  const auto memory = PeerMemory::of(host);
  ShareableBuffer buffer(host, 10000);
  std::memset(buffer.data(), 0, buffer.size());
  const MemoryHandle handle = memory->handle(*ShareableMemory::find(buffer.data()));
  CHECK(handle.process == this_process());
  const pid_t child = ::fork();
  if (child == 0) {  // no test code may run in the child
    std::vector<std::byte> bytes(5000, std::byte{7});
    void* const mapped = memory->open(handle);
    const auto copy =
        memory->start_copy(static_cast<std::byte*>(mapped) + 1000, bytes.data(), bytes.size());
    const bool is_copied = memory->is_done(copy) && mapped != buffer.data();
    memory->close(mapped);
    ::_exit(is_copied ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  const auto* const bytes = static_cast<const std::byte*>(buffer.data());
  CHECK(std::count(bytes, bytes + buffer.size(), std::byte{7}) == 5000);
  CHECK(bytes[999] == std::byte{0});
  CHECK(bytes[1000] == std::byte{7});
}

TEST_CASE("peer memory: memory that does not exist cannot be mapped") {
  const Executor host = Executor::host(1);
  const auto memory = PeerMemory::of(host);
  MemoryHandle handle;
  {
    const ShareableBuffer buffer(host, 64);
    handle = memory->handle(*ShareableMemory::find(buffer.data()));
    ++handle.process;  // as for a process in another container
    CHECK_THROWS_WITH_AS(memory->open(handle), doctest::Contains("cannot be opened"), DeviceError);
    --handle.process;
  }
  CHECK_THROWS_WITH_AS(memory->open(handle), doctest::Contains("cannot be opened"), DeviceError);
}
