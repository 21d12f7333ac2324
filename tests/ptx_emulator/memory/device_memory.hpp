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
#include <vector>

#include "memory/free_list.hpp"
#include "memory/shared_pages.hpp"

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
  /// As allocate(), in pages of their own, so that share() is possible.
  std::uint64_t allocate_shareable(std::uint64_t size);
  /// Frees memory of the two functions; returns false if `address` is not the start of an
  /// allocation. Processes that have opened it cannot access it afterwards.
  bool release(std::uint64_t address);

  /// Lets other processes open the allocation of allocate_shareable() that starts at `address`:
  /// moves it to shared pages at the same address at the first call. Null if there is none.
  const IpcHandle* share(std::uint64_t address);
  enum class OpenResult { opened, own_process, stale, no_addresses };
  /// Maps the allocation that another process has shared, and sets `address` to its first byte.
  /// Opening it again returns the same address, and it must be closed as often.
  OpenResult open(const IpcHandle& handle, std::uint64_t& address);
  /// Reverses open(); returns false if `address` is not that of an opened allocation.
  bool close(std::uint64_t address);

  /// Whether open() has mapped the memory at `address`, which another process has allocated.
  bool is_opened(std::uint64_t address) const {
    return opened_.count(allocation(address).start) != 0;
  }

  /// Makes the memory of another device of the process accessible to kernels; returns false if it
  /// already is.
  bool add_peer(DeviceMemory& peer);
  /// Reverses add_peer(); returns false if it was not accessible.
  bool remove_peer(const DeviceMemory& peer);

  /// Makes host memory accessible to kernels of all devices of the process, as cudaHostAlloc and
  /// cudaHostRegister do.
  static void add_host_range(const void* start, std::uint64_t size);
  /// Reverses add_host_range(); returns false if no range starts at `start`.
  static bool remove_host_range(const void* start);
  /// Whether [address, address + size) is host memory that kernels can access.
  static bool is_host(std::uint64_t address, std::uint64_t size = 1);

  struct Range {
    std::uint64_t start = 0, size = 0;
  };
  /// The allocation, of this or of another process, that contains `address`; size 0 if there is
  /// none.
  Range allocation(std::uint64_t address) const;

  /// Whether the address is in the range of the device, allocated or not.
  bool in_device(std::uint64_t address) const { return address - base_ < extent_; }

  /// Translates a device address or an accessible host address to a host pointer after checking
  /// that all `size` bytes may be accessed; a write marks them initialised. Throws Fault otherwise.
  template <int size, bool write>
  std::byte* access(std::uint64_t address);
  /// Copies of the members that access() needs, for loops over lanes: the compiler keeps them in
  /// registers.
  struct View {
    std::uint64_t base, extent;
    std::byte* data;
    std::uint8_t* state;
    std::uint8_t needed_to_read;
    /// As access<size, write>(), but returns null where that calls a slower function or throws.
    template <int size, bool write>
    std::byte* find(std::uint64_t address) const;
  };
  View view() const { return {base_, extent_, data_, state_, needed_to_read_}; }
  /// As access<size, write>(), for any size and alignment.
  std::byte* access(std::uint64_t address, std::uint64_t size, bool write);
  /// Sets bytes of the device to zero, after the check of access().
  void fill_zero(std::uint64_t address, std::uint64_t size);

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }
  /// The largest value of used() so far.
  std::uint64_t peak() const { return peak_; }
  /// Number of allocations of this process.
  std::size_t allocations() const { return allocations_.size() - opened_.size(); }
  /// Sets the number of the device in the node, which handles for other processes contain.
  void set_device(int number) { device_ = number; }
  /// Sets whether reads of uninitialised bytes are faults.
  void set_initialised_check(bool on) {
    needed_to_read_ = on ? addressable | initialised : addressable;
  }
  /// Describes an invalid address for a message.
  std::string describe(std::uint64_t address) const;

 private:
  struct Allocation {
    std::uint64_t size = 0;
    std::uint64_t occupied = 0;  ///< bytes in the free list
    bool shareable = false;
    bool initialised = false;  ///< whether all bytes have been written by one access
  };
  struct Opened {
    SharedPages pages;
    int count = 0;  ///< number of calls of open() without a call of close()
  };
  std::uint64_t allocate(std::uint64_t size, std::uint64_t alignment, bool shareable);
  /// The allocation of this process that contains [address, address + size); null if there is none.
  Allocation* own_allocation(std::uint64_t address, std::uint64_t size);
  /// Sets the states of bytes from an offset on.
  void set_states(std::uint64_t offset, std::uint64_t size, std::uint8_t state);
  /// Whether the pages of an offset are shared with other processes.
  bool is_shared(std::uint64_t offset) const;
  [[noreturn]] void throw_fault(std::uint64_t address, std::uint64_t size, bool write) const;

  std::uint64_t base_ = 0, capacity_ = 0, used_ = 0, peak_ = 0;
  std::uint64_t extent_ = 0;  ///< reserved bytes: the capacity and memory of other processes
  std::byte* data_ = nullptr;
  std::uint8_t* state_ = nullptr;
  std::uint8_t needed_to_read_ = addressable;  ///< bits that the state of a byte needs for a read
  int device_ = 0;
  std::map<std::uint64_t, Allocation> allocations_;  ///< by first address
  FreeList free_, free_for_opened_;                  ///< offsets
  std::map<std::uint64_t, Allocation>
      freed_allocations_;  ///< by offset: freed memory that is not yet reused, for messages
  std::vector<DeviceMemory*> peers_;
  std::map<std::uint64_t, SharedPages> shared_;  ///< by first address
  std::map<std::uint64_t, Opened> opened_;       ///< by first address
};

template <int size, bool write>
inline std::byte* DeviceMemory::View::find(std::uint64_t address) const {
  static_assert(size == 1 || size == 2 || size == 4 || size == 8 || size == 16);
  const std::uint64_t offset = address - base;
  if (offset >= extent || (address & (size - 1)) != 0) return nullptr;
  using Word = std::conditional_t<
      size == 1, std::uint8_t,
      std::conditional_t<size == 2, std::uint16_t,
                         std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;
  constexpr auto ones = static_cast<Word>(0x0101010101010101u);
  const auto wanted =
      static_cast<Word>(ones * (write ? std::uint8_t{addressable} : needed_to_read));
  Word* const words = reinterpret_cast<Word*>(state + offset);
  for (int n = 0; n < (size == 16 ? 2 : 1); ++n) {
    if ((words[n] & wanted) != wanted) return nullptr;
    // Most writes are to initialised bytes, whose common pages (pattern_pages.hpp) stay common.
    constexpr auto written = static_cast<Word>(ones * std::uint8_t{addressable | initialised});
    if (write && words[n] != written) words[n] = written;
  }
  return data + offset;
}

template <int size, bool write>
inline std::byte* DeviceMemory::access(std::uint64_t address) {
  std::byte* const found = view().find<size, write>(address);
  return found != nullptr ? found : access(address, size, write);
}

}  // namespace ptxemu
