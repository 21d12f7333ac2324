#pragma once
// The memory of one emulated device, and host memory that it can access.
//
// Device addresses are in a range of the process that the host can neither read nor write, so that
// a host access to device memory causes a segmentation fault as with a real device. The data are
// kept in a second range, and one byte of state for each data byte in a third.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>

namespace ptxemu {

class DeviceMemory {
 public:
  /// Bits of the state of a byte; `addressable` is set while it is allocated, `freed` afterwards.
  enum State : std::uint8_t { addressable = 1, initialised = 2, freed = 0x80 };

  /// Reserves addresses for `capacity` bytes. Throws std::bad_alloc if the process has none.
  explicit DeviceMemory(std::uint64_t capacity);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Allocates `size` bytes at a multiple of 256; returns 0 if device memory is exhausted.
  std::uint64_t allocate(std::uint64_t size);
  /// Frees memory of allocate(); returns false if `address` is not the start of an allocation.
  bool release(std::uint64_t address);

  /// Makes host memory accessible to kernels, as cudaHostAlloc and cudaHostRegister do.
  void add_host_range(const void* start, std::uint64_t size);
  /// Reverses add_host_range(); returns false if no range starts at `start`.
  bool remove_host_range(const void* start);
  /// Whether [address, address + size) is host memory that kernels can access.
  bool is_host(std::uint64_t address, std::uint64_t size = 1) const;

  struct Range {
    std::uint64_t start = 0, size = 0;
  };
  /// The allocation that contains `address`; size 0 if there is none.
  Range allocation(std::uint64_t address) const;

  /// Whether the address is in the range of the device, allocated or not.
  bool in_device(std::uint64_t address) const { return address - base_ < capacity_; }

  /// Translates a device address or an accessible host address to a host pointer after checking
  /// that all `size` bytes may be accessed; a write marks them initialised. Throws Fault otherwise.
  template <int size, bool write>
  std::byte* access(std::uint64_t address);
  /// As access<size, write>(), for any size and alignment.
  std::byte* access(std::uint64_t address, std::uint64_t size, bool write);

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }
  std::size_t allocations() const { return allocations_.size(); }
  /// Sets whether reads of uninitialised bytes are faults.
  void set_initialised_check(bool on) {
    needed_to_read_ = on ? addressable | initialised : addressable;
  }
  /// Describes an invalid address for a message.
  std::string describe(std::uint64_t address) const;

 private:
  [[noreturn]] void throw_fault(std::uint64_t address, std::uint64_t size, bool write) const;

  std::uint64_t base_ = 0, capacity_ = 0, used_ = 0;
  std::uint64_t end_of_used_ = 0;  ///< offset from which on no memory has been allocated yet
  std::byte* data_ = nullptr;
  std::uint8_t* state_ = nullptr;
  std::uint8_t needed_to_read_ = addressable;  ///< bits that the state of a byte needs for a read
  std::map<std::uint64_t, std::uint64_t> allocations_;  ///< start to size
  std::map<std::uint64_t, std::uint64_t> free_gaps_;    ///< offset to size, for new allocations
  std::map<std::uint64_t, std::uint64_t>
      freed_allocations_;  ///< offset to size of freed memory that is not yet reused, for messages
  std::map<std::uint64_t, std::uint64_t> host_;  ///< start to size of accessible host memory
};

template <int size, bool write>
inline std::byte* DeviceMemory::access(std::uint64_t address) {
  static_assert(size == 1 || size == 2 || size == 4 || size == 8 || size == 16);
  const std::uint64_t offset = address - base_;
  if (offset >= capacity_ || (address & (size - 1)) != 0) return access(address, size, write);
  using Word = std::conditional_t<
      size == 1, std::uint8_t,
      std::conditional_t<size == 2, std::uint16_t,
                         std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;
  constexpr auto ones = static_cast<Word>(0x0101010101010101u);
  const auto wanted =
      static_cast<Word>(ones * (write ? std::uint8_t{addressable} : needed_to_read_));
  Word* const state = reinterpret_cast<Word*>(state_ + offset);
  for (int n = 0; n < (size == 16 ? 2 : 1); ++n) {
    if ((state[n] & wanted) != wanted) throw_fault(address, size, write);
    if (write) state[n] = static_cast<Word>(ones * (addressable | initialised));
  }
  return data_ + offset;
}

}  // namespace ptxemu
