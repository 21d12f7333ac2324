// Device memory: placement of allocations, and memory that two processes share.

#include <cstring>
#include <fstream>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory/device_memory.hpp"
#include "memory/fault.hpp"

namespace ptxemu {
namespace {

constexpr std::uint64_t capacity = 1 << 20;

template <class T>
void send(int pipe, const T& value) {
  REQUIRE(write(pipe, &value, sizeof value) == sizeof value);
}
template <class T>
T receive(int pipe) {
  T value;
  REQUIRE(read(pipe, &value, sizeof value) == sizeof value);
  return value;
}

void put(DeviceMemory& memory, std::uint64_t address, int value) {
  std::memcpy(memory.access<4, true>(address), &value, sizeof value);
}
int get(DeviceMemory& memory, std::uint64_t address) {
  int value;
  std::memcpy(&value, memory.access<4, false>(address), sizeof value);
  return value;
}

/// Another process that has an allocation of 5000 bytes, of which bytes 400 to 403 are the number
/// 17 and bytes 4000 to 4003 the number 18, and that frees it when it receives a number. Ends with
/// the value at byte 8 of its allocation before.
class Exporter {
 public:
  Exporter() {
    REQUIRE(pipe(to_parent_) == 0);
    REQUIRE(pipe(to_child_) == 0);
    child_ = fork();
    if (child_ != 0) {
      handle = receive<IpcHandle>(to_parent_[0]);
      return;
    }
    DeviceMemory memory(capacity);
    memory.set_device(3);
    const std::uint64_t address = memory.allocate_shareable(5000);
    put(memory, address + 400, 17);
    const IpcHandle* const shared = memory.share(address);
    put(memory, address + 4000, 18);
    send(to_parent_[1], *shared);
    receive<int>(to_child_[0]);
    const int result = get(memory, address + 8);
    memory.release(address);
    // New memory at the same address does not appear in mappings of the old.
    put(memory, memory.allocate_shareable(5000) + 400, 19);
    send(to_parent_[1], 0);
    receive<int>(to_child_[0]);
    _exit(result);
  }
  void free_memory() {
    send(to_child_[1], 0);
    receive<int>(to_parent_[0]);
  }
  /// Lets the process end; returns its exit status.
  int end() {
    send(to_child_[1], 0);
    int status = 0;
    waitpid(child_, &status, 0);
    return WEXITSTATUS(status);
  }
  IpcHandle handle;

