#pragma once
// Lists and sums that all threads of a device add to.

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

/// Adds 1 to a sum that the threads of a block share, for each lane that calls it.
GSIM_HD void count_on_device(std::int64_t& sum) {
#if defined(__CUDA_ARCH__)
  const unsigned lanes = __activemask();
  if (threadIdx.x % 32 == static_cast<unsigned>(__ffs(static_cast<int>(lanes)) - 1))
    atomicAdd(reinterpret_cast<unsigned long long*>(&sum),
              static_cast<unsigned long long>(__popc(lanes)));
#endif
}

/// Lists that all threads append to. Their particles are transported in the next pass.
template <class Set>
struct DeviceBanks {
  static constexpr HistoryFeatures features = Set::features;
  static constexpr bool transports_secondaries = false;
  static constexpr bool defers_events = true;
  const HistoriesArgs& args;

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
  GSIM_HD void count_flight(HistoryScores& scores) { count_on_device(scores.flights); }
  GSIM_HD void count_collision(HistoryScores& scores) { count_on_device(scores.collisions); }
  GSIM_HD void count_secondary(HistoryScores& scores) { count_on_device(scores.secondaries); }
};

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
