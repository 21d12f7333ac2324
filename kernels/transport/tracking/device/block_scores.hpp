#pragma once
// The scores of a block of threads: sums in shared memory, which are added to those of all blocks
// at the end of the kernel.

#include "kernels/transport/tracking/device/device_banks.hpp"

#if defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

__device__ inline void add_to_total(std::int64_t& total, std::int64_t of_block) {
  if (of_block != 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(&total),
              static_cast<unsigned long long>(of_block));
}
__device__ inline void add_to_total(WideInteger& total, WideInteger of_block) {
  if (of_block != 0) add_atomically(total, of_block);
}

/// Adds the scores of the block to those of all blocks. To be called by one thread.
__device__ inline void add_scores(HistoryScores& total, const HistoryScores& of_block) {
  add_to_total(total.k_collision, of_block.k_collision);
  add_to_total(total.k_absorption, of_block.k_absorption);
  add_to_total(total.k_track_length, of_block.k_track_length);
  add_to_total(total.leakage, of_block.leakage);
  add_to_total(total.timed_out, of_block.timed_out);
  add_to_total(total.fission_production, of_block.fission_production);
  add_to_total(total.flights, of_block.flights);
  add_to_total(total.collisions, of_block.collisions);
  add_to_total(total.secondaries, of_block.secondaries);
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
