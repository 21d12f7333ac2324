#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <sys/mman.h>

#include "backend.hpp"
#include "gsim/core/error.hpp"
#include "host_shared_memory.hpp"

namespace gsim {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t huge_page = std::size_t{2} << 20;
// The offset of large arrays within a page grows by offset_step from one to the next and repeats
// after `offsets` arrays: see allocate().
constexpr std::size_t offset_step = 7 * alignment, offsets = 256;
// Below this size one thread is as fast as many.
constexpr std::size_t parallel_fill = std::size_t{32} << 20;

/// MemAvailable of /proc/meminfo in bytes; 0 when unknown.
double available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  double kibibytes = 0;
  while (file >> key >> kibibytes) {
    std::getline(file, unit);
    if (key == "MemAvailable:") return kibibytes * 1024;
  }
  return 0;
}

class HostBackend final : public Executor::Backend {
 public:
  using Backend::Backend;

  void* allocate(std::size_t bytes) override {
    // Large arrays use huge pages, which reduces TLB misses of particle gathers. They begin at
    // different offsets within a page: otherwise kernels that traverse many of them simultaneously
    // would find all elements in the same few cache sets.
    static std::atomic<std::size_t> large{0};
    const bool is_large = bytes >= 4 * huge_page;
    const std::size_t step = is_large ? huge_page : alignment;
    const std::size_t first =
        alignment + (is_large ? large++ * offset_step % (offsets * alignment) : 0);
    const std::size_t rounded = (first + bytes + step - 1) / step * step;
    void* const block = rounded >= bytes ? std::aligned_alloc(step, rounded) : nullptr;
    if (block == nullptr)
      throw DeviceError("out of host memory: " + detail::memory_text(static_cast<double>(bytes)) +
                        " requested, " + detail::memory_text(available_memory()) +
                        " available; use more ranks on more nodes, or a smaller problem");
    if (is_large) madvise(block, rounded, MADV_HUGEPAGE);  // a hint that the kernel may ignore
    std::byte* const pointer = static_cast<std::byte*>(block) + first;
    std::memcpy(pointer - sizeof block, &block, sizeof block);
    return pointer;
  }
  void deallocate(void* pointer) noexcept override {
    if (pointer == nullptr) return;
    void* block = nullptr;
    std::memcpy(&block, static_cast<std::byte*>(pointer) - sizeof block, sizeof block);
    std::free(block);
  }
  void* allocate_shareable(std::size_t bytes) override { return detail::allocate_shared(bytes); }
  void deallocate_shareable(void* pointer) noexcept override { detail::deallocate_shared(pointer); }
  std::unique_ptr<PeerMemory> make_peer_memory() override {
    return detail::make_host_peer_memory();
  }
  void copy_from_host(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void copy_to_host(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void copy_within(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void fill_zero(void* to, std::size_t bytes) override {
    if (bytes < parallel_fill) {
      std::memset(to, 0, bytes);
      return;
    }
    auto* const first = static_cast<std::byte*>(to);
    const auto chunks = static_cast<Index>((bytes + huge_page - 1) / huge_page);
    pool.for_each(chunks, [&](Index chunk, int) {
      const std::size_t offset = static_cast<std::size_t>(chunk) * huge_page;
      std::memset(first + offset, 0, std::min(huge_page, bytes - offset));
    });
  }
  void synchronize() override {}  // launches are synchronous
  std::string describe() const override {
    const int n = pool.threads();
    const char* const level = target == Target::avx512 ? " (AVX-512)"
                              : target == Target::avx2 ? " (AVX2)"
                                                       : "";
    return std::to_string(n) + (n == 1 ? " thread" : " threads") + " · cpu" + level;
  }
};

}  // namespace

namespace detail {

std::shared_ptr<Executor::Backend> make_host_backend(int threads, Target level) {
  const auto levels = processor_cpu_targets();
  GSIM_VALIDATE(std::find(levels.begin(), levels.end(), level) != levels.end(),
                std::string("a host executor cannot run at level ") + to_string(level) + " here",
                std::string("the best level of this processor is ") + to_string(levels.back()));
  return std::make_shared<HostBackend>(level, threads);
}

}  // namespace detail
}  // namespace gsim
