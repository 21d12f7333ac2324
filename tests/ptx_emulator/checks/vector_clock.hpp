#pragma once
// Vector clocks: which accesses of other threads happen before the next one of a thread (Lamport
// 1978; Flanagan and Freund, FastTrack, 2009). Because instructions are executed one after another,
// one counter serves as the clock of every thread, and one time may describe a whole block or warp.

#include <cstdint>
#include <memory>
#include <vector>

namespace ptxemu {

/// Number of memory and synchronisation instructions that the launch has executed.
using Time = std::uint64_t;

/// Times up to which the accesses of threads happen before. Warps are numbered over the grid;
/// thread = 32 warp + lane. An entry of a block or warp holds for all of its threads.
struct VectorClock {
  struct Entry {
    std::uint64_t id = 0;
    Time time = 0;
  };
  std::vector<Entry> blocks, warps, threads;  ///< ascending by id

  /// Whether the accesses of all `lanes` of a warp up to `time` happen before.
  bool covers(std::uint64_t block, std::uint64_t warp, std::uint32_t lanes, Time time) const;
  /// Whether accesses of at least one thread of the block up to `time` or later happen before.
  bool covers_any(std::uint64_t block, std::uint64_t warps_per_block, Time time) const;
  /// Number of blocks of which at least one thread has an entry.
  std::size_t known_blocks(std::uint64_t warps_per_block) const;
};

/// A clock that is shared by threads; null if nothing happens before.
using Clock = std::shared_ptr<const VectorClock>;

/// The clock of what happens before according to `a` or `b`.
Clock join(const Clock& a, const Clock& b, std::uint64_t warps_per_block);

}  // namespace ptxemu
