#include "memory/device_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

#include "memory/fault.hpp"
#include "memory/pattern_pages.hpp"

namespace ptxemu {
namespace {
/// Alignment of allocations, and bytes left free after each.
constexpr std::uint64_t granule = 256;
/// Addresses for memory of other processes, as a multiple of the capacity.
constexpr std::uint64_t devices_of_others = 4;
/// Size of an access from which on the allocation is looked up, instead of the state of each byte.
constexpr std::uint64_t large_access = 1 << 16;

std::uint64_t round_up(std::uint64_t size, std::uint64_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

/// Start and size of host memory that kernels can access.
std::map<std::uint64_t, std::uint64_t>& host_ranges() {
  static auto* const ranges = new std::map<std::uint64_t, std::uint64_t>;
  return *ranges;
}

void* reserve(std::uint64_t size, int protection) {
  void* const start =
      mmap(nullptr, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  // Fewer page faults, where the operating system grants large pages on request.
  if (protection != PROT_NONE) madvise(start, size, MADV_HUGEPAGE);
  return start;
}

/// The bits that all bytes have, all bits for no bytes.
std::uint8_t common_bits(const std::uint8_t* bytes, std::uint64_t size) {
  std::uint64_t words = ~std::uint64_t{0}, n = 0;
  for (; n + sizeof words <= size; n += sizeof words) {
    std::uint64_t word;
    std::memcpy(&word, bytes + n, sizeof word);
    words &= word;
  }
  std::uint8_t bits = 0xff;
  for (; n < size; ++n) bits &= bytes[n];
  for (std::size_t k = 0; k < sizeof words; ++k)
    bits &= static_cast<std::uint8_t>(words >> (8 * k));
  return bits;
}

/// Replaces pages of a reserved range by unused ones.
void reserve_at(void* start, std::uint64_t size) {
  if (mmap(start, size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    throw std::bad_alloc();
}

std::string hexadecimal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}
}  // namespace

DeviceMemory::DeviceMemory(std::uint64_t capacity)
    : capacity_(capacity),
      extent_(round_up(capacity, SharedPages::page) * (1 + devices_of_others)),
      free_(0, capacity),
      free_for_opened_(round_up(capacity, SharedPages::page),
                       round_up(capacity, SharedPages::page) * devices_of_others) {
  base_ = reinterpret_cast<std::uint64_t>(reserve(extent_, PROT_NONE));
  data_ = static_cast<std::byte*>(reserve(extent_, PROT_READ | PROT_WRITE));
  state_ = static_cast<std::uint8_t*>(reserve(extent_, PROT_READ | PROT_WRITE));
}

DeviceMemory::~DeviceMemory() {
  munmap(reinterpret_cast<void*>(base_), extent_);
  munmap(data_, extent_);
  munmap(state_, extent_);
}

std::uint64_t DeviceMemory::allocate(std::uint64_t size) { return allocate(size, granule, false); }

std::uint64_t DeviceMemory::allocate_shareable(std::uint64_t size) {
  return allocate(size, SharedPages::page, true);
}

std::uint64_t DeviceMemory::allocate(std::uint64_t size, std::uint64_t alignment, bool shareable) {
  if (size > capacity_) return 0;
  const std::uint64_t occupied = round_up(round_up(size, granule) + granule, alignment);
  const std::uint64_t offset = free_.take(occupied, alignment);
  if (offset == FreeList::none) return 0;
  set_states(offset, size, addressable);
  for (auto freed_range = freed_allocations_.begin(); freed_range != freed_allocations_.end();)
    freed_range = freed_range->first < offset + occupied &&
                          offset < freed_range->first + freed_range->second.occupied
                      ? freed_allocations_.erase(freed_range)
                      : std::next(freed_range);
  allocations_[base_ + offset] = {size, occupied, shareable};
  used_ += occupied;
  peak_ = std::max(peak_, used_);
  return base_ + offset;
}

bool DeviceMemory::release(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || opened_.count(address) != 0) return false;
  const std::uint64_t offset = address - base_;
  const Allocation allocation = found->second;
  // The process keeps the pages: a later allocation at the same place reuses them.
  set_states(offset, allocation.size, freed);
  if (const auto shared = shared_.find(address); shared != shared_.end()) {
    // The states of other processes remain those of freed memory.
    shared->second.discard_data();
    reserve_at(data_ + offset, SharedPages::rounded(allocation.size));
    reserve_at(state_ + offset, SharedPages::rounded(allocation.size));
    std::memset(state_ + offset, freed, allocation.size);
    shared_.erase(shared);
  }
  freed_allocations_[offset] = allocation;
  used_ -= allocation.occupied;
  allocations_.erase(found);
  free_.give_back(offset, allocation.occupied);
  return true;
}

bool DeviceMemory::add_peer(DeviceMemory& peer) {
  if (std::find(peers_.begin(), peers_.end(), &peer) != peers_.end()) return false;
  peers_.push_back(&peer);
  return true;
}

bool DeviceMemory::remove_peer(const DeviceMemory& peer) { return std::erase(peers_, &peer) != 0; }

void DeviceMemory::add_host_range(const void* start, std::uint64_t size) {
  host_ranges()[reinterpret_cast<std::uint64_t>(start)] = size;
}

bool DeviceMemory::remove_host_range(const void* start) {
  return host_ranges().erase(reinterpret_cast<std::uint64_t>(start)) != 0;
}

bool DeviceMemory::is_host(std::uint64_t address, std::uint64_t size) {
  const auto& ranges = host_ranges();
  auto range = ranges.upper_bound(address);
  if (range == ranges.begin()) return false;
  --range;
  return size <= range->second && address - range->first <= range->second - size;
}

DeviceMemory::Range DeviceMemory::allocation(std::uint64_t address) const {
  auto range = allocations_.upper_bound(address);
  if (range == allocations_.begin()) return {};
  --range;
  if (address - range->first >= range->second.size) return {};
  return {range->first, range->second.size};
}

DeviceMemory::Allocation* DeviceMemory::own_allocation(std::uint64_t address, std::uint64_t size) {
  auto found = allocations_.upper_bound(address);
  if (found == allocations_.begin()) return nullptr;
  --found;
  const std::uint64_t before = address - found->first;
  if (before > found->second.size || size > found->second.size - before) return nullptr;
  return opened_.count(found->first) == 0 ? &found->second : nullptr;
}

const IpcHandle* DeviceMemory::share(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || !found->second.shareable) return nullptr;
  auto shared = shared_.find(address);
  if (shared == shared_.end()) {
    const std::uint64_t offset = address - base_, size = SharedPages::rounded(found->second.size);
    SharedPages pages = SharedPages::create(found->second.size, device_);
    // Copies to the new pages while they are mapped elsewhere.
    auto* const data = static_cast<std::byte*>(reserve(2 * size, PROT_READ | PROT_WRITE));
    pages.map(data, data + size);
    for (std::uint64_t at = 0; at < size; at += SharedPages::page) {
      const std::uint8_t* const states = state_ + offset + at;
      std::memcpy(data + size + at, states, SharedPages::page);
      if (std::memchr(states, addressable | initialised, SharedPages::page) != nullptr)
        std::memcpy(data + at, data_ + offset + at, SharedPages::page);
    }
    munmap(data, 2 * size);
    pages.map(data_ + offset, state_ + offset);
    shared = shared_.emplace(address, std::move(pages)).first;
  }
  return &shared->second.handle();
}

DeviceMemory::OpenResult DeviceMemory::open(const IpcHandle& handle, std::uint64_t& address) {
  if (handle.process == getpid()) return OpenResult::own_process;
  for (auto& [start, opened] : opened_)
    if (opened.pages.handle().key == handle.key) {
      ++opened.count;
      address = start;
      return OpenResult::opened;
    }
  SharedPages pages = SharedPages::open(handle);
  if (!pages.is_open()) return OpenResult::stale;
  const std::uint64_t occupied = SharedPages::rounded(handle.size + granule);
  const std::uint64_t offset = free_for_opened_.take(occupied, SharedPages::page);
  if (offset == FreeList::none) return OpenResult::no_addresses;
  pages.map(data_ + offset, state_ + offset);
  address = base_ + offset;
  allocations_[address] = {handle.size, occupied, false};
  opened_[address] = {std::move(pages), 1};
  return OpenResult::opened;
}

bool DeviceMemory::close(std::uint64_t address) {
  const auto opened = opened_.find(address);
  if (opened == opened_.end()) return false;
  if (--opened->second.count > 0) return true;
  const Allocation allocation = allocations_.at(address);
  reserve_at(data_ + (address - base_), SharedPages::rounded(allocation.size));
  reserve_at(state_ + (address - base_), SharedPages::rounded(allocation.size));
  free_for_opened_.give_back(address - base_, allocation.occupied);
  opened_.erase(opened);
  allocations_.erase(address);
  return true;
}

std::byte* DeviceMemory::access(std::uint64_t address, std::uint64_t size, bool write) {
  const std::uint64_t offset = address - base_;
  if (offset >= extent_) {
    for (DeviceMemory* const peer : peers_)
      if (peer->in_device(address)) return peer->access(address, size, write);
    if (!is_host(address, size)) throw_fault(address, size, write);
    return reinterpret_cast<std::byte*>(address);
  }
  if (size > extent_ - offset) throw_fault(address, size, write);
  const std::uint8_t required = write ? std::uint8_t{addressable} : needed_to_read_;
  // All bytes of an allocation of this process are addressable. Programs set gigabytes to zero
  // before each launch, whose states would take longer to read than the launch itself.
  Allocation* const own = size >= large_access ? own_allocation(address, size) : nullptr;
  if (own != nullptr && (own->initialised || required == addressable)) {
    if (write && !own->initialised) set_states(offset, size, addressable | initialised);
    own->initialised = own->initialised || (write && size == own->size);
    return data_ + offset;
  }
  if ((common_bits(state_ + offset, size) & required) != required)
    throw_fault(address, size, write);
  if (write) set_states(offset, size, addressable | initialised);
  return data_ + offset;
}

bool DeviceMemory::is_shared(std::uint64_t offset) const {
  if (shared_.empty() && opened_.empty()) return false;
  const std::uint64_t start = allocation(base_ + offset).start;
  return shared_.count(start) != 0 || opened_.count(start) != 0;
}

void DeviceMemory::set_states(std::uint64_t offset, std::uint64_t size, std::uint8_t state) {
  if (is_shared(offset))
    std::memset(state_ + offset, state, size);
  else
    fill_with_pattern(state_ + offset, size, state);
}

void DeviceMemory::fill_zero(std::uint64_t address, std::uint64_t size) {
  std::byte* const bytes = access(address, size, true);
  if (bytes != data_ + (address - base_) || is_shared(address - base_))
    std::memset(bytes, 0, size);
  else
    fill_with_zeros(bytes, size);
}

std::string DeviceMemory::describe(std::uint64_t address) const {
  const std::string name = "address " + hexadecimal(address);
  if (!in_device(address)) return name + " is neither device memory nor registered host memory";
  const std::uint64_t offset = address - base_;
  if (state_[offset] == freed) {
    auto range = freed_allocations_.upper_bound(offset);
    if (range != freed_allocations_.begin() && offset - (--range)->first < range->second.size)
      return name + " is byte " + std::to_string(offset - range->first) + " of an allocation of " +
             std::to_string(range->second.size) + " bytes that was freed";
    return name + " was freed";
  }
  if (state_[offset] == addressable) return name + " has not been written since its allocation";
  auto after = allocations_.upper_bound(address);
  if (after != allocations_.begin()) {
    const auto before = std::prev(after);
    const std::uint64_t end = before->first + before->second.size;
    if (address < end) return name + " is allocated";
    if (after == allocations_.end() || address - end <= after->first - address)
      return name + " is " + std::to_string(address - end) +
             " bytes after the end of an allocation of " + std::to_string(before->second.size) +
             " bytes";
  }
  if (after != allocations_.end())
    return name + " is " + std::to_string(after->first - address) +
           " bytes before an allocation of " + std::to_string(after->second.size) + " bytes";
  return name + " is in no allocation";
}

void DeviceMemory::throw_fault(std::uint64_t address, std::uint64_t size, bool write) const {
  const std::uint64_t offset = address - base_;
  std::uint64_t first = address;
  if (in_device(address))
    while (first < address + size && offset + (first - address) < extent_ &&
           (state_[first - base_] & addressable) != 0)
      ++first;
  const bool unwritten = !write && first == address + size;
  if (unwritten)
    for (first = address; (state_[first - base_] & initialised) != 0;) ++first;
  throw Fault(unwritten ? Fault::Kind::uninitialised_read : Fault::Kind::illegal_address,
              std::string(write ? "write" : "read") + " of " + std::to_string(size) +
                  " bytes: " + describe(first));
}

}  // namespace ptxemu
