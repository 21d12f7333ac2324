#pragma once
// Counts of one kernel for a report: executions of each instruction, and memory traffic.
//
// Programs that are loaded for a report have each arithmetic and memory instruction replaced by one
// that counts before it executes. Other programs do not, so that counting costs them nothing.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "exec/block.hpp"
#include "exec/sector_cache.hpp"

namespace ptxemu {

/// Requests of one kind, one for each warp instruction that accesses the memory.
struct AccessCounts {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;  ///< sum over active lanes
  /// Global and local memory: distinct sectors of each request. Shared memory: passes over the
  /// banks (wavefronts).
  std::uint64_t parts = 0;
  /// Shared memory: wavefronts beyond those of a request without bank conflicts.
  std::uint64_t extra = 0;
};

/// Memories whose accesses are counted separately; `host` is pinned host memory.
enum class Memory : std::uint8_t { global, local, shared, host, count };

/// Traffic of one kernel over all launches, in requests and sectors.
struct TrafficCounts {
  AccessCounts accesses[static_cast<int>(Memory::count)][static_cast<int>(AccessKind::count)];
  std::uint64_t l2_reads = 0;        ///< sectors that L1 requests from L2
  std::uint64_t l2_writes = 0;       ///< sectors that are written to L2
  std::uint64_t l2_atomics = 0;      ///< sectors of atomic instructions, executed in L2
  std::uint64_t dram_reads = 0;      ///< sectors that L2 requests from DRAM
  std::uint64_t dram_writes = 0;     ///< written sectors that L2 replaces
  std::uint64_t atomics = 0;         ///< atomic operations on global memory (lanes)
  std::uint64_t max_on_address = 0;  ///< largest number of them on one address in a launch
  std::uint64_t addresses = 0;       ///< distinct addresses, summed over launches
};

/// Replaces the handlers of arithmetic and memory instructions by one that counts.
void count_instructions(Code& code);

/// Shape of a launch; launches of the same shape are counted together.
struct LaunchShape {
  std::uint64_t blocks = 0, threads = 0;
  std::uint32_t dynamic_shared = 0;
  bool operator<(const LaunchShape& other) const;
};

/// Counts of one kernel on one device.
class KernelProfile {
 public:
  /// Starts to count a launch, in which each block has `l1_bytes` of L1 cache; `l2` is the L2 cache
  /// of the device.
  void begin_launch(const Launch& launch, std::uint64_t l1_bytes, SectorCache& l2);
  void end_launch();
  /// Counts the execution of instruction `number` of the function that `warp` executes.
  void record(Warp& warp, const Op& op, std::size_t number);

  /// Executions by opcode with suffixes, in warps.
  std::map<std::string, std::uint64_t> opcodes() const;
  /// Sums over executed instructions of CountedInstruction::waits_for_load and
  /// depends_on_previous; the latter by unit of the instruction.
  struct Dependences {
    std::uint64_t waits_for_loads = 0;
    std::uint64_t on_previous[static_cast<int>(Unit::count)] = {};
  };
  Dependences dependences() const;

  TrafficCounts traffic;
  std::map<LaunchShape, std::uint64_t> shapes;  ///< number of launches of each shape

 private:
  void count_access(Warp& warp, const Op& op, const CountedInstruction& instruction);
  void count_sectors(const Block& block, AccessCounts& counts, const std::uint64_t* sectors,
                     int count, Memory memory, const CountedInstruction& instruction);
  void access_l2(std::uint64_t sector, bool write);
  SectorCache& l1_of(const Block& block);

  SectorCache* l2_ = nullptr;
  std::uint64_t l1_bytes_ = 0;
  /// L1 caches of the blocks that were active last, by number of the block
  std::deque<std::pair<std::uint64_t, SectorCache>> l1_;
  std::unordered_map<std::uint64_t, std::uint64_t> on_address_;  ///< atomics of this launch
  std::unordered_map<const Code*, std::vector<std::uint64_t>> executions_;
  const Code* last_code_ = nullptr;
  std::vector<std::uint64_t>* last_executions_ = nullptr;
};

}  // namespace ptxemu
