#pragma once
// Lists and sums that all threads of a device add to.

#include "gsim/exec/block_reduce.hpp"
#include "kernels/transport/tracking/history_state.hpp"

#if defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Takes an element of a list that many threads append to, and returns its index. Lanes of a warp
/// that call it together take theirs at once.
__device__ inline Index next_index(Index* count) {
  const unsigned lanes = __activemask();
  const unsigned lane = threadIdx.x % 32;
  const int first = __ffs(static_cast<int>(lanes)) - 1;
  unsigned long long index = 0;
  if (lane == static_cast<unsigned>(first))
    index = atomicAdd(reinterpret_cast<unsigned long long*>(count),
                      static_cast<unsigned long long>(__popc(lanes)));
  index = __shfl_sync(lanes, index, first);
  return static_cast<Index>(index) + __popc(lanes & ((1u << lane) - 1));
}
/// Appends an item to a list, if there is space.
template <class T>
GSIM_HD void append_on_device(transport::GrowingList<T>* list, const T& item) {
#if defined(__CUDA_ARCH__)
  const Index at = next_index(&list->count);
  if (at < list->capacity) list->items[at] = item;
#endif
}

/// Lists that all threads append to. Their particles are transported in the next pass.
template <class Set>
struct DeviceBanks {
  static constexpr HistoryFeatures features = Set::features;
  static constexpr bool transports_secondaries = false;
  static constexpr bool defers_collisions = Set::features.surface_tracking;
  const HistoriesArgs& args;
  std::uint32_t flights = 0, collisions = 0;  ///< events since they were last added to the sums
  std::int32_t colliding_in = -1;             ///< material of a deferred collision

  GSIM_HD void add_fission_site(const FissionSite& site) {
    append_on_device(args.fission_sites, site);
  }
  GSIM_HD void record_crossing(const CrossingRecord& crossing) {
    append_on_device(args.crossings, crossing);
  }
  GSIM_HD void push_secondary(const BankedParticle& particle) {
    append_on_device(args.secondaries, particle);
  }
  GSIM_HD bool pop_secondary(BankedParticle& /*particle*/) { return false; }
  GSIM_HD void send_to_owner(const SuspendedParticle& particle) {
    append_on_device(args.departures, particle);
  }
  /// The list has the capacity for all particles of a pass.
  GSIM_HD SuspendedParticle* bank_for_next_pass() {
#if defined(__CUDA_ARCH__)
    return args.suspended->items + next_index(&args.suspended->count);
#else
    return args.suspended->items;
#endif
  }
  GSIM_HD void count_flight(HistoryScores& /*scores*/) { ++flights; }
  GSIM_HD void count_collision(HistoryScores& /*scores*/) { ++collisions; }
};

/// Sum of x over the threads of a warp, in its first lane.
__device__ inline unsigned long long sum_over_warp(unsigned long long x) {
  for (int distance = 16; distance > 0; distance /= 2) x += __shfl_down_sync(~0u, x, distance);
  return x;
}
__device__ inline void add_warp(std::int64_t* to, std::int64_t mine) {
  const unsigned long long sum = sum_over_warp(static_cast<unsigned long long>(mine));
  if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(reinterpret_cast<unsigned long long*>(to), sum);
}
/// Adds to a 128-bit sum in two words, with the carry of the lower word.
__device__ inline void add_warp(WideInteger* to, WideInteger mine) {
  const WideInteger sum = sum_of_warp(mine);
  if (threadIdx.x % 32 != 0 || sum == 0) return;
  const auto low = static_cast<unsigned long long>(sum);
  const unsigned long long before = atomicAdd(reinterpret_cast<unsigned long long*>(to), low);
  const unsigned long long carry = before + low < low ? 1 : 0;
  atomicAdd(reinterpret_cast<unsigned long long*>(to) + 1,
            static_cast<unsigned long long>(sum >> 64) + carry);
}
/// Adds the sums of all threads of a warp to `to`. To be called by all of them.
template <class Set>
__device__ inline void add_scores(HistoryScores& to, const HistoryScores& mine) {
  add_warp(&to.k_collision, mine.k_collision);
  add_warp(&to.k_absorption, mine.k_absorption);
  if constexpr (Set::features.surface_tracking) add_warp(&to.k_track_length, mine.k_track_length);
  add_warp(&to.leakage, mine.leakage);
  if constexpr (Set::features.times) add_warp(&to.timed_out, mine.timed_out);
  if constexpr (Set::features.secondaries) {
    add_warp(&to.fission_production, mine.fission_production);
    add_warp(&to.secondaries, mine.secondaries);
  }
  add_warp(&to.flights, mine.flights);
  add_warp(&to.collisions, mine.collisions);
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
