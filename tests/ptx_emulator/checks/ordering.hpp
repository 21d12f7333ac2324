#pragma once
// The happens-before relation between threads of a launch, from barriers, fences, and releases that
// acquires observe (PTX ISA manual, memory consistency model: causality order).

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "checks/shadow_memory.hpp"
#include "checks/vector_clock.hpp"
#include "exec/code.hpp"

namespace ptxemu {

/// What a thread that reads a location learns: the clock of the release whose value it reads.
struct Release {
  Clock in_block;     ///< for threads of the same block
  Clock device_wide;  ///< for threads of other blocks; null if the scope was the block
  std::uint64_t block = 0;
};
using Releases = std::unordered_map<std::uint64_t, Release>;  ///< by address

/// The clocks of the threads of one block.
class BlockOrdering {
 public:
  /// `now` is the counter of the launch, and `releases` those in global memory.
  BlockOrdering(std::uint64_t block, std::uint64_t threads, Time& now, Releases& releases);

  std::uint64_t block() const { return block_; }
  std::uint64_t warps() const { return warps_; }
  /// Number in the grid of warp `index` of the block.
  std::uint64_t warp_number(int index) const {
    return block_ * warps_ + static_cast<unsigned>(index);
  }
  /// Time of the last barrier of all threads.
  Time barrier_time() const { return barrier_time_; }
  /// What happens before the next instruction of a thread; null: only what its own block did before
  /// the last barrier, and its own accesses.
  const Clock& before(int warp, int lane) const;
  /// Whether an access happens before the next instruction of a thread.
  bool happens_before(const Access& access, int warp, int lane) const;

  /// A fence of the lanes; `device_wide` if its scope is more than the block.
  void fence(int warp, std::uint32_t lanes, bool device_wide);
  /// A completed bar.warp.sync of the lanes.
  void warp_barrier(int warp, std::uint32_t lanes);
  /// Lanes arrive at barrier `number`, at which they wait unless the instruction is bar.arrive.
  void arrive(int number, int warp, std::uint32_t lanes, bool waits);
  /// The threads that wait at barrier `number` continue; `live_threads` of the block have not
  /// exited.
  void complete(int number, int live_threads);
  /// A strong access: learns from the release that it reads, and releases by what it writes.
  void synchronise(int warp, int lane, std::uint64_t address, bool in_shared_memory,
                   const CheckedInstruction& instruction);

  ShadowMemory shared;  ///< shadow of the shared memory of the block

 private:
  /// Index 0 of the arrays is for threads of the same block, 1 for those of other blocks.
  struct Thread {
    Clock before;
    std::array<Clock, 2> fenced;    ///< what happened before the last fence: relaxed writes
                                    ///< release it
    std::array<Clock, 2> observed;  ///< releases read by relaxed reads, for the next fence
  };
  struct Arrival {
    int warp;
    std::uint32_t lanes;
    bool waits;
    Time time;
    std::vector<Thread> state;  ///< of bar.arrive: the clocks at the arrival
  };
  Thread& thread(int warp, int lane);
  /// What a release of the thread publishes: its clock and its own accesses.
  Clock published(int warp, int lane);
  std::uint32_t lanes_of(int warp) const;
  void add_entries(VectorClock& clock, int warp, std::uint32_t lanes, Time time) const;
  /// Adds the clocks of `from` to those of `to`.
  void join_thread(Thread& to, const Thread& from) const;

  std::uint64_t block_, thread_count_, warps_;
  Time& now_;
  Time barrier_time_ = 0;
  Releases& global_releases_;
  Releases shared_releases_;
  std::vector<Thread> threads_;  ///< empty before the first synchronisation
  std::array<std::vector<Arrival>, 16> arrivals_;
};

}  // namespace ptxemu
