#include "gsim/exec/peer_memory.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <utility>

#include "backend.hpp"

namespace gsim {
namespace {

/// All existing allocations of the process, by address.
struct Registry {
  std::mutex mutex;
  std::map<const std::byte*, std::weak_ptr<ShareableMemory>> by_address;
};

/// Never destroyed, because buffers may outlive static objects.
Registry& registry() {
  static auto* const all = new Registry;
  return *all;
}

const std::byte* first_byte(const void* address) { return static_cast<const std::byte*>(address); }

/// A PeerMemory with the executor whose backend it uses.
struct PeerMemoryOfExecutor {
  explicit PeerMemoryOfExecutor(Executor where) : executor(std::move(where)) {
    memory = executor.backend().make_peer_memory();
  }
  Executor executor;
  std::unique_ptr<PeerMemory> memory;
};

}  // namespace

std::uint64_t this_process() {
  static const std::uint64_t number = [] {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
  }();
  return number;
}

ShareableMemory::ShareableMemory(Executor where, std::size_t size)
    : executor(std::move(where)), bytes(size) {
  static std::atomic<std::uint64_t> last{0};
  number = ++last;
  data = executor.backend().allocate_shareable(bytes);
}

ShareableMemory::~ShareableMemory() {
  {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    all.by_address.erase(first_byte(data));
  }
  executor.backend().deallocate_shareable(data);
}

std::shared_ptr<ShareableMemory> ShareableMemory::make(const Executor& executor,
                                                       std::size_t bytes) {
  auto memory = std::make_shared<ShareableMemory>(executor, bytes);
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.by_address[first_byte(memory->data)] = memory;
  return memory;
}

std::shared_ptr<ShareableMemory> ShareableMemory::find(const void* address) {
  std::shared_ptr<ShareableMemory> memory;  // declared before the lock: its destructor also locks
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  auto next = all.by_address.upper_bound(first_byte(address));
  if (next == all.by_address.begin()) return nullptr;
  memory = (--next)->second.lock();
  const bool inside = memory && first_byte(address) < first_byte(memory->data) + memory->bytes;
  return inside ? memory : nullptr;
}

std::shared_ptr<PeerMemory> PeerMemory::of(const Executor& executor) {
  auto peer = std::make_shared<PeerMemoryOfExecutor>(executor);
  PeerMemory* const memory = peer->memory.get();
  return {std::move(peer), memory};
}

}  // namespace gsim
