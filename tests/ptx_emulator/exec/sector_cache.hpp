#pragma once
// A cache of sectors, by which a report of counts estimates the traffic between L1, L2 and DRAM.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ptxemu {

/// Bytes of a sector, the unit of transfers between L1, L2 and DRAM.
constexpr std::uint64_t sector_bytes = 32;

/// A set-associative cache with the least recently used sector replaced.
class SectorCache {
 public:
  struct Result {
    bool hit = false;            ///< whether the sector was present
    bool evicted_dirty = false;  ///< whether a written sector was replaced
  };

  /// A cache of about `bytes` bytes; one of less than a set has no sectors, and nothing hits.
  explicit SectorCache(std::uint64_t bytes)
      : sets_(bytes / sector_bytes / ways), tags_(sets_ * ways, 0) {}

  /// Looks sector number `sector` up and inserts it; `write` marks it as written.
  Result access(std::uint64_t sector, bool write) {
    if (sets_ == 0) return {};
    // Multiplicative hashing (Knuth) spreads strides over the sets.
    std::uint64_t* const set =
        &tags_[(((sector * 0x9e3779b97f4a7c15u) >> 32) * sets_ >> 32) * ways];
    const std::uint64_t tag = (sector << 1) + 2;  // not 0; the lowest bit: written
    Result result;
    std::size_t n = 0;
    while (n < ways - 1 && (set[n] & ~std::uint64_t{1}) != tag) ++n;
    const std::uint64_t found = set[n];
    result.hit = (found & ~std::uint64_t{1}) == tag;
    result.evicted_dirty = !result.hit && (found & 1) != 0;
    std::copy_backward(set, set + n, set + n + 1);
    set[0] = tag | (write ? 1 : 0) | (result.hit ? found & 1 : 0);
    return result;
  }

 private:
  static constexpr std::size_t ways = 16;
  std::size_t sets_;
  std::vector<std::uint64_t> tags_;  ///< [set][way], the most recently used first; 0: empty
};

}  // namespace ptxemu
