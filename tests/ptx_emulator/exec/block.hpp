#pragma once
// A block of threads (CTA) of a launch: its warps, shared memory and barriers.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "checks/checks.hpp"
#include "checks/race_check.hpp"
#include "exec/warp.hpp"

namespace ptxemu {

/// Dimensions of a grid in blocks or of a block in threads.
struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

class KernelProfile;

/// One launch of a kernel.
struct Launch {
  const Code* kernel = nullptr;
  Extent grid, block;
  std::uint32_t dynamic_shared = 0;         ///< bytes of dynamic shared memory
  std::uint32_t dynamic_shared_offset = 0;  ///< its offset in shared memory
  std::vector<std::byte> parameters;
  DeviceMemory* memory = nullptr;
  /// functions of the module, by number
  const std::vector<std::unique_ptr<Code>>* functions = nullptr;
  Checks checks;
  std::uint64_t seed = 0;            ///< order of blocks: 0 is ascending
  KernelProfile* profile = nullptr;  ///< counts of a report; null: not counted
  /// %envreg1 and %envreg2: for cooperative launches, the address of two words with which all
  /// blocks synchronise
  std::uint64_t grid_workspace = 0;
};

class Block {
 public:
  /// Block number `index` of the launch, x fastest; `races` is null if races are not checked.
  Block(const Launch& launch, std::uint64_t index, RaceCheck* races = nullptr);

  /// Executes up to `max_instructions` instructions of each warp. Throws Fault.
  void run(int max_instructions);
  bool ended() const { return running_ == 0; }

  // For instruction handlers.
  const Launch& launch() const { return launch_; }
  std::uint32_t coordinate(int axis) const { return coordinates_[axis]; }
  /// The host address of `size` bytes of shared memory; `write` marks them initialised. Throws
  /// Fault for bytes outside of it and for reads of uninitialised bytes.
  std::byte* shared(std::uint64_t offset, std::uint64_t size, bool write);
  /// The check for races and the order of the threads; null if they are not checked.
  RaceCheck* races() { return races_; }
  BlockOrdering* ordering() { return ordering_.get(); }
  /// Number of threads of the block that have not exited.
  int live_threads() const;

  struct Barrier {
    int arrived = 0;         ///< number of threads that have arrived
    int expected = 0;        ///< number of expected threads; 0: all threads that have not exited
    int reduction = 0;       ///< of bar.red: number of threads whose predicate is true
    int last_reduction = 0;  ///< `reduction` when the barrier was last complete
  };
  Barrier& barrier(int number) { return barriers_[static_cast<unsigned>(number)]; }
  /// Releases the threads of a complete barrier.
  void complete_barrier(int number);
  Counts counts() const;

 private:
  bool complete_barriers_of_remaining_threads();

  const Launch& launch_;
  std::uint32_t coordinates_[3];
  std::vector<std::byte> shared_;
  std::vector<std::uint8_t> shared_state_;  ///< [byte] 1: initialised; empty: not checked
  std::array<Barrier, 16> barriers_{};
  RaceCheck* races_;
  std::unique_ptr<BlockOrdering> ordering_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::size_t running_ = 0;  ///< number of warps that have not ended
};

}  // namespace ptxemu
