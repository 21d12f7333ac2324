#include "memory/device_memory.hpp"

#include <cstdio>
#include <cstring>
#include <new>

#include <sys/mman.h>

#include "memory/fault.hpp"

namespace ptxemu {
namespace {
constexpr std::uint64_t granule =
    256;  ///< alignment of allocations, and bytes left free after each

/// Bytes that an allocation occupies, with those left free after it.
std::uint64_t footprint(std::uint64_t size) {
  return (size + granule - 1) / granule * granule + granule;
}

void* reserve(std::uint64_t size, int protection) {
  void* const start =
      mmap(nullptr, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
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

std::string hexadecimal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}
}  // namespace

DeviceMemory::DeviceMemory(std::uint64_t capacity) : capacity_(capacity) {
  base_ = reinterpret_cast<std::uint64_t>(reserve(capacity_, PROT_NONE));
  data_ = static_cast<std::byte*>(reserve(capacity_, PROT_READ | PROT_WRITE));
  state_ = static_cast<std::uint8_t*>(reserve(capacity_, PROT_READ | PROT_WRITE));
}

DeviceMemory::~DeviceMemory() {
  munmap(reinterpret_cast<void*>(base_), capacity_);
  munmap(data_, capacity_);
  munmap(state_, capacity_);
}

std::uint64_t DeviceMemory::allocate(std::uint64_t size) {
  const std::uint64_t needed = footprint(size);
  std::uint64_t offset = capacity_;
  for (auto gap = free_gaps_.begin(); gap != free_gaps_.end(); ++gap) {
    if (gap->second < needed) continue;
    offset = gap->first;
    if (gap->second > needed) free_gaps_.emplace(offset + needed, gap->second - needed);
    free_gaps_.erase(gap);
    break;
  }
  if (offset == capacity_) {
    if (needed < size || end_of_used_ + needed > capacity_) return 0;
    offset = end_of_used_;
    end_of_used_ += needed;
  }
  std::memset(state_ + offset, addressable, size);
  for (auto freed_range = freed_allocations_.begin(); freed_range != freed_allocations_.end();)
    freed_range = freed_range->first < offset + needed &&
                          offset < freed_range->first + footprint(freed_range->second)
                      ? freed_allocations_.erase(freed_range)
                      : std::next(freed_range);
  allocations_.emplace(base_ + offset, size);
  used_ += needed;
  return base_ + offset;
}

bool DeviceMemory::release(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return false;
  const std::uint64_t offset = address - base_, needed = footprint(found->second);
  // The process keeps the pages: a later allocation at the same place reuses them.
  std::memset(state_ + offset, freed, found->second);
  freed_allocations_[offset] = found->second;
  used_ -= needed;
  allocations_.erase(found);
  auto gap = free_gaps_.emplace(offset, needed).first;
  if (const auto next = std::next(gap);
      next != free_gaps_.end() && offset + needed == next->first) {
    gap->second += next->second;
    free_gaps_.erase(next);
  }
  if (gap != free_gaps_.begin()) {
    const auto before = std::prev(gap);
    if (before->first + before->second == gap->first) {
      before->second += gap->second;
      free_gaps_.erase(gap);
    }
  }
  return true;
}

void DeviceMemory::add_host_range(const void* start, std::uint64_t size) {
  host_[reinterpret_cast<std::uint64_t>(start)] = size;
}

bool DeviceMemory::remove_host_range(const void* start) {
  return host_.erase(reinterpret_cast<std::uint64_t>(start)) != 0;
}

bool DeviceMemory::is_host(std::uint64_t address, std::uint64_t size) const {
  auto range = host_.upper_bound(address);
  if (range == host_.begin()) return false;
  --range;
  return size <= range->second && address - range->first <= range->second - size;
}

DeviceMemory::Range DeviceMemory::allocation(std::uint64_t address) const {
  auto range = allocations_.upper_bound(address);
  if (range == allocations_.begin()) return {};
  --range;
  if (address - range->first >= range->second) return {};
  return {range->first, range->second};
}

std::byte* DeviceMemory::access(std::uint64_t address, std::uint64_t size, bool write) {
  const std::uint64_t offset = address - base_;
  if (offset >= capacity_) {
    if (!is_host(address, size)) throw_fault(address, size, write);
    return reinterpret_cast<std::byte*>(address);
  }
  if (size > capacity_ - offset) throw_fault(address, size, write);
  const std::uint8_t required = write ? std::uint8_t{addressable} : needed_to_read_;
  if ((common_bits(state_ + offset, size) & required) != required)
    for (std::uint64_t n = 0; n < size; ++n)
      if ((state_[offset + n] & required) != required) throw_fault(address + n, size - n, write);
  if (write) std::memset(state_ + offset, addressable | initialised, size);
  return data_ + offset;
}

std::string DeviceMemory::describe(std::uint64_t address) const {
  const std::string name = "address " + hexadecimal(address);
  if (!in_device(address)) return name + " is neither device memory nor registered host memory";
  const std::uint64_t offset = address - base_;
  if (state_[offset] == freed) {
    auto range = freed_allocations_.upper_bound(offset);
    if (range != freed_allocations_.begin()) {
      --range;
      return name + " is byte " + std::to_string(offset - range->first) + " of an allocation of " +
             std::to_string(range->second) + " bytes that was freed";
    }
    return name + " was freed";
  }
  if (state_[offset] == addressable) return name + " has not been written since its allocation";
  auto after = allocations_.upper_bound(address);
  if (after != allocations_.begin()) {
    const auto before = std::prev(after);
    const std::uint64_t end = before->first + before->second;
    if (address < end) return name + " is allocated";
    if (after == allocations_.end() || address - end <= after->first - address)
      return name + " is " + std::to_string(address - end) +
             " bytes after the end of an allocation of " + std::to_string(before->second) +
             " bytes";
  }
  if (after != allocations_.end())
    return name + " is " + std::to_string(after->first - address) +
           " bytes before an allocation of " + std::to_string(after->second) + " bytes";
  return name + " is in no allocation";
}

void DeviceMemory::throw_fault(std::uint64_t address, std::uint64_t size, bool write) const {
  const std::uint64_t offset = address - base_;
  std::uint64_t first = address;
  if (in_device(address))
    while (first < address + size && offset + (first - address) < capacity_ &&
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
