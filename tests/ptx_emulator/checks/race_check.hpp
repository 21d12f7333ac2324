#pragma once
// The check for data races of one launch.

#include <cstdint>
#include <string>

#include "checks/ordering.hpp"
#include "checks/shadow_memory.hpp"

namespace ptxemu {

struct Launch;

/// Two conflicting accesses that no order of the memory consistency model separates.
struct Race {
  enum class Kind : std::uint8_t { none, read_after_write, write_after_write, write_after_read };
  Kind kind = Kind::none;
  Access earlier;
  std::uint64_t address = 0;  ///< of the later access
};

/// Detects races between the threads of a launch. Two accesses conflict if they have a byte in
/// common and at least one writes. They race unless one happens before the other, or both are
/// strong (atomic, relaxed, acquire, release, volatile) with scopes that include both threads.
class RaceCheck {
 public:
  explicit RaceCheck(const Launch& launch);

  /// The ordering of block number `index` at its start.
  BlockOrdering block(std::uint64_t index);
  /// Starts the next memory instruction.
  void begin_instruction() { ++now_; }
  /// Records an access of one thread, and returns a race with an earlier one.
  Race access(BlockOrdering& block, int warp, int lane, std::uint64_t address,
              bool in_shared_memory, const CheckedInstruction& instruction, const Op& op);
  /// Describes the thread and the instruction of an earlier access for a message.
  std::string describe(const Access& access) const;

 private:
  bool conflict(const BlockOrdering& block, int warp, int lane, const Access& earlier,
                const Access& later) const;
  /// The first read of the cell that conflicts with the write `later`; null if none does.
  const Access* conflicting_read(const BlockOrdering& block, int warp, int lane, const Cell& cell,
                                 const Access& later) const;
  void record_read(const BlockOrdering& block, int warp, int lane, Cell& cell, const Access& read);
  /// Replaces the reads by one entry per block if they are too many.
  void combine_reads(std::vector<Access>& reads) const;

  const Launch& launch_;
  std::uint64_t warps_per_block_;
  Time now_ = 0;
  ShadowMemory global_;
  Releases releases_;
};

}  // namespace ptxemu
