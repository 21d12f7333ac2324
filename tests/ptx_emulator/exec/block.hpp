#pragma once
// A block of threads (CTA) of a launch: its warps, shared memory and barriers.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "exec/warp.hpp"

namespace ptxemu {

struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// Options of the checks.
struct Checks {
  bool initialised = false;  ///< reads of shared memory that nothing has written are faults
};

/// One launch of a kernel.
struct Launch {
  const Code* kernel = nullptr;
  Extent grid, block;
  std::uint32_t dynamic_shared = 0;         ///< bytes
  std::uint32_t dynamic_shared_offset = 0;  ///< where they begin in shared memory
  std::vector<std::byte> parameters;
  DeviceMemory* memory = nullptr;
  const std::vector<std::unique_ptr<Code>>* functions = nullptr;  ///< of the module, by number
  Checks checks;
  std::uint64_t seed = 0;  ///< order of blocks: 0 is ascending
};

class Block {
 public:
  Block(const Launch& launch, std::uint64_t index);

  /// Gives each warp a turn of up to `quantum` instructions. Throws Fault.
  void run(int quantum);
  bool ended() const { return running_ == 0; }

  // For handlers.
  const Launch& launch() const { return launch_; }
  std::uint32_t coordinate(int axis) const { return coordinates_[axis]; }
  std::byte* shared(std::uint64_t offset, std::uint64_t size, bool write);
  /// Threads of the block that have not ended.
  int live_threads() const;

  struct Barrier {
    int arrived = 0;    ///< threads
    int expected = 0;   ///< 0: all threads that have not ended
    int reduction = 0;  ///< of bar.red: threads whose predicate holds
    int last_reduction = 0;
  };
  Barrier& barrier(int number) { return barriers_[static_cast<unsigned>(number)]; }
  /// Lets the threads of a complete barrier go on.
  void complete(int number);
  Counts counts() const;

 private:
  bool complete_where_possible();

  const Launch& launch_;
  std::uint32_t coordinates_[3];
  std::vector<std::byte> shared_;
  std::vector<std::uint8_t> shared_state_;
  std::array<Barrier, 16> barriers_{};
  std::vector<std::unique_ptr<Warp>> warps_;
  std::size_t running_ = 0;
};

}  // namespace ptxemu
