#pragma once
// The memory of one emulated device, and the host memory that it may reach.
//
// Device addresses lie in a range of the process that the host can neither read nor write, so that
// a host access to device memory ends with a segmentation fault as it does with a real device. The
// bytes are kept in a second range, and one byte of state for each of them in a third.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>

namespace ptxemu {

class DeviceMemory {
 public:
  /// Bits of the state of a byte.
  enum State : std::uint8_t { addressable = 1, initialised = 2, freed = 0x80 };

  /// Reserves addresses for `capacity` bytes. Throws std::bad_alloc when the process has none.
  explicit DeviceMemory(std::uint64_t capacity);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// The address of `size` new bytes, a multiple of 256; 0 when the device has no room left.
  std::uint64_t allocate(std::uint64_t size);
  /// Gives back what allocate() returned; false when `address` is no start of an allocation.
  bool release(std::uint64_t address);

  /// Makes host memory reachable by kernels, as cudaHostAlloc and cudaHostRegister do.
  void add_host_range(const void* start, std::uint64_t size);
  /// False when no range starts there.
  bool remove_host_range(const void* start);
  /// True when [address, address + size) is host memory that kernels may reach.
  bool is_host(std::uint64_t address, std::uint64_t size = 1) const;

  struct Range {
    std::uint64_t start = 0, size = 0;
  };
  /// The allocation that holds `address`; size 0 where there is none.
  Range allocation(std::uint64_t address) const;

  /// True for every address in the range of the device, allocated or not.
  bool in_device(std::uint64_t address) const { return address - base_ < capacity_; }

  /// The bytes behind a device address or reachable host address, after the check that all `size`
  /// of them may be accessed; a write marks them initialised. Throws Fault otherwise.
  template <int size, bool write>
  std::byte* access(std::uint64_t address);
  /// The same for any number of bytes, of any alignment.
  std::byte* access(std::uint64_t address, std::uint64_t size, bool write);

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }
  std::size_t allocations() const { return live_.size(); }
  /// Whether reads of bytes that nothing has written are faults.
  void check_initialised(bool on) { read_bits_ = on ? addressable | initialised : addressable; }
  /// What lies at an address that was refused, for a message.
  std::string describe(std::uint64_t address) const;

 private:
  [[noreturn]] void refuse(std::uint64_t address, std::uint64_t size, bool write) const;

  std::uint64_t base_ = 0, capacity_ = 0, used_ = 0, top_ = 0;
  std::byte* data_ = nullptr;
  std::uint8_t* state_ = nullptr;
  std::uint8_t read_bits_ = addressable;
  std::map<std::uint64_t, std::uint64_t> live_;  ///< start to size
  std::map<std::uint64_t, std::uint64_t> free_;  ///< offset to size, rounded up
  std::map<std::uint64_t, std::uint64_t> dead_;  ///< freed and not yet used again, for messages
  std::map<std::uint64_t, std::uint64_t> host_;
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
  const auto wanted = static_cast<Word>(ones * (write ? std::uint8_t{addressable} : read_bits_));
  Word* const state = reinterpret_cast<Word*>(state_ + offset);
  for (int n = 0; n < (size == 16 ? 2 : 1); ++n) {
    if ((state[n] & wanted) != wanted) refuse(address, size, write);
    if (write) state[n] = static_cast<Word>(ones * (addressable | initialised));
  }
  return data_ + offset;
}

}  // namespace ptxemu
