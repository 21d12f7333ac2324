#include "memory/pattern_pages.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include <sys/mman.h>
#include <unistd.h>

namespace ptxemu {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t pattern_bytes = std::size_t{4} << 20;  ///< of the common pages of a value
constexpr std::size_t smallest = std::size_t{1} << 20;       ///< range that is not simply written

/// The file with the common pages of a value; negative if it cannot be created.
int pattern_file(std::uint8_t value) {
  static auto* const files = new std::map<std::uint8_t, int>;
  const auto [found, added] = files->try_emplace(value, -1);
  if (!added) return found->second;
  const int file = memfd_create("ptxemu_pattern", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(pattern_bytes)) != 0) return -1;
  void* const bytes = mmap(nullptr, pattern_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes == MAP_FAILED) return -1;
  std::memset(bytes, value, pattern_bytes);
  munmap(bytes, pattern_bytes);
  return found->second = file;
}

/// The part of a large range that consists of whole pages; without bytes for a small range.
struct WholePages {
  std::size_t before = 0, bytes = 0;
  WholePages(const void* start, std::size_t size) {
    if (size < smallest) return;
    before = (page - reinterpret_cast<std::uintptr_t>(start) % page) % page;
    bytes = (size - before) / page * page;
  }
};

}  // namespace

void fill_with_pattern(std::uint8_t* start, std::size_t size, std::uint8_t value) {
  const WholePages whole(start, size);
  const int file = whole.bytes != 0 ? pattern_file(value) : -1;
  if (file < 0) {
    std::memset(start, value, size);
    return;
  }
  std::uint8_t* at = start + whole.before;
  std::uint8_t* const end = at + whole.bytes;
  std::memset(start, value, whole.before);
  while (at < end) {
    const std::size_t part =
        std::min<std::size_t>(pattern_bytes, static_cast<std::size_t>(end - at));
    if (mmap(at, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) ==
        MAP_FAILED)
      break;
    at += part;
  }
  std::memset(at, value, size - static_cast<std::size_t>(at - start));
}

void fill_with_zeros(std::byte* start, std::size_t size) {
  const WholePages whole(start, size);
  if (whole.bytes == 0 || madvise(start + whole.before, whole.bytes, MADV_DONTNEED) != 0) {
    std::memset(start, 0, size);
    return;
  }
  const std::size_t after = whole.before + whole.bytes;
  std::memset(start, 0, whole.before);
  std::memset(start + after, 0, size - after);
}

}  // namespace ptxemu
