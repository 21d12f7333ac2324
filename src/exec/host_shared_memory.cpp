#include "host_shared_memory.hpp"

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend.hpp"
#include "gsim/core/error.hpp"

namespace gsim::detail {
namespace {

/// All shared mappings of the process and their files.
struct Mappings {
  struct Mapping {
    int descriptor = -1;
    std::size_t bytes = 0;
  };
  std::mutex mutex;
  std::map<const void*, Mapping> by_address;
};

/// Never destroyed, because buffers may outlive static objects.
Mappings& mappings() {
  static auto* const all = new Mappings;
  return *all;
}

int descriptor_of(const void* pointer) {
  Mappings& all = mappings();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_address.find(pointer);
  GSIM_EXPECT(found != all.by_address.end());
  return found->second.descriptor;
}

/// Identifies the file of a mapping: other processes open it as /proc/PROCESS_ID/fd/DESCRIPTOR.
struct Key {
  std::int64_t process_id = 0;
  std::int64_t descriptor = -1;
};

std::string file_name(std::uint64_t process) { return "gsim-" + std::to_string(process); }

[[noreturn]] void throw_error(const std::string& what, std::size_t bytes) {
  const std::string reason = std::strerror(errno);
  throw DeviceError(what + " failed: " + memory_text(static_cast<double>(bytes)) + " requested, " +
                    reason + "; see `ulimit -a` and the memory limit of the job");
}

void* map(int descriptor, std::size_t bytes) {
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
}

class HostPeerMemory final : public PeerMemory {
 public:
  HostPeerMemory() = default;
  ~HostPeerMemory() override {
    for (const auto& [address, bytes] : opened_) ::munmap(address, bytes);
  }

  MemoryHandle handle(const ShareableMemory& memory) override {
    MemoryHandle result{this_process(),
                        memory.number,
                        reinterpret_cast<std::uintptr_t>(memory.data),
                        memory.bytes,
                        {}};
    const Key key{::getpid(), descriptor_of(memory.data)};
    static_assert(sizeof key <= sizeof result.key);
    std::memcpy(result.key.data(), &key, sizeof key);
    return result;
  }
  void* open(const MemoryHandle& handle) override {
    Key key;
    std::memcpy(&key, handle.key.data(), sizeof key);
    const std::string path =
        "/proc/" + std::to_string(key.process_id) + "/fd/" + std::to_string(key.descriptor);
    char target[128] = "";
    const auto length = ::readlink(path.c_str(), target, sizeof target - 1);
    const std::string required = "/memfd:" + file_name(handle.process);
    if (length < 0 || !std::string(target).starts_with(required))
      throw DeviceError("shared memory of process " + std::to_string(key.process_id) +
                        " cannot be opened; it is on another node or has ended");
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) throw_error("opening another process's shared memory", handle.bytes);
    void* const address = map(descriptor, handle.bytes);
    ::close(descriptor);
    if (address == MAP_FAILED) throw_error("mapping another process's shared memory", handle.bytes);
    opened_[address] = handle.bytes;
    return address;
  }
  void close(void* opened) noexcept override {
    const auto found = opened_.find(opened);
    if (found == opened_.end()) return;
    ::munmap(found->first, found->second);
    opened_.erase(found);
  }
  Copy start_copy(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
    return {};
  }
  bool is_done(Copy) override { return true; }

 private:
  std::map<void*, std::size_t> opened_;
};

}  // namespace

void* allocate_shared(std::size_t bytes) {
  const int descriptor = ::memfd_create(file_name(this_process()).c_str(), MFD_CLOEXEC);
  if (descriptor < 0) throw_error("making shared memory", bytes);
  void* address = MAP_FAILED;
  if (::ftruncate(descriptor, static_cast<off_t>(bytes)) == 0) address = map(descriptor, bytes);
  if (address == MAP_FAILED) {
    const int error = errno;
    ::close(descriptor);
    errno = error;
    throw_error("making shared memory", bytes);
  }
  Mappings& all = mappings();
  const std::lock_guard lock(all.mutex);
  all.by_address[address] = {descriptor, bytes};
  return address;
}

void deallocate_shared(void* pointer) noexcept {
  Mappings& all = mappings();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_address.find(pointer);
  if (found == all.by_address.end()) return;
  ::munmap(pointer, found->second.bytes);
  ::close(found->second.descriptor);
  all.by_address.erase(found);
}

std::unique_ptr<PeerMemory> make_host_peer_memory() { return std::make_unique<HostPeerMemory>(); }

}  // namespace gsim::detail
