#pragma once
// Allocation of offsets in a range, first fit.

#include <cstdint>
#include <map>

namespace ptxemu {

class FreeList {
 public:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  /// Manages [start, start + size).
  FreeList(std::uint64_t start, std::uint64_t size) { gaps_[start] = size; }
  /// The first free offset that is a multiple of `alignment`, followed by `size` free bytes, which
  /// are in use afterwards; `none` if there is none.
  std::uint64_t take(std::uint64_t size, std::uint64_t alignment);
  /// Reverses take().
  void give_back(std::uint64_t offset, std::uint64_t size);

 private:
  std::map<std::uint64_t, std::uint64_t> gaps_;  ///< offset to size
};

}  // namespace ptxemu
