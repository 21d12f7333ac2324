#pragma once
// Memory that several processes map: the data and the states of one device allocation.

#include <array>
#include <cstddef>
#include <cstdint>

namespace ptxemu {

/// Names shared pages for other processes of the node.
struct IpcHandle {
  std::uint32_t magic = 0;
  std::int32_t process = 0;  ///< the exporting process
  std::int32_t file = 0;     ///< its descriptor of the pages
  std::int32_t device = 0;   ///< number of the exporting device in the node
  std::uint64_t size = 0;    ///< bytes of the allocation
  std::array<std::uint64_t, 2> key =
      {};  ///< random number, which is also in the pages: a handle of an allocation that was
           ///< freed, or of a process that has ended, does not match other pages
};
static_assert(sizeof(IpcHandle) <= 64);

/// A file in memory (memfd) with the data of an allocation, one byte of state for each data byte,
/// and the key of the handle.
class SharedPages {
 public:
  static constexpr std::uint64_t page = 4096;
  static constexpr std::uint64_t rounded(std::uint64_t size) {
    return (size + page - 1) / page * page;
  }

  SharedPages() = default;
  ~SharedPages();
  SharedPages(SharedPages&& other) noexcept;
  SharedPages& operator=(SharedPages&& other) noexcept;

  /// Creates zeroed pages for `size` bytes of memory of device `device`. Throws std::bad_alloc.
  static SharedPages create(std::uint64_t size, int device);
  /// Opens the pages of a handle of another process; check is_open() for success.
  static SharedPages open(const IpcHandle& handle);

  bool is_open() const { return file_ >= 0; }
  const IpcHandle& handle() const { return handle_; }
  /// Replaces the pages at the two addresses, which are multiples of the page size, by these.
  /// Throws std::bad_alloc.
  void map(void* data, void* states) const;
  /// Returns the memory of the data to the operating system; all processes read zeros afterwards.
  void discard_data() const;

 private:
  int file_ = -1;
  IpcHandle handle_;
};

}  // namespace ptxemu