 private:
  int to_parent_[2], to_child_[2];
  pid_t child_ = 0;
};

Fault::Kind fault_of_read(DeviceMemory& memory, std::uint64_t address) {
  try {
    get(memory, address);
  } catch (const Fault& fault) {
    INFO(fault.what());
    return fault.kind();
  }
  return Fault::Kind::trap;
}

TEST_CASE("allocations reuse freed memory and are refused when memory is exhausted") {
  DeviceMemory memory(capacity);
  const std::uint64_t first = memory.allocate(1000), second = memory.allocate_shareable(1000);
  const std::uint64_t third = memory.allocate(1000);
  CHECK(second % SharedPages::page == 0);
  CHECK(third - first == 1280);  // before the page of the second
  CHECK(memory.release(first));
  CHECK(memory.allocate(900) == first);
  CHECK(memory.allocate(capacity) == 0);
  CHECK(memory.allocate(~std::uint64_t{0}) == 0);
  CHECK(memory.release(second));
  CHECK_FALSE(memory.release(second));
  CHECK(memory.allocate(capacity - 4096) != 0);
}

TEST_CASE("large memory takes no pages of the host until it is written") {
  const auto resident_bytes = [] {
    std::uint64_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  };
  constexpr std::uint64_t size = std::uint64_t{512} << 20;
  DeviceMemory memory(std::uint64_t{1} << 30);
  memory.set_initialised_check(true);
  const std::uint64_t before = resident_bytes();
  const std::uint64_t address = memory.allocate(size - 100);
  CHECK_THROWS_AS(get(memory, address + size / 2), Fault);
  put(memory, address + size / 2, 5);
  CHECK(get(memory, address + size / 2) == 5);
  CHECK_THROWS_AS(get(memory, address + size / 2 + 4), Fault);
  memory.fill_zero(address + 8, size - 108);
  for (const std::uint64_t at : {std::uint64_t{8}, size / 2, size - 104})
    CHECK(get(memory, address + at) == 0);
  CHECK_THROWS_AS(get(memory, address + 4), Fault);
  CHECK_THROWS_AS(get(memory, address + size - 100), Fault);
  CHECK(memory.release(address));
  for (const std::uint64_t at : {std::uint64_t{8}, size / 2, size - 104})
    CHECK_THROWS_AS(get(memory, address + at), Fault);
  CHECK(memory.allocate(size) == address);
  CHECK_THROWS_AS(get(memory, address + size / 2), Fault);
  CHECK(resident_bytes() - before < size / 16);
}

TEST_CASE("accesses to large parts of an allocation") {
  constexpr std::uint64_t size = 300'000;
  DeviceMemory memory(capacity);
  const std::uint64_t address = memory.allocate(size), next = memory.allocate(size);
  for (const bool write : {false, true}) {
    CHECK_NOTHROW(memory.access(address, size, write));
    CHECK_NOTHROW(memory.access(address + 1, size - 1, write));
    CHECK_THROWS_AS(memory.access(address, size + 1, write), Fault);
    CHECK_THROWS_AS(memory.access(address + 1, size, write), Fault);
    CHECK_THROWS_AS(memory.access(address, next + 8 - address, write), Fault);
  }
  memory.set_initialised_check(true);
  const std::uint64_t parts = memory.allocate(size);
  CHECK_THROWS_AS(memory.access(parts, size, false), Fault);
  memory.fill_zero(parts, size - 1);
  CHECK_THROWS_AS(memory.access(parts, size, false), Fault);
  CHECK_NOTHROW(memory.access(parts, size - 1, false));
  memory.fill_zero(parts, size);
  CHECK_NOTHROW(memory.access(parts, size, false));
  CHECK(memory.release(parts));
  CHECK_THROWS_AS(memory.access(parts, size, true), Fault);
  CHECK(memory.allocate(size) == parts);
  CHECK_THROWS_AS(memory.access(parts, size, false), Fault);  // uninitialised again
}

TEST_CASE("another process opens shared memory, with its states and values") {
  Exporter exporter;
  CHECK(exporter.handle.device == 3);
  DeviceMemory memory(capacity);
  memory.set_initialised_check(true);
  std::uint64_t address = 0, again = 0;
  REQUIRE(memory.open(exporter.handle, address) == DeviceMemory::OpenResult::opened);
  CHECK(memory.open(exporter.handle, again) == DeviceMemory::OpenResult::opened);
  CHECK(again == address);
  CHECK(memory.used() == 0);
  CHECK(memory.allocations() == 0);
  CHECK(memory.allocation(address + 4999).start == address);
  CHECK(get(memory, address + 400) == 17);
  CHECK(get(memory, address + 4000) == 18);
  CHECK(fault_of_read(memory, address + 404) == Fault::Kind::uninitialised_read);
  CHECK(fault_of_read(memory, address + 5000) == Fault::Kind::illegal_address);
  CHECK_FALSE(memory.release(address));
  CHECK(memory.share(address) == nullptr);
  put(memory, address + 8, 42);

  exporter.free_memory();
  CHECK(fault_of_read(memory, address + 400) == Fault::Kind::illegal_address);
  CHECK(memory.describe(address + 400).find("was freed") != std::string::npos);
  CHECK(memory.close(address));
  CHECK(memory.allocation(address).size == 5000);  // opened twice
  CHECK(memory.close(address));
  CHECK_FALSE(memory.close(address));
  CHECK(memory.allocation(address).size == 0);
  CHECK(memory.open(exporter.handle, address) == DeviceMemory::OpenResult::stale);
  CHECK(exporter.end() == 42);
  CHECK(memory.open(exporter.handle, address) == DeviceMemory::OpenResult::stale);
}

TEST_CASE("handles are refused in the exporting process and for other memory") {
  DeviceMemory memory(capacity);
  const std::uint64_t shareable = memory.allocate_shareable(100), other = memory.allocate(100);
  CHECK(memory.share(other) == nullptr);
  CHECK(memory.share(shareable + 8) == nullptr);
  REQUIRE(memory.share(shareable) != nullptr);
  const IpcHandle handle = *memory.share(shareable);
  std::uint64_t address = 0;
  CHECK(memory.open(handle, address) == DeviceMemory::OpenResult::own_process);
  CHECK(memory.release(shareable));
  REQUIRE(memory.allocate_shareable(100) == shareable);
  CHECK(memory.share(shareable)->key != handle.key);
}

}  // namespace
}  // namespace ptxemu
